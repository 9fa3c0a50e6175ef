import type { Conversation, Handling, Program } from "./conversation.js";
import type { Event, EventOf, Kind } from "./log.js";

interface Moment {
  readonly n: number;
  readonly t: number;
}

/** A message, with what rules need of it. */
export interface Message {
  readonly dir: "toAgent" | "toClient";
  readonly sent: Moment;
  arrived?: Moment;
  readonly id?: number | string | undefined;
  readonly method?: string | undefined;
  readonly s?: string | undefined;
  /** The kind of an update, and the id of the step that sent it. */
  readonly tag?: string | undefined;
  readonly step?: string | undefined;
  /** The program of a prompt. */
  readonly p?: string | undefined;
  /** The outcome, action or stop reason of a result; the session that it creates. */
  readonly result?: string | undefined;
  readonly created?: string | undefined;
  /** The session of a subagent that is announced. */
  readonly child?: string | undefined;
  readonly error?: number | undefined;
  /** The message of the user that was inserted, and the state of the session. */
  readonly messageId?: string | undefined;
  readonly state?: string | undefined;
  answer?: Message;
  /** How many responses a request has. */
  answers: number;
}

/** A prompt, with all that belongs to it. */
export interface Turn {
  readonly p: string;
  readonly s: string;
  readonly program: Program | undefined;
  readonly prompt: EventOf<"prompt">;
  readonly request: Message | undefined;
  readonly answer: Message | undefined;
  /** What ends it: its answer, in version 2 the idle state that follows its work. */
  readonly last: Message | undefined;
  readonly run: EventOf<"run"> | undefined;
  readonly ran: EventOf<"ran"> | undefined;
  readonly ends: readonly EventOf<"turn">[];
}

export interface CallFacts {
  readonly start: EventOf<"start">;
  readonly end: EventOf<"end"> | undefined;
}

/** A conversation that was played, with its log in the terms of the rules. */
export class Talk {
  readonly conversation: Conversation;
  readonly log: readonly Event[];
  readonly messages: readonly Message[];
  /** The arrivals of what was not sent. */
  readonly repeated: Moment[] = [];
  readonly turns: readonly Turn[];
  readonly calls: readonly CallFacts[];
  /** All steps of programs, by their ids. */
  readonly steps: ReadonlyMap<string, Handling & { readonly re?: string; readonly size?: number }>;
  /** Whether nothing has ended or cut the connection before all was quiet. */
  readonly isWhole: boolean;
  /** The place of the event after which the driver closes the connection. */
  readonly quietAt: number;
  /** The version that the client speaks. */
  readonly clientVersion: 1 | 2;
  /** The histories of sessions that were opened again, by their ids, and all of their updates. */
  readonly histories: ReadonlyMap<string, readonly string[]>;
  readonly replayed: ReadonlySet<string>;
  readonly #events = new Map<Kind, Event[]>();

  constructor(conversation: Conversation, log: readonly Event[]) {
    this.conversation = conversation;
    this.log = log;
    for (const event of log)
      this.#events.set(event.kind, [...(this.#events.get(event.kind) ?? []), event]);
    const { fault, acts, over, version } = conversation;
    this.clientVersion = over === "bridge" ? 1 : version;
    const isMended = over === "http" && fault?.kind.startsWith("cut");
    this.isWhole = fault === undefined || fault.kind === "stall" || isMended === true;
    this.quietAt = this.of("quiet")[0]?.n ?? Infinity;
    this.messages = this.#readMessages();
    const ends = new Map(this.of("end").map((end) => [end.call, end]));
    this.calls = this.of("start").map((start) => ({ start, end: ends.get(start.call) }));
    this.steps = new Map(stepsOf(acts).map((step) => [step.id, step]));
    const programs = new Map(
      acts.flatMap((act) => (act.op === "prompt" ? [[act.program.id, act.program]] : [])),
    );
    this.histories = new Map(
      acts.flatMap((act) =>
        act.op === "resume" && act.replay
          ? [[act.replay.id!, act.replay.early.map(({ id }) => id)]]
          : [],
      ),
    );
    this.replayed = new Set([...this.histories.values()].flat());
    // The first of those that are sent again.
    const requests = new Map(
      this.messages.toReversed().flatMap((one) => (one.p ? [[one.p, one]] : [])),
    );
    this.turns = this.of("prompt").map((prompt) => {
      const { p, s } = prompt;
      const is = (event: { readonly p: string }): boolean => event.p === p;
      const [run, ran] = [this.of("run").find(is), this.of("ran").find(is)];
      const ended = this.of("turn").filter(is);
      const sent = requests.get(p);
      // A prompt that was refused on its own side may be sent again later.
      const request = sent && ended[0] && ended[0].n < sent.sent.n ? undefined : sent;
      const program = programs.get(p);
      const turn = {
        p,
        s,
        program,
        prompt,
        request,
        answer: request?.answer,
        run,
        ran,
        ends: ended,
      };
      return { ...turn, last: this.#endOf(turn) };
    });
  }

  of<K extends Kind>(kind: K): readonly EventOf<K>[] {
    return (this.#events.get(kind) ?? []) as unknown as readonly EventOf<K>[];
  }

  /** Returns the side that has died, whose calls and handlers nobody sees. */
  isDead(side: "agent" | "client"): boolean {
    return this.conversation.fault?.kind === `${side}Dies`;
  }

  #endOf({ s, request, answer, ends }: Omit<Turn, "last">): Message | undefined {
    if (this.clientVersion === 1 || answer === undefined || answer.error !== undefined)
      return answer;
    const { messageId } = answer;
    const report = this.messages.find((one) => one !== answer && one.messageId === messageId);
    const cancel = this.messages.find(
      (one) => ENDING.has(one.method ?? "") && one.s === s && one.sent.n > request!.sent.n,
    );
    const isCancelledBefore = (moment?: Moment): boolean =>
      cancel !== undefined && moment !== undefined && cancel.sent.n < moment.n;
    // What has arrived may be read after the turn was cancelled, and ends it then.
    const ended = ends[0]?.stopReason === "cancelled" ? ends[0] : undefined;
    return this.messages.find(
      ({ s: of, state, sent, arrived, result }) =>
        of === s &&
        state === "idle" &&
        report &&
        sent.n > report.sent.n &&
        (result !== "cancelled" || isCancelledBefore(arrived) || isCancelledBefore(ended)),
    );
  }

  #readMessages(): Message[] {
    const messages: Message[] = [];
    const waiting: Record<string, Message[]> = { toAgent: [], toClient: [] };
    const open = new Map<string, Message>();
    for (const event of this.log) {
      if (event.kind === "arrived") {
        const message = waiting[event.dir]!.shift();
        if (message === undefined) this.repeated.push(event);
        else message.arrived = event;
      } else if (event.kind === "sent") {
        const message = readMessage(event);
        messages.push(message);
        waiting[event.dir]!.push(message);
        const { id, method, dir } = message;
        if (id === undefined) continue;
        const key = `${(method === undefined) === (dir === "toAgent") ? "agent" : "client"} ${id}`;
        if (method !== undefined) open.set(key, message);
        else {
          const request = open.get(key);
          if (request === undefined) throw new Error(`a response to no request: ${event.line}`);
          request.answer ??= message;
          request.answers++;
        }
      }
    }
    return messages;
  }
}

/** What ends the work of a session. */
export const ENDING: ReadonlySet<string> = new Set(["session/cancel", "session/close"]);

function readMessage({ dir, line, n, t }: EventOf<"sent">): Message {
  const { id, method, params = {}, result, error } = JSON.parse(line) as Wired;
  const { update, sessionId } = params;
  const [block] = params.prompt ?? [];
  const { path, message, command, toolCall, cwd } = params;
  const asked = path ?? message ?? command ?? toolCall?.title ?? cwd;
  // A bridge repeats what the user has sent, which is a program.
  const isEcho = update?.sessionUpdate === "user_message_chunk";
  const text =
    (isEcho ? undefined : update?.content?.text) ??
    update?.title ??
    (update?.entries ?? update?.plan?.entries)?.[0]?.content ??
    asked ??
    params.title;
  return {
    ...{ dir: dir as Message["dir"], sent: { n, t }, id, method, s: sessionId, answers: 0 },
    tag: update?.sessionUpdate,
    step: (text && /"id": ?"([ucqo]\d+)"/.exec(text)?.[1]) || update?.toolCallId,
    p: block && (JSON.parse(block.text) as Program).id,
    result: result?.outcome?.outcome ?? result?.action ?? result?.stopReason ?? update?.stopReason,
    created: result?.sessionId,
    child: update?.sessionId,
    error: error?.code,
    messageId: result?.messageId ?? update?.messageId,
    state: update?.state,
  };
}

/** What is read of a message. */
interface Wired {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly update?: {
      readonly sessionUpdate: string;
      readonly sessionId?: string;
      readonly toolCallId?: string;
      readonly messageId?: string;
      readonly state?: string;
      readonly stopReason?: string;
      readonly title?: string;
      readonly content?: { readonly text?: string };
      readonly entries?: readonly { readonly content: string }[];
      readonly plan?: { readonly entries?: readonly { readonly content: string }[] };
    };
    readonly prompt?: readonly { readonly text: string }[];
    readonly cwd?: string;
    readonly path?: string;
    readonly message?: string;
    readonly command?: string;
    readonly title?: string;
    readonly toolCall?: { readonly title?: string };
  };
  readonly result?: {
    readonly outcome?: { readonly outcome: string };
    readonly action?: string;
    readonly stopReason?: string;
    readonly sessionId?: string;
    readonly messageId?: string;
  };
  readonly error?: { readonly code: number };
}

function stepsOf(value: unknown): Handling[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "do" in value && "id" in value ? [value as unknown as Handling] : [];
  return [...own, ...Object.values(value).flatMap(stepsOf)];
}
