import { didYouMean, jsonPointer, type Problem } from "../problem.js";
import type { Additions, FeatureSource, ProtocolSource } from "../source/sources.js";
import { unionKeyword, variantName, variantsOf } from "../json-schema/variants.js";

/** An unknown name, as a problem at its location. */
export interface UnknownName extends Problem {
  readonly file: string;
  readonly pointer: string;
  readonly name: string;
}

/** Notes the names that `findUnknownNames` finds. */
export function noteUnknownNames(
  protocol: ProtocolSource,
  features: readonly FeatureSource[],
  problems: Problem[],
): void {
  for (const { name: _, ...problem } of findUnknownNames(protocol, features))
    problems.push(problem);
}

/**
 * Finds names that do not exist in any feature: the targets of `after` and `x-after`, and the
 * definitions that `with` adds to for a feature that is off.
 *
 * @param features the features that are on
 */
export function findUnknownNames(
  protocol: ProtocolSource,
  features: readonly FeatureSource[],
): UnknownName[] {
  const all = everything(protocol);
  const unknown: UnknownName[] = [];
  const check = (
    file: string,
    path: Path,
    what: string,
    name: string,
    known: ReadonlySet<string>,
  ): void => {
    if (known.has(name)) return;
    unknown.push({
      file,
      pointer: jsonPointer(path),
      name,
      message: `unknown ${what} "${name}"`,
      hint: didYouMean(name, known, `Name a ${what} of the base or of a feature.`),
    });
  };
  for (const { file, methods } of [...protocol.modules, ...features])
    methods.forEach(({ after = [] }, index) =>
      after.forEach((name, position) =>
        check(file, ["methods", index, "after", position], "method", name, all.methods),
      ),
    );
  for (const feature of features) {
    for (const [path, additions] of additionsOf(feature)) {
      const [, other] = path;
      const waits = other !== undefined && !features.some(({ name }) => name === other);
      for (const [definition, addition] of Object.entries(additions)) {
        // When the other feature is on, the addition itself fails.
        if (waits)
          check(feature.file, [...path, definition], "definition", definition, all.definitions);
        variantsOf(addition).forEach((variant, index) =>
          variant["x-after"]?.forEach((name, position) => {
            const place = [definition, unionKeyword(addition)!, index, "x-after", position];
            check(feature.file, [...path, ...place], "variant", name, all.variantsOf(definition));
          }),
        );
      }
    }
  }
  return unknown;
}

type Path = readonly (string | number)[];

/** The names that there are when every feature is on. */
interface Everything {
  readonly methods: ReadonlySet<string>;
  readonly definitions: ReadonlySet<string>;
  readonly variantsOf: (definition: string) => ReadonlySet<string>;
}

function everything(protocol: ProtocolSource): Everything {
  const features = [...protocol.features.values()];
  const methods = [...protocol.modules, ...features].flatMap((source) => source.methods);
  const modules = [...protocol.modules, ...features.flatMap((feature) => feature.modules)];
  const declared = modules.flatMap(({ definitions }) => Object.entries(definitions));
  const added = features.flatMap(additionsOf).flatMap(([, additions]) => Object.entries(additions));
  return {
    methods: new Set(methods.map(({ name }) => name)),
    definitions: new Set(declared.map(([name]) => name)),
    variantsOf: (definition) => {
      const schemas = [...declared, ...added].filter(([name]) => name === definition);
      return new Set(schemas.flatMap(([, schema]) => variantsOf(schema).map(variantName)));
    },
  };
}

/** Returns a feature's additions to definitions, alone and together with other features, with their paths. */
function additionsOf(feature: FeatureSource): [path: string[], additions: Additions][] {
  const withOthers = Object.entries(feature.with).map(
    ([other, additions]): [string[], Additions] => [["with", other], additions],
  );
  return [[["add"], feature.add], ...withOthers];
}
