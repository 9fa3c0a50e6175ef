import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readBytes } from "../../../generators/schema/source/read-bytes.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();

function makePipe(name: string): string {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  return path;
}

describe.skipIf(process.platform === "win32")("a pipe as an input", () => {
  test("is read to its end, even if its writer comes late and writes slowly", () => {
    const path = makePipe("late");
    spawn("sh", ["-c", `sleep 0.3; (printf '{"a":'; sleep 0.3; printf '1}') > '${path}'`]);
    expect(Buffer.from(readBytes(path, "late")).toString()).toBe('{"a":1}');
  });

  test("without a writer ends with a message instead of waiting for ever", () => {
    expect(() => readBytes(makePipe("silent"), "silent")).toThrow(
      "silent: is a pipe or a device that has sent nothing for 5 seconds.",
    );
  }, 20_000);
});
