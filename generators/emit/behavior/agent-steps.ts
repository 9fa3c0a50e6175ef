import type { Json, JsonObject } from "../../schema/json-schema/json.js";
import type { FOR_AGENTS } from "./members.js";
import type { MessagePattern, ScriptStep } from "./script.js";
import {
  blocksOf,
  createExpansion,
  nameIn,
  resultMessage,
  textBlock,
  updateOf,
  type ExpandStep,
} from "./steps.js";

/**
 * Returns the expansion of the steps of scripts for agents, in which the driver is the client.
 * The guide `tool/mock.md` says what each stands for.
 *
 * @param version the `protocolVersion` on the wire
 * @param isAny whether the agent may be any: then a turn is one with the user's prompt
 */
export function agentSteps(version: number, isAny: boolean): ExpandStep {
  const initialize = (capabilities: Json): ScriptStep[] => [
    { send: { id: "initialize", method: "initialize", params: helloOf(version, capabilities) } },
    { expect: resultMessage("initialize", { protocolVersion: version }) },
  ];
  const create = (name: string, params: JsonObject = {}): ScriptStep[] => [
    { send: { id: name, method: "session/new", params: { ...placeOf(version), ...params } } },
    { expect: resultMessage(name, { sessionId: { $let: name } }) },
  ];
  return createExpansion<typeof FOR_AGENTS>({
    initialize,
    open: (capabilities) => [...initialize(capabilities), ...create("session")],
    new: (name, step) => create(String(name), (step["params"] ?? {}) as JsonObject),
    prompt: (content, step) => {
      const id = nameIn(step, "as", "p");
      const sessionId = `$${nameIn(step, "in", "session")}`;
      const prompt = isAny && content === "$prompt" ? [textBlock("$prompt")] : blocksOf(content);
      const send: ScriptStep = {
        send: { id, method: "session/prompt", params: { sessionId, prompt } },
      };
      if (version === 1 || step["unanswered"] === true) return [send];
      return [send, { expect: resultMessage(id, { messageId: { $any: true } }) }];
    },
    says: (content, step) => {
      const session = `$${nameIn(step, "in", "session")}`;
      const among = chunkOf(session, { $any: true });
      return [{ expect: chunkOf(session, content), ...(isAny && { among }) }];
    },
    counts: (count, step) => [
      {
        expectEach: chunkOf(`$${nameIn(step, "in", "session")}`, "$n"),
        count: Number(count),
      },
    ],
    ends: (stopReason, step) => {
      if (version === 1)
        return [{ expect: resultMessage(nameIn(step, "of", "p"), { stopReason }) }];
      const idle = { sessionUpdate: "state_update", state: "idle", stopReason };
      const skip = step["of"] === undefined ? [] : [resultMessage(step["of"], {})];
      return [{ expect: updateOf(`$${nameIn(step, "in", "session")}`, idle), skip }];
    },
    cancel: (session) => [
      {
        send: {
          method: "session/cancel",
          params: { sessionId: `$${typeof session === "string" ? session : "session"}` },
        },
      },
    ],
    call: (method, step) => {
      const id = nameIn(step, "as", "c");
      const { params = {}, returns, fails, without } = step;
      const answer: MessagePattern =
        fails === undefined
          ? resultMessage(id, returns ?? {})
          : { id, error: { code: fails, message: { $any: true } } };
      return [
        { send: { id, method: method!, params } },
        { expect: answer, ...(typeof without === "string" && { without }) },
      ];
    },
    asks: (method, step) => [
      {
        expect: {
          method: method!,
          id: { $let: nameIn(step, "as", "q") },
          params: step["params"] ?? {},
        },
      },
    ],
    reply: (result, step) => [{ send: { id: `$${nameIn(step, "to", "q")}`, result } }],
    refuse: (code, step) => [
      { send: { id: `$${nameIn(step, "to", "q")}`, error: { code, message: "refused" } } },
    ],
  });
}

/** Returns the params with which a client introduces itself. */
function helloOf(version: number, capabilities: Json): JsonObject {
  const info = { name: "driver", version: "1.0.0" };
  return version === 1
    ? { protocolVersion: 1, clientInfo: info, clientCapabilities: capabilities }
    : { protocolVersion: version, info, capabilities };
}

/** Returns the params of a new session. */
function placeOf(version: number): JsonObject {
  return version === 1 ? { cwd: "/", mcpServers: [] } : { cwd: "/" };
}

function chunkOf(session: string, text: Json): JsonObject {
  return updateOf(session, {
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text },
  });
}
