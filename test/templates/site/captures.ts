import type { Captured } from "../../../templates/site/inspector/capture.js";

/** Captures as people have them, with what they hold: the line of each, its sender, and its method or kind. */
export const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "session/new",
  params: { cwd: "/{x}", list: [1] },
};
export const opening = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1 },
};
export const answer = { jsonrpc: "2.0", id: 1, result: { sessionId: 'a "quoted" \\ } one' } };
export const CALL = JSON.stringify(call);
export const ANSWER = JSON.stringify(answer);
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const BOTH = ["1 client session/new 1", "2 agent response 1"];

export const CAPTURES: { readonly [what: string]: readonly [text: string, found: string[]] } = {
  "plain messages": [`${CALL}\n\n${ANSWER}`, ["1 - session/new 1", "3 - response 1"]],
  "a log of JetBrains": [
    `2026-01-15 10:00:00,123 [ 123] INFO - AcpAgent - starting {my agent}
2026-01-15 10:00:00,456 [ 456]   FINE - AcpTransport - OUT: ${CALL}
2026-01-15 10:00:00,789 [ 789]   FINE - AcpTransport - IN: ${ANSWER}`,
    ["1 - text", "2 client session/new 1", "3 agent response 1"],
  ],
  arrows: [`→ ${CALL}\n← ${ANSWER}`, BOTH],
  "arrows with times": [`[10:00:01.5] --> ${CALL}\n[10:00:01.7] <-- ${ANSWER} (2 ms)`, BOTH],
  angles: [`> ${CALL}\n< ${ANSWER}`, BOTH],
  "senders in words": [`client -> agent: ${CALL}\nagent -> client: ${ANSWER}`, BOTH],
  streams: [`stdin: ${CALL}\nstdout: ${ANSWER}`, BOTH],
  "pretty-printed messages below headings": [
    `--> request\n${pretty(call)}\n\n<-- response\n${pretty(answer)}\n`,
    ["1 - text", "2 client session/new 1", "14 - text", "15 agent response 1"],
  ],
  "an array": [
    pretty([call, { dir: "in", msg: answer }]),
    ["2 - session/new 1", "13 agent response 1"],
  ],
  "an array, a message a line": [
    `[\n${CALL},\n${ANSWER}\n]`,
    ["2 - session/new 1", "3 - response 1"],
  ],
  "an array of records on one line": [
    JSON.stringify([{ from: "client", message: call }]),
    ["1 client session/new 1"],
  ],
  "a whole conversation on one line": [
    JSON.stringify([opening, { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } }, call]),
    ["1 - initialize 0", "1 - response 0", "1 - session/new 1"],
  ],
  "colored JSON": [
    `${CALL.replaceAll(/"(\w+)":/g, '\u001b[34;1m"$1"\u001b[0m:')}\n${ANSWER}`,
    ["1 - session/new 1", "2 - response 1"],
  ],
  "structured logs with the message as text": [
    `${JSON.stringify({ level: "info", msg: "starting" })}
${JSON.stringify({ level: "debug", msg: `sending ${CALL}` })}
${JSON.stringify({ level: "debug", fields: { message: `received: ${ANSWER}` } })}
${JSON.stringify({ level: "info", msg: "done" })}`,
    ["1 - text", "2 client session/new 1", "3 agent response 1", "4 - text"],
  ],
  "a beginning that is cut": [`lo"}}}\n${CALL}`, ["1 - not-json", "2 - session/new 1"]],
  "a message that is cut": [
    `${CALL}\n{"jsonrpc":"2.0",\n${ANSWER}`,
    ["1 - session/new 1", "2 - not-json", "3 - response 1"],
  ],
  "a log that is cut": [
    `→ ${CALL}\n→ {"jsonrpc":\n← ${ANSWER}\n{"jsonrpc":"2.0",\n${CALL}`,
    [
      "1 client session/new 1",
      "2 - not-json",
      "3 agent response 1",
      "4 - not-json",
      "5 - session/new 1",
    ],
  ],
  "messages after the prefixes of a log, with text behind": [
    `[10:00] --> ${CALL}\n[debug] {acp} ready\nINFO {acp} <-- ${ANSWER} (12 ms)`,
    ["1 client session/new 1", "2 - text", "3 agent response 1"],
  ],
  "a code fence": [
    `\`\`\`json\n${CALL}\n\`\`\`\nand then nothing`,
    ["1 - text", "2 - session/new 1", "3 - text", "4 - text"],
  ],
  "several messages on a line and over several lines": [
    `→ ${CALL}${ANSWER}\n${pretty(call)}\n${pretty(answer)},\n${pretty(call)}${CALL}`,
    [
      ...["1 client session/new 1", "1 client response 1", "2 - session/new 1"],
      ...["13 - response 1", "20 - session/new 1", "30 - session/new 1"],
    ],
  ],
  "JSON as the text of JSON": [
    JSON.stringify(`${CALL}\n${ANSWER}`),
    ["1 - session/new 1", "1 - response 1"],
  ],
  "JSON as the text of a field": [
    `level=info dir=out msg=${JSON.stringify(CALL)} n=1`,
    ["1 client session/new 1"],
  ],
  "pretty-printed records": [
    `${pretty({ dir: "out", msg: call })}\n${pretty({ from: "agent", kind: "exit", code: 1 })}\n${pretty({ dir: "in", msg: answer })}`,
    ["1 client session/new 1", "15 agent exit", "20 agent response 1"],
  ],
  "structured logs with errors of their own": [
    `${JSON.stringify({ level: "error", error: "no key", method: "GET" })}\n${JSON.stringify({ level: "debug", direction: "out", frame: call })}`,
    ["1 - header", "2 client session/new 1"],
  ],
  "a record whose text is not JSON": ['{"from":"client","line":"{"}', ["1 - not-json"]],
  "headers of LSP": [`Content-Length: 9\n\n${CALL}`, ["1 - not-json", "3 - session/new 1"]],
};

/** Texts that are not JSON, and a part of what the reader says about them. */
export const MISTAKES: readonly (readonly [text: string, advice: string])[] = [
  [`{'jsonrpc': '2.0', 'id': 1}`, "print json.dumps(message) instead"],
  [`{"id": 1, "params": {"fork": True, "x": None}}`, "print json.dumps(message) instead"],
  [`{"a": 'b'}`, "double quotes"],
  [`{"a": 1,}`, "comma before a closing bracket"],
  [`{"a": NaN}`, "no NaN"],
  [`{"a": "it's, ]", "b": }`, "Unexpected"],
  [`{"a": 1 // one\n}`, "no comments"],
  [`Content-Length: 20\n\n{"a": `, "Headers belong to LSP"],
];

/** Returns what a capture has in one place: the line, the sender, and the method or kind. */
export function describeCaptured(captured: Captured): string {
  const { number } = captured;
  if ("event" in captured) return `${number} ${captured.event.from ?? "-"} ${captured.event.kind}`;
  if ("broken" in captured)
    return `${number} ${captured.broken.from ?? "-"} ${captured.broken.rule}`;
  const { from = "-", message } = captured.recorded;
  const { method = "response", id } = message as { method?: string; id?: number };
  return `${number} ${from} ${method}${id === undefined ? "" : ` ${id}`}`;
}
