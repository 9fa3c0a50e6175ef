import { expect, test } from "vitest";
import { docs } from "../../../../generators/emit/site/docs.js";
import type { RuleSource } from "../../../../generators/schema/source/rule-source.js";
import { notificationOf } from "../../schema/sources.js";
import { decodeHtml } from "../markup-nodes.js";
import { EMPTY, smallSite, templates, texts, v1 } from "./small-site.js";
import { siteInputs } from "../../../support/emit-inputs.js";

test("in prose, the names of types and methods are links and other code is code", async () => {
  const files = await smallSite(
    {
      Place: { description: "A `Place` of `do/it`, not `Nowhere` or Other.", type: "string" },
      Other: { ...EMPTY, description: "See `Place`." },
    },
    [notificationOf("do/it", "agent", "Other")],
  );
  expect(files.get("types/Place.html")).toContain(
    '<p class="lead">A <code>Place</code> of <code><a href="../methods/do/it.html">do/it</a></code>, not <code>Nowhere</code> or Other.</p>',
  );
  expect(files.get("types/Other.html.md")).toContain("See [`Place`](Place.html).");
});

const RULE: RuleSource = {
  id: "first",
  area: "Tests",
  source: "The test.",
  level: "error",
  versions: [1],
  title: "The first message is `initialize`.",
  rationale: "",
  features: [],
  methods: [],
  examples: [],
};

test("programs on the pages import from the package by its configured name", async () => {
  const identity = { package: { name: "@me/acp" } };
  const files = await docs.emit(
    [v1],
    siteInputs({ templates, docs: texts, rules: { rules: [RULE] } }, identity),
    { templates, version: "0.0.0", ...identity },
  );
  const own = files.filter(({ path }) => path.startsWith("site/v1/"));
  const named = new Map(own.map(({ path, text }) => [path.slice("site/v1/".length), text]));
  for (const path of ["methods/session/new.html.md", "types/SessionId.html.md"])
    expect(named.get(path), path).toMatch(/import type { .* } from "@me\/acp\/v1";/);
  const guide = decodeHtml(named.get("getting-started.html")!);
  expect(guide).toContain('import { createAgent, SessionStore } from "@me/acp/v1";');
  expect(guide).toContain('import { stdio } from "@me/acp/stdio";');
  expect(named.get("rules.html.md")).toContain("`@me/acp/conformance`");
  const old = [...named].filter(([, text]) => text.includes("acp-bindings"));
  expect(old.map(([path]) => path)).toEqual([]);
});
