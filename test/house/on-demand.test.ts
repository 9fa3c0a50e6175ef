import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ON_DEMAND, removeStale } from "../../bin/on-demand.js";
import { fileDigest, MANIFEST_FILE, printManifest } from "../../generators/output/manifest.js";
import { readManifest } from "../../generators/run/generate/manifest-file.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("the repository has all generated files but Python and Go of the profiles besides v1", () => {
  const { files } = readManifest(join(ROOT, "out"), MANIFEST_FILE)!;
  const listed = files.filter(({ path }) => !ON_DEMAND.test(path)).map(({ path }) => `out/${path}`);
  const inGit = execFileSync("git", ["ls-files", "out"], { cwd: ROOT, encoding: "utf8" });
  expect(inGit.trim().split("\n").sort()).toEqual([`out/${MANIFEST_FILE}`, ...listed].sort());
  const others = files.filter(({ target, profile }) => {
    return (target === "python" || target === "go") && profile !== "v1" && profile !== "*";
  });
  expect(others.length).toBeGreaterThan(100);
  expect(others.filter(({ path }) => !ON_DEMAND.test(path))).toEqual([]);
});

test("files of another revision are removed, and nothing else", () => {
  const out = temporaryFolder();
  const write = (path: string): void => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), "new");
  };
  const entry = (path: string, text: string) => {
    return { path, profile: "v2", target: "go", sha256: fileDigest(text) };
  };
  const fresh = ["go/acpv2/a.go", "python/acp_bindings/v1_full/a.py"];
  const stale = ["go/acpv2full/old.go", "go/acpv9/gone.go", "python/acp_bindings/v2/a.py"];
  const committed = ["go/acpv1/own.go", "python/acp_bindings/v1/own.py", "go/acp/own.go"];
  [...fresh, ...stale, ...committed].forEach(write);
  const files = [
    ...fresh.map((path) => entry(path, "new")),
    ...stale.slice(2).map((path) => entry(path, "old")),
  ];
  const save = (listed: typeof files): void => {
    const manifest = { generator: "", profiles: {}, files: listed };
    writeFileSync(join(out, MANIFEST_FILE), printManifest(manifest));
  };
  save(files);
  expect(removeStale(out)).toBe(false);
  const isThere = (path: string): boolean => existsSync(join(out, path));
  expect([...fresh, ...committed].filter(isThere)).toEqual([...fresh, ...committed]);
  expect(stale.filter(isThere)).toEqual([]);
  save(files.slice(0, 2));
  expect(removeStale(out)).toBe(true);
});
