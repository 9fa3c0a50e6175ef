import { runCases, type Case, type Fault } from "../fault.js";
import type { Message } from "../peer.js";
import { describe, isRefusal, requestLine } from "../wire.js";

const DEPTH = 100_000;
const ARRAY = `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`;
const OBJECT = `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`;
const NEW_SESSION = '"cwd":"/","mcpServers":[]';

/** A line, and how it is to be answered. */
interface DeepLine {
  readonly line: string;
  readonly answer: "result" | "nothing" | number;
  readonly id?: unknown;
}

const LINES: Readonly<Record<string, DeepLine>> = {
  "an array as a message": { line: `${ARRAY}\n`, answer: -32600 },
  "an object as a message": { line: `${OBJECT}\n`, answer: -32600 },
  "an array without its end": { line: `${"[".repeat(DEPTH)}\n`, answer: -32700 },
  "an object without its end": { line: `${'{"a":'.repeat(DEPTH)}\n`, answer: -32700 },
  "params without their end": {
    line: `{"jsonrpc":"2.0","id":1,"method":"session/new","params":${"[".repeat(DEPTH)}\n`,
    answer: -32700,
  },
  "an id": { line: requestLine(ARRAY, "_fault/echo", "{}"), answer: -32600 },
  "params as an array": { line: requestLine("1", "session/new", ARRAY), answer: -32602, id: 1 },
  "a property of params": {
    line: requestLine("1", "session/new", `{"cwd":${OBJECT},"mcpServers":[]}`),
    answer: -32602,
    id: 1,
  },
  "a property that nobody looks at": {
    line: requestLine("1", "session/new", `{${NEW_SESSION},"_meta":{"deep":${ARRAY}}}`),
    answer: "result",
  },
  "an extension's params, and so its result": {
    line: requestLine("1", "_fault/echo", ARRAY),
    answer: -32603,
    id: 1,
  },
  "a response to nothing": {
    line: `{"jsonrpc":"2.0","id":7,"result":${ARRAY}}\n`,
    answer: "nothing",
  },
};

const lines = Object.entries(LINES).map(([name, { line, answer, id }]): Case => ({
  name,
  run: async (peer) => {
    const answers = await peer.exchange(line);
    const isRight =
      typeof answer === "number"
        ? isRefusal(answers, answer, id)
        : answers.length === (answer === "result" ? 1 : 0) && !answers[0]?.error;
    return isRight ? answers.map(findEcho)[0] : describe(answers);
  },
}));

const results = Object.entries({
  "a result": `"result":{"content":${ARRAY}}`,
  "a whole result": `"result":${OBJECT}`,
  "an error": `"error":${ARRAY}`,
}).map(([name, response]): Case => ({
  name,
  run: async (peer) => {
    const outcome = await peer.answerCall(response);
    const { failed, code } = (outcome.result ?? {}) as { failed?: string; code?: number };
    if (failed === undefined) return `the call ends with ${describe([outcome])}`;
    return code === -32603 ? findEcho(outcome) : `the call fails with ${String(code)}`;
  },
}));

export const depth: readonly Fault[] = [
  {
    id: "B5",
    fault: "100,000 levels, well-formed and not, in and out",
    asked: "answered with an error, its data ≤ 1 KiB and without the input; alive",
    run: (library) => runCases(library, [...lines, ...results]),
  },
];

function findEcho(answer: Message): string | undefined {
  const data = JSON.stringify(answer.error?.data ?? answer.result ?? null);
  if (data.length > 1024) return `answered with ${data.length} characters of data`;
  return /\[\[|\{"a":\{/.test(JSON.stringify(answer)) ? "the input is echoed" : undefined;
}
