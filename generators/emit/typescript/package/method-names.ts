import type { Sources } from "../../../schema/source/sources.js";
import { code, joinCode, literal } from "../../../output/code.js";

/** The module of the runtime that names the methods of the schema; the template of it has none. */
export const METHOD_NAMES_MODULE = "typescript/runtime/conformance/methods-by-handler.ts";

/** The sides between which the conformance rules look at messages. */
const SIDES: readonly string[] = ["agent", "client"];

/**
 * Prints the methods of all protocol versions and features as a module for the conformance rules:
 * names by handling side and kind, where a prefix marks the methods of a single version.
 */
export function printMethodNames({ protocols }: Sources): string {
  const versions = [...protocols.values()];
  const found = new Map<string, Map<string, number[]>>();
  for (const { number, modules, features } of versions) {
    for (const { methods } of [...modules, ...features.values()]) {
      for (const { side, kind, name } of methods) {
        if (!SIDES.includes(side)) continue;
        const names = found.get(`${side} ${kind}`) ?? new Map<string, number[]>();
        names.set(name, [...(names.get(name) ?? []), number]);
        found.set(`${side} ${kind}`, names);
      }
    }
  }
  const lines = [...found].sort(byName).map(([form, names]) => {
    const marked = [...names]
      .sort(byName)
      .flatMap(([name, of]) =>
        of.length === versions.length ? [name] : of.map((version) => `${version}:${name}`),
      );
    return code`  ${literal(form)}:
    ${literal(marked.join(" "))},`;
  });
  return code`/** The methods by handling side and kind. A prefix marks methods of a single version. */
export const METHODS_BY_HANDLER: Readonly<Record<string, string>> = {
${joinCode(lines, "\n")}
};
`;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
