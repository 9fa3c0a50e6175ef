import { describe, expect, test } from "vitest";
import {
  REQUIRED,
  type Check,
  type CheckNode,
} from "../../../../templates/runtime/validate/check.js";
import { mayBeSent as passes } from "../../../../templates/runtime/validate/outgoing-check.js";

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
  ByName: define(() => ["map", Item]),
  Block: define(() => ["tagged", "type", { text: Text, item: Item }, [], [["note", STRING]]]),
  Server: define(() => [
    "tagged",
    "type",
    { http: ["object", [["url", STRING]]] },
    [null, null, ["object", [["command", STRING]]]],
  ]),
  Vague: define(() => ["object", [["part", ["union", false, [Left, Right]]]]]),
  Free: define(() => ["object", [["items", Items]], true]),
  Source: define(() => ["union", false, [Text, Item], [["note", STRING]]]),
  Lists: define(() => ["union", false, [["list", Text], Items]]),
  VagueLists: define(() => [
    "union",
    false,
    [
      ["list", Left],
      ["list", Right],
    ],
  ]),
  Scalars: define(() => ["union", false, [STRING, ["null"], ["list", STRING]]]),
  Nullable: define(() => ["union", false, [["nullable", Text], Item]]),
  Twice: define(() => ["tagged", "type", { a: Note }, [], [["note", Item]]]),
  Overlaid: define(() => {
    const scalars: CheckNode = ["object", [["note", STRING]]];
    return ["tagged", "type", { a: Any, b: Items, c: scalars }, [], [["note", Text]]];
  }),
  Odd: define(() => ["object", [["__proto__", STRING]]]),
  Many: define(() => [
    "object",
    Array.from({ length: 1000 }, (_, index) => [`p${index}`, Note] as const),
  ]),
};

function mayBeSent(definition: keyof typeof CHECKS, value: unknown): boolean {
  return passes(CHECKS[definition], value);
}

/** A value inside as many objects. */
function nested(levels: number, key: string): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { [key]: value };
  return value;
}

/** An object with properties that loops do not meet. */
function hiding(value: object, hidden: object): object {
  for (const [name, part] of Object.entries(hidden))
    Object.defineProperty(value, name, { value: part });
  return value;
}

test("values that fail the fast check are left to the slow path", () => {
  expect(passes({ ...Item, is: () => false }, { id: "x" })).toBe(false);
});

describe("objects", () => {
  test("may have only declared properties, in any order", () => {
    expect(mayBeSent("Item", { id: "x", data: [1], inner: { id: "y" } })).toBe(true);
    expect(mayBeSent("Item", { inner: null, id: undefined })).toBe(true);
    expect(mayBeSent("Item", { data: 1, id: "x" })).toBe(true);
    expect(mayBeSent("Item", { id: "x", extra: 1 })).toBe(false);
    expect(mayBeSent("Item", { inner: { inner: { extra: 1 } } })).toBe(false);
  });

  test("are plain ones, with or without a prototype", () => {
    expect(mayBeSent("Item", Object.assign(Object.create(null), { id: "x" }))).toBe(true);
    expect(mayBeSent("Item", Object.create({ id: "x" }))).toBe(false);
    expect(mayBeSent("Item", new Date())).toBe(false);
    expect(mayBeSent("Item", [])).toBe(false);
  });

  test("are checked in all their parts", () => {
    expect(mayBeSent("Item", hiding({}, { id: "x", data: () => 1 }))).toBe(true);
    expect(mayBeSent("Item", hiding({}, { inner: {} }))).toBe(false);
  });

  test("that determine their own JSON are left to the slow path, by whatever property", () => {
    const toJSON = (): number => 1;
    expect(mayBeSent("Item", hiding({ id: "x" }, { toJSON }))).toBe(false);
    expect(mayBeSent("Item", { inner: hiding({ id: "x" }, { toJSON }) })).toBe(false);
    expect(mayBeSent("Any", [hiding({}, { toJSON })])).toBe(false);
    expect(mayBeSent("Items", hiding([{ id: "x" }], { toJSON }))).toBe(false);
    expect(mayBeSent("Any", hiding([1], { toJSON }))).toBe(false);
    class List extends Array<number> {
      toJSON = toJSON;
    }
    expect(mayBeSent("Any", List.of(1))).toBe(false);
  });

  test("with a declared __proto__ are objects like others", () => {
    expect(mayBeSent("Odd", JSON.parse('{"__proto__": "x"}'))).toBe(true);
    expect(mayBeSent("Odd", { constructor: 1 })).toBe(false);
    expect(mayBeSent("Item", JSON.parse('{"__proto__": {}}'))).toBe(false);
  });

  test("that are open may have other properties that are JSON", () => {
    expect(mayBeSent("Free", { items: [{ id: "x" }], other: { a: [1] }, none: undefined })).toBe(
      true,
    );
    expect(mayBeSent("Free", { other: () => 1 })).toBe(false);
    expect(mayBeSent("Free", { items: [{ extra: 1 }] })).toBe(false);
  });

  test("are left to the slow path where the table says so, unless the value is absent", () => {
    expect(mayBeSent("Vague", {})).toBe(true);
    expect(mayBeSent("Vague", { part: null })).toBe(true);
    expect(mayBeSent("Vague", { part: "x" })).toBe(false);
  });

  test("with a thousand properties are left to the slow path", () => {
    expect(mayBeSent("Many", { p1: {} })).toBe(false);
  });
});

test("items of lists and values of maps are checked, and may be null", () => {
  expect(mayBeSent("Items", [{ id: "x" }, null])).toBe(true);
  expect(mayBeSent("Items", [{ id: "x" }, { extra: 1 }])).toBe(false);
  expect(mayBeSent("Items", Object.assign([{ id: "x" }], { more: 1 }))).toBe(false);
  expect(mayBeSent("ByName", { a: { id: "x" }, b: null })).toBe(true);
  expect(mayBeSent("ByName", JSON.parse('{"__proto__": {"extra": 1}}'))).toBe(false);
});

describe("unions", () => {
  test("with a tag have the properties of the variant, the tag and what is shared", () => {
    expect(mayBeSent("Block", { type: "text", text: "x", note: "y" })).toBe(true);
    expect(mayBeSent("Block", { type: "item", id: "x" })).toBe(true);
    expect(mayBeSent("Block", { type: "text", id: "x" })).toBe(false);
  });

  test("with an unlisted tag, or none, are left to the slow path", () => {
    expect(mayBeSent("Block", { type: "_vendor" })).toBe(false);
    expect(mayBeSent("Block", { type: "constructor" })).toBe(false);
    expect(mayBeSent("Block", { note: "x" })).toBe(false);
  });

  test("may have a variant without a tag", () => {
    expect(mayBeSent("Server", { command: "x" })).toBe(true);
    expect(mayBeSent("Server", { type: null, command: "x" })).toBe(true);
    expect(mayBeSent("Server", { type: "http", command: "x" })).toBe(false);
  });

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

  test("without a tag are distinguished by the one property that a variant requires", () => {
    expect(mayBeSent("Source", { text: "x", note: "y" })).toBe(true);
    expect(mayBeSent("Source", { id: "x", inner: { id: "y" } })).toBe(true);
    expect(mayBeSent("Source", { text: "x", extra: 1 })).toBe(false);
    expect(mayBeSent("Source", { note: "y" })).toBe(false);
    expect(mayBeSent("Source", hiding({ text: "x" }, { id: "y" }))).toBe(false);
    expect(mayBeSent("Source", hiding({ id: "y" }, { text: "x" }))).toBe(false);
  });

  test("of lists are distinguished by their items", () => {
    expect(mayBeSent("Lists", [{ text: "x" }, { id: "y" }])).toBe(true);
    expect(mayBeSent("Lists", [{ text: "x", extra: 1 }])).toBe(false);
    expect(mayBeSent("VagueLists", [{ left: "x" }])).toBe(false);
  });

  test("of scalars are any JSON", () => {
    expect(mayBeSent("Scalars", ["x"])).toBe(true);
    expect(mayBeSent("Scalars", hiding(["x"], { toJSON: () => 1 }))).toBe(false);
  });

  test("may have an alternative that can be null", () => {
    expect(mayBeSent("Nullable", null)).toBe(true);
    expect(mayBeSent("Nullable", { text: "x" })).toBe(true);
    expect(mayBeSent("Nullable", { text: "x", extra: 1 })).toBe(false);
  });
});

describe("JSON", () => {
  test.each([
    ["text", "x"],
    ["null", null],
    ["a list", [1, [true, null], {}]],
    ["an object", { a: { b: [] }, none: undefined }],
    ["a number", -0],
    ["one object twice", ((one) => [one, one])({})],
  ])("is %s", (_, value) => expect(mayBeSent("Any", value)).toBe(true));

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a big integer", 1n],
    ["NaN", Number.NaN],
    ["infinity", -Infinity],
    ["nothing in a list", [undefined]],
    ["a hole", new Array(1)],
    ["a list with a name", Object.assign([1], { name: 1 })],
    ["a hole and a name", Object.assign(new Array(1), { name: 1 })],
    ["what makes its own JSON", { toJSON: () => 1 }],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["what inherits", Object.create({ a: 1 })],
  ])("does not accept %s on the fast path", (_, value) => {
    expect(mayBeSent("Any", value)).toBe(false);
    expect(mayBeSent("Any", { a: [{ b: value }] })).toBe(value === undefined);
  });
});

test("circles and endless nesting are left to the slow path without a stack overflow", () => {
  const circle: { inner?: unknown; data?: unknown } = {};
  circle.inner = circle;
  expect(mayBeSent("Item", circle)).toBe(false);
  expect(mayBeSent("Item", { data: { circle } })).toBe(false);
  expect(mayBeSent("Item", nested(90, "inner"))).toBe(true);
  expect(mayBeSent("Item", nested(150, "inner"))).toBe(false);
  expect(mayBeSent("Item", nested(100_000, "inner"))).toBe(false);
  expect(mayBeSent("Any", nested(90, "any"))).toBe(true);
  expect(mayBeSent("Any", nested(150, "any"))).toBe(false);
  expect(mayBeSent("Any", nested(100_000, "any"))).toBe(false);
});

test("values that throw when read are left to the slow path", () => {
  const throwing = Object.defineProperty({}, "inner", {
    enumerable: true,
    get: () => {
      throw new Error("boom");
    },
  });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(mayBeSent("Item", throwing)).toBe(false);
  expect(mayBeSent("Item", proxy)).toBe(false);
});
