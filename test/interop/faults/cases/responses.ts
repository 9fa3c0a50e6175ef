import { createOutcome, withPeer, type Fault } from "../fault.js";
import { describe } from "../wire.js";

/** Responses that answer nothing. */
const STRAY: readonly string[] = [
  '{"jsonrpc":"2.0","id":123456,"result":{}}',
  '{"jsonrpc":"2.0","id":"unknown","result":null}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
  '{"jsonrpc":"2.0","id":123456,"error":{"code":"1","message":2}}',
  '{"jsonrpc":"2.0","id":123456,"error":"text"}',
  '{"jsonrpc":"2.0","id":123456,"error":null}',
  '{"jsonrpc":"2.0","id":123456,"result":{},"error":{"code":1,"message":""}}',
  '{"id":123456,"result":{}}',
  '{"jsonrpc":"2.0","id":{},"result":{}}',
  '{"jsonrpc":"2.0","result":{}}',
];

/** Messages that are a request and a response at once. */
const BOTH: readonly string[] = [
  '{"jsonrpc":"2.0","id":5,"method":"_fault/echo","params":{},"result":{}}',
  '{"jsonrpc":"2.0","id":5,"method":"_fault/echo","error":{"code":1,"message":""}}',
  '{"jsonrpc":"2.0","method":"_fault/echo","result":{}}',
];

export const responses: readonly Fault[] = [
  {
    id: "B8",
    fault: "100,000 responses to nothing, malformed or not",
    asked: "ignored, alive",
    run: flood(STRAY, 100_000),
  },
  {
    id: "B8",
    fault: "10,000 messages with method and result",
    asked: "ignored, alive",
    run: flood(BOTH, 10_000),
  },
];

function flood(lines: readonly string[], count: number): Fault["run"] {
  return (library) =>
    withPeer(library, {}, async (peer) => {
      const all = Array.from({ length: count }, (_, index) => `${lines[index % lines.length]!}\n`);
      await peer.send(all.join(""));
      await peer.ping();
      const answers = peer.take();
      return createOutcome(
        answers.length === 0 ? "ignored, alive" : `${answers.length} answered, alive`,
        {
          [`nothing is answered (${describe(answers.slice(0, 3))})`]: answers.length === 0,
        },
      );
    });
}
