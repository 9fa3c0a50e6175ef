import type { JsonSchema } from "../../generators/schema/json-schema/json.js";
import { namedParts } from "./merge.js";
import { referencesIn, type Present } from "./present.js";
import type { FactsByFeature } from "./release.js";

/** Which feature a fact of the unstable schema is part of; the base has none of them. */
export interface Owners {
  /** By definition; empty for the base. */
  readonly definitions: ReadonlyMap<string, string>;
  /** What a feature adds to a definition that is not its own, by place. */
  readonly parts: ReadonlyMap<string, { readonly feature: string; readonly with?: string }>;
  /** Features that add to the definitions of others, which they require. */
  readonly requires: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The schemas of a version without envelopes, as modules write them. */
export interface Surfaces {
  readonly stable: ReadonlyMap<string, JsonSchema>;
  readonly unstable: ReadonlyMap<string, JsonSchema>;
}

/**
 * Assigns each fact that only the unstable schema has to a feature: the one that has it today, else
 * the one that the release names, else a new one for all new facts that are connected.
 */
export function findOwners(
  { stable, unstable }: Surfaces,
  present: Present,
  facts: FactsByFeature[string] = {},
  methods: ReadonlyMap<string, string> = new Map(),
): Owners {
  const named = new Map(
    Object.entries(facts).flatMap(([features, all]) =>
      all.map((fact) => [fact, features.split(" ").filter(Boolean)] as const),
    ),
  );
  const only = [...unstable].filter(([name]) => !stable.has(name));
  const owner = new Map<string, string>([...stable.keys()].map((name) => [name, ""]));
  const carriers = new Set<string>();
  for (const [name] of only) {
    const today = present.definitions.get(name)?.feature;
    const [first, second] = named.get(name) ?? [];
    if (today) owner.set(name, today);
    else if (first !== undefined && second === undefined) owner.set(name, first);
    else if (named.has(name) && first === undefined) carriers.add(name);
  }
  for (const name of carriers) owner.set(name, snake(name));
  const referrers = (name: string): readonly string[] =>
    [...unstable].filter(([, one]) => referencesIn(one).includes(name)).map(([other]) => other);
  // A definition of two features at once is among those of the one whose definitions refer to it.
  for (const [name] of only.filter(([one]) => !owner.has(one) && named.has(one)))
    owner.set(
      name,
      referrers(name)
        .map((other) => owner.get(other))
        .find((one) => one && named.get(name)!.includes(one)) ?? named.get(name)![0]!,
    );
  for (const [feature, names] of newFeatures(only, owner, { stable, unstable }, methods))
    for (const name of names) owner.set(name, feature);
  return { definitions: owner, ...findParts({ stable, unstable }, present, owner, named) };
}

function findParts(
  { stable, unstable }: Surfaces,
  present: Present,
  owner: ReadonlyMap<string, string>,
  named: ReadonlyMap<string, readonly string[]>,
): Pick<Owners, "parts" | "requires"> {
  const parts = new Map<string, { readonly feature: string; readonly with?: string }>();
  const requires = new Map<string, Set<string>>();
  const live = new Set(owner.values());
  for (const [name, schema] of unstable) {
    const own = owner.get(name)!;
    const base = stable.get(name);
    for (const [end, part] of namedParts(schema)) {
      if (base !== undefined && namedParts(base).has(end)) continue;
      const place = name + end;
      // What comes and goes with its definition is part of it, whatever the feature is called here.
      if (own !== "" && named.has(place) && `${named.get(place)}` === `${named.get(name)}`)
        continue;
      const others = new Set(referencesIn(part).map((one) => owner.get(one) ?? ""));
      others.delete("");
      others.delete(own);
      const today = present.parts.get(place);
      const isAlone =
        today?.with === undefined &&
        today !== undefined &&
        (own === "" || present.requires.get(today.feature)?.includes(own) === true);
      const wanted = isAlone
        ? [today.feature]
        : (named.get(place)?.filter((one) => one !== own) ?? [...others]);
      const [feature, second] = wanted;
      if (feature === undefined) {
        // A part without a feature is a definition's own, or that of whoever needs a carrier.
        if (own === "")
          parts.set(place, { feature: [...others][0] ?? today?.feature ?? snake(place) });
      } else if (own !== "" && (isAlone || named.get(name)?.length === 0)) {
        parts.set(place, { feature });
        requires.set(feature, (requires.get(feature) ?? new Set<string>()).add(own));
      } else if (own === "") {
        parts.set(place, { feature, ...(second !== undefined && { with: second }) });
      } else if (live.has(feature)) parts.set(place, { feature, with: own });
    }
  }
  return { parts, requires };
}

/**
 * Groups definitions without a feature: those that refer to each other, belong to one method, or
 * are named after one thing. A group that only one feature uses is part of that feature.
 */
function newFeatures(
  only: readonly (readonly [string, JsonSchema])[],
  owner: ReadonlyMap<string, string>,
  { unstable }: Surfaces,
  methods: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const rest = new Map(only.filter(([name]) => !owner.has(name)));
  const group = new Map([...rest.keys()].map((name) => [name, name]));
  const join = (a: string, b: string): void => {
    const [from, to] = [group.get(a), group.get(b)];
    if (from === undefined || to === undefined || from === to) return;
    for (const [name, one] of group) if (one === from) group.set(name, to);
  };
  for (const [name, schema] of rest) {
    for (const other of referencesIn(schema)) join(name, other);
    for (const other of rest.keys())
      if (
        stemOf(name) === stemOf(other) ||
        (methods.has(name) && methods.get(name) === methods.get(other))
      )
        join(name, other);
  }
  const found = new Map<string, readonly string[]>();
  for (const id of new Set(group.values())) {
    const names = [...rest.keys()].filter((name) => group.get(name) === id);
    const users = [...unstable].filter(
      ([name, schema]) =>
        !names.includes(name) && referencesIn(schema).some((one) => names.includes(one)),
    );
    const owners = new Set(users.map(([name]) => owner.get(name) ?? ""));
    const [only] = owners;
    const feature = owners.size === 1 && only ? only : snake(shortest(names.map(stemOf)));
    found.set(feature, [...(found.get(feature) ?? []), ...names]);
  }
  return found;
}

/** `SessionOptionsRequest` and `SessionOptionsCapabilities` are about `SessionOptions`. */
function stemOf(name: string): string {
  return name.replace(/(?:Request|Response|Notification|Capabilities|Update|Id)$/, "") || name;
}

function shortest(names: readonly string[]): string {
  return names.reduce((a, b) => (b.length < a.length ? b : a));
}

/** `SessionConfigOptionCategory/speed` becomes `session_config_option_category_speed`. */
function snake(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();
}
