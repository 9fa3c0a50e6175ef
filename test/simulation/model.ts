import type { ErrorFacts, EventOf } from "./log.js";
import { ENDING, Talk, type Message, type Turn } from "./talk.js";

/** A rule that a conversation breaks, where, and how. */
export interface Fault {
  readonly rule: string;
  readonly text: string;
  readonly n: number;
}

/** The methods of calls, by the names that drivers give them. */
const METHODS: { readonly [op: string]: string } = {
  new: "session/new",
  mode: "session/set_mode",
  option: "session/set_config_option",
  ask: "session/request_permission",
  elicit: "elicitation/create",
  terminal: "terminal/create",
};

/** How questions of a cancelled turn are answered. */
const ANSWERS_OF_CANCELLED: { readonly [op: string]: string } = {
  ask: "cancelled",
  elicit: "cancel",
};

type Found = readonly [text: string, at: { readonly n: number } | undefined];

/** Returns the rules that a conversation breaks. */
export function check(talk: Talk): Fault[] {
  return Object.entries(RULES).flatMap(([rule, find]) =>
    [...find(talk)].map(([text, at]) => ({ rule, text, n: at?.n ?? -1 })),
  );
}

/** The rules of behavior in time, the same for every language. */
export const RULES: { readonly [sentence: string]: (talk: Talk) => Iterable<Found> } = {
  *"the handlers of a session's updates start once, in the order of the wire"(talk) {
    const handles = talk.of("handle");
    const isCut = talk.conversation.fault?.kind === "cutToClient";
    // A last line without its end is a message all the same.
    const last = isCut && talk.messages.find(({ dir, arrived }) => dir === "toClient" && !arrived);
    for (const s of new Set(handles.map((one) => one.s))) {
      const came = updatesOf(talk, s).filter(
        (one) => one === last || (one.arrived && one.arrived.n < talk.quietAt),
      );
      const handled = handles.filter((one) => one.s === s);
      const wrong = handled.findIndex(
        ({ tag, id }, index) => came[index]?.tag !== tag || came[index].step !== id,
      );
      if (wrong >= 0)
        yield [`${handled[wrong]!.id} instead of ${came[wrong]?.step}`, handled[wrong]];
      else if (talk.isWhole && came.length > handled.length)
        yield [`${came[handled.length]!.step} was not handled`, came[handled.length]!.arrived];
    }
  },

  *"what is sent arrives, once"(talk) {
    for (const event of talk.repeated)
      yield ["a message arrived that was not sent, or again", event];
    if (!talk.isWhole) return;
    const refused = new Set(talk.of("refused").map(({ id }) => id));
    const arrived = new Set(talk.messages.flatMap(({ arrived, step }) => (arrived ? [step] : [])));
    for (const send of talk.of("send"))
      if (!refused.has(send.id) && !arrived.has(send.id)) yield [send.id, send];
  },

  *"a sender waits while much of what it has sent was not read"(talk) {
    const { over, version } = talk.conversation;
    if (!talk.isWhole || over === "http" || over === "bridge") return;
    const refused = new Set(talk.of("refused").map(({ id }) => id));
    const arrivals = new Map(talk.messages.map(({ step, arrived }) => [step, arrived]));
    for (const { p, s } of talk.turns) {
      // What is held during a history does not wait.
      const isHeld = talk.messages.some((one) => one.s === s && talk.histories.has(one.step ?? ""));
      if (version > 1 && isHeld) continue;
      const sends = talk.of("send").filter((one) => one.p === p && !refused.has(one.id));
      const sizeOf = ({ id }: EventOf<"send">): number => talk.steps.get(id)?.size ?? 0;
      const bound = 2 * Math.max(...sends.map(sizeOf)) + QUEUES;
      for (const send of sends) {
        const unread = sends
          .filter((one) => one.n < send.n && !isBefore(arrivals.get(one.id), send))
          .reduce((sum, one) => sum + sizeOf(one), 0);
        if (unread > bound) yield [`${send.id}: ${unread} bytes, at most ${bound}`, send];
      }
    }
  },

  *"a request has one response"(talk) {
    for (const { method, id, answers, sent } of talk.messages) {
      if (method === undefined || id === undefined || sent.n > talk.quietAt) continue;
      if (answers > 1 || (answers === 0 && talk.isWhole))
        yield [`${method} ${id}: ${answers} responses`, sent];
    }
  },

  *"in version 1, nothing of a turn is sent behind its response"(talk) {
    if (talk.conversation.version !== 1) return;
    for (const { dir, tag, s, step, sent } of talk.messages) {
      if (dir !== "toClient" || !TURN_UPDATES.test(tag ?? "")) continue;
      // A history belongs to no turn, and the turn of a subagent is not seen.
      if (talk.replayed.has(step!) || s!.includes("-")) continue;
      const isOpen = talk.turns.some(
        (turn) =>
          turn.s === s &&
          // A last line without its end is a message all the same.
          isBefore(turn.request?.arrived ?? turn.run, sent) &&
          !isBefore(turn.answer?.sent, sent),
      );
      if (!isOpen) yield [`${tag} ${step}`, sent];
    }
  },

  *"a turn returns after the handlers of its updates, or a grace"(talk) {
    const ended = new Map(talk.of("handled").map((event) => [event.id, event]));
    for (const turn of talk.turns) {
      // A handler is not waited for by what it waits for itself.
      if (turn.prompt.inside || hasEndedByItself(talk, turn)) continue;
      for (const end of turn.ends) {
        // Who gives a turn up may not wait for it.
        if (
          end.by === "signal" &&
          talk.of("cancel").some(({ p, t }) => p === turn.p && t === end.t)
        )
          continue;
        if (hasLeft(talk, end)) continue;
        // Nothing is received behind the end of a connection.
        const closed = talk.of("closed").find(({ side }) => side === "client");
        const moments = [end, closed, turn.last?.arrived].filter((one) => one !== undefined);
        const last = moments.reduce((a, b) => (b.n < a.n ? b : a));
        // A handler that waits for another turn may take longer than its turn waits.
        if (end.t - last.t >= HANDLERS_GRACE) continue;
        for (const { s, step = "", arrived } of talk.messages) {
          const isOfTurn =
            s === turn.s && arrived && arrived.n > turn.prompt.n && arrived.n < last.n;
          if (!isOfTurn || !talk.steps.has(step) || !step.startsWith("u")) continue;
          if (talk.clientVersion > 1 && talk.replayed.has(step)) continue;
          if (!isBefore(ended.get(step), end)) yield [`${turn.p} (${end.by}), ${step}`, end];
        }
      }
    }
  },

  *"a loop receives the updates of its turn, in order"(talk) {
    for (const { p, ids, n } of talk.of("looped")) {
      const turn = talk.turns.find((one) => one.p === p)!;
      const { program } = turn;
      const own = updatesOf(talk, turn.s)
        .filter(
          ({ arrived }) =>
            arrived && arrived.n > turn.prompt.n && isBefore(arrived, turn.last?.arrived),
        )
        .flatMap(({ step }) =>
          program?.steps.some((one) => "id" in one && one.id === step && step.startsWith("u"))
            ? [step]
            : [],
        );
      const seen = ids.filter((id) => own.includes(id));
      // Whether an update preceded a history or was part of it is not known.
      const isLost = turn.ends.some(({ error }) => error?.kind === "closed");
      const isKnown = isBefore(turn.last?.arrived, { n }) && !isLost && !wasReplayed(talk, turn);
      if (isKnown && seen.join() !== own.join()) yield [`${p}: ${seen} of ${own}`, { n }];
      const replayed = ids.find((id) => talk.replayed.has(id));
      if (talk.clientVersion > 1 && replayed) yield [`${p}: ${replayed} is of a history`, { n }];
    }
  },

  *"a turn has one end"(talk) {
    for (const { p, ends, prompt } of talk.turns) {
      if (ends.length === 0 && !talk.isDead("client")) yield [`${p} does not end`, prompt];
      const all = new Set(
        ends.map(({ ok, stopReason, error }) => `${ok} ${stopReason} ${error?.text}`),
      );
      if (all.size > 1) yield [`${p}: ${[...all].join(" / ")}`, ends[0]];
    }
  },

  *"a turn ends with its answer, or as cancelled if its user has cancelled it"(talk) {
    for (const turn of talk.turns) {
      const [end] = turn.ends;
      const answer = turn.answer?.arrived && turn.answer;
      if (end === undefined || hasEndedByItself(talk, turn)) continue;
      const shown = `${turn.p}: ${answer?.result ?? answer?.error}, turn ${end.stopReason ?? end.error?.text}`;
      if (answer === undefined || end.error?.kind === "closed") {
        // A server refuses messages of a connection that it has closed, also after a cancellation.
        const isRefused =
          talk.conversation.over === "http" &&
          end.stopReason === "cancelled" &&
          cancelsByUser(talk).some((one) => one.s === turn.s && isBefore(one, end));
        if ((end.ok && !isRefused) || talk.isWhole) yield [shown, end];
      } else if (answer.error !== undefined) {
        const cancels = talk
          .of("cancel")
          .filter((one) => one.s === turn.s && isBefore(turn.prompt, one))
          .filter((one) => !isAhead(talk, turn, one));
        const effective = cancelsByUser(talk);
        const isCancelled = cancels.some(
          (one) => effective.includes(one) && isBefore(one, answer.arrived),
        );
        // What has arrived may be read after a cancellation at the same moment, or when the
        // caller of an earlier turn has continued; and one may be sent late.
        const isEither =
          cancels.some((one) => one.t === answer.arrived!.t || isHeld(talk, turn, one)) ||
          cancelsOf(talk, turn).some(({ sent }) => isBefore(sent, answer.arrived));
        const isRight =
          end.stopReason === "cancelled"
            ? isCancelled || isEither
            : !isCancelled && end.error?.code === answer.error;
        if (!isRight) yield [shown, end];
      } else if (!isBefore(turn.last?.arrived, end)) yield [`${shown}, before its end`, end];
      else if (end.stopReason !== turn.last!.result) {
        const isRepeated = wasReplayed(talk, turn);
        // An error of cancelled work is its end as well.
        const isStopped = turn.last!.result === "error" && end.stopReason === "cancelled";
        const isError = isStopped && cancelsOf(talk, turn).length > 0;
        if (!isRepeated && !isError) yield [shown, end];
      }
    }
  },

  *"a prompt that is sent again is one message, and its work runs once"(talk) {
    for (const { start } of talk.calls) {
      if (start.op !== "retry") continue;
      const requests = talk.messages.filter(({ p }) => p === start.p);
      const ids = new Set(requests.flatMap(({ answer }) => answer?.messageId ?? []));
      if (ids.size > 1) yield [`${start.p} is ${[...ids].join()}`, start];
      const reports = talk.messages.filter(
        ({ tag, messageId = "" }) => tag === "user_message" && ids.has(messageId),
      );
      const runs = talk.of("run").filter(({ p }) => p === start.p);
      if (reports.length > 1 || runs.length > 1)
        yield [`${start.p}: ${reports.length} messages, ${runs.length} runs`, start];
    }
  },

  *"a prompt that is refused leaves no message"(talk) {
    const accepted = new Set(talk.messages.map(({ p, answer }) => p && answer?.messageId));
    for (const { tag, messageId, sent } of talk.messages)
      if (tag === "user_message" && talk.isWhole && !accepted.has(messageId))
        yield [`${messageId}`, sent];
  },

  *"a history is sent as a whole, then its end, and the state before the response"(talk) {
    if (talk.clientVersion === 1) return;
    const ends = new Map<string, number>();
    const requests = talk.messages.filter(({ method }) => method === "session/resume");
    for (const request of requests) {
      const { step: id = "", s = "", answer, arrived, sent } = request;
      const others = requests.filter((one) => one !== request && one.s === s);
      const updates = updatesOf(talk, s).filter((one) => isBefore(arrived, one.sent));
      const history = talk.histories.get(id);
      const own = updates.filter(({ step = "" }) => history?.includes(step));
      const end = updates.find(
        (one) => one.tag === "replay_complete" && !isBefore(one.sent, own.at(-1)?.sent),
      );
      const isDone = answer !== undefined && answer.error === undefined;
      if (history && isDone) {
        if (!isBefore(end?.sent, answer.sent)) yield [`${id} has no end`, answer.sent];
        else ends.set(s, (ends.get(s) ?? 0) + 1);
      }
      const last = isDone ? end : own.at(-1);
      for (const { step = "", tag, state, sent } of updates)
        if (isBefore(own[0]?.sent, sent) && isBefore(sent, last?.sent))
          if (
            !talk.replayed.has(step) &&
            tag !== "replay_complete" &&
            (!state || others.length === 0)
          )
            yield [`${tag} ${step} in the history ${id}`, sent];
      const hasState = updates.some(
        (one) =>
          one.state !== undefined &&
          isBefore(one.sent, answer?.sent) &&
          !isBefore(one.sent, history && end?.sent),
      );
      if (isDone && !hasState) yield [`no state of ${s}`, sent];
    }
    for (const { tag, s = "", sent } of talk.messages) {
      if (tag !== "replay_complete") continue;
      ends.set(s, (ends.get(s) ?? 0) - 1);
      if (talk.isWhole && ends.get(s)! < 0) yield [`${s} has another end of a history`, sent];
    }
  },

  *"a session that is opened again returns after the handlers of its history"(talk) {
    const ended = new Map(talk.of("handled").map((event) => [event.id, event]));
    for (const { start, end } of talk.calls)
      for (const id of (start.op === "resume" && talk.histories.get(start.id ?? "")) || [])
        // A handler that waits for a turn itself lets what follows go on.
        if (
          end?.ok &&
          !hasLeft(talk, end) &&
          !isBefore(ended.get(id), end) &&
          talk.steps.get(id)?.re === undefined
        )
          yield [`${start.id}, ${id}`, end];
  },

  *"the work of a cancelled turn is aborted, and answers `cancelled`"(talk) {
    const aborted = new Set(talk.of("aborted").map(({ p }) => p));
    for (const turn of talk.turns)
      for (const { arrived } of cancelsOf(talk, turn)) {
        const { p, run, ran, last } = turn;
        const isLate = ran !== undefined && arrived !== undefined && ran.t <= arrived.t;
        if (!arrived || !isBefore(run, arrived) || isLate || isBefore(last?.sent, arrived))
          continue;
        if (!aborted.has(p)) yield [`${p} was not aborted`, arrived];
        if (last && last.result !== "cancelled")
          yield [`${p} answers ${last.result ?? last.error}`, last.sent];
      }
  },

  *"only a cancelled turn answers `cancelled`"(talk) {
    for (const turn of talk.turns) {
      const { p, last, s } = turn;
      if (last?.result !== "cancelled") continue;
      const isEnded = talk.messages.some(
        ({ method, arrived, s: of }) =>
          ENDING.has(method ?? "") && of === s && isBefore(arrived, last.sent),
      );
      if (!isEnded) yield [p, last.sent];
    }
  },

  *"questions of a cancelled turn are answered `cancelled`, and not asked"(talk) {
    const ends = new Map(talk.of("question-end").map((event) => [event.id, event]));
    for (const called of cancelsByUser(talk)) {
      const { s } = called;
      const sent = cancelMessages(talk, s).find((one) => isBefore(called, one.sent))?.sent;
      // What was cancelled already is not cancelled again.
      if (sent === undefined && talk.isWhole) continue;
      const cancel = sent ?? called;
      for (const turn of talk.turns) {
        const isOpen =
          turn.s === s &&
          isBefore(talk.clientVersion === 1 ? turn.request?.sent : turn.answer?.arrived, called) &&
          !isBefore(turn.last?.arrived, cancel);
        if (!isOpen || cancel.n > talk.quietAt || isClosed(talk, turn.s, cancel)) continue;
        for (const question of talk.of("question")) {
          if (question.p !== turn.p || !(question.what in ANSWERS_OF_CANCELLED)) continue;
          const request = talk.messages.find(
            ({ method, step }) => method === METHODS[question.what] && step === question.id,
          );
          const answer = request?.answer;
          // It is cancelled for the user also while the agent does not read.
          if (question.n > cancel.n || question.t > called.t) {
            // Before it is announced, a subagent is not known to be one of the session.
            const isKnown =
              request?.s === s ||
              talk.messages.some(
                (one) => one.child === request?.s && isBefore(one.arrived, question),
              );
            if (isKnown && !isBefore(turn.last?.arrived, question))
              yield [`${question.id} of ${turn.p} was asked`, question];
          } else if (
            answer &&
            !isBefore(ends.get(question.id), cancel) &&
            answer.sent.n > cancel.n
          ) {
            if (answer.result !== ANSWERS_OF_CANCELLED[question.what])
              yield [
                `${question.id} of ${turn.p} was answered ${answer.result ?? answer.error}`,
                answer.sent,
              ];
          }
        }
      }
    }
  },

  *"every call ends"(talk) {
    for (const { start, end } of talk.calls)
      if (end === undefined && !talk.isDead(ofAgent(start.op) ? "agent" : "client"))
        yield [`${start.op} ${start.id ?? start.s ?? ""}`, start];
  },

  *"every handler ends"(talk) {
    const ends = new Set(talk.of("question-end").map(({ id }) => id));
    if (!talk.isDead("client"))
      for (const question of talk.of("question"))
        if (!ends.has(question.id)) yield [question.id, question];
    if (!talk.isDead("agent"))
      for (const { p, run, ran } of talk.turns) if (run && !ran) yield [p, run];
  },

  *"a call fails only for a reason, which it names"(talk) {
    for (const { start, end } of talk.calls) {
      if (end === undefined || end.ok) continue;
      const { kind, text, method } = end.error!;
      const at: Found = [`${start.op} ${start.id ?? start.s ?? ""}: ${text}`, end];
      if (
        kind === "closed"
          ? method === undefined || talk.isWhole
          : !isExpected(talk, start, end.error!)
      )
        yield at;
    }
  },

  *"in version 1, a prompt has a grace when its client has left"(talk) {
    const [fault] = talk.of("fault");
    const { version, over } = talk.conversation;
    // The end of a WebSocket is that of both directions.
    if (version !== 1 || over === "socket" || !talk.isDead("client") || !fault) return;
    for (const { p, n, t } of talk.of("aborted")) {
      const s = talk.turns.find((turn) => turn.p === p)?.s;
      const isCancelled = talk.messages.some(
        (one) => ENDING.has(one.method ?? "") && one.s === s && isBefore(one.arrived, { n }),
      );
      // Who writes notices that nobody reads.
      const hasWritten = talk.log.some(
        (event) =>
          event.n > fault.n &&
          event.n < n &&
          (event.kind === "send" ||
            event.kind === "ran" ||
            (event.kind === "start" && ofAgent(event.op))),
      );
      if (!isCancelled && !hasWritten && t < fault.t + 1000)
        yield [`${p} was aborted after ${t - fault.t} ms`, { n }];
    }
  },

  *"an aborted call ends at once"(talk) {
    for (const { start, end } of talk.calls) {
      const after = Math.min(start.abort ?? Infinity, start.timeout ?? Infinity);
      if (end && end.t > start.t + after) yield [`${start.op} after ${end.t - start.t} ms`, end];
    }
  },

  *"what a request has asked ends with the request"(talk) {
    for (const { start, end } of talk.calls)
      for (const question of talk.of("question")) {
        if (start.asks !== question.id || !end || end.ok || end.error?.kind === "closed") continue;
        const { n, t } = question;
        if (n > end.n) yield [`${start.asks} was asked after the end`, question];
        const over = [...talk.of("question-aborted"), ...talk.of("question-end")].some(
          (event) => event.id === question.id && event.t <= end.t,
        );
        if (n < end.n && t < end.t && !over) yield [start.asks, end];
      }
  },

  *"time is bounded"(talk) {
    const { conversation, log } = talk;
    const last = log.findLast(({ n }) => n < talk.quietAt);
    const most = timeOf(conversation);
    if (talk.isWhole && last && last.t > most) yield [`${last.t} ms, at most ${most}`, last];
  },

  *"the caller goes on before what follows its answer is handled"(talk) {
    for (const [op, method] of Object.entries(METHODS)) {
      if (ofAgent(op)) continue;
      const calls = talk.calls.filter(({ start }) => start.op === op);
      const requests = talk.messages.filter((one) => one.method === method);
      for (const [index, { start, end }] of calls.entries()) {
        // Which of two equal calls at one moment is which cannot be seen, but for what they create.
        const isAlone = calls.every(({ start: other }) => other === start || other.t !== start.t);
        const request =
          op === "new"
            ? requests.find(({ answer }) => answer?.created === end?.result)
            : isAlone && calls.length === requests.length && requests[index];
        const answered = request ? request.answer?.arrived : undefined;
        if (!end?.ok || answered === undefined) continue;
        for (const message of talk.messages) {
          const { tag, step, arrived } = message;
          if (!tag || !arrived || arrived.n < answered.n) continue;
          const handle = handleOf(talk, message);
          if (isBefore(handle, end)) yield [`${step} was handled before ${op} returned`, handle];
        }
      }
    }
  },

  *"a state is what its updates have said"(talk) {
    for (const { s, ids } of talk.of("quiet").flatMap(({ states = [] }) => states)) {
      if (
        !talk.isWhole ||
        talk.messages.some((one) => one.s === s && REOPENING.test(one.method ?? ""))
      )
        continue;
      const said = updatesOf(talk, s).flatMap(({ tag, step, arrived }) =>
        arrived && SHOWN.test(tag!) && step ? [step] : [],
      );
      const expected = [...new Set(said)].join();
      if (expected !== ids.join()) yield [`${s}: ${ids.join()}, not ${expected}`, undefined];
    }
  },

  *"an answer that creates something is never dropped"(talk) {
    if (!talk.isWhole) return;
    const released = new Set(talk.of("released").map(({ id }) => id));
    for (const { method, step, answer, sent } of talk.messages)
      if (method === METHODS["terminal"] && answer?.error === undefined && !released.has(step!))
        yield [`${step} was not released`, sent];
    const closed = new Set(talk.of("closed-session").map(({ s }) => s));
    const created = talk.messages.filter(({ created }) => created !== undefined);
    const opened = talk.calls.filter(({ start, end }) => start.op === "new" && end?.ok).length;
    if (created.length - closed.size > opened)
      yield [`${created.length} sessions, ${opened} opened, ${closed.size} closed`, undefined];
  },

  *"nothing can be sent behind an end"(talk) {
    const refused = new Set(talk.of("refused").map(({ id }) => id));
    for (const { side, n } of talk.of("closed")) {
      if (side === "agent")
        for (const send of talk.of("send"))
          if (send.n > n && !refused.has(send.id)) yield [send.id, send];
      for (const { start, end } of talk.calls)
        // Work of a closed session has nothing to cancel.
        if (ofAgent(start.op) === (side === "agent") && start.n > n && end?.ok)
          if (start.op !== "cancel" || !isClosed(talk, start.s!, start)) yield [start.op, start];
    }
  },

  *"the end of a connection follows the handlers, or a grace"(talk) {
    for (const { side, n, t } of talk.of("closed")) {
      if (talk.isDead(side as "agent")) continue;
      const [begins, ends] =
        side === "agent"
          ? [talk.of("run"), talk.of("ran")]
          : [
              [...talk.of("handle"), ...talk.of("question")],
              [...talk.of("handled"), ...talk.of("question-end")],
            ];
      const keyOf = (event: { readonly id?: string; readonly p?: string }): string | undefined =>
        side === "agent" ? event.p : event.id;
      for (const begin of begins) {
        const end = ends.find((one) => keyOf(one) === keyOf(begin));
        if (begin.n > n) yield [`${keyOf(begin)} of the ${side} began after it`, begin];
        else if (end && end.n > n && end.t > t && t - lastOnWire(talk, n) < GRACE)
          yield [`${keyOf(begin)} of the ${side} ended after it`, end];
      }
    }
  },

  *"nothing is left"(talk) {
    const [quiet] = talk.of("quiet");
    const [over] = talk.of("over");
    if (over?.left !== 0) yield [`${over?.left} at the end`, over];
    if (!talk.isWhole || quiet === undefined) return;
    const { pending = 0, running = 0, left } = quiet;
    if (pending + running + left > 0)
      yield [`${pending} calls, ${running} requests, ${left} timers and listeners`, quiet];
  },

  *"no error is unhandled, and only errors of handlers are reported"(talk) {
    // A turn that is looked at late has no handler of its error until then.
    const isLate = talk.conversation.acts.some((act) => act.op === "prompt" && LATE.has(act.look));
    for (const event of talk.of("unhandled")) if (!isLate) yield [event.error.text, event];
    for (const event of talk.of("report")) {
      const { kind, text } = event.error;
      // Version 2 has the error of cancelled work in an update.
      const isNoted = text.includes("the cancelled work has ended with an error");
      const isExpected = kind === "rpc" || text === "thrown" || isNoted;
      if (talk.isWhole && event.n < talk.quietAt && !isExpected)
        yield [`${event.side}: ${text}`, event];
    }
  },
};

const TURN_UPDATES =
  /^(agent_message_chunk|agent_thought_chunk|tool_call|tool_call_update|plan|plan_update)$/;
const SHOWN = /agent_message|agent_thought|^tool_call/;
const REOPENING = /^session\/(close|resume|load)$/;
const LATE: ReadonlySet<string> = new Set(["late", "twice", "race"]);

/** The time that handlers have when a connection ends, in milliseconds. */
const GRACE = 1000;

/** The longest time that a turn waits for the handlers of its updates, in milliseconds. */
const HANDLERS_GRACE = 30_000;

/** Returns when the wire was used for the last time before an event. */
function lastOnWire(talk: Talk, before: number): number {
  return talk.log.findLast(({ kind, n }) => n < before && WIRE.has(kind))?.t ?? 0;
}

/** The bytes that all queues of a wire hold, besides the message that is written and the one before it. */
const QUEUES = 256 * 1024;

const WIRE: ReadonlySet<string> = new Set(["sent", "arrived", "fault", "quiet"]);

type Moment = { readonly n: number } | undefined;

function isBefore(event: Moment, other: Moment): boolean {
  return event !== undefined && other !== undefined && event.n < other.n;
}

/** Returns whether the client has closed the connection, and thus drops what it has not read. */
function hasLeft(talk: Talk, end: { readonly n: number }): boolean {
  return talk.conversation.fault?.kind === "clientClose" && isBefore(talk.of("fault")[0], end);
}

function updatesOf(talk: Talk, s: string): Message[] {
  return talk.messages.filter((one) => one.method === "session/update" && one.s === s);
}

/** Returns the start of the handler of an update. */
function handleOf(talk: Talk, update: Message): EventOf<"handle"> | undefined {
  const handles = talk.of("handle").filter(({ s }) => s === update.s);
  return handles[updatesOf(talk, update.s!).indexOf(update)];
}

/** Returns when the user cancelled something that had not ended. */
function cancelsByUser(talk: Talk): readonly EventOf<"cancel">[] {
  const cancels = talk.of("cancel");
  return cancels.filter((cancel, at) => {
    const turn = talk.turns.find((one) => one.p === cancel.p);
    // What was cancelled already is not cancelled again.
    const isRepeated =
      turn !== undefined &&
      cancels.slice(0, at).some((one) => one.s === cancel.s && isBefore(turn.prompt, one));
    return !isRepeated && !isBefore(turn?.last?.arrived, cancel);
  });
}

/** Returns whether an answer waits for the caller of an earlier one at a moment. */
function isHeld(talk: Talk, { answer }: Turn, at: EventOf<"cancel">): boolean {
  return talk.turns.some(
    (one) =>
      isBefore(one.answer?.arrived, answer?.arrived) &&
      one.ends.some((end) => isBefore(answer?.arrived, end) && at.t <= end.t),
  );
}

function cancelMessages(talk: Talk, s: string): Message[] {
  return talk.messages.filter((one) => one.method === "session/cancel" && one.s === s);
}

/** Returns whether a cancellation overtakes a prompt, which happens in threads of one moment. */
function isAhead(talk: Talk, { s, prompt, request }: Turn, one: EventOf<"cancel">): boolean {
  return (
    one.t === prompt.t &&
    cancelMessages(talk, s).some(({ sent }) => isBefore(one, sent) && isBefore(sent, request?.sent))
  );
}

/** Returns the cancellations of a turn's session that were sent after its prompt. */
function cancelsOf(talk: Talk, { s, request }: Turn): Message[] {
  return cancelMessages(talk, s).filter((one) => isBefore(request?.sent, one.sent));
}

/** Returns whether the history of a turn's session was sent after its prompt. */
function wasReplayed(talk: Talk, { s, request }: Turn): boolean {
  return talk.messages.some(
    (one) => one.s === s && talk.histories.has(one.step ?? "") && isBefore(request?.sent, one.sent),
  );
}

function isClosed(talk: Talk, s: string, before: { readonly n: number }): boolean {
  return talk.messages.some(
    (one) => one.method === "session/close" && one.s === s && isBefore(one.sent, before),
  );
}

/** Returns whether a turn ended on its own side: it was not sent or not waited for, or its session was closed. */
function hasEndedByItself(talk: Talk, { s, request, ends }: Turn): boolean {
  const [end] = ends;
  if (request === undefined || ["timeout", "aborted"].includes(end?.error?.kind ?? "")) return true;
  return end?.error?.kind === "other" && isClosed(talk, s, end);
}

function ofAgent(op: string): boolean {
  return ["ask", "elicit", "read", "write", "terminal"].includes(op);
}

/** Returns whether an error of a call is one that the conversation leads to. */
function isExpected(
  talk: Talk,
  { op, id = "", s = "", abort, timeout }: EventOf<"start">,
  { kind, text, code }: ErrorFacts,
): boolean {
  if (op === "resume" && code === -32050) return true;
  if (op === "retry" && /is closed/.test(text)) return true;
  if (kind === "aborted") return abort !== undefined || ofAgent(op);
  if (kind === "timeout") return timeout !== undefined;
  // Of a server, or a bridge.
  if (/answered 404|The agent has ended/.test(text)) return !talk.isWhole;
  if (ofAgent(op))
    return kind === "rpc" || /the turn has ended/.test(text) || talk.steps.get(id) === undefined;
  return isClosed(talk, s, { n: Infinity });
}

/** Returns how long a conversation may take: all its times, and what its bytes need. */
function timeOf({ acts, wires, fault, over }: Talk["conversation"]): number {
  const of = (value: unknown): { readonly ms: number; readonly bytes: number } => {
    if (typeof value !== "object" || value === null) return { ms: 0, bytes: 0 };
    return Object.entries(value).reduce(
      (sum, [name, each]) => {
        const { ms, bytes } = of(each);
        const own = typeof each === "number" ? each : 0;
        const waits = each === "wait" ? 20_000 : 0;
        return {
          ms: sum.ms + ms + waits + (/ms$/i.test(name) ? own : 0),
          bytes: sum.bytes + bytes + 1000 + (name === "size" ? own : 0),
        };
      },
      { ms: 0, bytes: 0 },
    );
  };
  const { ms, bytes } = of(acts);
  const wireMs = Object.values(wires).map(
    ({ chunk, capacity, delay }) => (bytes / Math.min(chunk, capacity, 16_384)) * 2 * (delay + 1),
  );
  // A client over HTTP waits before it tries again.
  const faultMs = fault === undefined ? 0 : fault.ms + (over === "http" ? 60_000 : 0);
  return Math.max(0, ...acts.map(({ t }) => t)) + ms + faultMs + wireMs[0]! + wireMs[1]! + 5000;
}
