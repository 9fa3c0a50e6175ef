import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { PYTHON } from "./python-env.js";
import { readmeProgram } from "./readme-program.js";
import { runPython } from "./run-python.js";

/** Programs that use the package, with types. */
const USERS = "test/python/programs/users";

/** Those of the README, in a folder of their own. */
const folder = temporaryFolder();
for (const [name, title] of Object.entries({
  "agent.py": "An agent with everything",
  "editor.py": "An editor with everything",
  "proxy.py": "Logs, traces and proxies",
}))
  writeFileSync(join(folder, name), readmeProgram(title));

/** The arguments of each tool; the package and its users are clean under all of them. */
const TOOLS = {
  ruff: ["check", "--no-cache", "out/python", USERS],
  "ruff format": [
    "format",
    "--no-cache",
    "--check",
    "out/python",
    "templates/python",
    USERS,
    folder,
  ],
  mypy: ["--strict", "--no-incremental", "out/python/acp_bindings", USERS, folder],
  // Of everything, it takes half a minute.
  pyright: [
    "--pythonpath",
    PYTHON,
    "--project",
    `test/python/${IS_DEEP ? "pyrightconfig" : "pyright-quick"}.json`,
  ],
} as const;

/** Type checkers need a minute of processor time. */
const slow = { timeout: 300_000 };

function isInstalled(name: string): boolean {
  return runPython(["-c", `import ${name.split(" ")[0]!}`]).code === 0;
}

for (const [name, args] of Object.entries(TOOLS))
  test.runIf(isInstalled(name))(
    `the Python package and its users are clean under ${name}`,
    slow,
    () => {
      const { code, out, err } = runPython(["-m", name.split(" ")[0]!, ...args]);
      expect(out + err).not.toMatch(/\berror\b|would be reformatted/i);
      expect(code).toBe(0);
    },
  );

test.runIf(isInstalled("pyright"))("the programs of the README are clean under pyright", () => {
  const config = { pythonVersion: "3.10", typeCheckingMode: "strict" };
  const paths = { include: ["."], extraPaths: [`${ROOT}out/python`] };
  writeFileSync(join(folder, "pyrightconfig.json"), JSON.stringify({ ...config, ...paths }));
  const { code, out } = runPython(["-m", "pyright", "--pythonpath", PYTHON, "--project", folder]);
  expect({ code, out }, out).toMatchObject({ code: 0 });
});
