import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { inputDigest } from "../../../generators/run/generate/input-digest.js";
import { inputPaths, isPath } from "../../../generators/run/inputs/input-files.js";
import { resolveInputs } from "../../../generators/run/inputs/select-profiles.js";
import { SCHEMA } from "../../../generators/run/installation.js";
import { ownFeature } from "../cli/own-feature.js";

const folder = mkdtempSync(join(tmpdir(), "acp-paths-"));
const home = process.cwd();
beforeEach(() => process.chdir(folder));
afterEach(() => process.chdir(home));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a path of a feature file", () => {
  test.each(["./pin", join(folder, "absolute"), ".\\pin", "pin.json"])(
    "is compiled, watched and digested: %s",
    (path) => {
      const save = (definition: string): void =>
        writeFileSync(path, JSON.stringify(ownFeature("A feature.", definition)));
      save("First");
      const options = { protocol: "v1", with: [path] };
      const [input] = resolveInputs(options, SCHEMA);
      expect([...input!.bundle.definitions.keys()]).toContain("First");
      expect(inputPaths(options)).toEqual([path]);
      const before = inputDigest(options);
      save("Second");
      expect(before).toBeDefined();
      expect(inputDigest(options)).not.toEqual(before);
    },
  );

  test("is distinguished from the name of a feature or target", () => {
    expect(["session_fork", "types"].filter(isPath)).toEqual([]);
    expect(["./t.js", "t.mjs", "a/b", resolve("x")].filter(isPath)).toHaveLength(4);
  });
});
