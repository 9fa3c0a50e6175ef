import { expect, test } from "vitest";
import { findMistakes } from "./find-mistakes.js";
import { AUTHENTICATION, CORRECT, MISTAKES } from "./mistakes.js";

test("16 of 16 mistakes in an agent on our bindings are found before it runs", async () => {
  const found = await findMistakes("ours", { ...MISTAKES, AUTHENTICATION, CORRECT });
  expect(Object.keys(MISTAKES)).toHaveLength(16);
  const times = Object.keys(MISTAKES).map((name) => found.get(name));
  expect(times.slice(0, 14)).toEqual(Array<string>(14).fill("compiled"));
  expect(times.slice(14)).toEqual(["created", "created"]);
  expect(found.get("AUTHENTICATION")).toBe("created");
  expect(found.get("CORRECT")).toBe("never");
});

test("5 of 16 mistakes in an agent on the official SDK are found", async () => {
  const found = await findMistakes("sdk", { ...MISTAKES, AUTHENTICATION, CORRECT });
  expect([...found].filter(([, time]) => time !== "never")).toEqual(
    [
      // Through its answer, whose type is unknown then.
      "a permission option's kind is misspelled",
      "a property of an answer is read before its variant is known",
      "a property of an answer is misspelled",
      "a stop reason does not exist",
      "an answer lacks a property",
    ].map((name) => [name, "compiled"]),
  );
});
