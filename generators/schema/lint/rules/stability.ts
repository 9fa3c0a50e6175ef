import { referencedName } from "../../json-schema/references.js";
import { ANY_FEATURE, hasCapability, NO_FEATURE, withRequired } from "./capabilities.js";
import { gatesOf } from "./gates.js";
import type { Objection } from "../rule.js";
import { nameOf, partsOf, pointerTo, type Stated, type StatedSchema } from "../source-index.js";
import type { Path } from "../../json-schema/walk.js";

/** Something that is referred to by name, or by a gate. */
interface Use {
  readonly of: Pick<StatedSchema, "file" | "path" | "feature" | "beside">;
  readonly inside: Path;
  readonly subject: string;
  /** What is used, in words. */
  readonly what: string;
  /** The features that have it; none when the base does, or nobody. */
  readonly providers: readonly string[];
}

/** Finds references and gates of the base that only a feature can satisfy. */
export function* findUnstable(stated: Stated): Generator<Objection> {
  for (const use of uses(stated)) {
    if (use.of.feature !== undefined) continue;
    const names = use.providers.join(", ");
    yield {
      ...objectionTo(use),
      message: `the base uses ${use.what}, which only a feature has: ${names}`,
      hint: "Move the use to the feature, or what it uses to the base.",
    };
  }
}

/** Finds uses of other features that a feature neither requires nor stands beside. */
export function* findUnrequired(stated: Stated): Generator<Objection> {
  for (const use of uses(stated)) {
    const { feature, beside } = use.of;
    if (feature === undefined) continue;
    const on = withRequired(feature, beside, stated);
    if (use.providers.some((name) => on.has(name))) continue;
    const [first] = use.providers;
    yield {
      ...objectionTo(use),
      message: `the feature "${feature.name}" uses ${use.what} of "${first}", which it does not require`,
      hint: `Add "${first}" to requires, or move this below with.`,
    };
  }
}

function objectionTo({
  of,
  inside,
  subject,
}: Use): Pick<Objection, "file" | "pointer" | "subject"> {
  return { file: of.file, pointer: pointerTo(of, inside), subject };
}

/** Every use of what the base does not have but some feature does. */
function* uses(stated: Stated): Generator<Use> {
  const base = new Set<string>();
  const features = new Map<string, string[]>();
  for (const { name, feature, isAddition } of stated.schemas) {
    if (isAddition) continue;
    if (feature === undefined) base.add(name);
    else features.set(name, [...(features.get(name) ?? []), feature.name]);
  }
  const providersOf = (name: string | undefined): readonly string[] =>
    name === undefined || base.has(name) ? [] : (features.get(name) ?? []);
  const named = (name: string): Pick<Use, "what" | "providers"> => {
    return { what: `the definition ${name}`, providers: providersOf(name) };
  };
  for (const of of stated.schemas)
    if (of.isAddition && providersOf(of.name).some((name) => name !== of.feature!.name))
      yield { of, inside: [], subject: of.name, ...named(of.name) };
  for (const { of, schema, inside } of partsOf(stated)) {
    const target = referencedName(schema);
    if (providersOf(target).length > 0)
      yield { of, inside: [...inside, "$ref"], subject: nameOf(of, inside), ...named(target!) };
  }
  for (const of of stated.methods)
    for (const part of ["params", "result"] as const) {
      const name = of.method[part];
      if (providersOf(name).length > 0)
        yield { of, inside: [part], subject: of.method.name, ...named(name!) };
    }
  yield* gateUses(stated);
}

function* gateUses(stated: Stated): Generator<Use> {
  for (const { gate, of, inside, subject } of gatesOf(stated)) {
    if (hasCapability(gate, stated, NO_FEATURE) || !hasCapability(gate, stated, ANY_FEATURE))
      continue;
    const providers = [...stated.protocol.features.values()]
      .filter((feature) => hasCapability(gate, stated, withRequired(feature, undefined, stated)))
      .map(({ name }) => name);
    const what = `the capability ${gate.agent ?? gate.client}`;
    yield { of, inside, subject, what, providers };
  }
}
