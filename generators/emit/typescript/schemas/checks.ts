import { buildCheckTable } from "../../../model/check-table.js";
import type { Definition, Method, Protocol } from "../../../model/protocol.js";
import { updateUnion } from "../../../model/update-union.js";
import { reachable, referencesOf } from "../../../model/visit-shape.js";
import { code, identifier, indentLines, joinCode, type Code } from "../../../output/code.js";
import { completeName, findCompleted, printComplete } from "./complete.js";
import { equalChecks } from "./equal-checks.js";
import { fastCheckName, printFastCheck } from "./fast-checks.js";
import { printNode } from "./nodes.js";
import { isThorough, type Find } from "./shape-queries.js";
import { sharedUnions } from "./shared-unions.js";

/** Prints the module with the checks of all definitions, which schemas run. */
export function printChecks(protocol: Protocol): Code {
  const definitions = new Map(protocol.definitions.map((one) => [one.name, one]));
  const equal = equalChecks(protocol.definitions);
  const find = (name: string): Definition => definitions.get(equal.get(name)!)!;
  const shared = sharedUnions(protocol.definitions, find);
  const findHotPart = hotPart(protocol, find);
  const hot = findHot(protocol, find, findHotPart);
  const completed = findCompleted(protocol.definitions);
  const table = buildCheckTable(protocol);
  const body = joinCode(
    protocol.definitions.map((definition) => {
      const { identifier: id, name } = definition;
      const first = find(name);
      if (first !== definition)
        return code`export const ${identifier(id)}: _Check = ${identifier(first.identifier)};`;
      const isHot = hot.has(name);
      const fastCheck = isHot ? [printFastCheck(findHotPart(name), find, shared.has(name))] : [];
      const isCompleted = isHot && completed.has(name);
      const complete = isCompleted ? [printComplete(definition, find, completed)] : [];
      const members = [
        ...(isHot ? [code`is: ${fastCheckName(id)}`] : []),
        ...(isCompleted ? [code`complete: ${completeName(id)}`] : []),
        ...(isThorough(name, find) ? [code`isThorough: 1`] : []),
        code`node: () => ${printNode(table[name]!, find)}`,
      ];
      const check = code`export const ${identifier(id)}: _Check = { ${joinCode(members, ", ")} };`;
      return joinCode([...fastCheck, ...complete, check], "\n");
    }),
    "\n\n",
  );
  const used = HELPERS.filter((helper) => body.includes(`_${helper}(`));
  const imports = [
    ...(used.length > 0
      ? [
          code`import { ${joinCode(
            used.map((name) => code`${name} as _${name}`),
            ", ",
          )} } from "../../runtime/validate/fast-checks.js";`,
        ]
      : []),
    code`import type { Check as _Check } from "../../runtime/validate/check.js";`,
  ];
  return code`${joinCode(imports, "\n")}

${indentLines(body)}
`;
}

/**
 * The parts of a session that change once in a while. Updates of these, and those that a gate
 * allows, are left to the slow path.
 */
const SETTINGS: ReadonlySet<string> = new Set([
  ...["availableCommands", "configOptions", "mode", "sessionInfo"],
]);

/** Returns how fast checks find definitions: the union of updates has only those of every turn. */
function hotPart(protocol: Protocol, find: Find): Find {
  const { definition, shape } = updateUnion(protocol) ?? {};
  if (shape === undefined || (shape.fallback && !shape.open)) return find;
  const variants = shape.variants.filter(
    ({ gate, state }) =>
      gate === undefined && !state?.session?.some(({ target }) => SETTINGS.has(target)),
  );
  const hot = { ...definition!, shape: { ...shape, variants } };
  return (name) => (name === hot.name ? hot : find(name));
}

/**
 * Returns the names of the definitions that have fast checks: what the messages of a turn hold,
 * that is notifications, requests of the agent, and prompts. Others are checked a few times a
 * session, if at all, and their fast checks are half of the code. Without roles, all have one.
 *
 * @param findHotPart returns what fast checks need of a definition
 */
function findHot(
  { initialize, methods, definitions }: Protocol,
  find: Find,
  findHotPart: Find,
): ReadonlySet<string> {
  if (initialize === undefined) return new Set(definitions.map(({ name }) => name));
  const reachedBy = (some: readonly Method[], part: Find): Set<string> => {
    const roots = some.flatMap(({ params, result }) => [params, ...(result ? [result] : [])]);
    const names = reachable(roots, (name) => part(name).shape);
    return new Set([...names].map((name) => find(name).name));
  };
  const hot = reachedBy(
    methods.filter(
      ({ kind, side, traits = [] }) =>
        kind === "notification" || side !== "agent" || traits.includes("starts-turn"),
    ),
    findHotPart,
  );
  // So are the envelopes of these messages, which no method names.
  const reached = reachedBy(methods, find);
  const envelopes = definitions.filter(({ name }) => !reached.has(find(name).name));
  for (let before = -1; before < hot.size;) {
    before = hot.size;
    for (const { name, shape } of envelopes)
      if (referencesOf(shape).every((other) => hot.has(find(other).name))) hot.add(find(name).name);
  }
  return hot;
}

/**
 * The functions that fast checks call, instead of properties of globals, whose names definitions
 * may have. The imported names start with `_`, as definitions never do.
 */
const HELPERS = [
  code`checkOnce`,
  code`codePointLength`,
  code`hasOnly`,
  code`hasOwn`,
  code`isCustom`,
  code`isInteger`,
  code`isList`,
  code`isMap`,
  code`isNumber`,
  code`isObject`,
  code`isText`,
  code`isWithMeta`,
  code`lookup`,
  code`matches`,
  code`withFields`,
];
