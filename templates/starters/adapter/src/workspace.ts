import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { AgentSession } from "#acp/v1";

/** The files of a session's project. Paths may be relative to its folder. */
export interface Workspace {
  resolve(path: string): string;
  read(path: string, signal: AbortSignal | undefined): Promise<string>;
  write(path: string, text: string, signal: AbortSignal | undefined): Promise<unknown>;
}

/** Uses the client's files if it provides them, since they have the unsaved text; otherwise the disk. */
export function createWorkspace(cwd: string, { fs }: AgentSession["client"]): Workspace {
  const { readTextFile, writeTextFile } = fs;
  return {
    resolve: (path) => resolve(cwd, path),
    read: async (local, signal) => {
      const path = resolve(cwd, local);
      if (readTextFile === undefined) return readFile(path, { encoding: "utf8", signal });
      return (await readTextFile({ path }, { signal })).content;
    },
    write: async (local, content, signal) => {
      const path = resolve(cwd, local);
      if (writeTextFile !== undefined) return writeTextFile({ path, content }, { signal });
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { signal });
    },
  };
}
