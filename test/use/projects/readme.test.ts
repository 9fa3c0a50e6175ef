import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { KEPT, playSessions } from "../../support/play-sessions.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runToEnd, type Ended } from "../../support/processes.js";
import { findTypeErrors } from "./find-type-errors.js";

// Inside the repository, so that the package is found by its name.
const folder = temporaryFolder(join(ROOT, "node_modules/.readme-"));
/** The output of the editor with everything. */
const EVERYTHING = `sign in with Token
commands sort
commands sort
allow Edit notes.txt Always allow
user_message Buy milk
agent_thought A line is missing.
agent_message I add "Buy milk", says large${" "}
agent_message Buy bread
Buy milk

tool Edit notes.txt completed
tool Sort completed
plan Edit completed
plan Sort completed
mode code Model large
the other turn: cancelled
session/prompt failed: the connection is closed: the agent was ended by SIGKILL
sign in with Token
commands sort
user_message Buy milk
agent_message I add "Buy milk", says large${" "}
user_message /sort
agent_message Buy bread
Buy milk

tool Sort completed
mode code Model large
`;

test("the programs of the package's README compile and print the documented output", () => {
  const readme = readFileSync(join(ROOT, "out/typescript/README.md"), "utf8");
  const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!);
  prepare(programs.map((text, index) => [`package-${index}`, text]));
  const find = (marks: string): number => {
    const found = programs.findIndex((text) => text.includes(marks));
    expect(found, marks).not.toBe(-1);
    return found;
  };
  const runOf = (marks: string): ReturnType<typeof run> => run(`package-${find(marks)}.js`);
  const silent = { out: "", err: "", code: 0 };
  expect(runOf("onAuthRequired")).toEqual(silent);
  expect(runOf("SessionStore")).toEqual(silent);
  expect(runOf("session.prompt")).toEqual(silent);
  expect(runOf("createHttpHandler")).toEqual({ ...silent, out: "Hello from afar\n" });
  expect(runOf("sk-123")).toEqual({
    ...silent,
    out: `session/new remote -32002 There is no such folder
session/prompt Error: the key sk-123 has expired
session/prompt remote -32603 Internal error
`,
  });
  expect(runOf("SessionNotification.decode").code).toBe(0);
  expect(runOf("paramsOf")).toEqual({ ...silent, out: "0\n1\n1\n" });
  const [agent, editor] = ["terminal.wait()", "startTerminal"].map(find);
  copyFileSync(join(folder, `package-${agent!}.js`), join(folder, "agent.js"));
  writeFileSync(join(folder, "notes.txt"), "Buy bread\n");
  expect(run(`package-${editor!}.js`)).toEqual({ ...silent, out: EVERYTHING });
  expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("Buy bread\nBuy milk\n");
  expect(runOf("mock.calls")).toEqual({ ...silent, out: "session/new,session/prompt\n" });
});

test("the agent and the client of the README communicate, and the other programs print the documented output", async () => {
  const programsOf = (path: string): readonly string[] =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
      ([, block]) => block!,
    );
  const [agent, client] = programsOf("README.md");
  const [parts] = programsOf("templates/site/guides/tool/bindings.md");
  const [bridge] = programsOf("templates/site/guides/tool/bridge.md");
  prepare([
    ["bridge", bridge!],
    ["agent", agent!],
    ["client", client!],
    ["parts", parts!],
  ]);
  expect(run("client.js")).toEqual({ out: "Hello", err: "", code: 0 });
  expect(await playSessions([process.execPath, join(folder, "agent.js")])).toEqual(KEPT);
  expect(run("bridge.js").out).toContain("end_turn\n");
  const { code, out, err } = run("parts.js");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("rule: 'skip-invalid-items'");
  expect(out.trim().split("\n").at(-1)).toBe("[]");
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

function run(file: string): Ended {
  const env = { ...process.env, NOTES_HOME: join(folder, "sessions") };
  return runToEnd(process.execPath, [file], { cwd: folder, env, timeout: 20_000 });
}
