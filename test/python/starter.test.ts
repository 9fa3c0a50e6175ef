import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "acp-bindings/remote";
import { CANCELLED, createClient } from "acp-bindings/v1";
import { beforeAll, expect, test } from "vitest";
import { init } from "../../generators/run/init/init.js";
import { IS_DEEP } from "../support/deep.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { PYTHON, PYTHON_ENV } from "./python-env.js";
import { pythonTest, remoteTest, runPython } from "./run-python.js";

const root = temporaryFolder();
const project = join(root, "My Agent");
// As if it were installed, without another package.
const env = { PYTHONPATH: join(project, "src") };

beforeAll(() => init(project, { starter: "agent", language: "python" }));
pythonTest("the starter passes its own tests", () => {
  const { err, code } = runPython(["-m", "unittest", "discover", join(project, "tests")], "", env);
  expect(err).toMatch(/Ran 4 tests[^]*^OK$/m);
  expect(code).toBe(0);
});

pythonTest("the starter answers on standard output", () => {
  const call = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  const { out } = runPython(["-m", "my_agent"], `${JSON.stringify(call)}\n`, env);
  expect(JSON.parse(out)).toMatchObject({ result: { agentInfo: { name: "echo-agent" } } });
});

remoteTest(
  "the starter serves clients on the same machine, and ends a turn before it stops",
  async () => {
    const child = spawn(PYTHON, ["-m", "my_agent", "--remote", "0"], {
      env: { ...PYTHON_ENV, ...env },
    });
    const [url] = (await once(child.stderr, "data")) as [Buffer];
    const handlers = { session: { requestPermission: () => CANCELLED } };
    const client = createClient({ info: { name: "test", version: "1" }, handlers });
    const connection = await client.connect(await connect(`${url}`.trim()));
    const session = await connection.newSession({ cwd: "/" });
    const turn = session.prompt("word ".repeat(30));
    for await (const _ of turn) if (!child.killed) child.kill("SIGTERM");
    expect(await turn).toMatchObject({ stopReason: "end_turn" });
    connection.close();
    await once(child, "close");
  },
);

pythonTest("the starter has the name of its folder, as Python packages are named", () => {
  const manifest = readFileSync(join(project, "pyproject.toml"), "utf8");
  expect(manifest).toContain('name = "My-Agent"');
  expect(manifest).toContain('My-Agent = "my_agent.__main__:main"');
  expect(JSON.parse(readFileSync(join(project, "package.json"), "utf8"))).not.toHaveProperty(
    "name",
  );
});

pythonTest("two starters in one environment have bindings of their own", async () => {
  const other = join(root, "other");
  await init(other, { starter: "agent", language: "python", name: "@me/class" });
  const both = [join(project, "src"), join(other, "src")].join(":");
  const program = `
import my_agent.agent, class_agent.agent, sys
assert my_agent.agent.Agent is not class_agent.agent.Agent
assert "acp_bindings" not in sys.modules
`;
  expect(runPython(["-c", program], "", { PYTHONPATH: both })).toMatchObject({ code: 0, err: "" });
});

test("a name without letters is refused for a Python project, before anything is written", async () => {
  const options = { starter: "agent", language: "python", name: "…", dryRun: true };
  await expect(init(join(root, "none"), options)).rejects.toThrow(
    '"…" is not a name for a project. Choose one with --name',
  );
});

for (const tool of ["mypy", "pyright"]) {
  const isInstalled = runPython(["-c", `import ${tool}`]).code === 0;
  test.runIf(isInstalled && IS_DEEP)(`the starter is clean under ${tool}`, () => {
    const config = join(project, "pyrightconfig.json");
    writeFileSync(config, '{ "include": ["src"], "typeCheckingMode": "strict" }');
    const args =
      tool === "mypy"
        ? ["--strict", "--no-incremental", join(project, "src")]
        : ["--project", config];
    expect(runPython(["-m", tool, ...args], "", env)).toMatchObject({ code: 0 });
  });
}
