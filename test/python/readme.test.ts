import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { ROOT } from "../support/paths.js";
import { PYTHON_ENV } from "./python-env.js";
import { pythonTest } from "./run-python.js";

pythonTest("the agent and the client of the README talk", () => {
  const readme = readFileSync(join(ROOT, "templates/python/README.md"), "utf8");
  const programOf = (title: string): string =>
    new RegExp(`## ${title}\n\n\`\`\`python\n([^]*?)\`\`\``).exec(readme)![1]!;
  const folder = mkdtempSync(join(tmpdir(), "acp-python-"));
  try {
    writeFileSync(join(folder, "agent.py"), programOf("An agent"));
    writeFileSync(join(folder, "client.py"), programOf("A client"));
    const { stdout, stderr, status } = spawnSync("python3", ["client.py"], {
      cwd: folder,
      encoding: "utf8",
      env: PYTHON_ENV,
      timeout: 30_000,
    });
    expect({ stdout, stderr, status }).toEqual({ stdout: "Hello\n", stderr: "", status: 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
