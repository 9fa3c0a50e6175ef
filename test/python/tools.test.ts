import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { PYTHON } from "./python-env.js";
import { runPython } from "./run-python.js";

/** Programs that use the package, with types. */
const USERS = "test/python/programs/users";

const folder = mkdtempSync(join(tmpdir(), "acp-readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The proxy of the README, which is a program with types. */
const PROXY = join(folder, "proxy.py");
const readme = readFileSync(join(ROOT, "templates/python/README.md"), "utf8");
const programs = [...readme.matchAll(/```python\n([^]*?)```/g)].map(([, program]) => program!);
writeFileSync(
  PROXY,
  programs.find((text) => text.includes("(Proxy):"))!,
);

/** The arguments of each tool; the package and its users are clean under all of them. */
const TOOLS = {
  ruff: ["check", "--no-cache", "out/python", USERS],
  "ruff format": ["format", "--no-cache", "--check", "out/python", "templates/python", USERS],
  mypy: ["--strict", "--no-incremental", "out/python/acp_bindings", USERS, PROXY],
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
