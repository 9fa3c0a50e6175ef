import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import { verify } from "../../../generators/run/verify/verify.js";
import { sha256 } from "../../../generators/output/manifest.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { ownFeature } from "../cli/own-feature.js";
import { runCommand } from "../cli/run-command.js";
import { deepTest, IS_DEEP } from "../../support/deep.js";

const folder = temporaryFolder();
const good = join(folder, "good");
beforeAll(async () => {
  // Files that profiles share have the header of the last run.
  await generate({ out: good, profiles: ["v1"], targets: ["types"], header: ["Me"] });
  const own = { protocol: "v1", with: ["nes"], name: "editor", header: ["You"] };
  await generate({ out: good, ...own, targets: ["schema", "schemas"] });
});

const narrow = ["--profile", "v1", "--target", "types"];

/** A manifest that somebody edits. */
interface Edited {
  readonly profiles: { [name: string]: { [fact: string]: unknown } | null };
  readonly files: { [property: string]: unknown }[];
}

let count = 0;
/** The messages about a copy of the good folder after something was done to it. */
async function findingsAfter(change: (out: string) => void, quick = false): Promise<string[]> {
  const out = join(folder, `copy-${count++}`);
  cpSync(good, out, { recursive: true });
  change(out);
  const { findings } = await verify(out, { quick });
  return findings.map(({ path, message }) => `${path ?? ""} ${message}`.trim());
}

describe("verify", () => {
  test("regenerates every profile, also custom selections, without differences", async () => {
    expect(await verify(good, { quick: false })).toMatchObject({
      rebuilt: ["editor", "v1"],
      findings: [],
    });
  });

  test("finds no difference in files of several profiles, also after runs for one of them", async () => {
    const out = join(folder, "pair");
    const targets = ["types", "bridge"];
    await generate({ out, profiles: ["v1", "v2"], targets });
    expect(await generate({ out, profiles: ["v1"], targets })).toMatchObject({
      write: [],
      remove: [],
    });
    const names = ["v1", "v2", "v1+v2"];
    expect(await verify(out)).toMatchObject({ rebuilt: names, findings: [] });
  });

  test("finds no difference in selections of one folder, independent of their order", async () => {
    const out = join(folder, "selections");
    const targets = ["types", "package"];
    for (const name of ["one", "two"]) {
      await generate({ out, protocol: "v1", with: ["session_fork"], name, targets });
    }
    expect(await verify(out)).toMatchObject({ rebuilt: ["one", "two"], findings: [] });
  });

  test.each([true, false])("finds missing and edited files (quick: %s)", async (quick) => {
    const findings = await findingsAfter((out) => {
      rmSync(join(out, "schema/editor.meta.json"));
      writeFileSync(join(out, "typescript/src/v1/types.ts"), "");
    }, quick);
    expect(findings).toContain("schema/editor.meta.json is missing");
    expect(findings).toContain("typescript/src/v1/types.ts differs from the manifest");
  });

  test("finds an edit that the manifest was made to fit", async () => {
    const findings = await findingsAfter((out) => {
      const path = join(out, "acp-codegen.manifest.json");
      const types = join(out, "typescript/src/v1/types.ts");
      const before = sha256(readFileSync(types, "utf8"));
      writeFileSync(types, "export {};\n");
      writeFileSync(path, readFileSync(path, "utf8").replace(before, sha256("export {};\n")));
    });
    expect(findings).toEqual([
      "typescript/src/v1/types.ts differs from the output for v1",
      "acp-codegen.manifest.json differs from the output for v1",
    ]);
  });

  deepTest(
    "finds an edit of a file of all profiles that the manifest was made to fit",
    async () => {
      const findings = await findingsAfter((out) => {
        const path = join(out, "acp-codegen.manifest.json");
        const shared = join(out, "typescript/src/runtime/validate/decode.ts");
        const before = sha256(readFileSync(shared, "utf8"));
        writeFileSync(shared, "export {};\n");
        writeFileSync(path, readFileSync(path, "utf8").replace(before, sha256("export {};\n")));
      });
      expect(findings).toContain(
        "typescript/src/runtime/validate/decode.ts differs from the output for editor",
      );
    },
  );

  test.each([
    ["the release", /"release":"[^"]*"/, '"release":"9.9.9"', "differs from the output for v1"],
    [
      "the sources",
      /"sources":"[0-9a-f]*"/,
      `"sources":"${sha256("other")}"`,
      "was generated from sources other than those of this installation",
    ],
  ])("finds a manifest that names %s wrongly", async (_, named, forged, message) => {
    const findings = await findingsAfter((out) => {
      const path = join(out, "acp-codegen.manifest.json");
      const text = readFileSync(path, "utf8");
      expect(text).toMatch(named);
      writeFileSync(path, text.replaceAll(new RegExp(named, "g"), forged));
    });
    expect(findings).toContain(`acp-codegen.manifest.json ${message}`);
  });

  test("is given the custom features, targets and schemas that the manifest names", async () => {
    const place = (name: string): string => join(folder, name);
    const feature = place("mine.json");
    const save = (definition: string): void =>
      writeFileSync(feature, JSON.stringify(ownFeature("A feature.", definition)));
    save("Mine");
    const target = place("own.mjs");
    writeFileSync(
      target,
      `export default { name: "own", summary: "", emit: (protocols) =>
        protocols.map(({ profile }) => ({ profile, path: \`own/\${profile}\`, text: "1", language: "plain" })) };`,
    );
    const out = place("own");
    await generate({ out, protocol: "v1", with: [feature], targets: ["types", target] });
    const messagesOf = async (options: object, of = out): Promise<string[]> =>
      (await verify(of, options)).findings.map(({ message }) => message);
    expect(await messagesOf({})).toEqual([
      'v1-custom has files of the target "own"; add its path with --target',
    ]);
    expect(await messagesOf({ targets: [target] })).toEqual([
      'v1-custom cannot be generated again: v1 has no feature "mine"; add custom features with --with',
    ]);
    expect(await messagesOf({ targets: [target], with: [feature] })).toEqual([]);
    save("Yours");
    expect(await messagesOf({ targets: [target], with: [feature] })).toContain(
      "differs from the output for v1-custom",
    );
    const schema = place("imported.json");
    cpSync(join(ROOT, "out/schema/v1.schema.json"), schema);
    const imported = place("imported");
    await generate({ out: imported, schema: schema, protocol: "v1", targets: ["types"] });
    expect(await messagesOf({ schema }, imported)).toEqual([]);
  });

  test("reports a tree whose last run was killed", async () => {
    const findings = await findingsAfter((out) => {
      mkdirSync(join(out, ".acp-codegen"));
      writeFileSync(join(out, ".acp-codegen/journal.json"), '{"write":[],"remove":[]}');
    }, true);
    expect(findings).toEqual([expect.stringContaining("a run was killed while it moved files")]);
  });

  test("reports when another version or an imported schema cannot be regenerated", async () => {
    const edit = (from: string, to: string) => (out: string) => {
      const path = join(out, "acp-codegen.manifest.json");
      writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    };
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      version: string;
    };
    expect(await findingsAfter(edit(`acp-codegen ${version}`, "acp-codegen 9.9.9"))).toEqual([
      expect.stringContaining("made by acp-codegen 9.9.9"),
    ]);
    expect(await findingsAfter(edit('"origin":"selection"', '"origin":"import"'))).toEqual([
      "editor was generated from an imported schema; add --schema",
    ]);
  });

  const edits: readonly [string, (document: Edited) => void, string][] = [
    ["a profile without facts", ({ profiles }) => (profiles["v1"] = null), "profiles/v1: is not"],
    ["features", ({ profiles }) => (profiles["v1"]!["features"] = 5), "profiles/v1/features: is"],
    [
      "a feature by its path",
      ({ profiles }) => (profiles["editor"]!["features"] = ["./mine.json"]),
      "profiles/editor/features: is not a list of features by name. ",
    ],
    ["the header", ({ profiles }) => (profiles["v1"]!["header"] = [1]), "profiles/v1/header: is"],
    ["the package", ({ profiles }) => (profiles["v1"]!["package"] = { name: 1 }), "package: is"],
    ["the origin", ({ profiles }) => (profiles["v1"]!["origin"] = {}), "profiles/v1/origin: is"],
    ["the protocol", ({ profiles }) => delete profiles["v1"]!["protocol"], "v1/protocol: is not"],
    ["the layout", ({ profiles }) => (profiles["v1"]!["layout"] = "x"), "profiles/v1/layout: is"],
    ...["v9", "v1+v9", "constructor", "__proto__"].map(
      (name): [string, (document: Edited) => void, string] => [
        `the profile ${name} of a file`,
        ({ files }) => (files[1]!["profile"] = name),
        `files/1/profile: "${name.replace("v1+", "")}" is not a profile of this manifest. `,
      ],
    ),
  ];
  test.each(edits)("reports a manifest with %s edited in one line, and exits 1", async (...row) => {
    const [, edit, place] = row;
    const bad = join(folder, `edited-${count++}`);
    cpSync(good, bad, { recursive: true });
    const path = join(bad, "acp-codegen.manifest.json");
    const document = JSON.parse(readFileSync(path, "utf8")) as Edited;
    edit(document);
    writeFileSync(path, JSON.stringify(document));
    const { code, out, err } = await runCommand(["verify", bad], { cwd: folder });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^error: edited-\d+\/acp-codegen\.manifest\.json:1:\d+#\/[^\n]*\n$/);
    expect(err).toContain(place);
    // A run that writes replaces it.
    if (IS_DEEP || edit === edits[0]![1])
      expect((await runCommand(["generate", ...narrow, "--out", bad])).code).toBe(0);
  });

  test("takes folders and inputs from the configuration, and the site with them", async () => {
    const place = join(folder, "configured");
    mkdirSync(place);
    writeFileSync(join(place, "mine.json"), JSON.stringify(ownFeature("A feature.")));
    const own = { protocol: "v1", with: ["./mine.json"], name: "mine", targets: ["types"] };
    const other = { profiles: ["v1"], targets: ["types"], out: "other" };
    const config = JSON.stringify({ outputs: [{ ...own, site: {} }, other] });
    writeFileSync(join(place, "acp-codegen.config.json"), config);
    const run = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(args, { cwd: place });
    await run("generate");
    await run("docs");
    const { code, out } = await run("verify");
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^\.\/out is complete: \d+ files; [^\n]*: mine\n\.\/other is complete: [^\n]*: v1\n$/,
      ),
    ]);
    expect(JSON.parse((await run("verify", "--json")).out)).toMatchObject({
      outputs: [{ out: "./out", foreign: [] }, { out: "./other" }],
    });
    expect(await run("docs", "--check")).toMatchObject({ code: 0 });
    expect(await run("verify", "other", "--config", "acp-codegen.config.json")).toMatchObject({
      code: 2,
    });
    expect((await run("verify", "out/site")).err).toMatch(/is the site of an output folder/);
    writeFileSync(join(place, "out/site/index.html"), "");
    expect(await run("verify")).toMatchObject({ code: 1 });
    expect(await run("docs", "--check")).toMatchObject({ code: 1 });
  }, 120_000);

  test("exits 0 without findings, 1 with findings, and 2 for a folder without a manifest", async () => {
    expect((await runCommand(["verify", good])).code).toBe(0);
    const bad = join(folder, "bad");
    cpSync(good, bad, { recursive: true });
    rmSync(join(bad, "schema/editor.meta.json"));
    const { code, out } = await runCommand(["verify", "--quick", "--json", bad]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      findings: [{ path: "schema/editor.meta.json", message: "is missing" }],
    });
    expect((await runCommand(["verify", join(ROOT, "schema")])).code).toBe(2);
    writeFileSync(join(bad, "acp-codegen.manifest.json"), "{");
    const damaged = await runCommand(["verify", bad]);
    expect(damaged.code).toBe(1);
    expect(damaged.err).toContain("acp-codegen.manifest.json");
    expect(damaged.err).toContain("is not a manifest of acp-codegen");
  });
});
