// Installs packed tarballs in an empty folder, as a user does, and works with them: generates, makes the starters,
// packs and installs those, and has the client talk to the agent. Run by the release workflow and the deep tests.
// Arguments: the tarballs of acp-codegen and acp-bindings.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [tool, bindings] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), "acp-smoke-"));

/** Runs a command in a folder and returns what it prints. */
function run(cwd, input, command, ...args) {
  process.stdout.write(`${cwd.slice(folder.length) || "/"} $ ${command} ${args.join(" ")}\n`);
  const stdio = ["pipe", "pipe", "inherit"];
  return execFileSync(command, args, { cwd, input, stdio, encoding: "utf8", timeout: 300_000 });
}

function emptyProject(name) {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "type": "module" }\n');
  return project;
}

const install = (project, ...tarballs) =>
  run(project, "", "npm", "install", "--prefer-offline", "--ignore-scripts", ...tarballs);

try {
  const app = emptyProject("app");
  install(app, tool, bindings);
  run(app, "", "npx", "acp-codegen", "generate", "--profile", "v1", "--target", "types", "package");
  assert(existsSync(join(app, "out/typescript/src/v1/types.ts")));
  run(app, "", "npx", "acp-codegen", "verify");

  // The starters, packed and installed where neither the tool nor the bindings are.
  const starters = ["agent", "client", "adapter"].map((starter) => {
    run(app, "", "npx", "acp-codegen", "init", `my-${starter}`, "--starter", starter);
    const project = join(app, `my-${starter}`);
    run(project, "", "npm", "install", "--prefer-offline");
    run(project, "", "npm", "test");
    run(project, "", "npm", "pack");
    return join(
      project,
      readdirSync(project).find((file) => file.endsWith(".tgz")),
    );
  });
  const consumer = emptyProject("consumer");
  install(consumer, ...starters, bindings);
  const bin = join(consumer, "node_modules/.bin");
  const output = run(consumer, "Hello\n", `${bin}/my-client`, `${bin}/my-agent`);
  assert.match(output, /Hello/);
  const request = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  const answer = run(consumer, `${JSON.stringify(request)}\n`, `${bin}/my-adapter`);
  assert.equal(JSON.parse(answer.split("\n")[0]).result.protocolVersion, 1);

  // A client on the packed bindings.
  writeFileSync(
    join(consumer, "client.js"),
    `import { createClient } from "acp-bindings/v1";
import { spawnAgent } from "acp-bindings/stdio";

const client = createClient({
  info: { name: "smoke", version: "1.0.0" },
  handlers: {
    session: {
      update: ({ update }) => console.log(update.sessionUpdate),
      requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
    },
  },
});
const connection = await client.connect(spawnAgent(process.argv[2], []));
const { sessionId } = await connection.agent.session.new({ cwd: process.cwd(), mcpServers: [] });
await connection.agent.session.prompt({ sessionId, prompt: [{ type: "text", text: "Hello" }] });
connection.close();
`,
  );
  assert.match(run(consumer, "", "node", "client.js", `${bin}/my-agent`), /agent_message_chunk/);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
