import { expect } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { pythonTest, runPython } from "./run-python.js";

/** What each tool is started with; the package is clean under all of them. */
const TOOLS = {
  ruff: ["check", "--no-cache", "out/python"],
  "ruff format": ["format", "--no-cache", "--check", "out/python", "templates/python"],
  mypy: ["--strict", "--no-incremental", "out/python/acp_bindings"],
  pyright: ["--project", "test/python/pyrightconfig.json"],
} as const;

const installed = Object.entries(TOOLS).filter(([name]) => {
  const [module] = name.split(" ");
  return IS_DEEP && runPython(["-c", `import ${module!}`]).code === 0;
});

if (IS_DEEP && installed.length < Object.keys(TOOLS).length)
  console.log("ruff, mypy or pyright is not here: skipped their checks of the Python package");

pythonTest.each(installed)("the Python package is clean under %s", (name, args) => {
  const [module] = name.split(" ");
  const { code, out, err } = runPython(["-m", module!, ...args]);
  expect(out + err).not.toMatch(/\berror\b|would be reformatted/i);
  expect(code).toBe(0);
});
