import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { AcpError, RpcError, StaleSessionError, type SessionBackend } from "acp-bindings";
import { onTestFinished } from "vitest";

/** Starts a backend in another language, which ends with the test. */
export function startBackend(
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = process.env,
): SessionBackend {
  // What it logs is a matter of the tests of the language.
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill());
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
  readonly type?: string;
  readonly text: string;
  readonly code?: number;
}

/** Returns the error of a backend in another language. */
function errorOf({ type, text, code }: Failure): Error {
  if (type === "StaleSessionError") return new StaleSessionError("");
  return code === undefined ? new AcpError(text) : new RpcError(code, text);
}

/** Returns a backend whose calls go to each of several in turn. */
export function alternate(backends: readonly SessionBackend[]): SessionBackend {
  let count = 0;
  const next = (): SessionBackend => backends[count++ % backends.length]!;
  return {
    load: (key) => next().load(key),
    save: (...given) => next().save(...given),
    delete: (key) => next().delete(key),
    list: (...given) => next().list(...given),
  };
}
