import { METHODS as METHODS_V1 } from "acp-bindings/v1-full";
import { METHODS as METHODS_V2 } from "acp-bindings/v2-full";
import { expect, test } from "vitest";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { Gates } from "../../../templates/typescript/runtime/gates/gates.js";
import type { MethodDescriptor } from "../../../templates/typescript/runtime/methods.js";
import { loadBindings } from "../samples/profiles.js";
import { advertisement, holdersOf, isOfRelease, nameOf, ROWS } from "./capability-rows.js";
import type { GateRow } from "./capability-rows.js";

interface Version {
  readonly methods: readonly MethodDescriptor[];
  readonly bundle: JsonSchema;
}

const V1: Version = { methods: METHODS_V1, bundle: (await loadBindings("v1-full")).bundle };
const V2: Version = { methods: METHODS_V2, bundle: (await loadBindings("v2-full")).bundle };

const STRENGTHS: { readonly [strength: string]: string } = { MUST: "must", SHOULD: "should" };

test("the gates of methods and of places in messages are those of the protocol's documents", () => {
  // The others depend on the facts of a session, or are rules: they have unit tests.
  expect(ROWS).toHaveLength(159);
  for (const version of [V1, V2]) expect(check(version)).toBeGreaterThan(60);
});

/** Checks the rows of a version against its tables. Returns how many were checked. */
function check(version: Version): number {
  const own = version === V1 ? "v1" : "v2";
  let checked = 0;
  for (const given of ROWS) {
    // Next edit suggestions are those of version 1; their paths in version 2 are shorter.
    const isOfNes = given.protocol === "nes";
    if (given.protocol !== own && !isOfNes) continue;
    const row = isOfNes && own === "v2" ? inVersion2(given) : given;
    if (!isOfRelease(row, isOfNes ? V1.bundle : version.bundle)) continue;
    const checkRow = row.target.kind === "method" ? checkMethod : checkPlace;
    if (checkRow(row, version.methods)) checked++;
  }
  return checked;
}

function inVersion2(row: GateRow): GateRow {
  if (row.requires === null) return row;
  const path = row.requires.path.replace(/^(agent|client)Capabilities/, "capabilities");
  return { ...row, requires: { ...row.requires, path } };
}

/** Returns false for a gate that depends on more than an advertised capability. */
function checkMethod(row: GateRow, methods: readonly MethodDescriptor[]): boolean {
  const { target, requires, strength } = row;
  const isOfMore =
    target.when !== undefined ||
    requires?.side === "session-data" ||
    requires?.path.includes("{") === true ||
    requires?.test.includes("contains-entry") === true;
  if (isOfMore) return false;
  const side = target.handledBy === "both" ? "protocol" : target.handledBy;
  const kinds = target.messageKind!.split("+");
  const found = methods.filter(
    (method) =>
      method.name === target.method && method.side === side && kinds.includes(method.kind),
  );
  expect(found, nameOf(row)).toHaveLength(kinds.length);
  for (const method of found) {
    if (requires === null) {
      expect(method.gate, nameOf(row)).toEqual({ kind: "always", reason: strength.toLowerCase() });
      continue;
    }
    expect(method.gate, nameOf(row)).toMatchObject({ strength: STRENGTHS[strength] ?? strength });
    forEachValue(row, methods, (gates, isOpen) =>
      expect(gates.missing(method, {}), nameOf(row)).toBe(isOpen ? undefined : requires.path),
    );
  }
  return true;
}

/** Returns false for what is not a place in a message. */
function checkPlace(row: GateRow, methods: readonly MethodDescriptor[]): boolean {
  const { target, requires, strength } = row;
  if (target.when !== undefined || ["limit", "payload", "capability"].includes(target.kind))
    return false;
  const holders = holdersOf(row, methods);
  expect(holders, nameOf(row)).not.toEqual([]);
  for (const { method, part, message } of holders) {
    const find = (gates: Gates): unknown => gates.findMissingCapability(method, part, message);
    if (requires === null) {
      expect(find(new Gates(methods)), nameOf(row)).toBeUndefined();
      continue;
    }
    const missing = { capability: requires.path, strength: STRENGTHS[strength] ?? strength };
    expect(find(new Gates(methods)), nameOf(row)).toBeDefined();
    forEachValue(row, methods, (gates, isOpen) =>
      isOpen
        ? expect(find(gates), nameOf(row)).toBeUndefined()
        : expect(find(gates), nameOf(row)).toMatchObject(missing),
    );
  }
  return true;
}

/** Calls a function with the gates for values of a row's capability that open it, and that do not. */
function forEachValue(
  row: GateRow,
  methods: readonly MethodDescriptor[],
  see: (gates: Gates, isOpen: boolean) => void,
): void {
  const { side, path, test: condition } = row.requires!;
  const [open, closed] =
    condition === "is-true"
      ? [[true], [undefined, null, false, {}]]
      : condition.startsWith("non-empty")
        ? [[[{ methodId: "m" }]], [undefined, null, [], {}]]
        : [
            [{}, { _meta: {} }],
            [undefined, null],
          ];
  const other = side === "agent" ? "client" : "agent";
  for (const [from, values, isOpen] of [
    [side, open, true],
    [side, closed, false],
    // A place may be inside of another one, which has a gate of its own.
    [other, row.target.kind === "method" ? open : [], false],
  ] as const)
    for (const value of values) {
      const gates = new Gates(methods);
      gates.advertise(from as "agent", advertisement(path, value));
      see(gates, isOpen);
    }
}
