import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { followRecording, hasEnded, nextRecording } from "../../../generators/tools/live/follow.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const path = join(folder, "2026-01-02T00-00-00-000Z-agent-1.ndjson");
const older = join(folder, "2026-01-01T00-00-00-000Z-agent-1.ndjson");
const newer = join(folder, "2026-01-03T00-00-00-000Z-agent-1.ndjson");
afterAll(() => void vi.unstubAllEnvs());
beforeEach(() => {
  vi.stubEnv("ACP_CODEGEN_RECORDINGS", folder);
  for (const file of [path, older, newer]) rmSync(file, { force: true });
});

const EXIT = '{"from":"agent","kind":"exit","code":0}\n';
const LINE = '{"from":"agent","kind":"stderr","text":"x"}\n';
/** More than is read at once, so that the last record comes in the second piece. */
const LONG = "y".repeat(256 * 1024 - 10);

describe("a recording has ended", () => {
  test.each<[text: string, hasEnded: boolean]>([
    ["", false],
    [LINE, false],
    [EXIT, true],
    [LINE + EXIT, true],
    [LONG + EXIT, true],
    [`${LONG}${LONG}${LONG}${EXIT}`, true],
    [EXIT + LINE, false],
    [EXIT.trimEnd(), false],
    [JSON.stringify({ kind: "stderr", text: EXIT }), false],
    [`${JSON.stringify({ kind: "stderr", text: EXIT })}\n`, false],
  ])("%#", async (text, expected) => {
    writeFileSync(path, text);
    expect(hasEnded(path)).toBe(expected);
    if (expected) expect(await read(path)).toEqual([text, "idle"]);
  });
});

/** Reads until the end; a function may change what is there whenever everything was read. */
async function read(
  file: string,
  idle: (count: number, stop: () => void) => void = () => {},
  yieldsToNewer = false,
): Promise<string[]> {
  const stopping = new AbortController();
  const found: string[] = [];
  let text = "";
  let count = 0;
  const { signal } = stopping;
  const options = yieldsToNewer ? { signal, yieldsToNewer } : { signal };
  for await (const piece of followRecording(file, options)) {
    if (piece !== "idle") text += Buffer.from(piece).toString();
    else {
      if (text !== "") found.push(text);
      found.push(piece);
      text = "";
      idle(++count, () => stopping.abort());
    }
  }
  return found;
}

describe("a recording is followed", () => {
  test("while it grows, until the exit of its agent", async () => {
    writeFileSync(path, LINE);
    const found = await read(path, (count) => {
      if (count === 1) appendFileSync(path, EXIT);
    });
    expect(found.filter((piece) => piece !== "idle")).toEqual([LINE, EXIT]);
  });

  test("from its beginning when it was emptied", async () => {
    writeFileSync(path, LINE + LINE);
    const found = await read(path, (count) => {
      if (count === 1) writeFileSync(path, EXIT);
    });
    expect(found.filter((piece) => piece !== "idle")).toEqual([LINE + LINE, EXIT]);
  });

  test.each([
    [true, [LINE, "idle"]],
    [false, [LINE, "idle", "idle"]],
  ])("until a newer one begins, if it yields: %j", async (yields, expected) => {
    for (const file of [older, path, newer]) writeFileSync(file, LINE);
    const stopAtSecond = (count: number, stop: () => void): void => {
      if (count === 2) stop();
    };
    expect(await read(path, stopAtSecond, yields)).toEqual(expected);
  });

  test("until it is stopped, also where only older ones are there", async () => {
    for (const file of [older, path]) writeFileSync(file, LINE);
    expect(await read(path, (_, stop) => stop(), true)).toEqual([LINE, "idle"]);
  });
});

test("the next recording is the oldest that is newer", async () => {
  for (const file of [older, path, newer]) writeFileSync(file, LINE);
  expect(await nextRecording(undefined)).toBe(older);
  expect(await nextRecording(older)).toBe(path);
  expect(await nextRecording(newer, AbortSignal.abort())).toBeUndefined();
  const stopping = new AbortController();
  const next = nextRecording(newer, stopping.signal);
  stopping.abort();
  expect(await next).toBeUndefined();
});
