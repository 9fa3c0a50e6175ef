import { describe, expect, test } from "vitest";
import { CaptureReader, type Captured } from "../../../templates/site/inspector/capture.js";
import type { Side } from "../../../templates/typescript/runtime/conformance/transcript.js";
import {
  answer,
  ANSWER,
  call,
  CALL,
  CAPTURES,
  describeCaptured,
  MISTAKES,
  opening,
} from "./captures.js";

/** Reads a capture; gives what it has, a word for each: the line, the sender, and the method or kind. */
function read(text: string, recorder?: Side): string[] {
  const found: string[] = [];
  const take = (captured: Captured): void => void found.push(describeCaptured(captured));
  const reader = new CaptureReader(take, recorder);
  for (const [index, line] of text.split("\n").entries())
    if (line.trim() !== "") reader.line(line, index + 1);
  reader.end();
  return found;
}

describe("a capture", () => {
  test.each(Object.entries(CAPTURES))("may be %s", (_, [text, found]) => {
    expect(read(text)).toEqual(found);
  });

  test.each(MISTAKES)("may have a mistake in JSON, which is explained: %s", (text, advice) => {
    const messages: string[] = [];
    const reader = new CaptureReader((captured) => {
      if ("broken" in captured) messages.push(captured.broken.message);
    });
    for (const [index, line] of text.split("\n").entries())
      if (line.trim() !== "") reader.line(line, index + 1);
    reader.end();
    expect(messages[0]).toContain(advice);
  });

  test("has an error for a broken message of a log, but not for other lines", () => {
    expect(read(`→ ${CALL}\nDEBUG {x}\n→ {"jsonrpc":"2.0",}`)).toEqual([
      ...["1 client session/new 1", "2 - text", "3 - not-json"],
    ]);
  });

  test("of the recorder has messages, broken lines, and what happened besides", () => {
    const records = [
      { recording: 1, command: ["agent"] },
      { time: "2026-01-01T00:00:00.000Z", from: "client", message: call },
      { from: "agent", text: "DEBUG {" },
      { from: "agent", text: "x", reason: "too-long" },
      { from: "agent", kind: "stderr", text: "trouble" },
      { from: "agent", kind: "exit", code: 1 },
      { recording: 1 },
    ];
    expect(read(records.map((record) => JSON.stringify(record)).join("\n"))).toEqual([
      ...["1 - header", "2 client session/new 1", "3 agent not-json", "4 agent too-long"],
      ...["5 agent stderr", "6 agent exit", "7 - header"],
    ]);
  });

  test("allows other lines only if it is a log", () => {
    const noise = "DEBUG ready";
    expect(read(`${noise}\n${CALL}\n${noise}`)).toEqual([
      ...["1 - not-json", "2 - session/new 1", "3 - not-json"],
    ]);
    expect(read(`${CALL}\nDEBUG got ${ANSWER}`)).toEqual(["1 - session/new 1", "2 - not-json"]);
  });

  test("has what comes before the first message in its place", () => {
    const found: string[] = [];
    const reader = new CaptureReader((captured) => found.push(describeCaptured(captured)));
    reader.line("noise", 1);
    reader.broken("not-utf8", 2);
    reader.line(JSON.stringify({ from: "agent", kind: "stderr", text: "trouble" }), 3);
    expect(found).toEqual([]);
    reader.line(CALL, 4);
    reader.end();
    expect(found).toEqual([
      ...["1 - not-json", "2 - not-utf8", "3 agent stderr", "4 - session/new 1"],
    ]);
  });

  // A reader that looks at a text again for each of its characters would not end within the limit of a test.
  test("is read in a time that its length determines", () => {
    const lines = [CALL.repeat(20_000), "{".repeat(1e6), '{"a":'.repeat(1e5), "[".repeat(1e6)];
    // What is open at the end is one broken line.
    expect(read(`→ ${CALL}\n${lines.join("\n")}`)).toHaveLength(20_002);
  });

  test("keeps a batch, which is a finding", () => {
    expect(read(JSON.stringify([call, answer]))).toEqual(["1 - response"]);
  });

  test("is of an agent if initialize came in, unless the reader says otherwise", () => {
    const log = `<- ${JSON.stringify(opening)}\n-> ${ANSWER}`;
    expect(read(log)).toEqual(["1 client initialize 0", "2 agent response 1"]);
    expect(read(log, "client")).toEqual(["1 agent initialize 0", "2 client response 1"]);
    const records = [
      { dir: "in", msg: opening },
      { dir: "out", msg: answer },
    ];
    const lines = records.map((record) => JSON.stringify(record)).join("\n");
    expect(read(lines)).toEqual(["1 client initialize 0", "2 agent response 1"]);
  });

  test("has times in records and in logs", () => {
    const times: (number | undefined)[] = [];
    const reader = new CaptureReader(({ time }) => times.push(time));
    const date = "2026-01-15T10:00:00.5Z";
    reader.line(`${date} --> ${CALL}`, 1);
    reader.line(`10:00:00,25 <-- ${ANSWER}`, 2);
    reader.line(JSON.stringify({ ts: 1_700_000_000, from: "agent", message: answer }), 3);
    reader.line(JSON.stringify({ time: date, from: "agent", message: answer }), 4);
    expect(times).toEqual([Date.parse(date), 36_000_250, 1_700_000_000_000, Date.parse(date)]);
  });
});
