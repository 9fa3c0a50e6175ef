import { join } from "node:path";
import { buildProtocol } from "../../../../generators/model/build/build.js";
import type { Protocol } from "../../../../generators/model/protocol.js";
import { createSamples } from "../../../../generators/model/sample/sample.js";
import { resolveInputs } from "../../../../generators/run/inputs/select-profiles.js";
import type { Json } from "../../../../generators/schema/json-schema/json.js";
import { isObject } from "../../../../generators/schema/json-schema/json.js";
import { ROOT } from "../../../support/paths.js";

/** The canonical schema. */
export const SCHEMA = join(ROOT, "schema");

/** Builds the model of a named profile. */
export function protocolOf(profile: string): Protocol {
  const [input] = resolveInputs({ profiles: [profile] }, SCHEMA);
  return buildProtocol(input!.bundle, input!.profile);
}

/** Values of a definition: model-made samples, and each of them with one place changed. */
export interface Corpus {
  readonly samples: (definition: string) => readonly Json[];
  readonly changed: (definition: string) => readonly Json[];
}

export function corpusOf(protocol: Protocol): Corpus {
  const { typical, full, variants } = createSamples(protocol);
  const samples = (name: string): readonly Json[] => [
    typical(name),
    full(name),
    ...variants(name).values(),
  ];
  return {
    samples,
    changed: (name) => samples(name).flatMap((sample) => [...changesOf(sample)]),
  };
}

/** Values that are put into every place, for the limits and the nulls of the mapping. */
const FOREIGN: readonly Json[] = [
  null,
  [],
  {},
  "_unknown",
  "cancelled",
  "paused",
  -1,
  0,
  2,
  true,
  false,
];

/** Properties that only one version has, where the other has none or another. */
const FOREIGN_NAMES = ["id", "info", "type"];

/** Yields copies of a value with one place replaced, removed, doubled or added. */
export function* changesOf(value: Json): Generator<Json> {
  yield* FOREIGN;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    for (const [index, item] of list.entries()) {
      yield list.toSpliced(index, 1);
      for (const changed of changesOf(item)) yield list.with(index, changed);
    }
    yield [...list, ...list];
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
      for (const changed of changesOf(item)) yield { ...value, [key]: changed };
    }
    yield { ...value, _meta: { "example.com/note": "kept" } };
    yield { ...value, _meta: null };
    for (const name of FOREIGN_NAMES)
      if (!Object.hasOwn(value, name)) yield { ...value, [name]: "foreign" };
  }
}
