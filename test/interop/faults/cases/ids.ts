import { runCases, type Case, type Fault } from "../fault.js";
import { describe, isRefusal, requestLine } from "../wire.js";

/** Ids, as they are written, that a request must not have. */
const ILLEGAL = ["1.5", "1e400", "9007199254740993", "{}", "[1]", "true"];

const cases = ILLEGAL.map((id): Case => ({
  name: `id ${id}`,
  run: async (peer) => {
    const answers = await peer.exchange(requestLine(id, "_fault/echo", "{}"));
    return isRefusal(answers, -32600) ? undefined : describe(answers);
  },
}));

export const ids: readonly Fault[] = [
  {
    id: "B7",
    fault: "ids that are not legal: fractions, infinity, unsafe integers, objects",
    asked: "-32600 with id null",
    run: (library) => runCases(library, cases),
  },
];
