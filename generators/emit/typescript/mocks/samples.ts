import type { Protocol } from "../../../model/protocol.js";
import type { Samples } from "../../../model/sample/sample.js";
import type { Shape } from "../../../model/shape.js";
import type { UpdateUnion } from "../../../model/update-union.js";
import { visitShape } from "../../../model/visit-shape.js";
import {
  code,
  docComment,
  identifier,
  indentLines,
  joinCode,
  literal,
  ONE_LINE_EACH,
  propertyKey,
  propertyName,
  type Code,
} from "../../../output/code.js";
import type { Json } from "../../../schema/json-schema/json.js";

/** Prints the samples of messages, typed by definition. */
export function printSamples(protocol: Protocol, samples: Samples): Code {
  const names = new Set(
    protocol.methods.flatMap(({ params, result }) => [params, result ?? params]),
  );
  const carried = protocol.definitions.filter(({ name }) => names.has(name));
  const rows = (valueOf: (name: string) => Json): Code =>
    joinCode(
      carried.map(({ name }) => code`${propertyKey(name)}: ${literal(valueOf(name))},`),
      "\n",
    );
  // Every literal inherits properties such as `toString`, whose types differ from declared ones.
  const type = protocol.definitions.some(({ shape }) => hidesInherited(shape))
    ? code` as unknown as Samples`
    : code``;
  return code`${docComment("One value for the params and the result of every method.")}
export interface Samples {
${joinCode(
  carried.map(
    ({ name, identifier: id }) => code`readonly ${propertyName(name)}: types.${identifier(id)};`,
  ),
  "\n",
)}
}

${docComment("The protocol's examples without what needs a capability; where there is none, a value with only the required properties.")}
${ONE_LINE_EACH}
${indentLines(code`export const SAMPLES: Samples = {
${rows(samples.typical)}
}${type};`)}

${docComment("Values with every optional property except `_meta`; lists contain an item of every kind.")}
${ONE_LINE_EACH}
${indentLines(code`export const FULL_SAMPLES: Samples = {
${rows(samples.full)}
}${type};`)}`;
}

/** Returns whether a shape has a property with the name of an inherited one. */
function hidesInherited(shape: Shape): boolean {
  let hides = false;
  visitShape(shape, { field: ({ name }) => (hides ||= name in {}) });
  return hides;
}

/** Prints one update of every variant, with the type of the variant. */
export function printUpdates({ definition, shape }: UpdateUnion, samples: Samples): Code {
  const values = [...samples.variants(definition.name)];
  const type = (variant: string): Code =>
    code`Extract<types.${identifier(definition.identifier)}, { readonly ${propertyName(shape.tag)}: ${literal(variant)} }>`;
  return code`${docComment("One session update of every variant, by its tag.")}
export interface Updates {
${joinCode(
  values.map(([variant]) => code`readonly ${propertyName(variant)}: ${type(variant)};`),
  "\n",
)}
}

${docComment("The updates that a mock agent streams during a prompt.")}
export const UPDATES: Updates = {
${joinCode(
  values.map(([variant, value]) => code`${propertyKey(variant)}: ${literal(value)},`),
  "\n",
)}
};`;
}
