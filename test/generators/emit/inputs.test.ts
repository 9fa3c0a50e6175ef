import { describe, expect, test } from "vitest";
import { NO_SETTINGS } from "../../../generators/emit/inputs.js";
import { compile } from "../../../generators/compile.js";
import {
  perProfile,
  type Emitter,
  type InputName,
  type Target,
} from "../../../generators/emit/emitter.js";
import { loadInputs } from "../../../generators/run/targets/load-inputs.js";
import { resolveOptions } from "../../../generators/run/defaults.js";
import { TARGETS } from "../../../generators/targets.js";
import { smallProtocol } from "./small-protocol.js";
import { NO_INPUTS } from "../../support/emit-inputs.js";

const CONTEXT = { templates: new Map<string, string>(), version: "0.0.0" };
const protocols = [smallProtocol({ definitions: {} })];

/** A target with one file, which has the inputs that it got. */
function printing<Name extends InputName>(name: string, inputs: readonly Name[]): Target<Name> {
  return {
    name,
    summary: "prints its inputs",
    inputs,
    emit: perProfile((_, given: object) => [
      { path: `${name}.json`, text: JSON.stringify(given), language: "plain" },
    ]),
  };
}

describe("the inputs of a target", () => {
  test("are those that it names, whatever other targets name", async () => {
    const targets = [printing("one", ["siteCode"]), printing("two", ["searchCore"])];
    const inputs = { ...NO_INPUTS, searchCore: "search" };
    const files = await compile(protocols, targets, inputs, CONTEXT);
    expect(files.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      { siteCode: [] },
      { searchCore: "search" },
    ]);
  });

  test("can be read only if they are named", () => {
    const emitter: Emitter<"siteCode"> = {
      name: "typed",
      summary: "x",
      inputs: ["siteCode"],
      // @ts-expect-error It does not name the search.
      emit: (_, { searchCore }) => [searchCore],
    };
    // @ts-expect-error The list is missing.
    const without: Emitter<"siteCode"> = { name: "untyped", summary: "x", emit: () => [] };
    expect([emitter, without]).toHaveLength(2);
  });

  test("are loaded only if a target names them", async () => {
    const options = resolveOptions({
      site: { url: "https://example.org/", title: "Mine", report: false },
    });
    const origin = { options, protocols, templates: CONTEXT.templates };
    expect(await loadInputs([printing("one", ["site", "files"])], origin)).toEqual({
      site: { ...NO_SETTINGS, url: "https://example.org", title: "Mine" },
    });
    const standard = TARGETS.filter(({ onRequest }) => onRequest === undefined);
    expect(Object.keys(await loadInputs(standard, origin))).toEqual(["bridge"]);
  });
});

describe("a target that names the files", () => {
  test("gets those of the others, and of earlier ones that name them as well", async () => {
    const paths = (name: string): Target<"files"> => ({
      ...printing(name, ["files"]),
      emit: (_, { files }) => [
        {
          path: `${name}.json`,
          profile: "*",
          text: JSON.stringify(files.map(({ path }) => path)),
          language: "plain",
        },
      ],
    });
    const targets = [paths("first"), printing("plain", []), paths("second")];
    const files = await compile(protocols, targets, {}, CONTEXT);
    const textOf = (path: string): unknown =>
      JSON.parse(files.find((file) => file.path === path)!.text);
    expect(textOf("first.json")).toEqual(["plain.json"]);
    expect(textOf("second.json")).toEqual(["plain.json", "first.json"]);
  });
});
