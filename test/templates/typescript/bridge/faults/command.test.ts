import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { deepTest } from "../../../../support/deep.js";
import { HELLO, start, startRaw } from "./running.js";

const LONG = 33 * 1024 * 1024;

describe("a line that is too long", () => {
  test("of the agent fails the request that it answers", async () => {
    const { child, send, until, errors, code } = start(
      `const take = ({ id }) => send({ id, result: { sessions: [], _meta: { x: "x".repeat(${LONG}) } } });`,
    );
    send(HELLO);
    send({ id: 7, method: "session/list", params: {} });
    expect((await until(7)).at(-1)).toMatchObject({ error: { message: "Line too long" } });
    expect(errors()).toContain("is longer than the limit of 32 MiB");
    child.stdin.end();
    await code;
  });
});

describe("a side that ends without a close", () => {
  deepTest(
    "an agent that closes its output but continues to run fails the pending requests",
    async () => {
      const { send, until, child, code } = start(
        'const take = () => require("node:fs").closeSync(1); setInterval(() => {}, 1000);',
      );
      send(HELLO);
      send({ id: 7, method: "session/list", params: {} });
      expect((await until(7)).at(-1)).toMatchObject({ error: { message: "The agent has ended" } });
      child.stdin.end();
      expect(await code).toBe(128 + 15);
    },
    20_000,
  );

  test("an editor that closes its reader ends the agent", async () => {
    const { child, send, until, code } = start(
      "const take = ({ id }) => send({ id, result: { sessions: [] } }); process.stdin.on('end', () => process.exit(6));",
    );
    send(HELLO);
    await until(0);
    child.stdout.destroy();
    for (let id = 1; id < 20; id++) {
      send({ id, method: "session/list", params: {} });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await code).toBe(6);
  });
});

deepTest("an agent that never answers initialize is reported", async () => {
  const { child, send, errors, code } = startRaw(["-e", "process.stdin.resume()"]);
  send(HELLO);
  while (errors() === "") await new Promise((resolve) => setTimeout(resolve, 100));
  expect(errors()).toBe("acp-bridge: the agent does not answer initialize\n");
  child.stdin.end();
  await code;
});

describe("unusable arguments of the command", () => {
  test.skipIf(!existsSync("/dev/full"))(
    "a file for losses that is full is reported once, and the conversation continues",
    async () => {
      const notices = Array.from({ length: 3 }, () => ({
        method: "session/update",
        params: {
          sessionId: "s",
          update: { sessionUpdate: "notice", severity: "info", title: "?" },
        },
      }));
      const { child, send, until, errors, code } = start(
        `const take = ({ id }) => { for (const one of ${JSON.stringify(notices)}) send(one); send({ id, result: { sessions: [] } }); };`,
        "--losses",
        "/dev/full",
        "--quiet",
      );
      send(HELLO);
      send({ id: 7, method: "session/list", params: {} });
      expect((await until(7)).at(-1)).toMatchObject({ result: { sessions: [] } });
      child.stdin.end();
      await code;
      expect(errors()).toMatch(/^acp-bridge: \/dev\/full gets no more losses: .*ENOSPC.*\n$/);
    },
  );
});
