import { isAbsentWithoutCapability } from "../../../model/gates/absent-method.js";
import { methodWith } from "../../../model/method-with.js";
import type { Initialize, Method } from "../../../model/protocol.js";
import type { CodeBlock } from "../../../output/markup.js";
import type { SampleView } from "./code-tabs.js";
import type { Site } from "../site-types.js";

/** The import statement for types of the generated package. */
export function importCode(
  identifiers: readonly string[],
  { packageName, protocol }: Site,
): CodeBlock {
  const from = JSON.stringify(`${packageName}/${protocol.profile}`);
  return code(`import type { ${[...new Set(identifiers)].join(", ")} } from ${from};`);
}

/**
 * Shows how a program handles and calls a method with the generated package: the
 * names are those of the interfaces that `createAgent` and `createClient` take and give.
 */
export function typescriptSamples(method: Method, site: Site): readonly SampleView[] {
  const { initialize } = site.protocol;
  // Proxies have no stubs: they pass messages on. Without the handshake there are no roles.
  if (method.side === "proxy" || initialize === undefined) return [types(method, site)];
  if (method.name === initialize.method.name) return handshake(initialize, site);
  if (method.side === "protocol") return [types(method, site), ...cancellation(site)];
  return ofRole(method, method.side, site);
}

function ofRole(method: Method, side: "agent" | "client", site: Site): readonly SampleView[] {
  const given = receivedType(method.params, site);
  const call = `await ${side}.${calledName(method)}(params);`;
  const result = method.result === undefined ? undefined : receivedType(method.result, site);
  const body = result === undefined ? "{}" : "{ … }";
  return [
    types(method, site),
    {
      caption: `Handler, for ${side === "client" ? "createClient" : "createAgent"}`,
      code: code(`handlers: ${nested(method.handler, `(params: ${given}, context) => ${body}`)}`),
    },
    {
      caption: "Call, on the other side",
      code: code(
        result === undefined
          ? call
          : `const result: ${result}${isAbsentWithoutCapability(method) ? " | undefined" : ""} = ${call}`,
      ),
    },
  ];
}

/** The messages of the handshake, which roles send and answer by themselves. */
function handshake({ method, agent, client }: Initialize, site: Site): readonly SampleView[] {
  const from = JSON.stringify(`${site.packageName}/${site.protocol.profile}`);
  const options = ({ options: all }: Initialize["agent"]): string =>
    [...all.filter(isShown).map(({ name }) => name), "handlers"].join(", ");
  return [
    types(method, site),
    {
      caption: "Import",
      code: code(`import { createAgent, createClient } from ${from};`),
    },
    {
      caption: "Answer, from the options of the agent",
      code: code(`createAgent({ ${options(agent)} });`),
    },
    {
      caption: "Call, from the options of the client",
      code: code(
        `const { handshake } = await createClient({ ${options(client)} }).connect(transport);
const result: ${receivedType(method.result!, site)} = handshake.response;`,
      ),
    },
  ];
}

function isShown({ name, required }: Initialize["agent"]["options"][number]): boolean {
  return required || name === "capabilities";
}

/** How a cancelled request looks to both sides; connections send and handle its notification. */
function cancellation({ protocol }: Site): readonly SampleView[] {
  const method = methodWith(protocol, "creates-session");
  if (method === undefined) return [];
  return [
    {
      caption: "Handler: the signal of the request is aborted",
      code: code(`handlers: ${nested(method.handler, "(params, { signal }) => { … }")}`),
    },
    {
      caption: "Call: an aborted signal cancels the request",
      code: code(`await agent.${calledName(method)}(params, { signal });`),
    },
  ];
}

/** The import of the types that the code of a method names. */
function types({ params, result }: Method, site: Site): SampleView {
  const names = [params, ...(result === undefined ? [] : [result])].map(
    (name) => receivedType(name, site).split(".")[0]!,
  );
  return { caption: "Types", code: importCode(names.sort(), site) };
}

/** The type of a received value of a definition, which may have unknown variants. */
function receivedType(name: string, { definitions, protocol }: Site): string {
  const { identifier } = definitions.get(name)!;
  return protocol.received.has(name) ? `received.${identifier}` : identifier;
}

/** The path to the function that calls a method, e.g. `session.load?.`. */
function calledName(method: Method): string {
  return `${method.handler.join(".")}${isAbsentWithoutCapability(method) ? "?." : ""}`;
}

/** `{ session: { new: … } }` */
function nested(path: readonly string[], value: string): string {
  return path.reduceRight((inner, name) => `{ ${name}: ${inner} }`, value);
}

function code(text: string): CodeBlock {
  return { markup: "block", language: "ts", text };
}
