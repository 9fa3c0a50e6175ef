import { expect, test } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { PYTHON } from "./python-env.js";
import { runPython } from "./run-python.js";

/** Programs that use the package, with types. */
const USERS = "test/python/programs/users";

/** The arguments of each tool; the package and its users are clean under all of them. */
const TOOLS = {
  ruff: ["check", "--no-cache", "out/python", USERS],
  "ruff format": ["format", "--no-cache", "--check", "out/python", "templates/python", USERS],
  mypy: ["--strict", "--no-incremental", "out/python/acp_bindings", USERS],
  // Of everything, it takes half a minute.
  pyright: [
    "--pythonpath",
    PYTHON,
    "--project",
    `test/python/${IS_DEEP ? "pyrightconfig" : "pyright-quick"}.json`,
  ],
} as const;

function isInstalled(name: string): boolean {
  return runPython(["-c", `import ${name.split(" ")[0]!}`]).code === 0;
}

for (const [name, args] of Object.entries(TOOLS))
  test.runIf(isInstalled(name))(`the Python package and its users are clean under ${name}`, () => {
    const { code, out, err } = runPython(["-m", name.split(" ")[0]!, ...args]);
    expect(out + err).not.toMatch(/\berror\b|would be reformatted/i);
    expect(code).toBe(0);
  });
