import { expect, test } from "vitest";
import { python } from "../../../generators/emit/python/python.js";
import { emitFile } from "./small-protocol.js";

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

test("a handshake that declares no version sends it as an additional property", async () => {
  const hello = { type: "object", properties: { name: { type: "string" } } };
  const text = await emitFile(python, "roles.py", {
    definitions: { Hello: hello, Welcome: hello },
    methods: [{ name: "initialize", params: "Hello", result: "Welcome", side: "agent" }],
  });
  expect(text).toContain('_t.Welcome(extra={"protocolVersion": PROTOCOL.version}, name=name)');
});
