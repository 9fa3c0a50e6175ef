import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AcpError, RpcError, StaleSessionError, type SessionBackend } from "acp-bindings";
import { fileSessions } from "acp-bindings/file-sessions";
import { afterEach, describe, expect } from "vitest";
import { testBackend } from "../use/sessions/backend-rules.js";
import { damageFiles, testFolder } from "../use/sessions/folder-rules.js";
import { PYTHON, PYTHON_ENV } from "./python-env.js";
import { isSkipped, pythonTest } from "./run-python.js";

const PROGRAM = ["-W", "error", "test/python/programs/session_backend.py"];

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe.skipIf(isSkipped)("memory", () => testBackend(() => startBackend("memory")));

const LANGUAGES = { TypeScript: fileSessions, Python: startBackend };

describe.skipIf(isSkipped).each([
  ["files", ["Python"]],
  ["files whose calls come from TypeScript and Python in turn", ["TypeScript", "Python"]],
  ["files whose calls come from Python and TypeScript in turn", ["Python", "TypeScript"]],
] as const)("%s", (_, languages) => {
  let last: string;
  const create = (folder: string): SessionBackend =>
    alternate(languages.map((language) => LANGUAGES[language](folder)));
  testBackend(
    () => create((last = createFolder())),
    (text) => damageFiles(last, text),
    languages.length - 1,
  );
  testFolder(createFolder, create);
});

pythonTest("both languages find a session of any name, and of no other", async () => {
  const folder = createFolder();
  const [own, other] = [fileSessions(folder), startBackend(folder)];
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

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-sessions-"));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a backend in Python. */
function startBackend(place: string): SessionBackend {
  const child = spawn(PYTHON, [...PROGRAM, place], {
    env: PYTHON_ENV,
    // What it logs is a matter of test_session_store.py.
    stdio: ["pipe", "pipe", "ignore"],
  });
  stops.push(() => child.kill());
  const open = new Map<number, (answer: { readonly error?: Failure; result: never }) => void>();
  createInterface(child.stdout).on("line", (line) => {
    const answer = JSON.parse(line);
    open.get(answer.id)!(answer);
  });
  let count = 0;
  const call = (method: keyof SessionBackend, ...given: unknown[]): Promise<never> =>
    new Promise((resolve, reject) => {
      const id = count++;
      open.set(id, ({ error, result }) =>
        error === undefined ? resolve(result) : reject(errorOf(error)),
      );
      child.stdin.write(`${JSON.stringify({ id, do: method, given })}\n`);
    });
  return {
    load: async ({ principal, sessionId }) =>
      (await call("load", principal, sessionId)) ?? undefined,
    save: ({ principal, sessionId }, session, revision) =>
      call("save", principal, sessionId, session, revision ?? null),
    delete: ({ principal, sessionId }) => call("delete", principal, sessionId),
    list: (principal, { cwd, cursor }) => call("list", principal, cwd ?? null, cursor ?? null),
  };
}

interface Failure {
  readonly type: string;
  readonly text: string;
  readonly code?: number;
}

/** Returns the error that a backend in Python has raised. */
function errorOf({ type, text, code }: Failure): Error {
  if (type === "StaleSessionError") return new StaleSessionError("");
  return code === undefined ? new AcpError(text) : new RpcError(code, text);
}

/** Returns a backend whose calls go to each of several in turn. */
function alternate(backends: readonly SessionBackend[]): SessionBackend {
  let count = 0;
  const next = (): SessionBackend => backends[count++ % backends.length]!;
  return {
    load: (key) => next().load(key),
    save: (...given) => next().save(...given),
    delete: (key) => next().delete(key),
    list: (...given) => next().list(...given),
  };
}
