import { isAbsentWithoutCapability } from "../../../model/gates/absent-method.js";
import { methodWith } from "../../../model/method-with.js";
import type { Initialize, Method, Protocol } from "../../../model/protocol.js";
import type { CodeSample, SiteCode } from "../../inputs.js";
import { npmName, type PackageIdentity } from "../../package-facts.js";
import { printDeclaration } from "./declaration.js";
import { printContext } from "./print-context.js";

/** The TypeScript code on the pages of the site. */
export function siteCode(protocol: Protocol, identity: PackageIdentity): SiteCode {
  const { definitions, initialize, profile, sent } = protocol;
  const from = JSON.stringify(`${npmName(identity)}/${profile}`);
  const known = new Map(definitions.map((definition) => [definition.name, definition]));
  const names = new Map(definitions.map(({ name, identifier }) => [identifier, name]));
  const context = printContext(protocol);
  const importOf = (identifiers: readonly string[]): string =>
    `import type { ${[...new Set(identifiers)].join(", ")} } from ${from};`;
  /** The type of a received value of a definition, which may have unknown variants. */
  const receivedType: ReceivedType = (name) => {
    const { identifier } = known.get(name)!;
    return protocol.received.has(name) ? `received.${identifier}` : identifier;
  };
  return {
    language: "TypeScript",
    syntax: "ts",
    hasWireNames: true,
    // The site puts in the name of the npm package, which also its texts have.
    named: (text) => text,
    definitionOf: (word) => names.get(word),
    ofDefinition: (name) => [
      { caption: "Import", text: importOf([known.get(name)!.identifier]) },
      {
        caption: "Declaration",
        text: printDeclaration(sent.get(name) ?? known.get(name)!, context),
      },
    ],
    ofMethod: (method) => {
      const { side, params, result } = method;
      const used = [params, ...(result === undefined ? [] : [result])].map(
        (name) => receivedType(name).split(".")[0]!,
      );
      const types = { caption: "Types", text: importOf(used.sort()) };
      // Proxies have no stubs: they pass messages on. Without the handshake there are no roles.
      if (side === "proxy" || initialize === undefined) return [types];
      if (method.name === initialize.method.name)
        return [types, ...handshake(initialize, from, receivedType)];
      if (side === "protocol") return [types, ...cancellation(protocol)];
      return [types, ...ofRole(method, side, receivedType)];
    },
  };
}

type ReceivedType = (definition: string) => string;

/**
 * Shows how a program handles and calls a method: the names are those of the interfaces that
 * `createAgent` and `createClient` take and give.
 */
function ofRole(
  method: Method,
  side: "agent" | "client",
  receivedType: ReceivedType,
): readonly CodeSample[] {
  const given = receivedType(method.params);
  const call = `await ${side}.${calledName(method)}(params);`;
  const result = method.result === undefined ? undefined : receivedType(method.result);
  const body = result === undefined ? "{}" : "{ … }";
  return [
    {
      caption: `Handler, for ${side === "client" ? "createClient" : "createAgent"}`,
      text: `handlers: ${nested(method.handler, `(params: ${given}, context) => ${body}`)}`,
    },
    {
      caption: "Call, on the other side",
      text:
        result === undefined
          ? call
          : `const result: ${result}${isAbsentWithoutCapability(method) ? " | undefined" : ""} = ${call}`,
    },
  ];
}

/** The messages of the handshake, which roles send and answer by themselves. */
function handshake(
  { method, agent, client }: Initialize,
  from: string,
  receivedType: ReceivedType,
): readonly CodeSample[] {
  const options = ({ options: all }: Initialize["agent"]): string =>
    [...all.filter(isShown).map(({ name }) => name), "handlers"].join(", ");
  return [
    { caption: "Import", text: `import { createAgent, createClient } from ${from};` },
    {
      caption: "Answer, from the options of the agent",
      text: `createAgent({ ${options(agent)} });`,
    },
    {
      caption: "Call, from the options of the client",
      text: `const { handshake } = await createClient({ ${options(client)} }).connect(transport);
const result: ${receivedType(method.result!)} = handshake.response;`,
    },
  ];
}

function isShown({ name, required }: Initialize["agent"]["options"][number]): boolean {
  return required || name === "capabilities";
}

/** How a cancelled request looks to both sides; connections send and handle its notification. */
function cancellation(protocol: Protocol): readonly CodeSample[] {
  const method = methodWith(protocol, "creates-session");
  if (method === undefined) return [];
  return [
    {
      caption: "Handler: the signal of the request is aborted",
      text: `handlers: ${nested(method.handler, "(params, { signal }) => { … }")}`,
    },
    {
      caption: "Call: an aborted signal cancels the request",
      text: `await agent.${calledName(method)}(params, { signal });`,
    },
  ];
}

/** The path to the function that calls a method, e.g. `session.load?.`. */
function calledName(method: Method): string {
  return `${method.handler.join(".")}${isAbsentWithoutCapability(method) ? "?." : ""}`;
}

/** `{ session: { new: … } }` */
function nested(path: readonly string[], value: string): string {
  return path.reduceRight((inner, name) => `{ ${name}: ${inner} }`, value);
}
