import { expect, test } from "vitest";
import { compile } from "../../../generators/compile.js";
import type { Emitter } from "../../../generators/emit/emitter.js";
import { packageTarget } from "../../../generators/emit/package/package.js";
import { smallProtocol } from "./small-protocol.js";

const TEMPLATES = ["package.json", "tsconfig.json", "README.md", "CHANGELOG.md", "LICENSE"];

const target = (module: string, text: string): Emitter => ({
  name: module,
  summary: module,
  emit: ({ profile }) => [
    { path: `typescript/src/${profile}/${module}.ts`, text, language: "plain" },
  ],
});

const run = (...targets: readonly Emitter[]): Promise<unknown> =>
  compile(
    [smallProtocol({ definitions: { Colors: { type: "object" } } })],
    [...targets, packageTarget],
    {
      version: "0",
      templates: new Map(
        [...TEMPLATES.map((name) => `package/${name}`), "runtime/entry.ts"].map((path) => [
          path,
          "{}",
        ]),
      ),
    },
  );

test("a definition cannot have the name of an export of another module of the index", async () => {
  await expect(run(target("methods", "export const Colors = 1;\n"))).rejects.toThrow(
    'the definition "Colors" has the name of a generated export, Colors. Rename the definition.',
  );
});

test("a definition may have the name of its own type, or of an export of a separate module", async () => {
  await run(
    target("types", "export type Colors = 1;\n"),
    target("mocks", "export type Colors = 1;\n"),
  );
});
