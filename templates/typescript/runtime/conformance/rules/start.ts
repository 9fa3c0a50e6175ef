import { INITIALIZING } from "../conversation.js";
import { BOTH, onKinds, onResult, onSent, V2, type RuleFinding, type Rule } from "./rule.js";
import { at, isOn, list, repeated, show } from "../select.js";

function methodId(method: unknown): unknown {
  return at(method, "methodId") ?? at(method, "id");
}

function* checkVersion(version: unknown, path: string): Generator<RuleFinding> {
  const isValid = Number.isInteger(version) && Number(version) >= 0 && Number(version) <= 65535;
  if (!isValid) yield { message: `${show(version)} is not a protocol version`, path };
}

/** Rules of initialization and authentication. */
export const START_RULES: readonly Rule[] = [
  {
    id: "initialize-first",
    source: "initialization, the first paragraphs; proposal for proxy chains",
    level: "error",
    versions: BOTH,
    check: onKinds(["request"], function* ({ kind, method }, conversation) {
      if (kind !== "request" || conversation.initialized || INITIALIZING.includes(method)) return;
      // A proxy asks its successor before it answers.
      if (method !== "proxy/successor" || !conversation.isAsking(["proxy/initialize"]))
        yield { message: `${method} comes before the connection is initialized`, path: "/method" };
    }),
  },
  {
    id: "initialize-again",
    source: "description of InitializeRequest in the schema of version 2",
    level: "error",
    versions: V2,
    check: onSent(["initialize"], function* ({ kind }, { initialized, clientRequests }) {
      if (kind === "request" && initialized && clientRequests > 0)
        yield { message: "initialize is repeated after other requests", path: "/method" };
    }),
  },
  {
    id: "protocol-version",
    source: "initialization, protocol version",
    level: "error",
    versions: BOTH,
    isAboutOneMessage: true,
    check: onKinds(["request", "result"], function* ({ kind, method, params, result }) {
      if (!INITIALIZING.includes(method)) return;
      if (kind === "request")
        yield* checkVersion(at(params, "protocolVersion"), "/params/protocolVersion");
      if (kind === "result")
        yield* checkVersion(at(result, "protocolVersion"), "/result/protocolVersion");
    }),
  },
  {
    id: "version-agreed",
    source: "initialization, version negotiation",
    level: "error",
    versions: BOTH,
    check: onKinds(["request"], function* ({ kind, from, method }, { initialized, handshake }) {
      if (kind !== "request" || from !== "client" || !initialized || INITIALIZING.includes(method))
        return;
      const requested = at(handshake.client, "protocolVersion");
      const answered = at(handshake.agent, "protocolVersion");
      if (typeof requested === "number" && typeof answered === "number" && answered > requested)
        yield {
          message: `the client requested version ${requested}, but continues with ${answered}`,
        };
    }),
  },
  {
    id: "offered-auth-method",
    source: "authentication, calling authenticate; description of AuthMethodTerminal",
    level: "error",
    versions: BOTH,
    check: onSent(
      ["authenticate", "auth/login"],
      function* ({ params }, { initialized, handshake }) {
        if (!initialized) return;
        const path = "/params/methodId";
        const id = at(params, "methodId");
        const offered = list(at(handshake.agent, "authMethods")).find(
          (method) => methodId(method) === id,
        );
        if (offered === undefined) yield { message: `${show(id)} was not offered`, path };
        else if (at(offered, "type") === "terminal")
          yield {
            message: `${show(id)} is of the type terminal and cannot be used in this request`,
            path,
          };
      },
    ),
  },
  {
    id: "terminal-auth-capability",
    source: "description of AuthMethodTerminal in the schema",
    level: "error",
    versions: BOTH,
    check: onResult(["initialize"], function* ({ params, result }, { version }) {
      const name = version === 2 ? "capabilities" : "clientCapabilities";
      if (isOn(at(params, name, "auth", "terminal"))) return;
      for (const [index, method] of list(at(result, "authMethods")).entries())
        if (at(method, "type") === "terminal")
          yield {
            message: "the client did not enable methods of the type terminal",
            path: `/result/authMethods/${index}`,
          };
    }),
  },
  {
    id: "unique-auth-methods",
    source: "descriptions of InitializeResponse and AuthMethodTerminal, version 2",
    level: "error",
    versions: V2,
    check: onResult(["initialize"], function* ({ result }) {
      const methods = list(at(result, "authMethods"));
      const twice = repeated(methods.map(methodId));
      if (twice !== undefined)
        yield { message: `two methods have the id ${show(twice)}`, path: "/result/authMethods" };
      for (const [index, method] of methods.entries()) {
        const name = repeated(list(at(method, "env")).map((variable) => at(variable, "name")));
        if (name !== undefined)
          yield {
            message: `two variables have the name ${show(name)}`,
            path: `/result/authMethods/${index}/env`,
          };
      }
    }),
  },
  {
    id: "logout-capability",
    source: "authentication, logging out; description of LogoutAuthRequest",
    level: "error",
    versions: BOTH,
    check: onSent(["logout", "auth/logout"], function* ({ method }, conversation) {
      if (!conversation.initialized) return;
      const path = "/method";
      if (method === "logout" && !isOn(conversation.capability("agent", "auth", "logout")))
        yield { message: "the agent did not advertise auth.logout", path };
      if (
        method === "auth/logout" &&
        list(at(conversation.handshake.agent, "authMethods")).length === 0
      )
        yield { message: "the agent offers no way to log in", path };
    }),
  },
];
