import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { init } from "../../generators/run/init/init.js";
import { pythonTest, runPython } from "./run-python.js";

const root = mkdtempSync(join(tmpdir(), "acp-starter-"));
const project = join(root, "my-agent");
// As if it were installed.
const env = {
  PYTHONPATH: [join(project, "src"), join(project, "acp/python")].join(delimiter),
};

beforeAll(() => init(project, { starter: "agent", language: "python", name: "@me/notes" }));
afterAll(() => rmSync(root, { recursive: true, force: true }));

pythonTest("the starter passes its own tests", () => {
  const { err, code } = runPython(["-m", "unittest", "discover", join(project, "tests")], "", env);
  expect(err).toMatch(/Ran 2 tests[^]*^OK$/m);
  expect(code).toBe(0);
});

pythonTest("the starter answers on standard output", () => {
  const call = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  const { out } = runPython(["-m", "echo_agent"], `${JSON.stringify(call)}\n`, env);
  expect(JSON.parse(out)).toMatchObject({ result: { agentInfo: { name: "echo-agent" } } });
});

pythonTest("the starter has the name of the project, without its npm scope", () => {
  const manifest = readFileSync(join(project, "pyproject.toml"), "utf8");
  expect(manifest).toContain('name = "notes"');
  expect(manifest).toContain('notes = "echo_agent.__main__:main"');
});
