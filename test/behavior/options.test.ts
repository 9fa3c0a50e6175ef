import { describe, expect, test } from "vitest";
import { compareCodec, testBehavior, type BehaviorOptions } from "../../generators/index.js";

const RIGHT: BehaviorOptions = {
  subject: "agent",
  inputs: { profiles: ["v1"] },
  command: ["./no-such-agent"],
};

/** Returns the error of a call with options that types would not allow. */
function errorOf(options: object): Promise<Error> {
  return testBehavior(options as BehaviorOptions).then(
    () => new Error("no error"),
    (error: Error) => error,
  );
}

describe("testBehavior throws a TypeError that names the option", () => {
  test.each<readonly [string, object, string]>([
    ["an unknown one", { timeout: 5 }, 'testBehavior has no option "timeout". Did you mean'],
    ["an unknown one in inputs", { inputs: { profile: "v1" } }, 'Did you mean "profiles"?'],
    ["no inputs", { inputs: undefined }, 'the option "inputs" of testBehavior must be an object'],
    ["a name as inputs", { inputs: "v1" }, "it is 'v1'"],
    ["a name as profiles", { inputs: { profiles: "v1" } }, "must be a list of strings; it is 'v1'"],
    ["a text as command", { command: "./agent" }, 'the option "command"'],
    ["no subject", { subject: undefined }, 'the option "subject" of testBehavior'],
    ["no number of jobs", { jobs: Number.NaN }, 'the option "jobs"'],
    ["a time that timers cannot take", { timeoutMs: 2 ** 31 }, 'the option "timeoutMs"'],
    ["an endless time", { timeoutMs: Infinity }, 'the option "timeoutMs"'],
    ["a text as a flag", { isTestee: "yes" }, 'the option "isTestee"'],
  ])("for %s", async (_, options, message) => {
    const error = await errorOf({ ...RIGHT, ...options });
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(message);
    expect(error.message.length).toBeLessThan(200);
  });

  test("and for no options at all", async () => {
    const error = await errorOf(undefined as unknown as object);
    expect(error.message).toBe("testBehavior requires an object with options, not undefined");
  });
});

describe("wrong values are InputErrors whose texts name no flags", () => {
  test.each<readonly [string, object, string]>([
    ["several profiles", { inputs: {} }, "option inputs"],
    ["an unknown profile", { inputs: { profiles: ["v9"] } }, 'unknown profile "v9"'],
    ["an unknown subject", { subject: "proxy" }, 'unknown subject "proxy"'],
    ["an empty command", { command: [""] }, "no command is given"],
    ["an unknown script", { only: ["zzz"] }, 'no script and no rule is named "zzz"'],
    ["scripts for testees", { only: ["order"] }, "option isTestee"],
    ["an empty list of scripts", { only: [] }, "no script is selected"],
  ])("%s", async (_, options, message) => {
    const error = await errorOf({ ...RIGHT, ...options });
    expect(error.name).toBe("InputError");
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("--");
  });
});

test("compareCodec checks its options in the same way", async () => {
  const options = { inputs: { profiles: ["v1"] }, command: ["x"], definition: ["Plan"] };
  await expect(compareCodec(options as never)).rejects.toThrow('Did you mean "definitions"?');
});

test("a program that does not exist fails the run once", async () => {
  const { name, message } = await errorOf(RIGHT);
  expect([name, message]).toEqual([
    "OutputError",
    "./no-such-agent cannot be started: there is no such program.",
  ]);
});
