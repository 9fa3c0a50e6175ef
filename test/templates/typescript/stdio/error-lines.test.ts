import { describe, expect, test, vi } from "vitest";
import { spawnAgent } from "../../../../templates/typescript/runtime/stdio/index.js";
import { createErrorLines } from "../../../../templates/typescript/runtime/stdio/error-lines.js";
import { runScript } from "./script.js";

const PIECE = 64 * 1024;

describe("the lines of a standard error", () => {
  test("do not depend on how the bytes are cut; empty ones and the last without a newline count", () => {
    const bytes = Buffer.from("é€😀\r\n\nsecond\rhalf\nlast");
    const whole = ["é€😀", "", "second\rhalf", "last"];
    expect(read([bytes])).toEqual(whole);
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
  });

  test("show invalid UTF-8 as U+FFFD, also what is cut off by the end", () => {
    expect(read([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xe2, 0x82])])).toEqual([
      "a\ufffdb",
      "\ufffd",
    ]);
  });

  test("come in pieces when they are longer than 64 Ki units, and no character is split", () => {
    const line = "x".repeat(PIECE - 1) + "😀".repeat(PIECE);
    const pieces = read([Buffer.from(`${line}\nnext\n`)]);
    expect(pieces.slice(0, -1).join("")).toBe(line);
    expect(pieces.at(-1)).toBe("next");
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(PIECE);
      expect(piece).not.toMatch(/\p{Surrogate}/u);
    }
  });

  test("that never end are delivered as they come", () => {
    const lines: string[] = [];
    const reader = createErrorLines((line) => lines.push(line));
    for (let count = 0; count < 100; count++) reader.push(Buffer.alloc(PIECE / 2, "x"));
    expect(lines.length).toBe(49);
  });
});

describe("an agent's standard error", () => {
  const script = `process.stderr.write("first\\nsecond \\u20ac\\nlast"); process.stdout.write("{}");`;

  test("goes to a function line by line", async () => {
    const lines: string[] = [];
    const agent = spawnAgent(process.execPath, ["-e", script], {
      stderr: (line) => lines.push(line),
    });
    expect(await agent.exited).toBe(0);
    await vi.waitUntil(() => lines.length === 3);
    expect(lines).toEqual(["first", "second €", "last"]);
  });

  test.each([
    [undefined, "first\nsecond €\nlast"],
    ["inherit", "first\nsecond €\nlast"],
    ["ignore", ""],
  ])("goes to that of this process, or is discarded: %s", async (stderr, expected) => {
    const args = JSON.stringify(["-e", script]);
    const host = runScript(
      `const agent = spawnAgent(process.execPath, ${args}, ${JSON.stringify({ stderr })});
       await agent.exited;`,
      "pipe",
    );
    let text = "";
    for await (const chunk of host.stderr!) text += String(chunk);
    expect(text).toBe(expected);
  });
});

function read(chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = [];
  const reader = createErrorLines((line) => lines.push(line));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return lines;
}
