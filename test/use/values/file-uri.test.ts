import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { filePath, fileUri } from "acp-bindings";
import { expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { createRandom } from "../samples/random.js";

/** The answers of every language. */
const TABLE = JSON.parse(readFileSync(`${ROOT}test/fixtures/file-uris.json`, "utf8")) as {
  readonly [name in "paths" | "uris" | "refusedUris"]: readonly (readonly [string, string])[];
} & { readonly refusedPaths: readonly string[]; readonly unpairedSurrogate: string };

/** Parts of names, with all characters that URIs treat differently. */
const PARTS = [..."a #?%ü日+&'([^`{~!@$,;=|", "%41", "%2F", "😀"];

const ROOTS = [
  ["/x/", false],
  ["C:\\x\\", true],
  ["\\\\srv\\share\\", true],
] as const;

test("paths of every system become URIs and back, as those of Node.js do", () => {
  const { below, pick } = createRandom(process.env["SEED"] ?? "20261126");
  for (let run = 0; run < 2000; run++) {
    const name = Array.from({ length: 1 + below(5) }, () => pick(PARTS)).join("");
    for (const [root, windows] of ROOTS) {
      const path = root + name;
      const uri = fileUri(path);
      expect(filePath(uri), uri).toBe(path);
      expect(fileURLToPath(uri, { windows }), uri).toBe(path);
      expect(filePath(pathToFileURL(path, { windows }).href), path).toBe(path);
    }
  }
});

test("paths and URIs have one answer in every language", () => {
  expect(TABLE.paths.map(([path]) => [path, fileUri(path)])).toEqual(TABLE.paths);
  for (const [path, uri] of TABLE.paths)
    expect(filePath(uri)).toBe(path.startsWith("C:") ? "C:\\mixed\\x" : path);
  expect(TABLE.uris.map(([uri]) => [uri, filePath(uri)])).toEqual(TABLE.uris);
  for (const path of TABLE.refusedPaths) expect(() => fileUri(path), path).toThrow("absolute path");
  expect(() => fileUri(TABLE.unpairedSurrogate)).toThrow("is not valid UTF-8");
  for (const [uri, text] of TABLE.refusedUris)
    expect(() => filePath(uri), uri).toThrow(`${JSON.stringify(uri)} ${text}`);
});
