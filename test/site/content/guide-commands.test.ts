import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readTemplates } from "../../../generators/run/installation.js";
import { readGuides } from "../../../generators/emit/docs/articles/guides/read-guides.js";
import { spawnCommand } from "../../generators/cli/run-command.js";
import { ROOT } from "../../support/paths.js";
import { deepTest, IS_DEEP } from "../../support/deep.js";

// Without IS_DEEP one version is enough: the commands differ in its name only.
const versions = IS_DEEP ? ["v1", "v2"] : ["v1"];
const { examples } = readGuides(readTemplates()).find(
  ({ article }) => article.path === "getting-started.html",
)!;
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Runs a line of a guide in a folder: the command from its sources, the rest in a shell. */
function run(line: string, folder: string): void {
  const own = /^npx acp-codegen (.*)$/.exec(line);
  if (own !== null) {
    const { code, err } = spawnCommand(own[1]!.split(" "), { cwd: folder });
    expect(code, `${line}: ${err}`).toBe(0);
    return;
  }
  // The compiler is above the folder already, and a test does not use the network.
  const text = line.replace("npm install && ", "");
  const { status, stderr } = spawnSync(text, { cwd: folder, encoding: "utf8", shell: true });
  expect(status, `${line}: ${stderr}`).toBe(0);
}

describe.each(versions)("the commands of the guide to begin with, for %s,", (version) => {
  const [start, install, generate, compile, propose, ...others] = examples.filter(
    // Those in another language need a package from the network.
    ({ language, use }) => language === "sh" && (use === "" || use === "in TypeScript"),
  );
  // Inside the repository, so that the compiler is found.
  const folder = mkdtempSync(join(ROOT, "node_modules/.guide-"));
  folders.push(folder);
  const runAll = (text: string): void => {
    const named = text
      .replaceAll("%flags%", `--profile ${version}`)
      .replaceAll("%version%", version);
    for (const line of named.split("\n")) run(line, folder);
  };

  deepTest(
    "generate a package and build it",
    () => {
      expect(others).toEqual([]);
      // The starter is tested by itself, and guides.test.ts runs the programs.
      expect(start!.text).toContain("--starter agent");
      expect(compile!.text).toContain("agent.ts client.ts");
      expect(install!.needs).toBe("published");
      runAll(generate!.text.replace("\nnpm install ./generated/typescript", ""));
      expect(readdirSync(join(folder, "generated/typescript/dist", version))).toContain("index.js");
    },
    240_000,
  );

  test("generate types, stubs and pages of a proposal", () => {
    const proposal = examples.find(({ use }) => use === "file session-pin.json")!;
    const text = proposal.text.replaceAll("%version%", version);
    writeFileSync(join(folder, "session-pin.json"), text);
    runAll(propose!.text);
    for (const file of [
      "generated/typescript/src/pinned/types.ts",
      "generated/site/pinned/methods/session/pin.html",
    ])
      expect(existsSync(join(folder, file)), file).toBe(true);
  }, 240_000);
});
