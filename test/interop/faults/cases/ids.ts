import { runCases, type Case, type Fault } from "../fault.js";
import { describe, isRefusal, requestLine } from "../wire.js";

/** Ids as they are written, and whether a request may have them. */
const IDS: Readonly<Record<string, "legal" | "refused">> = {
  null: "legal",
  0: "legal",
  "-1": "legal",
  '""': "legal",
  '"1"': "legal",
  '"__proto__"': "legal",
  [String(Number.MAX_SAFE_INTEGER)]: "legal",
  "1.5": "refused",
  "1e400": "refused",
  "9007199254740993": "refused",
  "{}": "refused",
  "[1]": "refused",
  true: "refused",
};

const cases: readonly Case[] = [
  ...Object.entries(IDS).map(([id, verdict]): Case => ({
    name: `id ${id}`,
    run: async (peer) => {
      const answers = await peer.exchange(requestLine(id, "_fault/echo", "{}"));
      const isRight =
        verdict === "refused"
          ? isRefusal(answers, -32600)
          : answers.length === 1 &&
            answers[0]!.error === undefined &&
            JSON.stringify(answers[0]!.id) === id;
      return isRight ? undefined : describe(answers);
    },
  })),
  {
    name: '1 and "1" at once',
    run: async (peer) => {
      const lines = ["1", '"1"'].map((id) => requestLine(id, "_fault/wait", "{}"));
      await peer.exchange(lines.join(""));
      void peer.sendMessage({ method: "$/cancel_request", params: { requestId: "1" } });
      const first = await peer.message(({ error }) => error !== undefined);
      void peer.sendMessage({ method: "$/cancel_request", params: { requestId: 1 } });
      const second = await peer.message(({ error }) => error !== undefined);
      const isRight = isRefusal([first], -32800, "1") && isRefusal([second], -32800, 1);
      return isRight ? undefined : describe([first, second]);
    },
  },
  {
    name: "an id in flight",
    run: async (peer) => {
      const line = requestLine("7", "_fault/wait", "{}");
      const answers = await peer.exchange(`${line}${line}`);
      if (!isRefusal(answers, -32600, 7)) return `the second is answered: ${describe(answers)}`;
      void peer.sendMessage({ method: "$/cancel_request", params: { requestId: 7 } });
      const first = await peer.message(({ id }) => id === 7);
      return isRefusal([first], -32800, 7) ? undefined : describe([first]);
    },
  },
  {
    name: "an id used again",
    run: async (peer) => {
      const line = requestLine("8", "_fault/echo", "{}");
      const answers = [...(await peer.exchange(line)), ...(await peer.exchange(line))];
      return answers.length === 2 && answers.every(({ error }) => error === undefined)
        ? undefined
        : describe(answers);
    },
  },
];

export const ids: readonly Fault[] = [
  {
    id: "B7",
    fault: "ids at the edges of what is legal",
    asked:
      "fractions, infinity, unsafe integers and objects -32600 with id null; one in flight -32600",
    run: (library) => runCases(library, cases),
  },
];
