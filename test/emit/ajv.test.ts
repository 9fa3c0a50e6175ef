import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ajv } from "../../generators/emit/ajv.js";
import { buildProtocol } from "../../generators/model/build.js";
import { compose } from "../../generators/schema/compose.js";
import { loadSources } from "../../generators/schema/load.js";
import { hasShared, ROOT } from "../paths.js";
import { corpus } from "../use/corpus-lines.js";
import { ours } from "../use/verdicts.js";

const folder = mkdtempSync(join(tmpdir(), "acp-ajv-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let validators: { readonly [name: string]: (value: unknown) => boolean };

beforeAll(async () => {
  const { protocols, profiles } = loadSources(join(ROOT, "schema"));
  const profile = profiles.get("v1")!;
  const protocol = buildProtocol(compose(protocols.get("v1")!, profile.features), profile);
  const [file] = await ajv.emit(protocol, { templates: new Map(), version: "0.0.0" });
  const runtime = join(ROOT, "templates/runtime");
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
  const write = (name: string, text: string): void =>
    writeFileSync(
      join(folder, name),
      ts.transpileModule(text, { compilerOptions }).outputText.replaceAll("../runtime/", "./"),
    );
  write("ajv.js", file!.text);
  for (const name of ["ajv-support", "first-look"])
    write(`${name}.js`, readFileSync(join(runtime, `${name}.ts`), "utf8"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  validators = (await import(pathToFileURL(join(folder, "ajv.js")).href)) as typeof validators;
}, 60_000);

describe.skipIf(!hasShared)("the code of ajv", () => {
  test.each(["valid", "invalid", "lenient", "disagree"])(
    "has the verdict of our own validators on every %s value",
    (name) => {
      const other = corpus(name).filter(
        ({ def, value }) => validators[`validate${def}`]!(value) !== ours(def, value),
      );
      expect(other).toEqual([]);
    },
  );
});
