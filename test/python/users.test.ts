import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "../support/paths.js";
import { KEPT, playSessions } from "../support/play-sessions.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { runToEnd } from "../support/processes.js";
import { PYTHON_ENV, PYTHON_VARIABLES } from "./python-env.js";
import { readmeProgram } from "./readme-program.js";
import { pythonTest, runPython } from "./run-python.js";

const folder = temporaryFolder();
const program = (name: string): string => `test/python/programs/users/${name}.py`;

pythonTest("one agent serves clients of both versions", () => {
  const run = ["-W", "error", program("both")];
  expect(runPython(run)).toEqual({ code: 0, out: "", err: "" });
});

pythonTest.each([
  ["example_agent", ["Client sent:", "Hello", "Client sent:", "Bye"]],
  ["echo", ["Hello", "Bye"]],
] as const)("the example client of python-sdk, ported, talks to %s", (agent, said) => {
  const { code, out } = runPython([program("example_client"), program(agent)], "Hello\n\nBye\n");
  expect({ code, said: out.replaceAll("> ", "").trimEnd().split("\n") }).toEqual({
    code: 0,
    said: said.map((text) => `| Agent: ${text}`),
  });
});

pythonTest(
  "the README, and the manual's page for Python, begin with the same agent, which runs",
  () => {
    const [first, ...others] = ["README.md", "templates/site/guides/tool/python.md"].map(
      (file) =>
        /```python\n(import asyncio[^]*?)```/.exec(readFileSync(join(ROOT, file), "utf8"))![1]!,
    );
    expect(others).toEqual([first]);
    const file = join(folder, "readme_agent.py");
    writeFileSync(file, first!);
    const { code, out } = runPython([program("example_client"), file], "Hello\n");
    expect({ code, out }).toEqual({ code: 0, out: "> | Agent: Hello\n> " });
  },
);

pythonTest(
  "the agent and the client of the README talk, in an environment of their own",
  async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "agent.py"), readmeProgram("An agent"));
    writeFileSync(join(folder, "client.py"), readmeProgram("A client"));
    const python = runPython(["-c", "import sys; print(sys.executable, end='')"]).out;
    const ended = runToEnd(python, ["client.py"], {
      cwd: folder,
      // `python3` may be another interpreter, which does not have the package.
      env: { ...PYTHON_ENV, PATH: "" },
      timeout: 30_000,
    });
    const update =
      "SessionUpdateAgentMessageChunk(content=ContentBlockText(text='Hello', type='text'), session_update='agent_message_chunk')\n";
    expect(ended).toEqual({ code: 0, out: update, err: "" });
    expect(await playSessions([python, join(folder, "agent.py")], PYTHON_VARIABLES)).toEqual(KEPT);
  },
);

pythonTest("the agent and the editor with everything, which the README shows, converse", () => {
  const folder = temporaryFolder();
  for (const name of ["agent", "editor"])
    writeFileSync(join(folder, `${name}.py`), readmeProgram(`An ${name} with everything`));
  writeFileSync(join(folder, "notes.txt"), "Buy bread\n");
  const python = runPython(["-c", "import sys; print(sys.executable, end='')"]).out;
  const ended = runToEnd(python, ["-W", "error", "editor.py"], {
    cwd: folder,
    env: { ...PYTHON_ENV, NOTES_HOME: join(folder, "sessions") },
    timeout: 30_000,
  });
  expect(ended).toMatchObject({ out: EVERYTHING, err: "" });
  expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("Buy bread\nBuy milk\n");
});

pythonTest("the editor of the README names the signal that ended a command", () => {
  writeFileSync(join(folder, "notes_editor.py"), readmeProgram("An editor with everything"));
  const code = `
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from notes_editor import Editor, types

async def main():
    editor = Editor()
    command = types.CreateTerminalRequest(
        session_id="s", command="sh", args=["-c", "kill -9 $$"]
    )
    terminal_id = (await editor.terminal_create(command, None)).terminal_id
    params = types.WaitForTerminalExitRequest(session_id="s", terminal_id=terminal_id)
    print((await editor.terminal_wait_for_exit(params, None)).signal)

asyncio.run(main())`;
  expect(runPython(["-c", code, folder])).toEqual({ code: 0, out: "SIGKILL\n", err: "" });
});

/** The output of the editor with everything. */
const EVERYTHING = `sign in with token
commands sort
commands sort
the other turn: cancelled
allow Add a line? Always
user_message Buy milk
agent_thought A line is missing.
agent_message I add "Buy milk", says large${" "}
agent_message Buy bread
Buy milk

tool Add a line? completed
tool Sort completed
plan Edit completed
plan Sort completed
Model large
Mode code
session/prompt failed: the connection is closed: the agent exited with code 3
sign in with token
commands sort
user_message Buy milk
agent_message I add "Buy milk", says large${" "}
user_message /sort
agent_message Buy bread
Buy milk

tool Sort completed
Model large
Mode code
`;

pythonTest(
  "the programs of the README have at most 15 lines, and all of its code is Python",
  () => {
    const readme = readFileSync(join(ROOT, "out/python/README.md"), "utf8");
    const blocks = [...readme.matchAll(/```python\n([^]*?)```/g)].map(([, code]) => code!);
    for (const program of blocks.slice(0, 2))
      expect(program.split("\n").filter((line) => line.trim() !== "").length).toBeLessThan(16);
    const check =
      "import ast, json, sys\nfor code in json.load(sys.stdin):\n    compile(code, '', 'exec', ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)";
    expect(runPython(["-c", check], JSON.stringify(blocks))).toEqual({ code: 0, out: "", err: "" });
  },
);
