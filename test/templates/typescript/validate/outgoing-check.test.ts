import { describe, expect, test } from "vitest";
import {
  REQUIRED,
  type Check,
  type CheckNode,
} from "../../../../templates/typescript/runtime/validate/check.js";
import { mayBeSent as passes } from "../../../../templates/typescript/runtime/validate/outgoing-check.js";

/** Returns a definition whose fast check finds everything valid. */
const define = (node: () => CheckNode): Check => ({ is: () => true, node });

const STRING: CheckNode = ["string"];
const Any = define(() => ["any"]);
const Text = define(() => ["object", [["text", STRING, REQUIRED]]]);
const Item: Check = define(() => [
  "object",
  [
    ["id", STRING, REQUIRED],
    ["data", ["any"]],
    ["inner", Item],
  ],
]);
const Items = define(() => ["list", ["nullable", Item]]);
const Left = define(() => ["object", [["left", STRING]]]);
const Right = define(() => ["object", [["right", STRING]]]);
const Note = define(() => ["object", [["note", Text]]]);

const CHECKS = {
  Any,
  Item,
  Items,
  Lists: define(() => ["union", false, [["list", Text], Items]]),
  VagueLists: define(() => [
    "union",
    false,
    [
      ["list", Left],
      ["list", Right],
    ],
  ]),
  Nullable: define(() => ["union", false, [["nullable", Text], Item]]),
  Twice: define(() => ["tagged", "type", { a: Note }, [], [["note", Item]]]),
  Overlaid: define(() => {
    const scalars: CheckNode = ["object", [["note", STRING]]];
    return ["tagged", "type", { a: Any, b: Items, c: scalars }, [], [["note", Text]]];
  }),
  Many: define(() => [
    "object",
    Array.from({ length: 1000 }, (_, index) => [`p${index}`, Note] as const),
  ]),
};

function mayBeSent(definition: keyof typeof CHECKS, value: unknown): boolean {
  return passes(CHECKS[definition], value);
}

test("values that fail the fast check are left to the slow path", () => {
  expect(passes({ ...Item, is: () => false }, { id: "x" })).toBe(false);
});

test("objects with a thousand properties are left to the slow path", () => {
  expect(mayBeSent("Many", { p1: {} })).toBe(false);
});

test("items of lists are checked, and may be null", () => {
  expect(mayBeSent("Items", [{ id: "x" }, null])).toBe(true);
  expect(mayBeSent("Items", [{ id: "x" }, { extra: 1 }])).toBe(false);
  expect(mayBeSent("Items", Object.assign([{ id: "x" }], { more: 1 }))).toBe(false);
});

describe("unions", () => {
  test("may declare a property twice, if only one of them restricts its value", () => {
    expect(mayBeSent("Overlaid", { type: "c", note: { text: "x" } })).toBe(true);
    expect(mayBeSent("Overlaid", { type: "c", note: { extra: 1 } })).toBe(false);
    expect(mayBeSent("Twice", { type: "a" })).toBe(true);
    expect(mayBeSent("Twice", { type: "a", note: {} })).toBe(false);
  });

  test("are left to the slow path where a variant is not an object", () => {
    expect(mayBeSent("Overlaid", { type: "a" })).toBe(false);
    expect(mayBeSent("Overlaid", { type: "b" })).toBe(false);
  });

  test("of lists are distinguished by their items", () => {
    expect(mayBeSent("Lists", [{ text: "x" }, { id: "y" }])).toBe(true);
    expect(mayBeSent("Lists", [{ text: "x", extra: 1 }])).toBe(false);
    expect(mayBeSent("VagueLists", [{ left: "x" }])).toBe(false);
  });

  test("may have an alternative that can be null", () => {
    expect(mayBeSent("Nullable", null)).toBe(true);
    expect(mayBeSent("Nullable", { text: "x" })).toBe(true);
    expect(mayBeSent("Nullable", { text: "x", extra: 1 })).toBe(false);
  });
});
