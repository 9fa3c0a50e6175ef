import { appendFileSync, chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ownFeature } from "../generators/cli/own-feature.js";
import { deepDescribe, deepTest } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { pack } from "./pack.js";
import { COMMIT, INSTALL, strangersMachine, TIME } from "./strangers-machine.js";

/** The page whose snippets run here. */
const PAGE = readFileSync(join(ROOT, "templates/site/guides/tool/pipeline.md"), "utf8");

const { folder, run, works, write } = strangersMachine();

/** The tools that the page names, with their versions on record. */
const TOOLS = {
  "lint-staged": "17.6.1",
  nx: "22.7.12",
  prettier: "3.8.1",
  eslint: "10.15.0",
  "@biomejs/biome": "2.6.8",
  oxlint: "1.94.0",
};

/** Returns the text of the fence that has some words. */
function snippet(words: string): string {
  const fences = [...PAGE.matchAll(/```\w*\n([^]*?)```/g)].map(([, text]) => text!);
  return fences.find((text) => text.includes(words))!;
}

/** The lines that a workflow runs. */
function steps(workflow: string): readonly string[] {
  return [...workflow.matchAll(/- run: (.*)$/gm)].map(([, line]) => line!);
}

/** Changes the feature, so that the output is stale. */
function changeFeature(definition: string, project = "app"): void {
  write(`${project}/mine.feature.json`, ownFeature("A feature.", definition));
}

const isFresh = (): boolean => run("app", "npx", "acp-codegen", "generate", "--check").code === 0;

deepDescribe("the page about pipelines", () => {
  beforeAll(() => {
    const tool = pack(ROOT, folder).file;
    write("app/package.json", { name: "app", private: true, type: "module" });
    works("app", "npm", ...INSTALL, "--save-dev", tool);
    changeFeature("First");
    const output = { protocol: "v1", with: ["./mine.feature.json"], name: "mine" };
    write("app/acp-codegen.config.json", { outputs: [output] });
    write("app/.gitignore", "node_modules\n");
    works("app", "npx", "acp-codegen", "generate");
    works("app", "git", "init", "--quiet");
    works("app", "git", "add", "--all");
    works("app", "git", ...COMMIT);
  }, TIME);

  deepTest("has a workflow that passes for what is up to date only", { timeout: TIME }, () => {
    const lines = steps(snippet("name: bindings"));
    expect(lines).toEqual(["npm ci", "npx acp-codegen generate --check"]);
    works("", "git", "clone", "--quiet", "app", "checkout");
    for (const line of lines) works("checkout", "sh", "-c", line);
    appendFileSync(join(folder, "checkout/mine.feature.json"), " ");
    works("checkout", "sh", "-c", lines[1]!);
    changeFeature("Second", "checkout");
    expect(run("checkout", "sh", "-c", lines[1]!).code).toBe(1);
  });

  deepTest("has a hook that refuses a stale commit", { timeout: TIME }, () => {
    const hook = join(folder, "app/.git/hooks/pre-commit");
    write("app/.git/hooks/pre-commit", `#!/bin/sh\n${snippet("--check --quiet")}`);
    chmodSync(hook, 0o755);
    changeFeature("Second");
    works("app", "git", "add", "--all");
    const refused = run("app", "git", ...COMMIT);
    expect([refused.code, refused.text]).toEqual([1, expect.stringContaining("mine.feature.json")]);
    works("app", "npx", "acp-codegen", "generate");
    works("app", "git", "add", "--all");
    works("app", "git", ...COMMIT);
  });

  deepTest("has an entry for lint-staged that stages the output", { timeout: TIME }, () => {
    works("app", "npm", ...INSTALL, "--no-save", `lint-staged@${TOOLS["lint-staged"]}`);
    const own = JSON.parse(readFileSync(join(folder, "app/package.json"), "utf8")) as object;
    write("app/package.json", { ...own, ...(JSON.parse(snippet('"lint-staged"')) as object) });
    works("app", "git", "add", "--all");
    works("app", "git", ...COMMIT);
    changeFeature("Third");
    works("app", "git", "add", "mine.feature.json");
    works("app", "npx", "lint-staged");
    expect(works("app", "git", "status", "--porcelain")).not.toMatch(/^.[^ ]/m);
    expect(isFresh()).toBe(true);
    works("app", "git", ...COMMIT);
  });

  deepTest("has entries that keep formatters and linters off the output", { timeout: TIME }, () => {
    const { prettier, eslint, oxlint } = TOOLS;
    const biome = TOOLS["@biomejs/biome"];
    const packages = Object.entries({ prettier, eslint, oxlint, "@biomejs/biome": biome });
    works(
      "app",
      ...(["npm", ...INSTALL, "--no-save"] as [string, ...string[]]),
      ...packages.map(([name, version]) => `${name}@${version}`),
    );
    const entry = (name: string): string =>
      new RegExp(`^\\| ${name} .*\\| \`([^\`]*)\`\\s*\\|$`, "m").exec(PAGE)![1]!;
    write("app/main.js", "export  let  own = 1\n");
    write("app/.prettierignore", entry("Prettier"));
    write("app/.oxlintrc.json", `{ "ignorePatterns": [${entry("oxlint")}] }`);
    write("app/biome.json", `{ "files": { "includes": ["**", ${entry("Biome")}] } }`);
    write(
      "app/eslint.config.js",
      `export default [${entry("ESLint")}, { rules: { semi: "error", "prefer-const": "error" } }];`,
    );
    works("app", "npx", "prettier", "--write", ".");
    works("app", "npx", "eslint", "--fix", ".");
    works("app", "npx", "biome", "check", "--write", "--unsafe", ".");
    works("app", "npx", "oxlint", "--fix");
    // They did their work, on what is the user's.
    expect(readFileSync(join(folder, "app/main.js"), "utf8")).toBe("export const own = 1;\n");
    expect(isFresh()).toBe(true);
  });

  deepTest("has a project for Nx that runs once for the same inputs", { timeout: TIME }, () => {
    works("", "cp", "-r", "app", "nx");
    works("nx", "npm", ...INSTALL, "--save-dev", `nx@${TOOLS.nx}`);
    const own = JSON.parse(readFileSync(join(folder, "nx/package.json"), "utf8")) as object;
    const project = JSON.parse(snippet('"nx"')) as object;
    write("nx/package.json", {
      ...own,
      ...project,
      scripts: { generate: "acp-codegen generate" },
    });
    write("nx/nx.json", { useDaemonProcess: false, analytics: false });
    const generate = (): string => works("nx", "npx", "nx", "run", "app:generate");
    generate();
    expect(generate()).toMatch(/existing outputs match the cache|local cache/);
    changeFeature("Fourth", "nx");
    expect(generate()).not.toMatch(/existing outputs match the cache|local cache/);
  });

  // What a container takes away, without a daemon that starts one.
  const hasNamespaces =
    run("", "unshare", "--map-root-user", "--mount", "--net", "true").code === 0;
  test.runIf(hasNamespaces)(
    "has a container whose disk cannot be written, without a network and a home",
    { timeout: TIME },
    () => {
      const command = / (npx acp-codegen .*)$/m.exec(snippet("docker run"))![1]!;
      const inside = `mount --bind . . && mount -o remount,ro,bind . && cd . && unset HOME && cd "$PWD" && ! touch x 2>&1 && ${command}`;
      const flags = ["--map-root-user", "--mount", "--net", "sh", "-c", inside];
      works("app", "npx", "acp-codegen", "generate");
      works("app", "unshare", ...flags);
    },
  );
});
