import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { ROOT } from "../../../support/paths.js";

const url = (path: string): string =>
  JSON.stringify(pathToFileURL(join(ROOT, "out/typescript/dist", path)).href);

/** Runs an agent that prints to standard output, and says hello to it. */
function run(): { readonly stdout: string; readonly stderr: string } {
  const program = `
    import { createAgent } from ${url("v1/index.js")};
    import { stdio } from ${url("runtime/stdio/index.js")};
    const handlers = { session: { new: () => ({ sessionId: "s" }), prompt: () => ({ stopReason: "end_turn" }), cancel: () => {} } };
    const agent = createAgent({ info: { name: "a", version: "1" }, handlers });
    const { closed } = agent.connect(stdio());
    console.log("first line\\nsecond line");
    console.log("again");
    await closed;
  `;
  const request = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  const args = ["--input-type=module", "-e", program];
  return spawnSync(process.execPath, args, {
    input: `${JSON.stringify(request)}\n`,
    encoding: "utf8",
  });
}

it("text that a program prints goes to standard error and is reported once", () => {
  const { stdout, stderr } = run();
  const lines = stdout.trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1]);
  expect(stderr).toBe(
    "acp: redirected a write to standard output, which is reserved for messages: first line; " +
      "print to standard error instead\nfirst line\nsecond line\nagain\n",
  );
});
