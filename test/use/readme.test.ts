import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../paths.js";

// Inside the repository, so that the package is found by its name.
const folder = mkdtempSync(join(ROOT, "node_modules/.readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the agent and the client of the README compile and talk to each other", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [agent, client] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!);
  for (const [name, text] of [
    ["agent", agent!],
    ["client", client!],
  ] as const) {
    writeFileSync(join(folder, `${name}.ts`), text);
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    writeFileSync(join(folder, `${name}.js`), outputText);
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const program = ts.createProgram([join(folder, "agent.ts"), join(folder, "client.ts")], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
  });
  const problems = ts.getPreEmitDiagnostics(program);
  expect(
    problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")),
  ).toEqual([]);

  const { stdout, stderr, status } = spawnSync(process.execPath, ["client.js"], {
    cwd: folder,
    encoding: "utf8",
    timeout: 20_000,
  });
  expect({ stdout, stderr, status }).toEqual({
    stdout: "agent_message_chunk\n",
    stderr: "",
    status: 0,
  });
});
