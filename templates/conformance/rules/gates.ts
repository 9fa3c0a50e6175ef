import type { RuleDoc } from "../rule-doc.js";
import { agent, client, greet, s, start, update } from "../talk.js";

const archive = (sessionCapabilities: object) => [
  ...greet(1, { agentHas: { sessionCapabilities } }),
  client.ask(1, "session/archive", s()),
  agent.result(1),
];
const relay = (mcpCapabilities: object) => [
  ...start(1, { agentHas: { mcpCapabilities } }),
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
const shown = (clientHas: object) => [
  ...start(1, { clientHas: { ...clientHas } }),
  update("tool_call", { toolCallId: "x", content: [{ type: "terminal", terminalId: "t" }] }),
];

/** Rules of everything that needs a capability; they need the table of methods. */
export const GATES: readonly RuleDoc[] = [
  {
    rule: "method-gate",
    title: "A method is used only after its capability was advertised",
    rationale:
      "Whoever did not advertise a capability may not have the method at all, in this version or ever.",
    examples: [
      { valid: archive({ list: {}, archive: {} }), invalid: archive({ list: {} }), line: 3 },
    ],
  },
  {
    rule: "implied-method-gate",
    title: "A method is used only where its capability is to be expected",
    rationale:
      "The protocol does not forbid it in so many words, but without the capability the other side has no use for it.",
    examples: [{ valid: relay({ acp: true }), invalid: relay({}), line: 5 }],
  },
  {
    rule: "place-gate",
    title: "A field, variant or value is used only after its capability was advertised",
    rationale:
      "A receiver that does not know it drops it, or the whole message, and nobody notices.",
    examples: [
      { valid: notice({ notices: {} }), invalid: notice({}), line: 5 },
      { valid: directories({ additionalDirectories: {} }), invalid: directories({}), line: 3 },
      {
        valid: advertised({ list: {}, archive: {} }),
        invalid: advertised({ archive: {} }),
        line: 2,
      },
    ],
  },
  {
    rule: "implied-place-gate",
    title: "A field, variant or value is used only where its capability is to be expected",
    rationale:
      "The protocol does not forbid it in so many words, but without the capability it cannot be made use of.",
    examples: [{ valid: shown({ terminal: true }), invalid: shown({}), line: 5 }],
  },
];
