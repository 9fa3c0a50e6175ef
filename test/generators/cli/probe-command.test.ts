import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ProbeResult } from "../../../generators/tools/probe/probe.js";
import { ROOT } from "../../support/paths.js";
import { runCommand } from "./run-command.js";

const AGENT = join(ROOT, "test/generators/cli/raw-agent.mjs");

async function probe(behavior: object, ...flags: string[]) {
  const command = [process.execPath, AGENT, JSON.stringify(behavior)];
  const { code, out, err } = await runCommand(["probe", "--json", ...flags, "--", ...command]);
  expect(err).toBe("");
  const result = JSON.parse(out) as ProbeResult;
  return { code, result, steps: result.steps.map(({ method, works }) => `${method} ${works}`) };
}

describe("acp-codegen probe", () => {
  test("says what an agent advertises, and which features work", async () => {
    const { code, result, steps } = await probe(
      { refuses: { "session/load": -32603 } },
      ...["--prompt", "Hello"],
    );
    expect(code).toBe(0);
    expect(result).toMatchObject({
      ...{ usable: true, name: "raw", version: "1.2.3", protocolVersions: [1, 2] },
      capabilities: ["loadSession", "sessionCapabilities.list"],
      authMethods: [{ id: "key", type: "agent" }],
      updates: { agent_message_chunk: 2 },
    });
    expect(steps).toEqual([
      ...["initialize true", "session/new true", "session/prompt true", "session/list true"],
      ...["session/load false"],
    ]);
    expect(result.steps.map(({ detail }) => detail)).toEqual([
      ...["", "s1", "end_turn", "1 in the list", "-32603 refused"],
    ]);
  });

  test("speaks version 2 with an agent that knows no other", async () => {
    const { code, result, steps } = await probe({ version: 2 }, "--prompt", "Hello");
    expect({ code, versions: result.protocolVersions }).toEqual({ code: 0, versions: [2] });
    expect(result.steps[2]!.detail).toBe("end_turn");
    expect(steps).toContain("session/close true");
  });

  test.each([
    ["refuses sessions", { refuses: { "session/new": -32000 } }, "sign in first: refused"],
    ["is silent", { silent: ["session/new"] }, "silent for 1000 ms"],
  ])("exits 1 for an agent that %s", async (_, behavior, detail) => {
    const { code, result } = await probe(behavior, "--timeout", "1");
    expect({ code, usable: result.usable }).toEqual({ code: 1, usable: false });
    expect(result.steps.at(-1)!.detail).toBe(detail);
  });

  test("reports what the protocol does not allow", async () => {
    const { result } = await probe({ noise: "Starting…\n" }, "--prompt", "Hello");
    expect(result.findings.map(({ rule }) => rule)).toContain("not-json");
  });

  test("checks what it says for either version, and counts what it asks for", async () => {
    const { result } = await probe({ hybrid: true });
    expect(result).toMatchObject({ usable: true, protocolVersions: [1, 2] });
    expect(result.findings).toMatchObject([{ rule: "required", path: "/result/info" }]);
    const asked = await probe({}, "--prompt", "Hello");
    expect(asked.result.requests).toEqual({ "session/request_permission": 1 });
  });

  test("is not usable in a version that nobody speaks", async () => {
    const { code, result } = await probe({ version: 7 });
    expect({ code, versions: result.protocolVersions }).toEqual({ code: 1, versions: [] });
    expect(result.steps[0]!.detail).toBe("protocol version 7, which is neither 1 nor 2");
  });

  test("shows how an agent has ended", async () => {
    const broken = ["-e", "console.error('no key'); process.exit(3)"];
    const { code, out } = await runCommand(["probe", "--", process.execPath, ...broken]);
    expect(code).toBe(1);
    expect(out).toMatch(/initialize +fails +\d+ ms +the process exited with code 3\n/);
    expect(out).toContain("its standard error:\n  no key\nnot usable\n");
  });

  test("exits 3 for a program that does not exist", async () => {
    expect(await runCommand(["probe", "--", "no-such-agent"])).toEqual({
      ...{ code: 3, out: "" },
      err: "error: no-such-agent cannot be started: there is no such program.\n",
    });
  });
});
