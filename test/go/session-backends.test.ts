import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionBackend } from "acp-bindings";
import { fileSessions } from "acp-bindings/file-sessions";
import { beforeAll, describe, expect } from "vitest";
import { ROOT } from "../support/paths.js";
import { testBackend } from "../use/sessions/backend-rules.js";
import { damageFiles, testFolder } from "../use/sessions/folder-rules.js";
import { alternate, startBackend } from "../use/sessions/process-backend.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { goTest, isSkipped } from "./go-test.js";
import { buildProgram, runGo, writeOverlay } from "./toolchain.js";

const folder = temporaryFolder();
let program: string;

/** What the program needs of the package, which exports less. */
const EXPORTED = `package sessions

type Stored = storedSession

var LoadFrom, SaveTo, ListPage, Hash = load, save, list, hash
`;

function textOf(file: string): string {
  return readFileSync(join(ROOT, `test/go/${file}.go.txt`), "utf8");
}

describe.skipIf(isSkipped)("backends", () => {
  beforeAll(() => {
    const files = {
      "sessions/exported.go": EXPORTED,
      "backend/main.go": textOf("session_backend"),
    };
    program = buildProgram(folder, files, "backend");
  }, 120_000);

  const start = (place: string): SessionBackend => startBackend([program, place]);
  const languages = { TypeScript: fileSessions, Go: start };
  describe("memory", () => testBackend(() => start("memory")));

  describe.each([
    ["files", ["Go"]],
    ["files whose calls come from TypeScript and Go in turn", ["TypeScript", "Go"]],
    ["files whose calls come from Go and TypeScript in turn", ["Go", "TypeScript"]],
  ] as const)("%s", (_, names) => {
    let last: string;
    const create = (place: string): SessionBackend =>
      alternate(names.map((name) => languages[name](place)));
    testBackend(
      () => create((last = temporaryFolder())),
      (text) => damageFiles(last, text),
      names.length - 1,
    );
    testFolder(temporaryFolder, create);
  });

  goTest("both languages find a session of any name", async () => {
    const place = temporaryFolder();
    const [own, other] = [fileSessions(place), start(place)];
    const stored = { cwd: "/é", updatedAt: "2026-01-01T00:00:00Z", state: "<\n&" };
    for (const name of ["", "é\u{1f600}", '"\\\n\u007f\u2028\b\f', "../x", "�"]) {
      const key = { principal: name, sessionId: name };
      const revision = await own.save(key, stored, undefined);
      expect(await other.load(key)).toEqual({ ...stored, revision });
      const next = await other.save(key, stored, revision);
      expect(await own.load(key)).toEqual({ ...stored, revision: next });
    }
  });
});

goTest(
  "a store keeps, moves and fences sessions",
  () => {
    const overlay = writeOverlay(folder, { "sessions/store_test.go": textOf("store_test") });
    const { code, out } = runGo(["test", "-vet=off", "-overlay", overlay, "./sessions"]);
    expect(out).toMatch(/^ok /);
    expect(code).toBe(0);
  },
  120_000,
);
