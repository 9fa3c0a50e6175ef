import fc from "fast-check";
import { expect } from "vitest";
import { convertPosition } from "../../../templates/typescript/runtime/nes/index.js";
import { pythonTest, runPython } from "../run-python.js";

const UNITS = [
  "a",
  "é",
  "ࠀ",
  "€",
  "\uffff",
  "😀",
  "\ud83d",
  "\ude00",
  "\n",
  "\r",
  "\r\n",
  "\u2028",
];
const anyEncoding = fc.constantFrom("utf-8" as const, "utf-16" as const, "utf-32" as const);

const anyCase = fc.record({
  // A high surrogate before a low one is a pair in JSON: one character in both languages.
  text: fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 30 }),
  position: fc.record({ line: fc.nat(6), character: fc.nat(40) }),
  from: anyEncoding,
  to: anyEncoding,
});

pythonTest("positions are converted as in TypeScript", () => {
  const cases = fc.sample(anyCase, { seed: 1, numRuns: 3000 });
  const input = cases.map((one) => JSON.stringify(one)).join("\n");
  const { out, err } = runPython(["test/python/programs/positions.py"], `${input}\n`);
  expect(err).toBe("");
  const found = out.trim().split("\n");
  cases.forEach(({ text, position, from, to }, index) => {
    const { line, character } = convertPosition(text, position, from, to);
    expect(JSON.parse(found[index]!), JSON.stringify(cases[index])).toEqual([line, character]);
  });
});
