import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { deepTest } from "../../../support/deep.js";
import { COMMAND, HELLO, start, startRaw } from "./running.js";

const LONG = 33 * 1024 * 1024;

describe("a line that is too long", () => {
  test("of the editor is answered with an error", async () => {
    const { child, send, until, code } = start("const take = () => {};");
    send(HELLO);
    await until(0);
    child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"cwd":"');
    child.stdin.write(`${"x".repeat(LONG)}"}}\n`);
    expect((await until(7)).at(-1)).toMatchObject({
      error: { code: -32600, message: "Line too long" },
    });
    child.stdin.end();
    await code;
  });

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

describe("a line that is not a message", () => {
  test("fails the request that it answers, in both directions", async () => {
    const { child, send, until, errors, code } = start(`
      const take = ({ id, method, error }) => {
        if (method === "session/list") {
          process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"sessions":[}}\\n');
          send({ id: "own", method: "_ask", params: {} });
        } else if (id === "own") send({ id: "received", method: "_result", params: error });
      };`);
    send(HELLO);
    send({ id: 7, method: "session/list", params: {} });
    const failed = (await until(7)).find(({ id }) => id === 7);
    expect(failed).toMatchObject({ error: { code: -32700 } });
    expect(errors()).toContain("is not a message");
    await until("own");
    child.stdin.write('{"jsonrpc":"2.0","id":"own","result":NaN}\n');
    const received = (await until("received")).find(({ id }) => id === "received");
    expect(received).toMatchObject({ params: { code: -32700 } });
    child.stdin.end();
    await code;
  });

  test("is not answered when a logger of the agent wrote it", async () => {
    const { child, send, until, errors, code } = start(`
      const received = [];
      const take = (message) => {
        if (message.method === undefined) received.push(message);
        else send({ id: message.id, result: { sessions: [], _meta: { received } } });
      };
      console.log('{"level":30}\\n[]\\nnull');`);
    send(HELLO);
    send({ id: 7, method: "session/list", params: {} });
    await until(7);
    send({ id: 8, method: "session/list", params: {} });
    expect((await until(8)).at(-1)).toMatchObject({ result: { _meta: { received: [] } } });
    expect(errors()).toContain('is not a message: "{\\"level\\":30}"');
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

  test("an agent that a signal ends gives the exit code of shells", async () => {
    const { child, code } = start("process.kill(process.pid, 'SIGKILL');");
    expect(await code).toBe(128 + 9);
    child.stdin.end();
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
  test("an empty command is an error of its use", async () => {
    const child = spawn(process.execPath, [COMMAND, "--", ""]);
    let error = "";
    child.stderr.on("data", (chunk: Buffer) => (error += chunk.toString()));
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(2);
    expect(error).toContain("the agent's command is missing");
  });

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
