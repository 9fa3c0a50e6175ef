import { isObject, type Json } from "../../schema/json-schema/json.js";
import type { GatedPlace } from "../gates/gated-places.js";
import type { PlaceStep } from "../gates/places-in-shape.js";

type Gated = Pick<GatedPlace, "path" | "tag" | "values">;

/**
 * Removes the properties and the list items of a value that need a capability. The rest may lack
 * something that its definition requires.
 *
 * @returns undefined when the value as a whole needs a capability
 */
export function withoutGated(value: Json, paths: readonly Gated[]): Json | undefined {
  return paths.reduce<Json | undefined>(
    (rest, gated) => (rest === undefined ? undefined : remove(rest, gated.path, gated)),
    value,
  );
}

function remove(value: Json, path: readonly PlaceStep[], gated: Gated): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return isGated(value, gated) ? undefined : value;
  const inner = (part: Json): Json | undefined => remove(part, rest, gated);
  if (typeof step === "string")
    return isObject(value)
      ? mapValues(value, (part, name) => (name === step ? inner(part) : part))
      : value;
  if ("tag" in step) {
    const isNamed = isObject(value) && step.values.includes(value[step.tag] as string);
    return isNamed === (step.not !== true) ? inner(value) : value;
  }
  if (Array.isArray(value)) return value.flatMap((item: Json) => inner(item) ?? []);
  return step.each === "value" && isObject(value) ? mapValues(value, inner) : value;
}

/** Checks the value at the end of a path. Null and an empty list need no capability. */
function isGated(value: Json, { tag, values }: Gated): boolean {
  const used = tag === undefined ? value : isObject(value) ? value[tag] : undefined;
  if (used === undefined || used === null) return false;
  if (values !== undefined) return values.includes(String(used));
  return !Array.isArray(used) || used.length > 0;
}

/** Replaces the values of an object; undefined removes the property. */
function mapValues(
  value: { readonly [name: string]: Json },
  replace: (part: Json, name: string) => Json | undefined,
): Json {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const replaced = replace(part, name);
      return replaced === undefined ? [] : [[name, replaced] as const];
    }),
  );
}
