import { expect, test } from "vitest";
import { python } from "../../../../generators/emit/python/python.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { emitFile } from "../small-protocol.js";

test("a union that contains itself is a text in Python, as is every union that contains it", async () => {
  const definitions = {
    Tree: { type: "array", items: { $ref: "#/$defs/Node" } },
    Node: { anyOf: [{ $ref: "#/$defs/Tree" }, { type: "string" }] },
    Forest: { anyOf: [{ $ref: "#/$defs/Tree" }, { type: "integer" }] },
    Other: { anyOf: [{ type: "integer" }, { type: "string" }] },
  };
  const text = await emitFile(python, "types.py", { definitions });
  expect(text.match(/^.*TypeAlias = .*$/gm)).toEqual([
    'Node: TypeAlias = "Tree | str"',
    'Tree: TypeAlias = "list[Node]"',
    'Forest: TypeAlias = "Tree | int"',
    "Other: TypeAlias = int | str",
  ]);
});

test.each([
  ['ends with "quotes"', '"""ends with \\"quotes\\""""'],
  ['has """ inside', '"""has \\"\\"\\" inside"""'],
  ["has a \\ backslash", '"""has a \\\\ backslash"""'],
])("the docstring of a class keeps a description that %s", async (description, docstring) => {
  const definitions: { readonly [name: string]: JsonSchema } = {
    Thing: { type: "object", description },
  };
  const text = await emitFile(python, "types.py", { definitions });
  expect(text).toContain(`class Thing(Message):\n    ${docstring}\n`);
});

test("characters that look like line ends, or like nothing, are escaped in texts", async () => {
  const listed = ["\u0085", "\u00a0", "\u2028", "\ufeff", "é"];
  const definitions = { Mark: { enum: listed } };
  const text = await emitFile(python, "types.py", { definitions });
  expect(/^Mark: .*Literal\[(.*)\]/m.exec(text)![1]).toBe(
    String.raw`"\u0085", "\u00a0", "\u2028", "\ufeff", "é"`,
  );
});

test("a handshake that declares no version sends it as an additional property", async () => {
  const hello = { type: "object", properties: { name: { type: "string" } } };
  const text = await emitFile(python, "roles.py", {
    definitions: { Hello: hello, Welcome: hello },
    methods: [{ name: "initialize", params: "Hello", result: "Welcome", side: "agent" }],
  });
  expect(text).toContain('_t.Welcome(extra={"protocolVersion": PROTOCOL.version}, name=name)');
});

test("an enumeration takes listed texts where one sends it, and any text where both sides do", async () => {
  const message = (property: string, type: string): JsonSchema => ({
    type: "object",
    properties: { [property]: { $ref: `#/$defs/${type}` }, both: { $ref: "#/$defs/Both" } },
    required: ["both"],
  });
  const listed: JsonSchema = { type: "string", enum: ["a", "b"] };
  const text = await emitFile(python, "types.py", {
    definitions: {
      Ask: message("asked", "Asked"),
      Answer: message("said", "Said"),
      Asked: listed,
      Said: listed,
      Both: listed,
    },
    methods: [{ name: "ask", params: "Ask", result: "Answer", side: "agent" }],
  });
  expect(text.match(/^ *(asked|said|both): .*$/gim)).toEqual([
    "    said: Open[Said | Unset] = field(default=UNSET)",
    "    both: Both",
    "    asked: Open[Asked | Unset] = field(default=UNSET)",
    "    both: Both",
    'Asked: TypeAlias = Literal["a", "b"]',
    'Both: TypeAlias = Literal["a", "b"] | str',
    'Said: TypeAlias = Literal["a", "b"]',
  ]);
});
