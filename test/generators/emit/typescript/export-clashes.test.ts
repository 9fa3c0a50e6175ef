import { expect, test } from "vitest";
import { compile } from "../../../../generators/compile.js";
import { perProfile, type Emitter } from "../../../../generators/emit/emitter.js";
import { packageTarget } from "../../../../generators/emit/typescript/package/package.js";
import { readTemplates } from "../../../../generators/run/installation.js";
import { smallProtocol } from "../small-protocol.js";

const target = (module: string, text: string): Emitter => ({
  name: module,
  summary: module,
  emit: perProfile(({ profile }) => [
    { path: `typescript/src/${profile}/${module}.ts`, text, language: "plain" },
  ]),
});

const run = (...targets: readonly Emitter[]): ReturnType<typeof compile> =>
  compile(
    [smallProtocol({ definitions: { Colors: { type: "object" } } })],
    [...targets, packageTarget],
    {},
    { version: "0", templates: readTemplates() },
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

test("a module of another target becomes a subpath of the package, outside of the index", async () => {
  const files = await run(target("method-names", "export const NAMES = [];\n"));
  const textOf = (path: string): string => files.find((file) => file.path === path)!.text;
  const { exports } = JSON.parse(textOf("typescript/package.json")) as { exports: object };
  expect(exports).toMatchObject({
    "./small/method-names": {
      types: "./dist/small/method-names.d.ts",
      default: "./dist/small/method-names.js",
    },
  });
  expect(textOf("typescript/src/small/index.ts")).not.toContain("method-names");
});
