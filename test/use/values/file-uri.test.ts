import { fileURLToPath, pathToFileURL } from "node:url";
import { filePath, fileUri } from "acp-bindings";
import { expect, test } from "vitest";
import { createRandom } from "../samples/random.js";

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

test.each([
  ["/home/ana/a b.ts", "file:///home/ana/a%20b.ts"],
  ["/a\\b", "file:///a%5Cb"],
  ["C:/mixed\\x", "file:///C:/mixed/x"],
  ["\\\\srv\\share\\x", "file://srv/share/x"],
])("%s is %s", (path, uri) => {
  expect(fileUri(path)).toBe(uri);
});

test.each([
  ["file:///c%3A/Users/x.ts", "c:\\Users\\x.ts"],
  ["file://localhost/etc/x", "/etc/x"],
  ["file:///a%5Cb", "/a\\b"],
  ["file:/a", "/a"],
])("%s is the path %s", (uri, path) => {
  expect(filePath(uri)).toBe(path);
});

test.each(["relative/x", "", "C:x", "c:"])("the path %j is refused", (path) => {
  expect(() => fileUri(path)).toThrow("absolute path");
});

test.each([
  "https://example.org/x",
  "/x",
  "file:///a%2Fb",
  "file:///C:/a%5Cb",
  "file:///a%00",
  "file:///%ff",
])("the URI %s is refused", (uri) => {
  expect(() => filePath(uri)).toThrow(uri);
});
