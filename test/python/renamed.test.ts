import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { compile } from "../../generators/compile.js";
import { python } from "../../generators/emit/python/python.js";
import { renamedProtocol } from "../generators/emit/renamed.js";
import { readTemplates } from "../../generators/run/installation.js";
import { pythonTest, runPython } from "./run-python.js";

const folder = mkdtempSync(join(tmpdir(), "acp-renamed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const protocols = (["v1", "v2"] as const).map(renamedProtocol);
  const files = await compile(
    protocols,
    [python],
    {},
    { templates: readTemplates(), version: "0.0.0" },
  );
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}, 120_000);

pythonTest.each([1, 2])(
  "the runtime of version %i works with other names of methods",
  (version) => {
    const program = "test/python/programs/renamed.py";
    const { err, out } = runPython(["-W", "error", program, String(version)], "", {
      PYTHONPATH: join(folder, "python"),
    });
    expect(err).toBe("");
    expect(out.trim().split("\n")).toEqual([
      "turns",
      "empty_results",
      "cancellation",
      "closing",
      "authentication",
    ]);
  },
);
