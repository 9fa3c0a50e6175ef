import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { systemError } from "../../../generators/output/output-error.js";

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

test("a name that is too long for the system is an error of the environment, with a short text", () => {
  const error = systemError(thrownBy(() => readFileSync(`/tmp/${"a".repeat(5000)}`)));
  expect(error?.message).toMatch(/^\/tmp\/a+…a+: the name is too long\. Choose a shorter one/);
  expect(error!.message.length).toBeLessThan(250);
});

test("too many open files are an error of the environment, with the limit to raise", () => {
  const error = Object.assign(new Error("EMFILE"), { code: "EMFILE", syscall: "open", path: "x" });
  expect(systemError(error)?.message).toContain("x: too many files are open. Raise the limit");
});

test("errors of the program are none of the environment", () => {
  for (const thrown of [
    new TypeError("x"),
    Object.assign(new Error(), { code: "ERR_X" }),
    "x",
    null,
  ])
    expect(systemError(thrown)).toBeUndefined();
});
