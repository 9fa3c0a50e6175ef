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

test("the programs of the package's README compile and print the documented output", () => {
  const readme = readFileSync(join(ROOT, "templates/package/README.md"), "utf8");
  const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!);
  prepare(programs.map((text, index) => [`package-${index}`, text]));
  const runOf = (marks: string): ReturnType<typeof run> => {
    const found = programs.findIndex((text) => text.includes(marks));
    expect(found, marks).not.toBe(-1);
    return run(`package-${found}.js`);
  };
  const silent = { stdout: "", stderr: "", status: 0 };
  expect(runOf("onAuthRequired")).toEqual(silent);
  expect(runOf("SessionStore")).toEqual(silent);
  expect(runOf("session.prompt")).toEqual(silent);
  expect(runOf("RpcError.resourceNotFound")).toEqual({
    ...silent,
    stdout: `session/new remote -32002 There is no such folder
session/prompt Error: the key sk-123 has expired
session/prompt remote -32603 Internal error
`,
  });
  expect(runOf("SessionNotification.decode").status).toBe(0);
  expect(runOf("paramsOf")).toEqual({ ...silent, stdout: "0\n1\n1\n" });
  expect(runOf("mock.calls")).toEqual({ ...silent, stdout: "session/new,session/prompt\n" });
});

test("the agent and the client of the README communicate, and the other programs print the documented output", () => {
  const programsOf = (path: string): readonly string[] =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
      ([, block]) => block!,
    );
  const [agent, client] = programsOf("README.md");
  const [parts] = programsOf("templates/docs/guides/tool/bindings.md");
  const [bridge] = programsOf("templates/docs/guides/tool/bridge.md");
  prepare([
    ["bridge", bridge!],
    ["agent", agent!],
    ["client", client!],
    ["parts", parts!],
  ]);
  expect(run("client.js")).toEqual({ stdout: "Hello", stderr: "", status: 0 });
  expect(run("bridge.js").stdout).toContain("end_turn\n");
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
