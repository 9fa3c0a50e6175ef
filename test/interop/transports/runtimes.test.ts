import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** How each runtime runs a script; the set-up of the system tier installs the others. */
const RUNTIMES: { readonly [name: string]: readonly string[] } = {
  node: [process.execPath],
  bun: [find("bun"), "run"],
  deno: [find("deno"), "run", "--allow-all", "--no-prompt"],
};

const [absent, NAMES] = [false, true].map((isPresent) =>
  Object.keys(RUNTIMES).filter(
    (name) => (spawnSync(RUNTIMES[name]![0]!, ["--version"]).status === 0) === isPresent,
  ),
) as [string[], string[]];
const PAIRS = NAMES.flatMap((client) => NAMES.map((agent) => ({ client, agent })));
if (absent.length > 0)
  console.info(`not installed: skipped the conversations on ${absent.join(" and ")}`);

test.for(PAIRS)(
  "a turn of 20,000 updates keeps its order: client on $client, agent on $agent",
  { timeout: 120_000 },
  async ({ client, agent }) => {
    const [command, ...args] = [
      ...RUNTIMES[client]!,
      script("updates-client.mjs"),
      ...RUNTIMES[agent]!,
      script("updates-agent.mjs"),
    ];
    const { stdout } = await promisify(execFile)(command!, args, { cwd: ROOT });
    expect(JSON.parse(stdout)).toEqual({ stopReason: "end_turn", count: 20_000, misplaced: 0 });
  },
);

test.for(NAMES)("%s serves an agent, and connects to it", { timeout: 60_000 }, async (name) => {
  const [command, ...args] = [...RUNTIMES[name]!, script("remote-turn.mjs")];
  const { stdout } = await promisify(execFile)(command!, args, { cwd: ROOT });
  expect(JSON.parse(stdout)).toEqual([100, 100]);
});

/** Those that run TypeScript. */
const STRIPPING = NAMES.filter((name) => name !== "node" || "typescript" in process.features);
if (STRIPPING.length < NAMES.length)
  console.info("Node.js before 22.18 strips no types: skipped the sources without a build on it");

describe("sources without a build", () => {
  const folder = temporaryFolder();
  beforeAll(() =>
    generate({ out: join(folder, "acp"), profiles: ["v1"], layout: "flat", importExtension: "ts" }),
  );
  test.for(STRIPPING)("run on %s", { timeout: 60_000 }, async (name) => {
    const [command, ...args] = RUNTIMES[name]!;
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(folder, "main.ts"),
      `import { createAgent } from "./acp/v1/index.ts";
import { InitializeRequest } from "./acp/v1/schemas.ts";
console.log(typeof createAgent, InitializeRequest.is({ protocolVersion: 1 }));
`,
    );
    const main = join(folder, "main.ts");
    const { stdout } = await promisify(execFile)(command!, [...args, main], { cwd: folder });
    expect(stdout).toBe("function true\n");
  });
});

/** Returns the command that the set-up has installed, or else its name. */
function find(name: string): string {
  const path = join(ROOT, "node_modules/.cache/acp-runtimes/node_modules/.bin", name);
  return spawnSync(path, ["--version"]).status === 0 ? path : name;
}

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
