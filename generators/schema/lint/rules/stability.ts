import { referencedName } from "../../json-schema/references.js";
import { ANY_FEATURE, hasCapability, NO_FEATURE, withRequired } from "./capabilities.js";
import { gatesOf } from "./gates.js";
import type { Diagnostic } from "../rule.js";
import {
  placeName,
  schemaParts,
  pointerTo,
  type SourceIndex,
  type SourceSchema,
} from "../source-index.js";
import type { Path } from "../../json-schema/walk.js";

/** A reference by name, or by a gate. */
interface Use {
  readonly of: Pick<SourceSchema, "file" | "path" | "feature" | "withFeature">;
  readonly path: Path;
  readonly subject: string;
  /** The used item, for messages. */
  readonly description: string;
  /** The features that define it; empty when the base does, or no feature. */
  readonly providers: readonly string[];
}

/** Finds references and gates of the base that only a feature can satisfy. */
export function* findUnstable(index: SourceIndex): Generator<Diagnostic> {
  for (const use of uses(index)) {
    if (use.of.feature !== undefined) continue;
    const names = use.providers.join(", ");
    yield {
      ...locate(use),
      message: `the base uses ${use.description}, which only a feature defines: ${names}`,
      hint: "Move the use to the feature, or what it uses to the base.",
    };
  }
}

/** Finds uses of other features that a feature neither requires nor is combined with. */
export function* findUnrequired(index: SourceIndex): Generator<Diagnostic> {
  for (const use of uses(index)) {
    const { feature, withFeature } = use.of;
    if (feature === undefined) continue;
    const on = withRequired(feature, withFeature, index);
    if (use.providers.some((name) => on.has(name))) continue;
    const [first] = use.providers;
    yield {
      ...locate(use),
      message: `the feature "${feature.name}" uses ${use.description} of "${first}", which it does not require`,
      hint: `Add "${first}" to requires, or move this below with.`,
    };
  }
}

function locate({ of, path, subject }: Use): Pick<Diagnostic, "file" | "pointer" | "subject"> {
  return { file: of.file, pointer: pointerTo(of, path), subject };
}

/** Yields every use of an item that only features define. */
function* uses(index: SourceIndex): Generator<Use> {
  const base = new Set<string>();
  const features = new Map<string, string[]>();
  for (const { name, feature, isAddition } of index.schemas) {
    if (isAddition) continue;
    if (feature === undefined) base.add(name);
    else features.set(name, [...(features.get(name) ?? []), feature.name]);
  }
  const providersOf = (name: string | undefined): readonly string[] =>
    name === undefined || base.has(name) ? [] : (features.get(name) ?? []);
  const named = (name: string): Pick<Use, "description" | "providers"> => {
    return { description: `the definition ${name}`, providers: providersOf(name) };
  };
  for (const of of index.schemas)
    if (of.isAddition && providersOf(of.name).some((name) => name !== of.feature!.name))
      yield { of, path: [], subject: of.name, ...named(of.name) };
  for (const { of, schema, path } of schemaParts(index)) {
    const target = referencedName(schema);
    if (providersOf(target).length > 0)
      yield { of, path: [...path, "$ref"], subject: placeName(of, path), ...named(target!) };
  }
  for (const of of index.methods)
    for (const part of ["params", "result"] as const) {
      const name = of.method[part];
      if (providersOf(name).length > 0)
        yield { of, path: [part], subject: of.method.name, ...named(name!) };
    }
  yield* gateUses(index);
}

function* gateUses(index: SourceIndex): Generator<Use> {
  for (const { gate, of, path, subject } of gatesOf(index)) {
    if (hasCapability(gate, index, NO_FEATURE) || !hasCapability(gate, index, ANY_FEATURE))
      continue;
    const providers = [...index.protocol.features.values()]
      .filter((feature) => hasCapability(gate, index, withRequired(feature, undefined, index)))
      .map(({ name }) => name);
    const description = `the capability ${gate.agent ?? gate.client}`;
    yield { of, path, subject, description, providers };
  }
}
