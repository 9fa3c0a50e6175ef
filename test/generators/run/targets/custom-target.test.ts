import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generate } from "../../../../generators/run/generate/generate.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const folder = temporaryFolder();
const python = join(ROOT, "test/generators/cli/python-target.mjs");
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const out = join(folder, "out");

/** The module as Python parses it. */
const PROGRAM = `
import json, sys, typing as t
import v1_full as acp
hints = t.get_type_hints(acp.NewSessionRequest, include_extras=False)
variants = t.get_args(acp.SessionUpdate)
print(json.dumps({
  "required": sorted(acp.NewSessionRequest.__required_keys__),
  "optional": sorted(acp.NewSessionRequest.__optional_keys__),
  "cwd": str(hints["cwd"]),
  "servers": t.get_origin(hints["mcpServers"]) is list,
  "stop": sorted(t.get_args(acp.StopReason)),
  "tags": sorted(t.get_args(t.get_type_hints(v)["sessionUpdate"])[0] for v in variants),
  "value": acp.TextContent(text="hi"),
}))
`;

test("the target that the manual shows lists the methods", async () => {
  const manual = readFileSync(join(ROOT, "templates/site/guides/tool/library.md"), "utf8");
  const [, text] = /```ts file method-list\.mjs\n([\s\S]*?)```/.exec(manual)!;
  const file = join(folder, "method-list.mjs");
  writeFileSync(file, text!);
  await generate({ out: join(folder, "list"), profiles: ["v1"], targets: [file] });
  const list = readFileSync(join(folder, "list/method-list/v1.txt"), "utf8");
  expect(list).toContain("agent request session/prompt\nagent");
});

describe("a custom target", () => {
  test.skipIf(!hasPython && process.env["CI"] !== "true")(
    "is an emitter for another language, from the model alone",
    async () => {
      await generate({ out, profiles: ["v1-full"], targets: [python] });
      const printed = execFileSync("python3", ["-c", PROGRAM], {
        cwd: join(out, "typed-dicts"),
        encoding: "utf8",
      });
      const schema = JSON.parse(
        readFileSync(join(ROOT, "out/schema/v1-full.schema.json"), "utf8"),
      ) as {
        $defs: {
          [name: string]: {
            oneOf: { properties: { sessionUpdate: { const: string } } }[];
            required: string[];
            properties: object;
          };
        };
      };
      const request = schema.$defs["NewSessionRequest"]!;
      const optional = Object.keys(request.properties).filter(
        (name) => !request.required.includes(name),
      );
      expect(JSON.parse(printed)).toMatchObject({
        required: [...request.required].sort(),
        optional: optional.sort(),
        servers: true,
        stop: ["cancelled", "end_turn", "max_tokens", "max_turn_requests", "refusal"],
        tags: schema.$defs["SessionUpdate"]!.oneOf.map(
          (variant) => variant.properties.sessionUpdate.const,
        ).sort(),
        value: { text: "hi" },
      });
    },
  );

  test("is in the manifest, checked and removed like built-in ones, and not changed by other runs", async () => {
    const own = { out, profiles: ["v1"], targets: [python] };
    await generate(own);
    expect((await generate({ ...own, check: true })).write).toEqual([]);
    await generate({ out, profiles: ["v1"], targets: ["schema"] });
    expect(existsSync(join(out, "typed-dicts/v1.py"))).toBe(true);
    writeFileSync(join(out, "typed-dicts/v1.py"), "");
    expect((await generate({ ...own, check: true })).write).toHaveLength(1);
  });

  const wrong: { readonly [title: string]: readonly [string, string] } = {
    "no module": ["", "has no emitter as its default export"],
    "no name": ["export default { emit: () => [] };", "has no name of lower-case letters"],
    "no emitter": ['export default { name: "mine" };', "has no function `emit`"],
    "a syntax error": ["export default {", "cannot be loaded"],
    "nothing thrown": ["throw null;", "cannot be loaded: null. Correct it."],
  };
  test.each(Object.entries(wrong))("with %s is refused", async (what, [text, message]) => {
    const file = join(folder, `${what.replaceAll(" ", "-")}.mjs`);
    writeFileSync(file, text);
    await expect(generate({ out, targets: [file] })).rejects.toThrow(message);
  });

  test("cannot write outside the output folder", async () => {
    const file = join(folder, "outside.mjs");
    const emit = `() => [{ path: "../outside", text: "x", language: "plain" }]`;
    writeFileSync(file, `export default { name: "mine", summary: "x", emit: ${emit} };`);
    await expect(generate({ out, profiles: ["v1"], targets: [file] })).rejects.toThrow(
      'not a safe path below the output folder: "../outside"',
    );
    expect(existsSync(join(folder, "outside"))).toBe(false);
  });
});
