import { gatedPlaces } from "../gates/gated-places.js";
import { isObject, type Json } from "../../schema/json-schema/json.js";
import { InputError } from "../../schema/problem.js";
import type { Protocol } from "../protocol.js";
import type { Slot } from "../shape.js";
import { conforms, type DefinitionOf } from "./conforms.js";
import { SampleBuilder } from "./sample-builder.js";
import { collectExampleValues, countValues } from "./example-values.js";
import { SampleError } from "./sample-error.js";
import { withoutGated } from "./without-gated.js";

/** Valid values of a protocol's definitions; the same protocol always gives the same ones. */
export interface Samples {
  /**
   * An example of the protocol; without one, a value with only the required properties. It needs no
   * capability, unless every example of the definition does.
   */
  readonly typical: (definition: string) => Json;
  /**
   * A value with all optional properties that can be built and one item of each kind, without
   * `_meta`. Each definition is expanded once.
   */
  readonly full: (definition: string) => Json;
  /** A typical value of every listed variant of a union with a tag, by the tag's value. */
  readonly variants: (definition: string) => ReadonlyMap<string, Json>;
}

/**
 * Prepares the making of samples. What it returns throws an InputError for a
 * definition that contains itself without end, whose restrictions are beyond a
 * simple construction, or whose values would be huge.
 */
export function createSamples(protocol: Protocol): Samples {
  const definitions = new Map(protocol.definitions.map((item) => [item.name, item]));
  const definitionOf: DefinitionOf = (name) => definitions.get(name)!;
  const examples = collectExampleValues(protocol, definitionOf);
  const pathsOf = gatedPlaces(protocol.definitions);

  /** @throws InputError when a value cannot be built or does not conform */
  const checked = (name: string, make: () => Json): Json => {
    try {
      const value = make();
      if (conforms(reference(name), value, definitionOf)) return value;
      throw new SampleError("what was put together does not fit");
    } catch (error) {
      if (!(error instanceof SampleError)) throw error;
      const message = `no sample can be made of the definition "${name}": ${error.message}`;
      throw new InputError([{ message, hint: "Give it an example that fits." }]);
    }
  };
  const builderOf = (): SampleBuilder => new SampleBuilder(definitionOf, examples);
  const ungated = (name: string): Json => {
    const typical = builderOf().typical(name);
    const paths = pathsOf({ params: name });
    if (paths.length === 0) return typical;
    const [largest = typical] = [typical, ...examples.ofDefinition(name)]
      .flatMap((value) => withoutGated(value, paths) ?? [])
      .filter((value) => conforms(reference(name), value, definitionOf))
      .toSorted((one, other) => countValues(other) - countValues(one));
    return largest;
  };
  return {
    typical: (name) => checked(name, () => ungated(name)),
    full: (name) => checked(name, () => builderOf().full(name)),
    variants: (name) => {
      const { shape } = definitionOf(name);
      if (shape.kind !== "tagged") return new Map();
      return new Map(
        shape.variants.map((variant) => {
          const shown = examples
            .ofDefinition(name)
            .filter((value) => isObject(value) && value[shape.tag] === variant.value)
            .find((value) => conforms(reference(name), value, definitionOf));
          const value = shown ?? checked(name, () => builderOf().variant(name, shape, variant));
          return [variant.value, value];
        }),
      );
    },
  };
}

function reference(name: string): Slot {
  return { shape: { kind: "reference", name }, nullable: false };
}
