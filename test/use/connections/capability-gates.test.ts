import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { METHODS as METHODS_V1 } from "acp-bindings/v1-full";
import { METHODS as METHODS_V2 } from "acp-bindings/v2-full";
import type { MethodDescriptor } from "../../../templates/runtime/methods.js";
import { extraPath, lacksExtras } from "../../support/extras.js";
import { loadBindings } from "../samples/profiles.js";
import { MECHANISMS } from "./capability-mechanisms.js";
import { isOfRelease, nameOf, ROWS, type GateRow } from "./capability-rows.js";

const METHODS: { readonly [version: string]: readonly MethodDescriptor[] } = {
  v1: METHODS_V1,
  v2: METHODS_V2,
};

/** How a row is enforced. */
function mechanismOf(row: GateRow): keyof typeof MECHANISMS {
  const { target, requires } = row;
  // Conditions that no table has: the duty to tell something, and what a child session grants.
  if (target.when !== undefined) return "rule of conformance";
  if (requires === null)
    return target.kind === "method" ? "method is always open" : "place is always open";
  if (target.kind === "limit") return "cut of a context";
  if (target.kind === "payload") return "rule of conformance";
  if (target.kind === "capability")
    return requires.side === "agent"
      ? "capability that requires another"
      : "agreed position encoding";
  if (target.kind !== "method") return "capability of a place in a message";
  if (requires.side === "session-data")
    return requires.test.startsWith("contains")
      ? "entry of a session's list"
      : "what a thing in a session allows";
  if (requires.path.includes("{")) return "key that the params name";
  return requires.test.includes("contains-entry")
    ? "entry of an advertised list"
    : "capability of a method";
}

/** The paths of next edit suggestions are those of version 1; version 2 has shorter ones. */
function inVersion2(row: GateRow): GateRow {
  if (row.requires === null) return row;
  const path = row.requires.path.replace(/^(agent|client)Capabilities/, "capabilities");
  return { ...row, requires: { ...row.requires, path } };
}

const bundles = {
  v1: (await loadBindings("v1-full")).bundle,
  v2: (await loadBindings("v2-full")).bundle,
};

describe("every gate of the protocol is enforced", () => {
  const counts = new Map<string, number>();
  const rows = ROWS.map((row, index) => [index + 1, nameOf(row), row] as const);

  test.each(
    rows.filter(([, , row]) =>
      isOfRelease(row, bundles[row.protocol === "nes" ? "v1" : row.protocol]),
    ),
  )("%i: %s", (_index, _name, row) => {
    const mechanism = mechanismOf(row);
    counts.set(mechanism, (counts.get(mechanism) ?? 0) + 1);
    const enforce = MECHANISMS[mechanism];
    if (row.protocol !== "nes") return enforce(row, METHODS[row.protocol]!);
    enforce(row, METHODS["v1"]!);
    if (mechanism !== "rule of conformance") enforce(inVersion2(row), METHODS["v2"]!);
  });

  test("by one of the known mechanisms, all of which are used", () => {
    const used = new Set(ROWS.map(mechanismOf));
    expect(
      Object.keys(MECHANISMS).filter((name) => !used.has(name as keyof typeof MECHANISMS)),
    ).toEqual([]);
    expect(ROWS).toHaveLength(159);
  });

  test.skipIf(lacksExtras("comparing the rows of gates with the reference"))(
    "and the rows are those of the reference",
    () => {
      const text = readFileSync(extraPath("reference/capability-gates.json"), "utf8");
      const { gates } = JSON.parse(text) as {
        gates: (GateRow & { source: string; note?: string })[];
      };
      expect(ROWS).toEqual(gates.map(({ source: _, note: __, ...row }) => row));
    },
  );

  afterAll(() =>
    console.table(Object.fromEntries([...counts].map(([name, rows]) => [name, { rows }]))),
  );
});
