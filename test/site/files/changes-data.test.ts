import { describe, expect, test } from "vitest";
import { diff } from "../../../generators/run/diff.js";
import { SCHEMA } from "../../../generators/run/installation.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import type { Change } from "../../../generators/schema/compare/changes.js";
import type { Json, JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { openSite } from "../support/site.js";
import {
  applyChanges,
  differences,
  sortedText,
  structureOf,
  withNames,
  withoutOrder,
  type ReportedChange,
} from "../support/structure.js";

const { protocols, byName, page } = await openSite();

interface Reported {
  readonly from: string;
  readonly to: string;
  readonly sender: string;
  readonly receiver: string;
  readonly changes: readonly (ReportedChange &
    Pick<Change, "sender" | "receiver" | "definition">)[];
  readonly methods: {
    readonly added: readonly Facts[];
    readonly removed: readonly Facts[];
    readonly changed: readonly {
      readonly before: Facts;
      readonly after: Facts;
      readonly types: readonly string[];
    }[];
  };
  readonly gates: readonly {
    readonly definition: string;
    readonly part: string;
    readonly before: Json;
    readonly after: Json;
  }[];
}
type Facts = Pick<
  Protocol["methods"][0],
  "side" | "kind" | "name" | "params" | "result" | "gate" | "feature"
>;

const reports = protocols.flatMap(({ profile }) => reportsOf(profile));

describe.each(reports.map((report) => [report.from, report.to, report] as const))(
  "from %s to %s",
  (from, to, reported) => {
    const [before, after] = [byName.get(from)!, byName.get(to)!];
    const renames = reported.changes.filter(({ kind }) => kind === "renamed");
    const names = new Map(renames.map((change) => [String(change.before), String(change.after)]));
    const inside = reported.changes.filter(({ kind }) => kind !== "renamed");

    test("the changes are those that a second structural comparison finds", () => {
      const start = structureOf(withNames(before.schema, names));
      const found = differences(start, structureOf(after.schema));
      const plain = (changes: readonly ReportedChange[]): readonly string[] =>
        changes
          .map(({ pointer, kind, before: old, after: now }) =>
            [pointer, kind, sortedText(old), sortedText(now)].join(" "),
          )
          .sort();
      expect(plain(inside)).toEqual(plain(found));
      expect([...names].sort()).toEqual(sameContent(before.schema, after.schema));
    });

    test("applied to the old types, they give the new ones", () => {
      const start = structureOf(withNames(before.schema, names));
      expect(
        withoutOrder(applyChanges(start, inside)) === withoutOrder(structureOf(after.schema)),
      ).toBe(true);
      expect(inside.length).toBeGreaterThan(50);
    });

    test("applied to the old methods, they give the new ones", () => {
      const { added, removed, changed } = reported.methods;
      const methods = new Map(before.methods.map((method) => [keyOf(method), factsOf(method)]));
      for (const method of removed) {
        expect(methods.get(keyOf(method))).toEqual(factsOf(method));
        methods.delete(keyOf(method));
      }
      for (const change of changed) {
        expect(methods.get(keyOf(change.after))).toEqual(change.before);
        if (change.types.length === 0) expect(change.before).not.toEqual(change.after);
        methods.set(keyOf(change.after), change.after);
      }
      for (const method of added) {
        expect(methods.has(keyOf(method))).toBe(false);
        methods.set(keyOf(method), factsOf(method));
      }
      const wanted = new Map(after.methods.map((method) => [keyOf(method), factsOf(method)]));
      expect([...methods].sort()).toEqual([...wanted].sort());
    });

    test("applied to the old gates of properties and variants, they give the new ones", () => {
      const [old, now] = [gatesOf(before), gatesOf(after)];
      const changed = new Map(reported.gates.map((gate) => [partKey(gate), gate] as const));
      for (const [place, gate] of now) {
        if (!old.has(place)) continue;
        expect(old.get(place), place).toEqual(changed.get(place)?.before ?? gate);
        expect(gate, place).toEqual(changed.get(place)?.after ?? gate);
      }
      expect([...changed.keys()].filter((place) => !old.has(place) || !now.has(place))).toEqual([]);
    });

    test("acp-codegen diff reports the same", async () => {
      const { counts, sender, receiver, changes } = await diff(from, to, SCHEMA);
      const same = changes.map(({ feature: _, ...change }) => change);
      expect(reported).toMatchObject({ counts, sender, receiver });
      expect(reported.changes).toEqual(JSON.parse(JSON.stringify(same)));
    });
  },
);

test("the file of a profile has the comparisons that its page shows", () => {
  for (const { profile } of protocols) {
    const own = reportsOf(profile);
    expect(own.length).toBe(
      { v1: 0, "v1-unstable": 1, "v1-full": 1, v2: 1, "v2-unstable": 2, "v2-full": 2 }[profile],
    );
    const shown = [...page(`${profile}/changes.html`).matchAll(/<h2 id="from-([\w-]+)">/g)];
    expect(shown.map((match) => match[1])).toEqual(own.map(({ from }) => from));
  }
});

function reportsOf(profile: string): readonly Reported[] {
  const { comparisons } = JSON.parse(page(`${profile}/changes.json`)) as {
    readonly comparisons: readonly Reported[];
  };
  return comparisons;
}

function partKey({ definition, part }: Reported["gates"][number]): string {
  return `${definition} ${part}`;
}

function keyOf({ side, kind, name }: Facts): string {
  return `${side} ${kind} ${name}`;
}

function factsOf({ side, kind, name, params, result, gate, feature }: Facts): object {
  return JSON.parse(JSON.stringify({ side, kind, name, params, result, gate, feature })) as object;
}

/** The gate of every property, variant and value that a definition has itself; to say that there is none is to have none. */
function gatesOf({ definitions }: Protocol): ReadonlyMap<string, Json> {
  return new Map(
    definitions.flatMap(({ name, shape }) => {
      const fields = shape.kind === "object" ? shape.fields : "shared" in shape ? shape.shared : [];
      const parts = [
        ...fields.map((field) => [field.name, field.gate] as const),
        ...(shape.kind === "tagged"
          ? shape.variants
          : shape.kind === "enum"
            ? shape.values
            : []
        ).map(({ value, gate }) => [String(value), gate] as const),
      ];
      return parts.map(
        ([part, gate]) =>
          [
            `${name} ${part}`,
            gate === undefined || (gate.kind === "always" && gate.reason === "ungated")
              ? "always"
              : (gate as unknown as Json),
          ] as const,
      );
    }),
  );
}

/** Definitions of the same content under names that only one side has, when no other could be meant. */
function sameContent(
  before: JsonSchema,
  after: JsonSchema,
): readonly (readonly [string, string])[] {
  const only = (one: JsonSchema, other: JsonSchema): ReadonlyMap<string, readonly string[]> => {
    const found = new Map<string, string[]>();
    for (const [name, schema] of Object.entries(one.$defs!)) {
      const own = Object.keys(schema.properties ?? {}).filter((key) => key !== "_meta");
      const says = own.length > 0 || (schema.oneOf ?? schema.anyOf ?? []).length > 1;
      if (name in other.$defs! || !says) continue;
      const self = withNames({ $defs: { [name]: schema } }, new Map([[name, "Self"]]));
      const text = sortedText(structureOf(self.$defs!["Self"]!));
      found.set(text, [...(found.get(text) ?? []), name]);
    }
    return found;
  };
  const [removed, added] = [only(before, after), only(after, before)];
  return [...removed]
    .flatMap(([text, [name, ...more]]): [string, string][] => {
      const [other, ...others] = added.get(text) ?? [];
      return other !== undefined && more.length + others.length === 0 ? [[name!, other]] : [];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
