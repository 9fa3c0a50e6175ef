import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import type { ProgressStep } from "../../../generators/run/options.js";
import { compose } from "../../../generators/schema/compose.js";
import { publishSchema } from "../../../generators/schema/compose/publish.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { deadLinks } from "../emit/site/small-site.js";
import { IS_DEEP } from "../../support/deep.js";
import { ROOT } from "../../support/paths.js";

const folder = temporaryFolder();

interface ImportedSite {
  /** By their path below the folder of the site. */
  readonly files: ReadonlyMap<string, string>;
  readonly omitted: readonly Extract<ProgressStep, { readonly kind: "omitted" }>[];
}

/** Builds the site of a schema file in memory. */
async function siteOf(schema: string, protocol = "v1"): Promise<ImportedSite> {
  const omitted: Extract<ProgressStep, { readonly kind: "omitted" }>[] = [];
  const { write } = await generate({
    ...{ schema, protocol, name: "mine", targets: ["docs"], check: true },
    allowUnknownKeywords: ["_enum", "enumDescriptions"],
    out: join(folder, "out"),
    onProgress: (step) => {
      if (step.kind === "omitted") omitted.push(step);
    },
  });
  const files = write.map(({ file }) => [file.path.replace("site/", ""), file.text] as const);
  return { files: new Map(files), omitted };
}

function writeSchema(name: string, schema: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(schema));
  return file;
}

describe("the site of an imported schema", () => {
  test("of another protocol has its types, and no guide or rule of ACP", async () => {
    const { files, omitted } = await siteOf(
      writeSchema("small.json", {
        $defs: {
          Tree: {
            description: "A tree.",
            type: "object",
            properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
          },
        },
      }),
    );
    expect(omitted).toHaveLength(1);
    expect(omitted[0]!.guides.length).toBeGreaterThan(10);
    expect(omitted[0]!.rules.length).toBeGreaterThan(50);
    expect(files.get("mine/types/Tree.html")).toContain("A tree.");
    const pages = [...files].filter(([path]) => path.startsWith("mine/") && path.endsWith(".html"));
    for (const [path, text] of pages) expect(text, path).not.toContain("session/");
    expect(await deadLinks(files)).toEqual([]);
  });

  test("of an earlier release has the guides and rules whose messages it has", async () => {
    const current = publishSchema(
      compose(loadSources(join(ROOT, "schema")).protocols.get("v2")!, []),
    );
    // A release in which a prompt had another name.
    const prompt = current.$defs!["PromptRequest"]!;
    const { prompt: content, ...others } = prompt.properties!;
    const required = prompt.required!.map((name) => (name === "prompt" ? "content" : name));
    const PromptRequest = { ...prompt, properties: { ...others, content: content! }, required };
    const earlier = { ...current, $defs: { ...current.$defs, PromptRequest } };
    const before = await siteOf(writeSchema("earlier.json", earlier), "v2");
    const guide = "mine/content.html";
    expect(before.files.has(guide)).toBe(false);
    expect(before.files.has("mine/permission.html")).toBe(true);
    expect(before.files.has("mine/rules.html")).toBe(true);
    expect(await deadLinks(before.files)).toEqual([]);
    if (!IS_DEEP) return;
    const now = await siteOf(writeSchema("current.json", current), "v2");
    // It links to the losses between the versions, a page that one version alone does not have.
    expect(now.files.has("mine/migration.html")).toBe(true);
    expect(await deadLinks(now.files)).toEqual([]);
    expect(now.files.has(guide)).toBe(true);
    expect(before.omitted[0]!.guides.length).toBeGreaterThan(now.omitted[0]!.guides.length);
    expect(before.omitted[0]!.rules.length).toBeGreaterThan(now.omitted[0]!.rules.length);
  });
});
