import type { RuleDoc } from "../rule-doc.js";
import { agent, client, greet, inBoth, listRequest, start } from "../transcript-builder.js";

const v1 = start(1);
const v2 = start(2);
const auth = [
  { id: "key", name: "Key" },
  { id: "tty", name: "Shell", type: "terminal" },
];
const terminal = { clientHas: { auth: { terminal: true } } };
const login = (methodId: string) => [
  ...greet(1, { ...terminal, authMethods: auth }),
  client.ask(1, "authenticate", { methodId }),
  agent.result(1),
];
const authV2 = [
  { methodId: "key", type: "agent", name: "Key" },
  { methodId: "tty", type: "terminal", name: "Shell" },
];
const terminalV2 = { clientHas: { auth: { terminal: {} } } };
const loginV2 = (methodId: string) => [
  ...greet(2, { ...terminalV2, authMethods: authV2 }),
  client.ask(1, "auth/login", { methodId }),
  agent.result(1),
];
const methods = (...ids: string[]) =>
  greet(2, {
    authMethods: ids.map((methodId) => ({ methodId, type: "agent", name: methodId })),
  });
const ask = (protocolVersion: unknown) =>
  client.ask(0, "initialize", {
    protocolVersion,
    ...(protocolVersion !== 1 && { info: { name: "editor", version: "1.0.0" } }),
  });
const refused = (...supported: number[]) => [
  client.ask(0, "initialize", { protocolVersion: 3, info: { name: "editor", version: "1.0.0" } }),
  agent.error(0, -32022, { requested: 3, supported }),
  ...greet(2),
];

/** Rules of initialization and authentication. */
export const START: readonly RuleDoc[] = [
  {
    rule: "initialize-first",
    title: "The first request is initialize, and other requests follow its response",
    rationale:
      "Before both sides know the version and the capabilities, the meaning of a request is uncertain.",
    examples: inBoth((version) => ({
      valid: start(version),
      invalid: [listRequest(7), agent.error(7, -32600), ...start(version)],
      line: 1,
    })),
  },
  {
    rule: "initialize-again",
    title: "In version 2 initialize is repeated only before the first other request",
    rationale: "Otherwise the capabilities of open sessions would change.",
    examples: [{ valid: [...greet(2), ...v2], invalid: [...v2, ...greet(2)], line: 5 }],
  },
  {
    rule: "protocol-version",
    title: "A protocol version is an integer from 0 to 65535",
    rationale: "With a string or a fraction, the first message fails.",
    examples: inBoth((version) => ({
      valid: start(version),
      invalid: [ask(String(version)), agent.error(0, -32602)],
      line: 1,
    })),
  },
  {
    rule: "version-agreed",
    title: "The client continues only with the requested version or an older one",
    rationale:
      "An agent that responds with a newer version supports no older one, and the client must close the connection.",
    examples: [
      {
        valid: [ask(2), agent.result(0, { protocolVersion: 1 }), ...v1.slice(2)],
        invalid: [
          ask(1),
          agent.result(0, {
            protocolVersion: 2,
            info: { name: "agent", version: "1.0.0" },
            capabilities: { session: {} },
          }),
          ...v1.slice(2),
        ],
        line: 3,
      },
      {
        valid: v2,
        invalid: [
          ask(2),
          agent.result(0, { protocolVersion: 3, capabilities: { session: {} } }),
          ...v2.slice(2),
        ],
        line: 3,
      },
    ],
  },
  {
    rule: "unsupported-version-data",
    title: "Error -32022 contains the requested version and the supported ones",
    rationale:
      "The client learns which version to request next. An agent that supports an older version responds with it instead of an error.",
    examples: [{ valid: refused(4, 5), invalid: refused(2), line: 2 }],
  },
  {
    rule: "offered-auth-method",
    title: "The client authenticates with an offered method that is not of the type terminal",
    rationale:
      "The agent does not support other methods; those of the type terminal run outside the connection.",
    examples: [
      { valid: login("key"), invalid: login("other"), line: 3 },
      { valid: loginV2("key"), invalid: loginV2("other"), line: 3 },
    ],
  },
  {
    rule: "terminal-auth-capability",
    title: "Authentication in a terminal is offered only to clients that advertised it",
    rationale: "Other clients would list a method that they cannot run.",
    examples: [
      {
        valid: greet(1, { ...terminal, authMethods: auth }),
        invalid: greet(1, { authMethods: auth }),
        line: 2,
      },
      {
        valid: greet(2, { ...terminalV2, authMethods: authV2 }),
        invalid: greet(2, { authMethods: authV2 }),
        line: 2,
      },
    ],
  },
  {
    rule: "unique-auth-methods",
    title: "The ids of authentication methods are unique, and so are the names of their variables",
    rationale: "Only the id identifies the chosen method.",
    examples: [{ valid: methods("a", "b"), invalid: methods("a", "a"), line: 2 }],
  },
  {
    rule: "logout-capability",
    title: "The client logs out only if the agent advertised it",
    rationale: "Agents without accounts do not implement the method and respond with an error.",
    examples: [
      {
        valid: [
          ...greet(1, { agentHas: { auth: { logout: {} } } }),
          ...[client.ask(1, "logout"), agent.result(1)],
        ],
        invalid: [...greet(1), client.ask(1, "logout"), agent.error(1)],
        line: 3,
      },
      {
        valid: [...methods("a"), client.ask(1, "auth/logout"), agent.result(1)],
        invalid: [...greet(2), client.ask(1, "auth/logout"), agent.error(1)],
        line: 3,
      },
    ],
  },
];
