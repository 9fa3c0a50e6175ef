import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { beforeEach, describe, expect, test } from "vitest";
import { generate, type GenerateOptions } from "../../../generators/run/generate/generate.js";
import { inputPaths } from "../../../generators/run/inputs/input-paths.js";
import { inputDigest } from "../../../generators/run/generate/input-digest.js";
import { resolveOptions } from "../../../generators/run/defaults.js";
import { parseManifest, printManifest, sha256 } from "../../../generators/output/manifest.js";
import { IS_DEEP } from "../../support/deep.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
let out = "";
let count = 0;
beforeEach(() => void (out = join(folder, `out-${count++}`)));

const v1: GenerateOptions = { profiles: ["v1"], targets: ["schema"] };
const v2: GenerateOptions = { profiles: ["v2"], targets: ["schema"] };

/** Whether a run compiled anything. */
async function compiles(options: GenerateOptions): Promise<boolean> {
  let steps = 0;
  await generate({ ...options, out, onProgress: () => steps++ });
  return steps > 0;
}

describe("a run with unchanged inputs and output", () => {
  test("compiles nothing", async () => {
    expect(await compiles(v1)).toBe(true);
    expect(await compiles(v1)).toBe(false);
  });

  test("is distinguished from one with other options", async () => {
    await compiles(v1);
    expect(await compiles(v2)).toBe(true);
    expect(await compiles({ ...v2, header: ["Me"] })).toBe(true);
  });

  test("is recognized after two selections were generated in turn in one folder", async () => {
    for (const options of [v1, v2, v1]) await compiles(options);
    expect(await compiles(v1)).toBe(false);
    expect(await compiles(v2)).toBe(false);
    expect(await compiles(v1)).toBe(false);
  });

  test("is not recognized once other sources have generated the tree", async () => {
    await compiles(v1);
    const path = join(out, "acp-codegen.manifest.json");
    const manifest = parseManifest(readFileSync(path, "utf8"))!;
    const inputs = { ...manifest.inputs!, sources: sha256("other") };
    writeFileSync(path, printManifest({ ...manifest, inputs }));
    expect(await compiles(v1)).toBe(true);
    expect(parseManifest(readFileSync(path, "utf8"))).toEqual(manifest);
  });

  const disturbed: readonly [string, () => void][] = [
    ["a file was edited", () => writeFileSync(join(out, "schema/v1.schema.json"), "{}")],
    ["a file is missing", () => rmSync(join(out, "schema/v1.meta.json"))],
    ["the manifest is missing", () => rmSync(join(out, "acp-codegen.manifest.json"))],
    [
      "an earlier run was killed",
      () => {
        mkdirSync(join(out, ".acp-codegen"));
        writeFileSync(join(out, ".acp-codegen/journal.json"), '{"write":[],"remove":[]}');
      },
    ],
  ];
  test.each(disturbed.slice(0, IS_DEEP ? undefined : 2))(
    "compiles again when %s",
    async (_, disturb) => {
      await compiles(v1);
      disturb();
      expect(await compiles({ ...v1, force: true })).toBe(true);
      expect(await compiles(v1)).toBe(false);
    },
  );

  test("is never recognized by --check", async () => {
    await compiles(v1);
    const path = join(out, "acp-codegen.manifest.json");
    const manifest = parseManifest(readFileSync(path, "utf8"))!;
    writeFileSync(join(out, "schema/v1.meta.json"), "{}");
    const files = manifest.files.map((entry) =>
      entry.path === "schema/v1.meta.json" ? { ...entry, sha256: sha256("{}") } : entry,
    );
    // As whoever wants to hide an edit would do it.
    const { inputs, ...rest } = manifest;
    const tree = sha256(printManifest({ ...rest, files }));
    writeFileSync(path, printManifest({ ...rest, files, inputs: { ...inputs!, tree } }));
    expect(await compiles(v1)).toBe(false);
    const checked = await generate({ ...v1, out, check: true });
    expect(checked.write.map(({ file }) => file.path)).toEqual([
      "schema/v1.meta.json",
      "acp-codegen.manifest.json",
    ]);
  });
});

describe("the digest of the inputs", () => {
  const digestOf = (options: GenerateOptions) => inputDigest(resolveOptions(options));

  test("changes with the schema and with feature files, not with their location", () => {
    const copies = ["one", "two"].map((name) => join(folder, name, "schema"));
    for (const copy of copies) cpSync(join(ROOT, "schema"), copy, { recursive: true });
    const digests = (): unknown[] =>
      copies.map((copy) =>
        digestOf({
          ...v1,
          schemaDirectory: copy,
          with: [join(copy, "v1/features/agent_message_clear.json")],
        }),
      );
    const [first, second] = digests();
    expect(first).toEqual(second);
    const file = join(copies[1]!, "v1/features/agent_message_clear.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    expect(digests()[1]).toEqual(first);
    writeFileSync(file, `${readFileSync(file, "utf8")} `);
    expect(digests()[1]).not.toEqual(first);
  });

  test("covers every path that the schema of configurations has", () => {
    type Node = { readonly $ref?: string; readonly properties?: { readonly [name: string]: Node } };
    const { $defs } = JSON.parse(
      readFileSync(join(ROOT, "schema/dialect/config.schema.json"), "utf8"),
    ) as { readonly $defs: { readonly [name: string]: Node } };
    // A value for each path: its place.
    const valueOf = ({ $ref, properties }: Node, place: string): unknown => {
      if ($ref === "#/$defs/path") return place;
      const { properties: members = properties } = $defs[$ref?.split("/").at(-1) ?? ""] ?? {};
      if (members === undefined) return undefined;
      const entries = Object.entries(members);
      return Object.fromEntries(
        entries.map(([name, node]) => [name, valueOf(node, `${place}/${name}`)]),
      );
    };
    const options = valueOf($defs["output"]!, ".") as GenerateOptions;
    const places = JSON.stringify(options)
      .match(/"\.\/[^"]+"/g)!
      .map((text) => text.slice(1, -1));
    expect(places).toContain("./go/readme");
    expect(inputPaths(options)).toEqual(places);
  });

  test("changes with the files that a feature includes, and is unknown for custom targets", () => {
    const feature = join(folder, "including.json");
    const included = join(folder, "x.json");
    writeFileSync(feature, '{"include":["x.json"]}');
    expect(digestOf({ with: [feature] })).toBeUndefined();
    writeFileSync(included, "{}");
    const before = digestOf({ with: [feature] });
    writeFileSync(included, "[]");
    expect(before).toBeDefined();
    expect(digestOf({ with: [feature] })).not.toEqual(before);
    expect(digestOf({ targets: ["./mine.js"] })).toBeUndefined();
    expect(digestOf({})?.sources).toMatch(/^[0-9a-f]{64}$/);
  });
});

test("a run that has nothing to do imports no slow library", () => {
  const reached = new Set<string>();
  const packages = new Set<string>();
  const follow = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    const { importedFiles } = ts.preProcessFile(
      ts
        .transpile(readFileSync(file, "utf8"), {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2022,
        })
        .replaceAll(/\bimport\(/g, "later("),
    );
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith(".")) packages.add(fileName);
      else follow(join(dirname(file), fileName.replace(/\.js$/, ".ts")));
    }
  };
  for (const entry of ["cli/main", "run/config", "cli/run-outputs"]) {
    follow(join(ROOT, `generators/${entry}.ts`));
  }
  const own = [...packages].filter((name) => !name.startsWith("node:"));
  expect(own.sort()).toEqual(["commander", "picocolors"]);
});
