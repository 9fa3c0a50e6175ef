import type { SessionBackend } from "acp-bindings";
import { fileSessions } from "acp-bindings/file-sessions";
import { afterEach, describe, expect } from "vitest";
import { testBackend } from "../use/sessions/backend-rules.js";
import { damageFiles, testFolder } from "../use/sessions/folder-rules.js";
import { alternate, startBackend } from "../use/sessions/process-backend.js";
import { PYTHON, PYTHON_ENV } from "./python-env.js";
import { isSkipped, pythonTest } from "./run-python.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const PROGRAM = ["-W", "error", "test/python/programs/session_backend.py"];

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe.skipIf(isSkipped)("memory", () => testBackend(() => startPython("memory")));

const LANGUAGES = { TypeScript: fileSessions, Python: startPython };

describe.skipIf(isSkipped).each([
  ["files", ["Python"]],
  ["files whose calls come from TypeScript and Python in turn", ["TypeScript", "Python"]],
  ["files whose calls come from Python and TypeScript in turn", ["Python", "TypeScript"]],
] as const)("%s", (_, languages) => {
  let last: string;
  const create = (folder: string): SessionBackend =>
    alternate(languages.map((language) => LANGUAGES[language](folder)));
  testBackend(
    () => create((last = temporaryFolder())),
    (text) => damageFiles(last, text),
    languages.length - 1,
  );
  testFolder(temporaryFolder, create);
});

pythonTest("both languages find a session of any name, and of no other", async () => {
  const folder = temporaryFolder();
  const [own, other] = [fileSessions(folder), startPython(folder)];
  const names = ["", "é\u{1f600}", '"\\\n\u007f\u2028', "../x", "\ud800", "\ud801", "\\ud800", "�"];
  const session = (state: string) => ({ cwd: "/é", updatedAt: "2026-01-01T00:00:00Z", state });
  for (const [index, name] of names.entries()) {
    const key = { principal: name, sessionId: name };
    const revision = await own.save(key, session(`${index}\n\ud800`), undefined);
    expect(await other.load(key)).toEqual({ ...session(`${index}\n\ud800`), revision });
    const next = await other.save(key, session(name), revision);
    expect(await own.load(key)).toEqual({ ...session(name), revision: next });
    for (const backend of [own, other])
      expect((await backend.list(name, {})).sessions).toMatchObject([{ sessionId: name }]);
  }
});

/** Starts a backend in Python. */
function startPython(place: string): SessionBackend {
  return startBackend([PYTHON, ...PROGRAM, place], PYTHON_ENV);
}
