import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { findTypeErrors } from "./find-type-errors.js";

// Inside the repository, so that the package is found by its name.
const folder = mkdtempSync(join(ROOT, "node_modules/.readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the programs of the package's README compile and print what they say", () => {
  const readme = readFileSync(join(ROOT, "templates/package/README.md"), "utf8");
  const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!);
  const [, connections, errors, mocks] = programs;
  expect(programs).toHaveLength(4);
  expect(errors).toContain("RpcError");
  prepare(programs.map((text, index) => [`package-${index}`, text]));
  expect(connections).toContain("createClient");
  expect(run("package-1.js")).toEqual({ stdout: "", stderr: "", status: 0 });
  expect(mocks).toContain("/mocks");
  expect(run("package-3.js")).toEqual({
    stdout: "session/new,session/prompt\n",
    stderr: "",
    status: 0,
  });
});

test("the agent and the client of the README talk, the parts of the bindings print what they say", () => {
  const programsOf = (path: string): readonly string[] =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
      ([, block]) => block!,
    );
  const [agent, client] = programsOf("README.md");
  const [parts] = programsOf("templates/docs/guides/tool/bindings.md");
  prepare([
    ["agent", agent!],
    ["client", client!],
    ["parts", parts!],
  ]);
  expect(run("client.js")).toEqual({ stdout: "agent_message_chunk\n", stderr: "", status: 0 });
  const { stdout, stderr, status } = run("parts.js");
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(stdout).toContain("rule: 'skip-invalid-items'");
  expect(stdout.trim().split("\n").at(-1)).toBe("[]");
});

/** Type-checks programs and writes them so that they can be run. */
function prepare(programs: readonly (readonly [name: string, text: string])[]): void {
  for (const [name, text] of programs) {
    writeFileSync(join(folder, `${name}.ts`), text);
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    writeFileSync(join(folder, `${name}.js`), outputText);
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  expect(
    findTypeErrors(programs.map(([name]) => join(folder, `${name}.ts`))).map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, " "),
    ),
  ).toEqual([]);
}

function run(file: string): { stdout: string; stderr: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], {
    cwd: folder,
    encoding: "utf8",
    timeout: 20_000,
  });
  return { stdout, stderr, status };
}
