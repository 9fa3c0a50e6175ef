import type { MethodSource, Sources } from "../../generators/schema/source/sources.js";

/** The sides between which the conformance rules look at messages. */
const SIDES: readonly string[] = ["agent", "client"];

/**
 * Prints the methods of all protocol versions and features as a module: names by handling side and
 * kind, where a prefix marks the methods of a single version.
 */
export function printMethodTable({ protocols }: Sources): string {
  const versions = [...protocols.values()];
  const found = new Map<string, Map<string, number[]>>();
  for (const { number, modules, features } of versions) {
    for (const { methods } of [...modules, ...features.values()]) {
      for (const { side, kind, name } of methods.filter(isChecked)) {
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
    return property(JSON.stringify(form), JSON.stringify(marked.join(" ")));
  });
  return `// Generated from schema/ by \`npm run generate\`.

/** The methods by handling side and kind. A prefix marks methods of a single version. */
export const METHODS_BY_HANDLER = {
${lines.join("")}};
`;
}

/** Breaks the line where the formatter of the repository does. */
function property(name: string, value: string): string {
  const line = `  ${name}: ${value},\n`;
  return line.length > 101 ? `  ${name}:\n    ${value},\n` : line;
}

function isChecked({ side }: MethodSource): boolean {
  return SIDES.includes(side);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
