import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { PYTHON } from "./python-env.js";
import { runPython } from "./run-python.js";

const folder = temporaryFolder();
const canBuild = IS_DEEP && runPython(["-c", "import build, hatchling, twine"]).code === 0;
const wheelTest = test.runIf(canBuild);
/** Programs that an environment without any other package runs. */
const PROGRAM = `
from acp_bindings.v1 import Agent, schemas, types
from acp_bindings.v2 import Client
decoded = schemas.ContentBlock.decode_json('{"type":"text","text":"hi"}')
print(decoded.value == types.ContentBlockText(text="hi"))
`;

/** Builds the wheel and the source archive in a copy. Returns their paths. */
function build(name: string): string[] {
  const copy = join(folder, name);
  cpSync(join(ROOT, "out/python"), copy, { recursive: true });
  const { code, err } = runPython(["-m", "build", "--no-isolation", copy]);
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  return readdirSync(join(copy, "dist"))
    .sort()
    .map((file) => join(copy, "dist", file));
}

let wheel: string;

wheelTest(
  "the wheel is the same bytes when it is built again, and has the metadata that the index requires",
  () => {
    const first = build("first");
    const second = build("second");
    wheel = first.find((file) => file.endsWith(".whl"))!;
    const again = second.find((file) => file.endsWith(".whl"))!;
    expect(readFileSync(wheel).equals(readFileSync(again))).toBe(true);
    const checked = runPython(["-m", "twine", "check", "--strict", ...first]);
    expect(checked.out).not.toMatch(/FAILED|WARNING/);
    expect(checked.code).toBe(0);
  },
  120_000,
);

/** The interpreters that are here. */
const interpreters = [PYTHON, ...[10, 11, 12, 13, 14].map((minor) => `python3.${minor}`)].filter(
  (command) => canBuild && spawnSync(command, ["-c", ""]).status === 0,
);

wheelTest.each(interpreters)(
  "the wheel works in an empty environment of %s",
  (command) => {
    const place = join(folder, command.replaceAll(/\W/g, "-"));
    const run = (program: string, ...args: string[]): string => {
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
      return stdout;
    };
    run(command, "-m", "venv", place);
    const python = join(place, "bin/python");
    run(python, "-m", "pip", "install", "--quiet", "--no-index", wheel);
    expect(run(python, "-W", "error", "-c", PROGRAM)).toBe("True\n");
  },
  120_000,
);
