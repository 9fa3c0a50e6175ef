import {
  BOTH,
  onKinds,
  onResult,
  onSent,
  onUpdate,
  V1,
  V2,
  type RuleFinding,
  type Rule,
} from "./rule.js";
import { CONTENT_UPDATES } from "../sessions.js";
import { isSmall } from "../memory.js";
import { at, isMask, isOn, list, show, textOf } from "../select.js";
import type { Conversation } from "../conversation.js";
import type { TranscriptStep } from "../step.js";

/** Methods that need a session which is open on this connection. */
export const NEEDING: readonly string[] = [
  ...["session/prompt", "session/cancel", "session/close", "session/set_mode"],
  ...["session/set_config_option", "tool_call/cancel", "terminal/cancel"],
  ...["session/update", "session/request_permission", "elicitation/create"],
  ...["fs/read_text_file", "fs/write_text_file", "terminal/create", "terminal/output"],
  ...["terminal/release", "terminal/wait_for_exit", "terminal/kill"],
];
/** Methods that change a session, besides `session/cancel`. */
const CHANGING: readonly string[] = [
  ...["session/prompt", "session/close", "session/delete", "session/set_mode"],
  ...["session/set_config_option", "session/set_title"],
];
/** Updates that name other sessions. */
const NAMING = ["session_message", "state_update", "tool_call", "tool_call_update"];
const PATH = "/params/sessionId";

function* unknownSession(step: TranscriptStep, conversation: Conversation): Generator<RuleFinding> {
  const { kind, method, from, sessionId, session } = step;
  if (kind === "end")
    for (const { id, phase, early } of conversation.sessions.values())
      for (const line of phase === "early" ? early : [])
        yield { message: `no response has returned the session ${show(id)}`, path: PATH, line };
  if ((kind !== "request" && kind !== "notification") || !NEEDING.includes(method)) return;
  if (sessionId === undefined) return;
  if (session === undefined && conversation.sessions.hasForgotten) return;
  // The agent may know the id before the client does.
  const isKnown = session !== undefined && (from === "agent" || session.phase !== "early");
  if (!isKnown && !(from === "agent" && conversation.isCreating))
    yield { message: `the session ${show(sessionId)} does not exist`, path: PATH };
}

/** Rules of sessions, their modes and their options. */
export const SESSION_RULES: readonly Rule[] = [
  {
    id: "known-session",
    source: "session setup; SessionNotFoundErrorData and NewSessionResponse in version 2",
    level: "error",
    versions: BOTH,
    check: onKinds(["request", "notification", "end"], unknownSession),
  },
  {
    id: "updates-before-session",
    source: "session setup, creating a session, whose response introduces the id",
    level: "note",
    versions: V1,
    check: onResult(["session/new", "session/fork"], function* ({ result }, { sessions }) {
      const session = sessions.get(textOf(at(result, "sessionId")));
      for (const line of session?.phase === "early" ? session.early : [])
        yield {
          message: "this precedes the response that opens the session, and some clients drop it",
          path: PATH,
          line,
        };
    }),
  },
  {
    id: "open-session",
    source: "session setup, closing sessions",
    level: "error",
    versions: BOTH,
    check: onSent(NEEDING, function* ({ session }) {
      if (session?.phase === "ended")
        yield { message: `the session ${show(session.id)} is closed`, path: PATH };
    }),
  },
  {
    id: "replay-before-load-response",
    source: "session setup, loading sessions",
    level: "error",
    versions: V1,
    check: onUpdate(CONTENT_UPDATES, function* ({ session, update }) {
      if (session?.openedBy !== "session/load" || session.promptsSent > 0) return;
      if (session.calling("session/load") === undefined)
        yield { message: `${update} is sent after the session is loaded`, path: "/params/update" };
    }),
  },
  {
    id: "no-replay-on-resume",
    source: "session setup, resuming sessions",
    level: "error",
    versions: BOTH,
    check: onUpdate(CONTENT_UPDATES, function* ({ session, update }, { version }) {
      const call = session?.calling("session/resume");
      if (call === undefined || session?.calling("session/prompt") !== undefined) return;
      // Updates of a session that is already open are not a replay.
      if (session?.phase !== "loading") return;
      if (version === 1 || (at(call.params, "replayFrom") ?? null) === null)
        yield {
          message: `${update} is replayed, but the client did not request a replay`,
          path: "/params/update",
        };
    }),
  },
  {
    id: "state-before-resume-response",
    source: "description of ResumeSessionRequest and StateUpdate in version 2",
    level: "error",
    versions: V2,
    check: onResult(["session/resume"], function* ({ session }) {
      if (session?.statesSinceLoad === 0)
        yield { message: "no state update precedes the response to session/resume" };
    }),
  },
  {
    id: "replay-complete",
    source: "description of ReplayComplete in version 2",
    level: "error",
    versions: V2,
    check: onResult(["session/resume"], function* ({ session }) {
      if (session?.isReplaying === true)
        yield { message: "no replay_complete precedes the response to session/resume" };
    }),
  },
  {
    id: "unrequested-replay-complete",
    source: "description of ReplayComplete in version 2",
    level: "error",
    versions: V2,
    check: onUpdate(["replay_complete"], function* ({ session }) {
      if (session?.isReplaying === false)
        yield { message: "replay_complete ends no replay", path: "/params/update" };
    }),
  },
  {
    id: "known-mode",
    source: "session modes, setting the current mode",
    level: "error",
    versions: V1,
    check: onSent(["session/set_mode", "session/update"], function* (step) {
      const { session } = step;
      if (session?.modes === undefined) return;
      const isUpdate = step.method === "session/update";
      if (isUpdate && step.update !== "current_mode_update") return;
      const id = isUpdate ? at(step.params, "update", "currentModeId") : at(step.params, "modeId");
      const path = isUpdate ? "/params/update/currentModeId" : "/params/modeId";
      if (!session.modes.has(id)) yield { message: `the session has no mode ${show(id)}`, path };
    }),
  },
  {
    id: "subagent-cancel",
    source: "description of SubagentSessionCapabilities.cancel",
    level: "error",
    versions: BOTH,
    check: onSent(["session/cancel"], function* ({ session }) {
      if (session?.isCancelGranted === false)
        yield {
          message: `the subagent ${show(session.id)} did not advertise that it can be cancelled`,
          path: PATH,
        };
    }),
  },
  {
    id: "subagent-change",
    source: "description of SubagentSessionCapabilities",
    level: "error",
    versions: BOTH,
    check: onSent(CHANGING, function* ({ session, method }) {
      if (session?.isCancelGranted !== undefined)
        yield { message: `the subagent ${show(session.id)} does not permit ${method}`, path: PATH };
    }),
  },
  {
    id: "subagent-announced",
    source: "descriptions of SubagentUpdate and SessionReference",
    level: "error",
    versions: BOTH,
    check: onUpdate(NAMING, function* ({ session, params }, { sessions, isCreating }) {
      // A replay and a response that is pending may name sessions that are not known yet.
      if (session?.phase !== "active" || isCreating || sessions.hasForgotten) return;
      const update = at(params, "update");
      const works = list(at(update, "background")).filter(
        (work) => at(work, "type") === "subagent",
      );
      const shown = list(at(update, "content")).filter((item) => at(item, "type") === "session");
      const ids = [...works, ...shown].map((item) => at(item, "sessionId"));
      for (const id of [...ids, at(update, "senderSessionId"), at(update, "recipientSessionId")])
        if (typeof id === "string" && sessions.get(id) === undefined)
          yield {
            message: `no update has announced the session ${show(id)}`,
            path: "/params/update",
          };
    }),
  },
  {
    id: "cursor-anchor",
    source: "description of CursorUpdate",
    level: "error",
    versions: BOTH,
    check: onUpdate(["cursor_update"], function* ({ session, params }) {
      const update = at(params, "update");
      const id = at(update, "cursorId");
      const given = at(update, "anchor") ?? null;
      const known = session?.item("cursor", id);
      const before = known?.["anchor"];
      const path = "/params/update";
      if (session?.phase !== "active" || session.hasForgottenItems) return;
      if (known === undefined && given === null)
        yield { message: `the new cursor ${show(id)} has no anchor`, path };
      if (before !== undefined && given !== null && !isSame(given, before))
        yield { message: `the cursor ${show(id)} gets another anchor`, path: `${path}/anchor` };
    }),
  },
  {
    id: "cursor-fork",
    source: "descriptions of ForkSessionRequest.cursorId and CursorCapabilities",
    level: "error",
    versions: BOTH,
    check: onSent(["session/fork"], function* ({ session, params }) {
      const id = at(params, "cursorId") ?? null;
      if (id === null || session?.phase !== "active" || session.hasForgottenItems) return;
      if (!isOn(at(session.item("cursor", id), "capabilities", "fork")))
        yield {
          message: `${show(id)} is not a cursor that can be forked at`,
          path: "/params/cursorId",
        };
    }),
  },
  {
    id: "listed-archived",
    source: "description of SessionInfo.archived",
    level: "error",
    versions: BOTH,
    check: onResult(["session/list"], function* ({ result }, conversation) {
      const place = conversation.version === 2 ? "session" : "sessionCapabilities";
      if (!isOn(conversation.capability("agent", place, "archive"))) return;
      for (const [index, info] of list(at(result, "sessions")).entries())
        if (typeof at(info, "archived") !== "boolean")
          yield {
            message:
              "the agent advertised the archive, but does not report whether this session is archived",
            path: `/result/sessions/${index}`,
          };
    }),
  },
  {
    id: "listed-folder",
    source: "session list, where cwd filters the list",
    level: "note",
    versions: BOTH,
    check: onResult(["session/list"], function* ({ params, result }) {
      const wanted = at(params, "cwd");
      if (typeof wanted !== "string") return;
      for (const [index, info] of list(at(result, "sessions")).entries())
        if (at(info, "cwd") !== wanted)
          yield {
            message: `the client has asked for the sessions of ${show(wanted)}`,
            path: `/result/sessions/${index}/cwd`,
          };
    }),
  },
  {
    id: "next-page",
    source: "session list, pagination",
    level: "note",
    versions: BOTH,
    check: onResult(["session/list"], function* ({ params, result }) {
      const [cursor, next] = [at(params, "cursor"), at(result, "nextCursor")];
      if (typeof next === "string" && next === cursor && !isMask(next))
        yield {
          message: "the next page is the one that was asked for, so that the list has no end",
          path: "/result/nextCursor",
        };
    }),
  },
  {
    id: "usage-within-size",
    source: "description of UsageUpdate",
    level: "note",
    versions: BOTH,
    isAboutOneMessage: true,
    check: onUpdate(["usage_update"], function* ({ params }) {
      const [used, size] = [at(params, "update", "used"), at(params, "update", "size")];
      if (typeof used === "number" && typeof size === "number" && used > size)
        yield {
          message: `${used} tokens are more than the ${size} of the context`,
          path: "/params/update/used",
        };
    }),
  },
];

/** Returns whether a value of a message is the same JSON as one that was kept. */
function isSame(value: unknown, kept: unknown): boolean {
  return isSmall(value) && JSON.stringify(value) === JSON.stringify(kept);
}
