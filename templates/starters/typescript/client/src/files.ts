import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import { RpcError } from "#acp/v1";
import type { ReadTextFileRequest, ReadTextFileResponse, WriteTextFileRequest } from "#acp/v1";

/** `fs/read_text_file`: the whole text, or `limit` lines from `line` on, counted from 1. */
export async function readTextFile({
  path,
  line,
  limit,
}: ReadTextFileRequest): Promise<ReadTextFileResponse> {
  refuseRelative(path);
  const text = await readFile(path, "utf8").catch((error: unknown) => fail(error, path));
  if (line == null && limit == null) return { content: text };
  const first = Math.max(line ?? 1, 1) - 1;
  const last = limit == null ? undefined : first + limit;
  return { content: text.split("\n").slice(first, last).join("\n") };
}

/** `fs/write_text_file`: a file that is not there is made. */
export async function writeTextFile({ path, content }: WriteTextFileRequest): Promise<void> {
  refuseRelative(path);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  } catch (error) {
    fail(error, path);
  }
}

function refuseRelative(path: string): void {
  if (!isAbsolute(path)) throw RpcError.invalidParams("The path is not absolute");
}

/** Only an RpcError is sent to the agent as it is; anything else becomes "Internal error". */
function fail(error: unknown, path: string): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") throw RpcError.resourceNotFound("No such file", { path });
  throw RpcError.internal(`The file is not accessible (${code})`, { path });
}
