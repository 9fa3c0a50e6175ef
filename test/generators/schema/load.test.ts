import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { KEYWORDS } from "../../../generators/schema/json-schema/keywords.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import { InputError } from "../../../generators/schema/problem.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const directory = join(folder, "schema");
const MODULE = "v1/base/plan.json";

beforeEach(() => {
  rmSync(directory, { recursive: true, force: true });
  cpSync(join(ROOT, "schema"), directory, { recursive: true });
});

/** Changes one file of the copied schema. */
function edit(path: string, change: (document: Document) => void): void {
  const file = join(directory, path);
  const document = JSON.parse(readFileSync(file, "utf8")) as Document;
  change(document);
  writeFileSync(file, JSON.stringify(document));
}

// eslint-disable-next-line -- a document of any form
type Document = any;

/** Returns what changes the definition `Plan`. */
const inPlan = (change: (plan: Document) => void) => () =>
  edit(MODULE, (doc) => change(doc.$defs.Plan));

/** The problems of loading, a line each. */
function errorText(): string {
  try {
    loadSources(directory);
  } catch (error) {
    // Another kind would exit with the code for wrong use.
    if (error instanceof InputError && error.kind === "schema") return error.message;
    throw error;
  }
  return "nothing";
}

describe("an invalid module is refused with file, pointer and hint:", () => {
  const cases: { readonly [what: string]: readonly [change: () => void, message: string] } = {
    "an unknown keyword, with the nearest known one": [
      inPlan((plan) => (plan.propertys = {})),
      'schema/v1/base/plan.json#/$defs/Plan/propertys: unknown keyword "propertys". Did you mean "properties"?',
    ],
    "an unknown x- keyword deep inside": [
      inPlan((plan) => (plan.properties.entries.items["x-deserialize-defaults"] = true)),
      'schema/v1/base/plan.json#/$defs/Plan/properties/entries/items/x-deserialize-defaults: unknown keyword "x-deserialize-defaults".',
    ],
    "keywords that a library would interpret: tsType": [
      inPlan((plan) => (plan.tsType = "process.exit()")),
      'unknown keyword "tsType"',
    ],
    "keywords that a library would interpret: $id": [
      inPlan((plan) => (plan.$id = "x")),
      'unknown keyword "$id"',
    ],
    "a key that is called __proto__": [
      () =>
        writeFileSync(
          join(directory, MODULE),
          readFileSync(join(directory, MODULE), "utf8").replace(
            '"Plan": {',
            '"Plan": { "__proto__": {},',
          ),
        ),
      'unknown keyword "__proto__"',
    ],
    "a derived keyword": [
      inPlan((plan) => (plan.not = {})),
      '"not" is derived and cannot be declared',
    ],
    "a wrong value": [
      inPlan((plan) => (plan.type = "objekt")),
      'schema/v1/base/plan.json#/$defs/Plan/type: "objekt" is not one of the allowed values. Allowed: null, boolean,',
    ],
    "a method without a gate": [
      () => edit("v1/base/prompt.json", (doc) => delete doc.methods[0].gate),
      'schema/v1/base/prompt.json#/methods/0: "gate" is missing. Add it.',
    ],
    "a reference to a file": [
      inPlan((plan) => (plan.properties.entries.items = { $ref: "file:///etc/passwd" })),
      'schema/v1/base/plan.json#/$defs/Plan/properties/entries/items/$ref: "file:///etc/passwd" does not have the form',
    ],
    "a reference to the network": [
      inPlan((plan) => (plan.properties.entries.items = { $ref: "http://127.0.0.1:9/x" })),
      '"http://127.0.0.1:9/x" does not have the form',
    ],
    "broken JSON": [
      () => writeFileSync(join(directory, MODULE), "{ nope"),
      "schema/v1/base/plan.json:1:3: is not JSON:",
    ],
    "text that is not UTF-8": [
      () => writeFileSync(join(directory, MODULE), Buffer.from([0x7b, 0xff, 0x7d])),
      "schema/v1/base/plan.json: cannot be read (it is not UTF-8 text)",
    ],
    "a property without a name": [
      inPlan((plan) => (plan.properties[""] = {})),
      'schema/v1/base/plan.json#/$defs/Plan/properties: the name "" must not be empty.',
    ],
    "a definition name that is not one": [
      () => edit(MODULE, (doc) => (doc.$defs["../../x"] = {})),
      'schema/v1/base/plan.json#/$defs: "../../x" does not have the form ^[A-Z][A-Za-z0-9]*$',
    ],
    "a method name that is not one": [
      () => edit("v1/base/prompt.json", (doc) => (doc.methods[0].name = "session/*/")),
      'schema/v1/base/prompt.json#/methods/0/name: "session/*/" does not have the form',
    ],
    "text with a lone surrogate": [
      inPlan((plan) => (plan.properties["\ud800"] = {})),
      'schema/v1/base/plan.json#/$defs/Plan/properties/\ud800: has text that is not Unicode: "\\ud800". Remove the lone surrogate.',
    ],
    "a document that is nested too deeply": [
      () => writeFileSync(join(directory, MODULE), "[".repeat(100_000) + "]".repeat(100_000)),
      `schema/v1/base/plan.json#${"/0".repeat(65)}: is nested deeper than 64 levels`,
    ],
    "a module that is not there": [
      () => rmSync(join(directory, MODULE)),
      "schema/v1/base/plan.json: cannot be read (ENOENT)",
    ],
    "a module that is not listed": [
      () => cpSync(join(directory, MODULE), join(directory, "v1/base/forgotten.json")),
      "schema/v1/base/forgotten.json: the module is not listed. List it in schema/v1/protocol.json.",
    ],
    "a profile file of another form": [
      () => edit("profiles.json", (doc) => (doc.profiles.v1.feature = [])),
      'schema/profiles.json#/profiles/v1/feature: unknown keyword "feature". Did you mean "features"?',
    ],
    "a profile of an unknown protocol version": [
      () => edit("profiles.json", (doc) => (doc.profiles.v1.protocol = "v7")),
      'schema/profiles.json#/profiles/v1/protocol: unknown protocol version "v7". Did you mean "v1"?',
    ],
    "a profile with an unknown feature": [
      () => edit("profiles.json", (doc) => (doc.profiles.v1.features = ["nes", "session_frok"])),
      'schema/profiles.json#/profiles/v1/features/1: v1 has no feature "session_frok". Did you mean "session_fork"?',
    ],
    "a profile without a feature that another one requires": [
      () => edit("profiles.json", (doc) => (doc.profiles.v1.features = ["nes_ide_actions"])),
      'schema/profiles.json#/profiles/v1/features/0: the feature "nes_ide_actions" needs the feature "nes". List "nes" as well.',
    ],
    "a shared text that a version lacks": [
      () =>
        edit("shared/plan.json", (doc) => {
          delete doc.$defs.PlanEntry.description;
          doc.$defs.PlanEntry["x-descriptions"] = { v1: "One.", v3: "Three." };
        }),
      "schema/shared/plan.json#/$defs/PlanEntry/x-descriptions: there is no text for v2. Add one.",
    ],
    "a text per version beside the text of all versions": [
      () =>
        edit("shared/plan.json", (doc) => {
          doc.$defs.PlanEntry["x-descriptions"] = { v1: "One.", v2: "Two." };
        }),
      "schema/shared/plan.json#/$defs/PlanEntry/x-descriptions: the place has a `description` as well. Remove one of them.",
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [change, message]) => {
    change();
    expect(errorText()).toContain(message);
  });
});

describe("loading", () => {
  test("selects the texts of each version in shared modules", () => {
    edit("shared/plan.json", (doc) => {
      const entry = doc.$defs.PlanEntry;
      delete entry.properties.content.description;
      entry.properties.content["x-descriptions"] = { v1: "One.", v2: "Two." };
      entry["x-meta"] = { v1: "Meta of one.", v2: "Meta of two." };
    });
    const { protocols } = loadSources(directory);
    const texts = ["v1", "v2"].map((version) => {
      const modules = protocols.get(version)!.modules.map(({ definitions }) => definitions);
      const { PlanEntry } = modules.find((definitions) => "PlanEntry" in definitions)!;
      return [PlanEntry!["x-meta"], PlanEntry!.properties!["content"]];
    });
    expect(texts).toEqual([
      ["Meta of one.", { description: "One.", type: "string" }],
      ["Meta of two.", { description: "Two.", type: "string" }],
    ]);
  });

  test("reports everything that is wrong at once", () => {
    edit(MODULE, (doc) => (doc.$defs.Plan.foo = 1));
    edit("v1/base/prompt.json", (doc) => (doc.$defs.PromptRequest.bar = 1));
    expect(errorText().split("\n")).toHaveLength(2);
  });

  test("gives the same result independent of the order of keys", () => {
    const before = loadSources(directory);
    edit(MODULE, (doc) => {
      for (const key of Object.keys(doc)) {
        const value = doc[key];
        delete doc[key];
        if (key === "$schema") continue;
        doc[key] = value;
      }
      doc.$schema = "../../dialect/module.schema.json";
    });
    expect(loadSources(directory)).toEqual(before);
  });

  test("a user's folder may hold features that are not in the repository", () => {
    mkdirSync(join(directory, "v1/features"), { recursive: true });
    const feature = {
      $schema: "../../dialect/feature.schema.json",
      name: "mine",
      protocol: "v1",
      title: "Mine",
      description: "Mine.",
      status: "proposed",
    };
    writeFileSync(join(directory, "v1/features/mine.json"), JSON.stringify(feature));
    expect(loadSources(directory).protocols.get("v1")!.features.get("mine")).toMatchObject({
      title: "Mine",
      requires: [],
    });
  });
});

test("the dialect document and the table of keyword roles list the same keywords", () => {
  const dialect = JSON.parse(
    readFileSync(join(ROOT, "schema/dialect/keywords.schema.json"), "utf8"),
  ) as Document;
  expect(Object.keys(dialect.$defs.schema.properties).sort()).toEqual(Object.keys(KEYWORDS).sort());
});
