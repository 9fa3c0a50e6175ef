import { conforms } from "../../../model/sample/conforms.js";
import type { Definition } from "../../../model/protocol.js";
import { inline } from "../../../output/markup.js";
import { figure, sample, tryIt, type FigureView } from "../blocks/figure.js";
import { exampleCode } from "../components/scope.js";
import { canonicalJson, isObject, type Json } from "../../../schema/json-schema/json.js";
import type { PageScope, Site } from "../model/site.js";

/** A value of a type. */
export interface TypeExample {
  /** The variant that it is a value of, by the value of the tag; undefined for other types. */
  readonly tag: string | undefined;
  readonly figure: FigureView;
}

/** The most examples of a type; a union has one for each variant. */
const SHOWN = 2;

/**
 * Values of a type: its own examples, else those that the examples of methods
 * have in them, the one that shows most first; of a union one of each variant.
 * No value is generated.
 */
export function typeExamples(definition: Definition, scope: PageScope): readonly TypeExample[] {
  return valuesOf(definition, scope.site).map((value) => {
    const tag = tagOf(definition, value);
    const { name } = definition;
    const title = inline(tag ?? "Example");
    const shown = sample(exampleCode(value, name, scope), title, tryIt("value", { type: name }));
    return { tag, figure: figure([shown]) };
  });
}

function valuesOf(
  { name, shape, examples }: Definition,
  { exampleValues, definitionOf }: Site,
): readonly Json[] {
  // The page lists all values of an enumeration.
  if (examples.length > 0 || shape.kind === "enum") return examples;
  const slot = { shape: { kind: "reference", name } as const, nullable: false };
  const sorted = [...exampleValues.ofDefinition(name)].sort(
    (one, other) => canonicalJson(other).length - canonicalJson(one).length,
  );
  const found = new Map<string, Json>();
  for (const value of sorted) {
    const key =
      shape.kind === "tagged" && isObject(value)
        ? canonicalJson(value[shape.tag])
        : canonicalJson(value);
    if (found.has(key)) continue;
    if (conforms(slot, value, definitionOf)) found.set(key, value);
  }
  return [...found.values()].slice(0, shape.kind === "tagged" ? undefined : SHOWN);
}

function tagOf({ shape }: Definition, value: Json): string | undefined {
  const tag = shape.kind === "tagged" && isObject(value) ? value[shape.tag] : undefined;
  return typeof tag === "string" ? tag : undefined;
}
