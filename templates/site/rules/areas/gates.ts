import type { RuleDoc } from "../rule-doc.js";
import { agent, client, greet, s, start, update } from "../transcript-builder.js";

const remove = (version: number, agentHas: object) => [
  ...greet(version, { agentHas: { ...agentHas } }),
  client.ask(1, "session/delete", s()),
  agent.result(1),
];
const archive = (sessionCapabilities: object) => [
  ...greet(1, { agentHas: { sessionCapabilities } }),
  client.ask(1, "session/archive", s()),
  agent.result(1),
];
const relay = (version: number, agentHas: object) => [
  ...start(version, { agentHas: { ...agentHas } }),
  agent.ask(2, "mcp/message", { serverId: "m", requestId: "1", method: "tools/list" }),
  client.result(2, { result: {} }),
];
const notice = (session: object) => [
  ...start(1, { clientHas: { session } }),
  update("notice", { severity: "warning", title: "Quota is low" }),
];
const advertised = (sessionCapabilities: object) => greet(1, { agentHas: { sessionCapabilities } });
const directories = (sessionCapabilities: object) => [
  ...greet(1, { agentHas: { sessionCapabilities } }),
  client.ask(1, "session/new", {
    cwd: "/work",
    mcpServers: [],
    additionalDirectories: ["/other"],
  }),
  agent.result(1, { sessionId: "s" }),
];
const directoriesV2 = (session: object) => [
  ...greet(2, { agentHas: { session } }),
  client.ask(1, "session/new", { cwd: "/work", additionalDirectories: ["/other"] }),
  agent.result(1, { sessionId: "s" }),
];
const shown = (clientHas: object) => [
  ...start(1, { clientHas: { ...clientHas } }),
  update("tool_call", { toolCallId: "x", content: [{ type: "terminal", terminalId: "t" }] }),
];

/** Rules of everything that needs a capability; they need the table of methods. */
export const GATES: readonly RuleDoc[] = [
  {
    rule: "method-gate",
    title: "A method is used only after its capability was advertised",
    rationale: "Without the capability, the method may be missing.",
    examples: [
      {
        valid: remove(1, { sessionCapabilities: { delete: {} } }),
        invalid: remove(1, { sessionCapabilities: {} }),
        line: 3,
      },
      {
        feature: "session_archive",
        valid: archive({ list: {}, archive: {} }),
        invalid: archive({ list: {} }),
        line: 3,
      },
      {
        valid: remove(2, { session: { delete: {} } }),
        invalid: remove(2, { session: {} }),
        line: 3,
      },
    ],
  },
  {
    rule: "implied-method-gate",
    title: "A method is used only where its capability suggests it",
    rationale:
      "The protocol does not forbid the call explicitly, but without the capability the other side cannot use it.",
    features: ["mcp_over_acp"],
    examples: [
      { valid: relay(1, { mcpCapabilities: { acp: true } }), invalid: relay(1, {}), line: 5 },
      { valid: relay(2, { session: { mcp: { acp: {} } } }), invalid: relay(2, {}), line: 5 },
    ],
  },
  {
    rule: "place-gate",
    title: "A field, variant or value is used only after its capability was advertised",
    rationale:
      "A receiver that does not support it drops it, or the whole message, without an error.",
    examples: [
      { valid: notice({ notices: {} }), invalid: notice({}), line: 5 },
      { valid: directories({ additionalDirectories: {} }), invalid: directories({}), line: 3 },
      {
        feature: "session_archive",
        valid: advertised({ list: {}, archive: {} }),
        invalid: advertised({ archive: {} }),
        line: 2,
      },
      { valid: directoriesV2({ additionalDirectories: {} }), invalid: directoriesV2({}), line: 3 },
    ],
  },
  {
    rule: "implied-place-gate",
    title: "A field, variant or value is used only where its capability suggests it",
    rationale:
      "The protocol does not forbid it explicitly, but without the capability the receiver cannot use it.",
    examples: [{ valid: shown({ terminal: true }), invalid: shown({}), line: 5 }],
  },
];
