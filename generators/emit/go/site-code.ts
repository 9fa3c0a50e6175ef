import { methodWith } from "../../model/method-with.js";
import type { Initialize, Method, Protocol } from "../../model/protocol.js";
import type { CodeSample, SiteCode } from "../inputs.js";
import type { PackageIdentity } from "../package-facts.js";
import { go, identifier, type Go } from "./code.js";
import { createGoContext, isPrinted, type GoContext } from "./context.js";
import { printDeclaration } from "./declaration.js";
import { messageType, signature } from "./methods.js";
import { DEFAULT_PATH, modulePath } from "./module.js";
import { packageOf } from "./names.js";

/** The Go code on the pages of the site. */
export function siteCode(protocol: Protocol, identity: PackageIdentity): SiteCode {
  const { definitions, initialize, profile } = protocol;
  const context = createGoContext(protocol);
  const { names } = context;
  const path = modulePath(identity);
  const code = createCode(identifier(packageOf(profile)), context);
  const imported = { caption: "Import", text: `import "${path}/${packageOf(profile)}"` };
  const definitionNames = new Map(definitions.map(({ name }) => [names.typeOf(name), name]));
  return {
    language: "Go",
    syntax: "go",
    hasWireNames: false,
    named: (text) =>
      text
        .replaceAll("%package%", packageOf(profile))
        .replaceAll(`go get ${DEFAULT_PATH}`, () => installOf(path))
        .replaceAll(DEFAULT_PATH, () => path),
    definitionOf: (word) => definitionNames.get(word),
    ofDefinition: (name) =>
      isPrinted(name, context)
        ? [{ caption: "Declaration", text: printDeclaration(name, context).trimEnd() }]
        : [],
    ofMethod: (method) => {
      if (initialize === undefined) return [imported];
      if (method.name === initialize.method.name) return [imported, ...code.handshake(initialize)];
      if (method.side === "protocol") return [imported, ...code.cancellation(protocol)];
      const role = ROLES.find(({ side }) => side === method.side);
      // Proxies have no roles.
      return role === undefined ? [imported] : [imported, ...code.ofRole(method, role)];
    },
  };
}

/** `go get` needs a path that begins with a host; readers have a copy of any other module. */
function installOf(path: string): string {
  if (/^[^/]+\.[^/]+\//.test(path)) return `go get ${path}`;
  return `go mod edit -require ${path}@v0.0.0 -replace ${path}=../path/to/its/copy`;
}

/** A side, as code for it is named. */
interface SiteRole {
  readonly side: "agent" | "client";
  readonly variable: Go;
  readonly call: Go;
}

const [AGENT, CLIENT] = [
  { side: "agent", variable: go`agent`, call: go`AgentCall` },
  { side: "client", variable: go`client`, call: go`ClientCall` },
] as const;

const ROLES: readonly SiteRole[] = [AGENT, CLIENT];

function createCode(
  name: Go,
  context: GoContext,
): {
  readonly ofRole: (method: Method, role: SiteRole) => readonly CodeSample[];
  readonly handshake: (initialize: Initialize) => readonly CodeSample[];
  readonly cancellation: (protocol: Protocol) => readonly CodeSample[];
} {
  /** Returns the type of a message as another package writes it. */
  const typeOf = (definition: string): string =>
    messageType(definition, context).replace(/^(\*?)(?=[A-Z])/, `$1${name}.`);
  const valueOf = (definition: string): string => {
    const type = typeOf(definition);
    return type.startsWith("*") ? `&${type.slice(1)}{…}` : "params";
  };
  const handler = (method: Method, { side, call }: SiteRole): string => {
    const given = signature(method, go`call *${call}, `, context).replace(
      /(?<=[ *(])(?=[A-Z])(?!Context\b)/g,
      `${name}.`,
    );
    return `func (${side[0]} ${side === "agent" ? "myAgent" : "myClient"}) ${context.names.handlerOf(method)}${given} { … }`;
  };
  const call = (method: Method, { variable }: SiteRole): string =>
    `${method.result === undefined ? "err" : "result, err"} := ${variable}.${context.names.handlerOf(method)}(ctx, ${valueOf(method.params)})`;
  return {
    ofRole: (method, role) => [
      { caption: `Handler, a method of the ${role.side}`, text: handler(method, role) },
      { caption: "Call, on the other side", text: call(method, role) },
    ],
    handshake: ({ agent, client }) => [
      {
        caption: "Answer, from the arguments of the agent",
        text: `agent, err := ${name}.NewAgent(handler, ${valueOf(agent.definition.name)}, nil)`,
      },
      {
        caption: "Call, from the arguments of the client",
        text: `client, err := ${name}.NewClient(handler, ${valueOf(client.definition.name)}, nil)`,
      },
    ],
    cancellation: (protocol) => {
      const method = methodWith(protocol, "creates-session");
      if (method === undefined) return [];
      return [
        {
          caption: "Handler, a method of the agent: its context ends",
          text: handler(method, AGENT),
        },
        {
          caption: "Call: the end of its context cancels the request",
          text: `ctx, cancel := context.WithTimeout(ctx, 5*time.Second)\ndefer cancel()\n${call(method, AGENT)}`,
        },
      ];
    },
  };
}
