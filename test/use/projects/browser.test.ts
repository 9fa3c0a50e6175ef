import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { ROOT } from "../../support/paths.js";
import { launchBrowser } from "../../site/support/browser.js";

/** An agent and a client of every profile's kind that talk in memory; the result is left in `done`. */
const PROGRAM = `
import { connectVersions, memoryTransports, serveVersions } from "acp-bindings";
import { createMockAgent, createMockClient, UPDATES } from "acp-bindings/v1/mocks";
import { checkConformance } from "acp-bindings/conformance";

async function run() {
  const agent = createMockAgent();
  const client = createMockClient({ capabilities: "all" });
  const [near, far] = memoryTransports();
  serveVersions([agent], far);
  const connection = await connectVersions([client], near);
  const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
  const prompt = [{ type: "text", text: "Hello" }];
  const { stopReason } = await connection.agent.session.prompt({ sessionId, prompt });
  connection.close();
  const updates = client.calls.filter(({ method }) => method === "session/update").length;
  return {
    stopReason,
    whole: updates >= Object.keys(UPDATES).length,
    rules: typeof checkConformance,
    here: typeof process,
  };
}
globalThis.done = run();
`;
const EXPECTED = { stopReason: "end_turn", whole: true, rules: "function", here: "undefined" };

let browser: Browser;
let script: string;

beforeAll(async () => {
  const bundled = await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT },
    bundle: true,
    format: "iife",
    platform: "browser",
    write: false,
  });
  script = bundled.outputFiles[0]!.text;
  browser = await launchBrowser();
}, 60_000);

afterAll(() => browser?.close());

test("an agent and a client communicate in a page, under a policy without eval", async () => {
  const page = await browser.newPage();
  const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'">`;
  await page.setContent(`${policy}<script>${script.replaceAll("</script", "<\\/script")}</script>`);
  expect(await page.evaluate("globalThis.done")).toEqual(EXPECTED);
});

test("and in a worker", async () => {
  const page = await browser.newPage();
  // Written as text: this program knows the types of Node.js only.
  const done: unknown = await page.evaluate(`new Promise((resolve) => {
    const source = ${JSON.stringify(script)} +
      "\\nglobalThis.done.then(postMessage, (error) => postMessage(String(error)));";
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    worker.onmessage = ({ data }) => resolve(data);
  })`);
  expect(done).toEqual(EXPECTED);
});
