import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { docs } from "../../../generators/emit/site/docs.js";
import { findUnfit, withoutUnfit } from "../../../generators/emit/site/check/find-unfit.js";
import type { SiteTexts } from "../../../generators/emit/inputs.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { loadSiteTexts } from "../../../generators/run/bundles/site-inputs.js";
import { loadTemplates } from "../../../generators/run/inputs/load-templates.js";
import { resolveInputs } from "../../../generators/run/inputs/select-profiles.js";
import { SCHEMA } from "../../../generators/run/installation.js";
import type { Selection } from "../../../generators/run/options.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import { IS_DEEP } from "../../support/deep.js";
import { NO_INPUTS } from "../../support/emit-inputs.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand, withoutProgress } from "../cli/run-command.js";
import { deadLinks } from "../emit/site/small-site.js";

const folder = temporaryFolder();
const templates = loadTemplates();
const sources = loadSources(SCHEMA);
let texts: SiteTexts;
beforeAll(async () => {
  texts = await loadSiteTexts(SCHEMA, true, [], templates);
});

/** Finds the texts of the site that a selection leaves out. */
function omittedFrom(selection: Selection) {
  const [input] = resolveInputs(selection, SCHEMA);
  const protocol = buildProtocol(input!.bundle, input!.profile);
  const unfit = findUnfit(protocol, texts, false);
  return { protocol, unfit, names: Object.values(unfit).flat() };
}

/** Renders the site of a selection, without the scripts that need a bundler, and finds its dead links. */
async function deadLinksOf(selection: Selection): Promise<readonly string[]> {
  const { protocol, unfit } = omittedFrom(selection);
  const inputs = { ...NO_INPUTS, siteTexts: withoutUnfit(texts, unfit) };
  const files = await docs.emit([protocol], inputs, { templates, version: "0.0.0" });
  // The links of a twin are those of its page; reading them takes long.
  const textOf = ({ path, text }: (typeof files)[number]): string =>
    IS_DEEP || !path.endsWith(".md") ? text : "";
  return deadLinks(new Map(files.map((file) => [file.path.slice("site/".length), textOf(file)])));
}

/** A feature with those that it requires. */
function withRequired(protocol: string, names: readonly string[]): string[] {
  const { features } = sources.protocols.get(protocol)!;
  const required = names.flatMap((name) => features.get(name)!.requires ?? []);
  return [...new Set([...required, ...names])];
}

const alone = [...sources.protocols].flatMap(([protocol, { features }]) =>
  [...features.keys()].map((name): Selection => ({
    protocol,
    with: withRequired(protocol, [name]),
    name: "editor",
  })),
);
const without = [...sources.protocols.keys()].flatMap((protocol) => {
  const full = sources.profiles.get(`${protocol}-full`)!.features;
  return full.map((name): Selection => ({
    profiles: [`${protocol}-full`],
    without: full.filter((other) => withRequired(protocol, [other]).includes(name)),
  }));
});
const pairs = [...sources.protocols].flatMap(([protocol, { features }]) => {
  const names = [...features.keys()];
  return names.flatMap((one, index) =>
    names.slice(index + 1).map((other): Selection => ({
      protocol,
      with: withRequired(protocol, [one, other]),
      name: "editor",
    })),
  );
});

test.each([...alone, ...without].map((one) => [JSON.stringify(one), one] as const))(
  "the texts fit %s",
  (_, selection) => expect(omittedFrom(selection).names).toEqual([]),
);

// Both versions have the same features.
const rendered = IS_DEEP
  ? [...alone, ...without, ...pairs]
  : alone.filter(({ protocol }) => protocol === "v1");
test.each(rendered.map((one) => [JSON.stringify(one), one] as const))(
  "the site of %s has no dead link",
  async (_, selection) => expect(await deadLinksOf(selection)).toEqual([]),
);

test("guides, flows and rules whose samples do not fit a feature file are left out, and named in one line", async () => {
  // Guides and rules show both as mistakes.
  const feature = {
    $schema: "feature.schema.json",
    name: "mine",
    protocol: "v1",
    title: "Mine",
    description: "A stop reason, and a method that rebuilds the index.",
    status: "proposed",
    methods: [
      {
        name: "example/reindex",
        side: "agent",
        kind: "notification",
        params: "ReindexNotification",
        gate: { agent: "agentCapabilities.reindex" },
        summary: "Rebuilds the index.",
        description: "Sent by the client.",
        examples: [{ title: "A folder", params: { folder: "/home/ana/shop" } }],
      },
    ],
    $defs: {
      ReindexNotification: {
        description: "The folder.",
        type: "object",
        properties: { folder: { description: "The path.", type: "string" } },
        required: ["folder"],
      },
    },
    add: {
      AgentCapabilities: {
        properties: {
          reindex: { description: "Whether the index can be rebuilt.", type: "boolean" },
        },
      },
      StopReason: { oneOf: [{ description: "All is done.", type: "string", const: "done" }] },
    },
  };
  writeFileSync(join(folder, "mine.json"), JSON.stringify(feature));
  const { code, out, err } = await runCommand(
    ["docs", "--protocol", "v1", "--with", "./mine.json", "--name", "mine", "--out", "out"],
    { cwd: folder },
  );
  expect([code, withoutProgress(err)]).toEqual([0, ""]);
  expect(out.split("\n").filter((line) => line.startsWith("left out"))).toEqual([
    "left out, since their samples do not fit: 1 guide (common-mistakes); 1 rule (underscore-methods)",
  ]);
});
