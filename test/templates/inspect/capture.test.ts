import { describe, expect, test } from "vitest";
import { createCaptureReader, type Captured } from "../../../templates/inspect/capture.js";
import type { Side } from "../../../templates/runtime/conformance/transcript.js";

/** Reads a capture; gives what it has, a word for each: the line, the sender, and the method or kind. */
function read(text: string, recorder?: Side): string[] {
  const found: string[] = [];
  const take = (captured: Captured): void => void found.push(describeCaptured(captured));
  const reader = createCaptureReader(take, recorder);
  for (const [index, line] of text.split("\n").entries())
    if (line.trim() !== "") reader.line(line, index + 1);
  reader.end();
  return found;
}

function describeCaptured(captured: Captured): string {
  const { number } = captured;
  if ("event" in captured) return `${number} ${captured.event.from ?? "-"} ${captured.event.kind}`;
  if ("broken" in captured)
    return `${number} ${captured.broken.from ?? "-"} ${captured.broken.rule}`;
  const { from = "-", message } = captured.recorded;
  const { method = "response", id } = message as { method?: string; id?: number };
  return `${number} ${from} ${method}${id === undefined ? "" : ` ${id}`}`;
}

const call = { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/{x}", list: [1] } };
const opening = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
const answer = { jsonrpc: "2.0", id: 1, result: { sessionId: 'a "quoted" \\ } one' } };
const CALL = JSON.stringify(call);
const ANSWER = JSON.stringify(answer);
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

describe("a capture", () => {
  test.each<[what: string, text: string, found: string[]]>([
    ["plain messages", `${CALL}\n\n${ANSWER}`, ["1 - session/new 1", "3 - response 1"]],
    [
      "a log of JetBrains",
      `2026-01-15 10:00:00,123 [ 123] INFO - AcpAgent - starting {my agent}
2026-01-15 10:00:00,456 [ 456]   FINE - AcpTransport - OUT: ${CALL}
2026-01-15 10:00:00,789 [ 789]   FINE - AcpTransport - IN: ${ANSWER}`,
      ["1 - text", "2 client session/new 1", "3 agent response 1"],
    ],
    ["arrows", `→ ${CALL}\n← ${ANSWER}`, ["1 client session/new 1", "2 agent response 1"]],
    [
      "arrows with times",
      `[10:00:01.5] --> ${CALL}\n[10:00:01.7] <-- ${ANSWER} (2 ms)`,
      ["1 client session/new 1", "2 agent response 1"],
    ],
    ["angles", `> ${CALL}\n< ${ANSWER}`, ["1 client session/new 1", "2 agent response 1"]],
    [
      "senders in words",
      `client -> agent: ${CALL}\nagent -> client: ${ANSWER}`,
      ["1 client session/new 1", "2 agent response 1"],
    ],
    [
      "streams",
      `stdin: ${CALL}\nstdout: ${ANSWER}`,
      ["1 client session/new 1", "2 agent response 1"],
    ],
    [
      "pretty-printed messages below headings",
      `--> request\n${pretty(call)}\n\n<-- response\n${pretty(answer)}\n`,
      ["1 - text", "2 client session/new 1", "14 - text", "15 agent response 1"],
    ],
    [
      "an array",
      pretty([call, { dir: "in", msg: answer }]),
      ["2 - session/new 1", "13 agent response 1"],
    ],
    [
      "an array, a message a line",
      `[\n${CALL},\n${ANSWER}\n]`,
      ["2 - session/new 1", "3 - response 1"],
    ],
    [
      "an array of records on one line",
      JSON.stringify([{ from: "client", message: call }]),
      ["1 client session/new 1"],
    ],
    [
      "structured logs with the message as text",
      `${JSON.stringify({ level: "info", msg: "starting" })}
${JSON.stringify({ level: "debug", msg: `sending ${CALL}` })}
${JSON.stringify({ level: "debug", fields: { message: `received: ${ANSWER}` } })}
${JSON.stringify({ level: "info", msg: "done" })}`,
      ["1 - text", "2 client session/new 1", "3 agent response 1", "4 - text"],
    ],
    ["a beginning that is cut", `lo"}}}\n${CALL}`, ["1 - not-json", "2 - session/new 1"]],
    [
      "a message that is cut",
      `${CALL}\n{"jsonrpc":"2.0",\n${ANSWER}`,
      ["1 - session/new 1", "2 - not-json", "3 - response 1"],
    ],
    [
      "a log that is cut",
      `→ ${CALL}\n→ {"jsonrpc":\n← ${ANSWER}\n{"jsonrpc":"2.0",\n${CALL}`,
      ["1 client session/new 1", "2 - text", "3 agent response 1", "4 - text", "5 - session/new 1"],
    ],
  ])("may be %s", (_, text, found) => {
    expect(read(text)).toEqual(found);
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
    const reader = createCaptureReader((captured) => found.push(describeCaptured(captured)));
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
    const reader = createCaptureReader(({ time }) => times.push(time));
    const date = "2026-01-15T10:00:00.5Z";
    reader.line(`${date} --> ${CALL}`, 1);
    reader.line(`10:00:00,25 <-- ${ANSWER}`, 2);
    reader.line(JSON.stringify({ ts: 1_700_000_000, from: "agent", message: answer }), 3);
    reader.line(JSON.stringify({ time: date, from: "agent", message: answer }), 4);
    expect(times).toEqual([Date.parse(date), 36_000_250, 1_700_000_000_000, Date.parse(date)]);
  });
});
