import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";

// Each process reads the key once, so that every journal here comes from one of its own.

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "acp-key-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));
const keyFile = (): string => join(home, ".cache/acp-codegen/machine.key");

const { href } = pathToFileURL(join(ROOT, "generators/output/disk/journal.ts"));
const PROGRAM = `import { printJournal } from ${JSON.stringify(href)};
process.stdout.write(printJournal(".", { write: [], remove: [] }));`;

/** Prints a journal in a new process that works in the home of its user. */
function print(user: string = home): string {
  const env = { ...process.env, HOME: user, USERPROFILE: user };
  const tsx = import.meta.resolve("tsx");
  const args = ["--import", tsx, "--input-type=module", "--eval", PROGRAM];
  return execFileSync(process.execPath, args, { cwd: home, env, encoding: "utf8" });
}

test("the key is kept below the home of the user, for the user alone", () => {
  const first = print();
  expect(readFileSync(keyFile(), "utf8")).toMatch(/^[0-9a-f]{64}$/);
  if (process.platform !== "win32") expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  expect(print()).toBe(first);
});

test("a key file without a whole key stays as it is, and signs nothing", () => {
  print();
  writeFileSync(keyFile(), "");
  expect(print()).not.toBe(print());
  expect(readFileSync(keyFile(), "utf8")).toBe("");
});

test("without a home, each process has its own key and keeps it nowhere", () => {
  expect(print("planted")).not.toBe(print("planted"));
  expect(existsSync(join(home, "planted"))).toBe(false);
});
