import { checkElicitation } from "../elicitation.js";
import { BOTH, onEnd, onResult, onSent, onUpdate, V1, V2, type Rule } from "./rule.js";
import { isRecord } from "../../rpc/messages.js";
import { at, isMask, isOn, list, show } from "../select.js";

const USING = [
  "terminal/output",
  "terminal/release",
  "terminal/wait_for_exit",
  "terminal/kill",
] as const;
const FS: { readonly [method: string]: string } = {
  "fs/read_text_file": "readTextFile",
  "fs/write_text_file": "writeTextFile",
};

/** Rules of what the client does for the agent, and of tool calls. */
export const CLIENT_RULES: readonly Rule[] = [
  {
    id: "fs-capability",
    source: "file system, checking support",
    level: "error",
    versions: V1,
    check: onSent(Object.keys(FS), function* ({ method }, conversation) {
      const name = FS[method]!;
      if (conversation.initialized && !isOn(conversation.capability("client", "fs", name)))
        yield { message: `the client did not advertise fs.${name}`, path: "/method" };
    }),
  },
  {
    id: "terminal-capability",
    source: "terminals, checking support",
    level: "error",
    versions: V1,
    check: onSent(["terminal/create", ...USING], function* (_, conversation) {
      if (conversation.initialized && !isOn(conversation.capability("client", "terminal")))
        yield { message: "the client did not advertise terminal", path: "/method" };
    }),
  },
  {
    id: "known-terminal",
    source: "terminals, executing commands",
    level: "error",
    versions: V1,
    check: onSent(USING, function* ({ session, params }) {
      const id = at(params, "terminalId");
      if (session !== undefined && !session.terminals.mayHave(id))
        yield { message: `the session has no terminal ${show(id)}`, path: "/params/terminalId" };
    }),
  },
  {
    id: "unreleased-terminal",
    source: "terminals, releasing terminals",
    level: "error",
    versions: V1,
    check: onSent(USING, function* ({ session, params }) {
      const id = at(params, "terminalId");
      if (session?.terminals.get(id)?.isReleased === true)
        yield { message: `the terminal ${show(id)} is released`, path: "/params/terminalId" };
    }),
  },
  {
    id: "terminal-leak",
    source: "terminals, executing commands and releasing terminals",
    level: "warning",
    versions: V1,
    check: onEnd(function* ({ sessions }) {
      for (const { terminals } of sessions.values())
        for (const [id, { line, isReleased }] of terminals)
          if (!isReleased) yield { message: `the terminal ${show(id)} is never released`, line };
    }),
  },
  {
    id: "embedded-terminal",
    source: "terminals, embedding in tool calls",
    level: "error",
    versions: V1,
    check: onUpdate(["tool_call", "tool_call_update"], function* ({ session, params }) {
      const toolCall = at(params, "update", "toolCallId");
      for (const [index, content] of list(at(params, "update", "content")).entries()) {
        if (at(content, "type") !== "terminal") continue;
        const terminal = session?.terminals.get(at(content, "terminalId"));
        // A tool call may go on to show what it shows.
        if (terminal?.isReleased === true && !terminal.toolCalls.mayHave(toolCall))
          yield {
            message: "the terminal was released before the tool call shows it",
            path: `/params/update/content/${index}`,
          };
      }
    }),
  },
  {
    id: "tool-call-first",
    source: "tool calls, creating and updating",
    level: "error",
    versions: V1,
    check: onUpdate(["tool_call_update"], function* ({ session, params }) {
      const id = at(params, "update", "toolCallId");
      // The history of a session that was resumed or forked is not in the transcript.
      if (session === undefined || /resume|fork/.test(session.openedBy ?? "")) return;
      if (session.calling("session/resume") === undefined && !session.toolCalls.mayHave(id))
        yield {
          message: `no tool_call has announced ${show(id)}`,
          path: "/params/update/toolCallId",
        };
    }),
  },
  {
    id: "tool-call-once",
    source: "tool calls, creating and updating; ToolCallId, which is unique in its session",
    level: "warning",
    versions: V1,
    check: onUpdate(["tool_call"], function* ({ session, params }) {
      const id = at(params, "update", "toolCallId");
      if (session?.announced.has(id))
        yield {
          message: `${show(id)} is announced already, so this is another tool call or an update`,
          path: "/params/update/toolCallId",
        };
    }),
  },
  {
    id: "tool-call-ends",
    source: "tool calls, status; prompt turn, end of turn",
    level: "note",
    versions: V1,
    check: onResult(["session/prompt"], function* ({ session, result }) {
      // Cancelled tool calls end with their turn.
      if (session?.prompts.length !== 1 || at(result, "stopReason") === "cancelled") return;
      for (const [id, status] of session.running)
        yield {
          message: `the turn ends while the tool call ${show(id)} is ${String(status)}`,
          path: "/result/stopReason",
        };
    }),
  },
  {
    id: "cancellable",
    source: "descriptions of CancelToolCallRequest and CancelTerminalRequest, version 2",
    level: "error",
    versions: V2,
    check: onSent(["tool_call/cancel", "terminal/cancel"], function* ({ session, ...step }) {
      const target = step.method === "terminal/cancel" ? "terminal" : "toolCall";
      const name = `${target}Id`;
      const id = at(step.params, name);
      if (session === undefined || session.hasForgottenItems) return;
      if (!isOn(at(session.item(target, id), "capabilities", "cancel")))
        yield {
          message: `${show(id)} did not advertise that it can be cancelled`,
          path: `/params/${name}`,
        };
    }),
  },
  {
    id: "elicitation-capability",
    source: "elicitation, checking support",
    level: "error",
    versions: BOTH,
    check: onSent(["elicitation/create"], function* ({ params }, conversation) {
      const mode = at(params, "mode");
      if (typeof mode !== "string" || !conversation.initialized) return;
      if (!isOn(conversation.capability("client", "elicitation", mode)))
        yield { message: `the client did not advertise elicitation.${mode}`, path: "/params/mode" };
    }),
  },
  {
    id: "elicitation-content",
    source: "description of elicitation/create, which the client validates content against",
    level: "warning",
    versions: BOTH,
    check: onResult(["elicitation/create"], function* ({ params, result }) {
      const content = at(result, "content");
      if (at(result, "action") !== "accept" || at(params, "mode") !== "form") return;
      const schema = at(params, "requestedSchema");
      const fields = Object.keys((at(schema, "properties") ?? {}) as object);
      // In a masked recording, each object has its own masks.
      if (!isRecord(schema) || fields.every(isMask)) return;
      for (const { pointer, rule, expected } of checkElicitation(schema, content)) {
        const field = show(pointer.split("/")[1]?.replaceAll("~1", "/").replaceAll("~0", "~"));
        const broken = rule === "type" ? `the type ${expected}` : `another value (${rule})`;
        yield {
          message:
            rule === "required"
              ? `the form requires ${field}`
              : `${field}: the form requires ${broken}`,
          path: "/result/content",
        };
      }
    }),
  },
  {
    id: "known-elicitation",
    source: "elicitation, completing elicitations in URL mode",
    level: "error",
    versions: BOTH,
    check: onSent(["elicitation/complete"], function* ({ params }, { elicitations }) {
      const id = at(params, "elicitationId");
      const completed = elicitations.get(id);
      const path = "/params/elicitationId";
      if (completed === undefined && elicitations.hasForgotten) return;
      if (completed === undefined) yield { message: `no elicitation has the id ${show(id)}`, path };
      else if (completed) yield { message: `${show(id)} is already complete`, path };
    }),
  },
];
