import { describe, expect, test } from "vitest";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { defaultWith } from "../../../generators/model/defaults.js";
import type { Definition, Protocol } from "../../../generators/model/protocol.js";
import type { Field } from "../../../generators/model/shape.js";
import { compose } from "../../../generators/schema/compose/compose.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import type { ProtocolSource } from "../../../generators/schema/source/sources.js";
import { ROOT } from "../../support/paths.js";

/**
 * Languages with conditional compilation print all features at once. That is sound if the model of
 * any selection is the model of all features without what the others add.
 */
describe.each([...loadSources(`${ROOT}schema`).protocols])("%s", (_, source) => {
  const all = build(source, [...source.features.keys()]);
  test.each(["", ...source.features.keys()])(
    "with only the feature %j is the whole without what others add",
    (name) => {
      const selected = name === "" ? new Set<string>() : closure(source, name);
      const own = build(source, [...selected]);
      expect(without(own, selected)).toEqual(without(all, selected));
    },
  );
});

function build(source: ProtocolSource, features: readonly string[]): Protocol {
  return buildProtocol(compose(source, features), { name: "x", title: "", description: "" });
}

/** Returns a feature and those that it requires. */
function closure(source: ProtocolSource, name: string): Set<string> {
  const found = new Set([name]);
  for (const one of found)
    for (const required of source.features.get(one)!.requires) found.add(required);
  return found;
}

function definitionsOf({ definitions }: Protocol): unknown {
  return Object.fromEntries(
    definitions.map(({ name, shape, feature }) => [name, { shape, ...(feature && { feature }) }]),
  );
}

/** Drops what features add that are not selected. */
function without(protocol: Protocol, selected: ReadonlySet<string>): unknown {
  const definitions = new Map(protocol.definitions.map((one) => [one.name, one]));
  return reduce(definitionsOf(protocol), selected, definitions);
}

function reduce(
  value: unknown,
  selected: ReadonlySet<string>,
  definitions: ReadonlyMap<string, Definition>,
): unknown {
  const isOff = (item: unknown): boolean => {
    const feature = (item as { readonly feature?: string } | null)?.feature;
    return feature !== undefined && !selected.has(feature);
  };
  if (Array.isArray(value))
    return value
      .filter((item) => !isOff(item))
      .map((item: unknown) => reduce(item, selected, definitions));
  if (typeof value !== "object" || value === null) return value;
  const fallback = isField(value) && { default: defaultWith(value, definitions, selected) };
  return Object.fromEntries(
    Object.entries({ ...value, ...fallback })
      .filter(([, item]) => !isOff(item))
      .map(([key, item]) => [key, reduce(item, selected, definitions)]),
  );
}

function isField(value: object): value is Field {
  return "default" in value && "shape" in value;
}
