import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BehaviorScript, ScriptStep } from "../../generators/index.js";
import { playScript } from "../../generators/tools/conformance/behavior/play-script.js";
import { startSubject } from "../../generators/tools/processes/subject-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** How long a program may take to start: other work of the machine may stop it for seconds. */
const START_MS = 60_000;

/** Plays steps with a program that handles each message; `say` writes one, or text as it is. */
async function play(
  steps: readonly ScriptStep[],
  body: string,
  script: Partial<BehaviorScript> = {},
  startMs = START_MS,
) {
  const file = join(temporaryFolder(), "subject.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const say = (value) => process.stdout.write(typeof value === "string" ? value : JSON.stringify(value) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => { const message = JSON.parse(line); ${body} });`,
  );
  const subject = await startSubject([process.execPath, file]);
  const common = {
    id: "x",
    subject: "agent",
    says: "",
    rule: "r",
    level: "must",
    version: 1,
  } as const;
  try {
    const { outcome } = await playScript({ ...common, testee: true, ...script, steps }, subject, {
      timeoutMs: 700,
      startMs,
    });
    return outcome;
  } finally {
    await subject.kill();
  }
}

/** Returns whether a process runs; one that has ended and waits for its parent does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

const HELLO: ScriptStep = { send: { id: 1, method: "a" } };
const ANSWER: ScriptStep = { expect: { id: 1, result: {} } };

describe("a script fails, and says why, when the subject", () => {
  const failures: { readonly [title: string]: readonly [string, RegExp] } = {
    exits: ["process.exit(3)", /exited with code 3 while .*"id":1/],
    "is ended by a signal": ['process.kill(process.pid, "SIGKILL")', /was ended by SIGKILL/],
    "prints something else": ['say("hello\\n")', /not JSON: hello/],
    "answers otherwise": ["say({ id: 1, error: {} })", /expected .*"result".* received .*"error"/],
    "answers another request": ["say({ id: 2, result: {} })", /received .*"id":2/],
  };
  test.each(Object.entries(failures))("%s", async (_, [body, reason]) => {
    const outcome = await play([HELLO, ANSWER], body);
    expect(outcome).toMatchObject({ kind: "failed", step: 2 });
    expect((outcome as { reason: string }).reason).toMatch(reason);
  });

  test("is silent", async () => {
    const outcome = await play([HELLO, ANSWER], "setInterval(() => {}, 1000)", {}, 2000);
    expect(outcome).toMatchObject({ kind: "failed", step: 2 });
    expect((outcome as { reason: string }).reason).toMatch(/silent for 2000 ms while/);
  });

  test("was done before, which shows nothing", async () => {
    const step: ScriptStep = {
      expect: { id: 1, result: "cancelled" },
      race: { id: 1, result: {} },
    };
    expect(await play([HELLO, step], "say({ id: 1, result: {} })")).toMatchObject({
      kind: "not-tested",
    });
    const inTime = await play([HELLO, step], 'say({ id: 1, result: "cancelled" })');
    expect(inTime).toEqual({ kind: "passed" });
    const wrong = await play([HELLO, step], "say({ id: 2, result: {} })");
    expect(wrong).toMatchObject({ kind: "failed" });
  });

  test("repeats what it must not", async () => {
    const step: ScriptStep = { expect: { id: 1 }, without: "secret" };
    const outcome = await play([HELLO, step], 'say({ id: 1, result: "a secret" })');
    expect(outcome).toMatchObject({ kind: "failed", reason: expect.stringContaining("contains") });
  });

  test("nests an unexpected answer too deep to walk through", async () => {
    const deep = '"[".repeat(20000) + "]".repeat(20000)';
    const outcome = await play([HELLO, ANSWER], `say('{"id":2,"result":' + ${deep} + "}\\n")`);
    expect(outcome).toMatchObject({ kind: "failed", step: 2 });
    expect((outcome as { reason: string }).reason).toContain("received");
  });

  test("never ends its line", async () => {
    const body = 'const more = () => process.stdout.write("x".repeat(1 << 20), more); more();';
    const outcome = await play([HELLO, { pause: 1500 }, ANSWER], body);
    expect(outcome).toMatchObject({ kind: "failed", reason: expect.stringContaining("not JSON") });
  });

  test("sends other messages without an end, slowly or fast", async () => {
    const steps = [HELLO, { ...ANSWER, skip: [{ n: 1 }] }];
    const slow = await play(steps, "setInterval(() => say({ n: 1 }), 100)", {}, 5000);
    expect(slow).toMatchObject({ reason: expect.stringContaining("only other messages came") });
    const body = 'const text = `{"n":1}\\n`.repeat(1000);';
    const fast = await play(
      steps,
      `${body} const more = () => process.stdout.write(text, more); more();`,
    );
    expect(fast).toMatchObject({ reason: "received more than 100,000 messages" });
  });

  test.skipIf(process.platform === "win32")("starts another process", async () => {
    const spawned = 'import("node:child_process").then(({ spawn }) => spawn("sleep", ["60"]).pid)';
    const body = `${spawned}.then((pid) => say({ id: 1, error: { pid } }))`;
    const outcome = await play([HELLO, ANSWER], body);
    const pid = Number(/"pid":(\d+)/.exec((outcome as { reason: string }).reason)![1]);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("sends what must not come", async () => {
    const step: ScriptStep = { expectNone: { id: 2 }, within: 300 };
    const outcome = await play([HELLO, ANSWER, step], "say({ id: 1, result: {} }); say({ id: 2 })");
    expect(outcome).toMatchObject({ kind: "failed", step: 3 });
  });

  test("sends messages in another order", async () => {
    const step: ScriptStep = { expectEach: { n: "$n" }, count: 2 };
    const outcome = await play([HELLO, step], 'say({ n: "1" }); say({ n: "0" })');
    expect(outcome).toMatchObject({ kind: "failed", step: 2 });
  });

  test("does not end", async () => {
    const outcome = await play(
      [HELLO, { close: true }, { expectExit: 300 }],
      "setInterval(() => {}, 1000)",
    );
    expect(outcome).toMatchObject({ kind: "failed", step: 3 });
  });
});

describe("a script is not tested when", () => {
  test("the subject does not advertise what it needs", async () => {
    const outcome = await play([HELLO, ANSWER], "say({ id: 1, result: { a: {} } })", {
      needs: ["a.b"],
    });
    expect(outcome).toEqual({ kind: "not-tested", reason: "the agent does not advertise a.b" });
  });

  test("the agent requires the user to sign in", async () => {
    const outcome = await play(
      [HELLO, ANSWER],
      'say({ id: 1, error: { code: -32000, message: "" } })',
    );
    expect(outcome.kind).toBe("not-tested");
  });

  test("the testee says that it does not have the behavior", async () => {
    const body =
      'say({ method: "session/update", params: { update: { content: { text: "unsupported" } } } })';
    expect((await play([HELLO, ANSWER], body)).kind).toBe("not-tested");
  });
});

describe("a script passes when", () => {
  test("messages that may come at any time come, and requests are answered by rule", async () => {
    const body = `if (message.method === "a") { say({ method: "noise" }); say({ id: 9, method: "ask" }); }
      if (message.id === 9) say({ id: 1, result: message.result });`;
    const outcome = await play([HELLO, { expect: { id: 1, result: { yes: true } } }], body, {
      skip: [{ method: "noise" }],
      replies: [{ to: { method: "ask" }, send: { id: "$id", result: { yes: true } } }],
    });
    expect(outcome).toEqual({ kind: "passed" });
  });

  test("a value that is too deep is kept, cut, and sent again", async () => {
    const steps: readonly ScriptStep[] = [
      HELLO,
      { expect: { id: { $let: "id" } } },
      { send: { id: "$id" } },
      { expect: { cut: true } },
    ];
    const deep = '"[".repeat(20000) + "]".repeat(20000)';
    const body = `say(message.id === 1 ? '{"id":' + ${deep} + "}\\n" : { cut: JSON.stringify(message).includes("levels") })`;
    expect(await play(steps, body)).toEqual({ kind: "passed" });
  });

  test("a value that was kept is sent and expected again", async () => {
    const steps: readonly ScriptStep[] = [
      HELLO,
      { expect: { id: 1, result: { session: { $let: "s" } } } },
      { send: { id: 2, of: "$s", text: "to ${s}" } },
      { expect: { id: 2, of: "$s", text: "to 7f" } },
    ];
    const body = 'say(message.id === 1 ? { id: 1, result: { session: "7f" } } : message)';
    expect(await play(steps, body)).toEqual({ kind: "passed" });
  });
});
