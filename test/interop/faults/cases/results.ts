import { facts } from "../../facts.js";
import { createOutcome, runCases, withPeer, type Case, type Fault } from "../fault.js";
import { describe, isRefusal } from "../wire.js";

const UNSENDABLE = [
  "a BigInt",
  "a BigInt inside",
  "a cycle",
  "a toJSON that throws",
  "a getter that throws",
  "a revoked proxy",
  "a function",
  "a symbol",
];

const EMPTY = ["undefined", "a promise of undefined"];

const FAILURES = [
  "an Error",
  "an Error with a cause",
  "a TypeError",
  "a DOMException",
  "an error of Node.js",
  "an error with data",
  "an object like an error",
  "a string",
];

const cases = [
  ...UNSENDABLE.map((what): Case => ({
    name: what,
    run: async (peer) => {
      const answer = await peer.request("_fault/return", { what });
      return isRefusal([answer], -32603, answer.id) ? undefined : describe([answer]);
    },
  })),
  ...EMPTY.map((what): Case => ({
    name: what,
    run: async (peer) => {
      const { result } = await peer.request("_fault/return", { what });
      return ["null", "{}"].includes(JSON.stringify(result)) ? undefined : "no result";
    },
  })),
];

export const results: readonly Fault[] = [
  {
    id: "B6",
    fault: "a handler returns what JSON cannot hold",
    asked: "-32603 for that request (undefined: an empty result), alive",
    run: (library) => runCases(library, cases),
  },
  {
    id: "B18",
    fault: "a handler fails with a secret in its error",
    asked: "-32603, the secret never on the wire",
    run: (library) =>
      withPeer(library, {}, async (peer) => {
        const answers = [];
        for (const what of FAILURES) {
          for (const method of ["_fault/throw", "_fault/reject"])
            answers.push(await peer.request(method, { what }));
          await peer.sendMessage({ method: "_fault/fail", params: { what } });
        }
        await peer.ping();
        const said = [...answers, ...peer.take()];
        const leaks = said.filter((message) => JSON.stringify(message).includes(facts.secret));
        const generic = answers.filter(({ error }) => error?.code === -32603).length;
        return createOutcome(
          `${generic} of ${answers.length} answered -32603, ${leaks.length} leaks`,
          {
            "every failure is answered -32603": generic === answers.length,
            "no secret is sent": leaks.length === 0,
            "notifications are not answered": said.length === answers.length,
          },
        );
      }),
  },
];
