import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { AgentSession } from "#acp/v1";

/** The files of a session's project. Paths may be relative to its folder. */
export interface Workspace {
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<unknown>;
}

/** Uses the client's files if it provides them, since they have the unsaved text; otherwise the disk. */
export function createWorkspace(cwd: string, { client, signal }: AgentSession): Workspace {
  const { readTextFile, writeTextFile } = client.fs;
  return {
    read: async (local) => {
      const path = resolve(cwd, local);
      if (readTextFile === undefined) return readFile(path, { encoding: "utf8", signal });
      return (await readTextFile({ path })).content;
    },
    write: async (local, content) => {
      const path = resolve(cwd, local);
      if (writeTextFile !== undefined) return writeTextFile({ path, content });
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { signal });
    },
  };
}
