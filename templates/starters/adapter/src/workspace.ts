import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { ConnectedClient } from "#acp/v1";

/** The files of a session's project. Paths may be relative to its folder. */
export interface Workspace {
  resolve(path: string): string;
  read(path: string, signal?: AbortSignal): Promise<string>;
  write(path: string, text: string, signal?: AbortSignal): Promise<void>;
}

/** Through the client where it offers its files, so that what is unsaved there counts; or else the disk. */
export function createWorkspace({
  sessionId,
  cwd,
  client,
}: {
  readonly sessionId: string;
  readonly cwd: string;
  readonly client: ConnectedClient;
}): Workspace {
  const { readTextFile, writeTextFile } = client.fs;
  const options = (signal?: AbortSignal): { signal?: AbortSignal } => (signal ? { signal } : {});
  return {
    resolve: (path) => resolve(cwd, path),
    read: async (local, signal) => {
      const path = resolve(cwd, local);
      if (readTextFile === undefined)
        return readFile(path, { encoding: "utf8", ...options(signal) });
      return (await readTextFile({ sessionId, path }, options(signal))).content;
    },
    write: async (local, content, signal) => {
      const path = resolve(cwd, local);
      if (writeTextFile !== undefined) {
        await writeTextFile({ sessionId, path, content }, options(signal));
      } else {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, content, options(signal));
      }
    },
  };
}
