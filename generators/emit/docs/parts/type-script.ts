import type { Method } from "../../../model/protocol.js";
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
  const { params, result, handler, side } = method;
  const names = [params, ...(result === undefined ? [] : [result])];
  const identifiers = names.map((name) => site.definitions.get(name)!.identifier);
  const answer = result === undefined ? "" : `${site.definitions.get(result)!.identifier} = `;
  const given = `(params: ${identifiers[0]!}) => ${result === undefined ? "{}" : "{ … }"}`;
  const imports = { caption: "Types", code: importCode(identifiers, site) };
  // Proxies have no stubs: they pass messages on.
  if (side === "proxy") return [imports];
  const maker = side === "client" ? "createClient" : "createAgent";
  const call = result === undefined ? "" : `const result: ${answer}`;
  return [
    imports,
    { caption: `Handler, for ${maker}`, code: code(`handlers: ${nested(handler, given)}`) },
    {
      caption: "Call, on the other side",
      code: code(
        `${call}await ${side === "client" ? "client" : "agent"}.${handler.join(".")}(params);`,
      ),
    },
  ];
}

/** `{ session: { new: … } }` */
function nested(path: readonly string[], value: string): string {
  return path.reduceRight((inner, name) => `{ ${name}: ${inner} }`, value);
}

function code(text: string): CodeBlock {
  return { markup: "block", language: "ts", text };
}
