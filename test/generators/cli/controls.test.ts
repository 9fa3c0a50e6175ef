import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printable, withoutControls } from "../../../generators/schema/controls.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { ownFeature } from "./own-feature.js";
import { runCommand } from "./run-command.js";

const folder = temporaryFolder();
/** Clears the screen, reverses text, and would be an annotation on GitHub. */
const HOSTILE = "\u001b[2J\u009b31m\u007f\u202eabc\u2066\u061c\n::error::x\r";
const OBEYED =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function file(name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  return name;
}

/** A codec whose answers contain the text. */
const CODEC = `
  const lines = require("node:readline").createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const { id } = JSON.parse(line);
    const text = ${JSON.stringify(HOSTILE)};
    console.log(JSON.stringify({ id, verdict: "ok", value: { [text]: text }, notes: [[text, text]] }));
  });`;

const schemaWith = (text: string): string =>
  JSON.stringify({ $defs: { [`T${text}`]: { type: "string", description: text } } });

const commands: readonly (readonly [string, () => readonly string[]])[] = [
  ["an unknown name", () => ["generate", "--profile", HOSTILE]],
  ["an unknown flag", () => ["generate", `--${HOSTILE.replaceAll("\n", "")}`]],
  [
    "a feature",
    () => ["lint", `./${file("a.json", JSON.stringify({ ...ownFeature(""), [HOSTILE]: 1 }))}`],
  ],
  [
    "schemas that are compared",
    () => ["diff", file("b.json", schemaWith("a")), file("c.json", schemaWith(HOSTILE))],
  ],
  [
    "a transcript",
    () => [
      "inspect",
      "--profile=v1",
      "--all",
      file(
        "t.ndjson",
        `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: HOSTILE, params: { [HOSTILE]: 1 } })}\n`,
      ),
    ],
  ],
  [
    "the answers of a codec",
    () => [
      "conformance",
      "codec",
      "-p",
      "v1",
      "--every",
      "500",
      "--",
      process.execPath,
      file("c.cjs", CODEC),
    ],
  ],
  [
    "a manifest",
    () => {
      mkdirSync(join(folder, "out"), { recursive: true });
      const manifest = { generator: HOSTILE, profiles: {}, files: [] };
      file("out/acp-codegen.manifest.json", JSON.stringify(manifest));
      return ["verify", "out"];
    },
  ],
];

describe("what a terminal would obey is escaped", () => {
  test.each(commands)("in %s", async (_, make) => {
    const { out, err } = await runCommand(make(), { cwd: folder });
    expect(out + err).toContain("\\u202e");
    expect(out + err).not.toMatch(OBEYED);
    expect(out + err).not.toMatch(/^::error/m);
  });

  test("in JSON, where the escapes mean the same text", async () => {
    const path = file("t.ndjson", `${JSON.stringify({ jsonrpc: "2.0", method: HOSTILE })}\n`);
    const { out } = await runCommand(["inspect", "-p", "v1", "--all", "--json", path], {
      cwd: folder,
    });
    expect(out).not.toMatch(OBEYED);
    const [line] = out.split("\n").map((text) => JSON.parse(text || "{}") as { method?: string });
    expect(line!.method).toBe(HOSTILE);
  });

  test.each([false, true])("in lines, but for colors of ours: %s", (hasColors) => {
    const text = printable(`\u001b[31m${HOSTILE}\u001b[39m\u001b[8m\u001b[38;5;1m\t`, hasColors);
    const ours = /\u001b\[(31|39)m/g;
    expect(text.match(ours) !== null).toBe(hasColors);
    expect(text.replace(ours, "")).not.toMatch(OBEYED);
    expect(text).toContain("\\u001b[8m\\u001b[38;5;1m\t");
  });

  test("with line breaks where a text is one line", () => {
    expect(withoutControls("a\u202e\nb\tc")).toBe("a\\u202e\\u000ab\tc");
  });
});
