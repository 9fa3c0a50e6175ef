import { describe, expect, test } from "vitest";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { generate } from "../../../../generators/run/generate/generate.js";
import { InputError, jsonPointer } from "../../../../generators/schema/problem.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { notificationOf } from "../../schema/sources.js";
import { EMPTY, attributes, deadLinks, smallSite } from "./small-site.js";

describe("unusual names", () => {
  test("of methods give safe paths that are distinct on every file system", async () => {
    const names = [
      "$/x",
      "-/x",
      "../../up",
      "a b",
      "a$20b",
      "A/B",
      "a/b",
      "_ext/con",
      "x".repeat(300),
      "é",
      "a//b",
      "a/b.html",
      "/".repeat(400),
    ];
    const files = await smallSite(
      { P: EMPTY },
      names.map((name) => {
        // On one side, groups that differ in case or in odd characters would have one type.
        const isApart = name === "A/B" || name.startsWith("//");
        return notificationOf(name, isApart ? "client" : "agent", "P");
      }),
    );
    const paths = [...files.keys()].filter((path) => /^methods\/.*\.html$/.test(path));
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length);
    expect(paths).toContain("methods/-/x.html");
    for (const path of paths) {
      expect(path).toMatch(/^methods(\/[A-Za-z0-9$-][A-Za-z0-9$_-]*)+\.html$/);
      expect(path.toLowerCase()).not.toMatch(/\/con[./]/);
      expect(path.split("/").every((segment) => segment.length < 100)).toBe(true);
    }
    expect(await deadLinks(files)).toEqual([]);
  });

  test("of types that are not identifiers or differ only in case are reported in one error with their places", async () => {
    const file = "schema/v9/base/things.json";
    const named = "Name the type with at most 80 letters and digits, a letter first.";
    const bad = ["", "a b", "../up", "Zwölf", "$x", "1st", "_hidden", "x".repeat(81)];
    const names = [...bad, "URL", "Url", "url", "Fine", "x".repeat(80)];
    const error = await smallSite(Object.fromEntries(names.map((name) => [name, EMPTY]))).then(
      () => undefined,
      (thrown: unknown) => thrown as InputError,
    );
    expect(error).toBeInstanceOf(InputError);
    const problems = [...error!.problems].sort((x, y) => (x.pointer! < y.pointer! ? -1 : 1));
    const expected = [
      ...bad.map((name) => ({
        file,
        pointer: jsonPointer(["$defs", name]),
        message: `${JSON.stringify(name)} cannot be the address of a page`,
        hint: named,
      })),
      ...["Url", "url"].map((name) => ({
        file,
        pointer: `/$defs/${name}`,
        message: `the types "URL" and "${name}" would have the same page where capitals do not count`,
        hint: "Rename one of them.",
      })),
    ].sort((x, y) => (x.pointer < y.pointer ? -1 : 1));
    expect(problems).toEqual(expected);
  });

  test("of types in an imported schema are reported with its file, and only for the site", async () => {
    const folder = temporaryFolder();
    const schemaFile = join(folder, "own.json");
    writeFileSync(schemaFile, JSON.stringify({ $defs: { Note: EMPTY, NOTE: EMPTY } }));
    const options = { schema: schemaFile, protocol: "v1", out: join(folder, "out"), name: "own" };
    await expect(generate({ ...options, targets: ["docs"] })).rejects.toThrow(
      /own\.json#\/\$defs\/Note: the types "NOTE" and "Note" would have the same page/,
    );
    const { write } = await generate({ ...options, targets: ["schema"] });
    expect(write.length).toBeGreaterThan(0);
  });

  test("of properties, tags and values give distinct ids", async () => {
    const names = ["a b", "a$20b", "a.b", "A", "a", "field-a", "", "#", "é", "__proto__"];
    const files = await smallSite({
      T: {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { $ref: "#/$defs/E" }])),
      },
      E: { enum: [...names, "other-values"] },
      U: { anyOf: names.map((title) => ({ title, $ref: "#/$defs/E" })) },
      Twice: {
        anyOf: [
          { title: "same", type: "string" },
          { title: "same", type: "integer" },
        ],
      },
    });
    for (const [path, html] of files) {
      if (!path.endsWith(".html")) continue;
      const ids = attributes(html, "id");
      expect(new Set(ids).size, path).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[\w.$-]+$/);
    }
    expect(
      attributes(files.get("types/T.html")!, "id").filter((id) => id.startsWith("field-")),
    ).toHaveLength(names.length);
    expect(attributes(files.get("types/T.html")!, "id")).toContain("field-a$20b");
    expect(await deadLinks(files)).toEqual([]);
  });
});
