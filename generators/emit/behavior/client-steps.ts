import type { StepSource } from "../../schema/source/behavior-source.js";
import type { Json, JsonObject } from "../../schema/json-schema/json.js";
import type { FOR_CLIENTS } from "./members.js";
import type { ScriptStep } from "./script.js";
import {
  blocksOf,
  createExpansion,
  nameIn,
  resultMessage,
  textBlock,
  updateOf,
  type ExpandStep,
} from "./steps.js";

/** The session of a testee that scripts are about. */
const SESSION = "s1";

/** The session in which a testee is given commands, and answers them. */
const CONTROL = "control";

/** The options of a permission request of the driver. */
const OPTIONS = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/**
 * Returns the expansion of the steps of scripts for clients, in which the driver is the agent. A
 * testee opens two sessions by itself, `control` and `s1`, and then sends the prompt `ready` to
 * `control`, where it gets its commands.
 * The guide `tool/mock.md` says what each step stands for.
 *
 * @param version the `protocolVersion` on the wire
 * @param isAny whether the client may be any: it may then ask for another version
 */
export function clientSteps(version: number, isAny = false): ExpandStep {
  const update = (fields: Json, session: string = SESSION): ScriptStep => ({
    send: updateOf(session, fields as JsonObject),
  });
  const state = (fields: JsonObject, session?: string): ScriptStep[] =>
    version === 1 ? [] : [update({ sessionUpdate: "state_update", ...fields }, session)];
  const chunk = (text: Json, session?: string, messageId?: Json): ScriptStep =>
    update(
      {
        sessionUpdate: "agent_message_chunk",
        ...((messageId ?? version > 1) && { messageId: messageId ?? "m1" }),
        content: textBlock(String(text)),
      },
      session,
    );
  const connect = (capabilities: Json, step: JsonObject): ScriptStep[] => [
    {
      expect: {
        id: { $let: "initialize" },
        method: "initialize",
        ...(!isAny && { params: { protocolVersion: version } }),
      },
    },
    { send: { id: "$initialize", result: helloOf(version, capabilities, step["auth"]) } },
  ];
  const turn = (content: Json, step: JsonObject): ScriptStep[] => {
    const id = nameIn(step, "as", "p");
    const session = nameIn(step, "in", SESSION);
    const params = { sessionId: session, prompt: blocksOf(content) };
    const begin: ScriptStep = { expect: { id: { $let: id }, method: "session/prompt", params } };
    if (version === 1) return [begin];
    const answer: ScriptStep = { send: { id: `$${id}`, result: { messageId: `u-${id}` } } };
    return [begin, answer, ...state({ state: "running" }, session)];
  };
  const end = (stopReason: Json, step: JsonObject): ScriptStep[] =>
    version === 1
      ? [{ send: { id: `$${nameIn(step, "of", "p")}`, result: { stopReason } } }]
      : state({ state: "idle", stopReason }, nameIn(step, "in", SESSION));
  const command = (text: string): ScriptStep => chunk(text, CONTROL);
  /** Lets the testee send a prompt that begins with a word, and ends its turn. */
  const report = (word: string, expected: readonly Json[]): ScriptStep[] => {
    const text = [word, ...expected].join(word === "log" ? " " : "\n");
    const options = { as: word, of: word, in: CONTROL };
    return [command(word), ...turn(text, options), ...end("end_turn", options)];
  };
  const create = (name: string, sessionId: string, result: JsonObject = {}): ScriptStep[] => [
    { expect: { id: { $let: name }, method: "session/new" } },
    { send: { id: `$${name}`, result: { sessionId, ...result } } },
  ];
  const reply = (message: JsonObject, step: JsonObject): ScriptStep[] => [
    { send: { id: `$${nameIn(step, "to", "c")}`, ...message } },
  ];
  const ask = (id: Json, step: JsonObject): ScriptStep[] => [
    {
      send: {
        id,
        method: "session/request_permission",
        params: {
          sessionId: nameIn(step, "in", SESSION),
          ...(version === 1 ? { toolCall: { toolCallId: "t1" } } : { title: "Run it" }),
          options: OPTIONS,
        },
      },
    },
  ];
  const expand: ExpandStep = createExpansion<typeof FOR_CLIENTS>({
    connect,
    new: (id, step) =>
      create(nameIn(step, "as", "n"), String(id), (step["result"] ?? {}) as JsonObject),
    open: (capabilities, step) => [
      ...connect(capabilities, step),
      ...create("control", CONTROL),
      ...create("new", SESSION, (step["result"] ?? {}) as JsonObject),
      ...turn("ready", { as: "ready", in: CONTROL }),
      ...end("end_turn", { of: "ready", in: CONTROL }),
    ],
    turn,
    end,
    fail: (code, step) => [
      { send: { id: `$${nameIn(step, "of", "p")}`, error: { code, message: "refused" } } },
    ],
    do: (text) => [command(String(text))],
    chunk: (text, step) => [chunk(text, nameIn(step, "in", SESSION), step["messageId"])],
    update: (fields, step) => [update(fields, nameIn(step, "in", SESSION))],
    expects: (method, step) => [
      {
        expect: {
          id: { $let: nameIn(step, "as", "c") },
          method: method!,
          ...(step["params"] !== undefined && { params: step["params"] }),
        },
      },
    ],
    answer: (result, step) => reply({ result }, step),
    refuse: (code, step) => reply({ error: { code, message: "refused" } }, step),
    ask,
    answered: (id, step) => {
      const chosen = step["with"]!;
      const outcome =
        chosen === "cancelled"
          ? { outcome: "cancelled" }
          : { outcome: "selected", optionId: chosen };
      return [{ expect: resultMessage(id, { outcome }) }];
    },
    elicit: (id, step) => [
      {
        send: {
          id,
          method: "elicitation/create",
          params: {
            sessionId: nameIn(step, "in", SESSION),
            mode: "form",
            message: "Your name?",
            requestedSchema: { type: "object", properties: { name: { type: "string" } } },
          },
        },
      },
    ],
    elicited: (id, step) => [{ expect: resultMessage(id, { action: step["with"]! }) }],
    cancelled: (session) => [
      {
        expect: {
          method: "session/cancel",
          params: { sessionId: typeof session === "string" ? session : SESSION },
        },
      },
    ],
    log: (words) => report("log", words as readonly Json[]),
    state: (lines) => report("state", lines as readonly Json[]),
    together: (steps) => [
      {
        send: (steps as readonly StepSource[]).flatMap((step) =>
          expand(step).flatMap((one) => ("send" in one ? one.send : [])),
        ),
      },
    ],
  });
  return expand;
}

/** Returns the result with which an agent introduces itself. */
function helloOf(version: number, capabilities: Json, authMethods?: Json): JsonObject {
  const info = { name: "driver", version: "1.0.0" };
  const auth = authMethods !== undefined && { authMethods };
  return version === 1
    ? { protocolVersion: 1, agentInfo: info, agentCapabilities: capabilities, ...auth }
    : {
        protocolVersion: version,
        info,
        capabilities: { session: {}, ...(capabilities as JsonObject) },
        ...auth,
      };
}
