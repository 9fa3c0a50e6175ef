import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { isSkipped } from "../go/go-test.js";
import { run as runProgram } from "../go/toolchain.js";
import { runPython } from "../python/run-python.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { copySources } from "../support/tool-copy.js";

/*
 * The steps of the release workflow that pack, try and tag, in a copy whose commit has what ours have: Go and Python of
 * `v1`, and the other profiles in ignored files.
 */

const WORKFLOW = readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8");

/** Returns the script of a step. */
function step(name: string): string {
  const lines = WORKFLOW.split(`- name: ${name}`)[1]!.split("run: |\n")[1]!.split("\n");
  const end = lines.findIndex((line) => !line.startsWith(" ".repeat(10)));
  return lines.slice(0, end).join("\n");
}

const MODULE_PATH = "github.com/acp-codegen/acp-codegen/out/go";

const PROGRAM = `package main

import (
	"fmt"

	"${MODULE_PATH}/acpv1"
)

func main() {
	fmt.Println(string(acpv1.StopReasonEndTurn))
}
`;

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly version: string;
};
const folder = temporaryFolder();
const [checkout, origin, other] = ["checkout", "origin", "other"].map((name) => join(folder, name));

const ENV = {
  GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
  GITHUB_REPOSITORY: "acp-codegen/acp-codegen",
  GITHUB_REF_NAME: `v${version}`,
  RUNNER_TEMP: join(folder, "runner"),
};

/** Runs a program that must succeed. Returns what it prints. */
function run(cwd: string, program: string, args: readonly string[], env: object = {}): string {
  const { code, out, err } = runProgram(program, args, { cwd, env: { ...ENV, ...env } });
  expect(code, out + err).toBe(0);
  return out;
}

const runStep = (cwd: string, name: string, env = {}): string =>
  run(cwd, "bash", ["-e", "-o", "pipefail", "-c", step(name)], env);

/** The workflow runs on Linux, with the tools that `npm run python:tools` installs. */
const canRun =
  !isSkipped &&
  process.platform === "linux" &&
  (process.env["CI"] === "true" || runPython(["-c", "import build, hatchling"]).code === 0);

describe.runIf(canRun)("a release", { timeout: 1_200_000 }, () => {
  beforeAll(() => {
    copySources(checkout!, ["out", ".gitignore"]);
    symlinkSync(join(ROOT, "node_modules"), join(checkout!, "node_modules"));
    cpSync(join(ROOT, "dist"), join(checkout!, "dist"), { recursive: true });
    mkdirSync(ENV.RUNNER_TEMP);
    // The address of the repository is that of a folder.
    writeFileSync(
      ENV.GIT_CONFIG_GLOBAL,
      `[user]\n\tname = test\n\temail = test@example.org\n` +
        `[url "${pathToFileURL(origin!).href}"]\n\tinsteadOf = https://github.com/acp-codegen/acp-codegen\n`,
    );
    run(checkout!, "git", ["init", "--quiet"]);
    run(checkout!, "git", ["add", ".", ":!node_modules"]);
    run(checkout!, "git", ["commit", "--quiet", "--message", "Release"]);
    run(folder, "git", ["clone", "--quiet", "--bare", checkout!, origin!]);
    run(folder, "git", ["clone", "--quiet", "--depth", "1", pathToFileURL(origin!).href, other!]);
  });

  const profiles = ["v1", "v1-full", "v1-unstable", "v2", "v2-full", "v2-unstable"];

  test("has every profile in the npm package, the wheel and the Go module", () => {
    runStep(checkout!, "Pack");
    const tried = runStep(checkout!, "Import every profile from the packages");
    expect(tried.split("\n")).toEqual(expect.arrayContaining(profiles));
    expect(run(checkout!, "git", ["ls-files", "out/go/acpv2"])).toBe("");
  });

  test("tags a commit that go get fetches with the packages of every profile", () => {
    cpSync(join(checkout!, "tarballs"), join(other!, "tarballs"), { recursive: true });
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "gh"), "#!/bin/sh\n", { mode: 0o755 });
    const PATH = `${bin}${delimiter}${process.env["PATH"]}`;
    runStep(other!, "Tag the Go module", { PATH });
    runStep(other!, "Tag the Go module", { PATH });

    const project = join(folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, "main.go"), PROGRAM);
    const fetching = {
      GIT_ALLOW_PROTOCOL: "file",
      GOPROXY: "direct",
      GONOSUMDB: "*",
      GOMODCACHE: join(folder, "modules"),
      GOFLAGS: "-mod=mod -modcacherw",
    };
    const go = (...args: readonly string[]): string => run(project, "go", args, fetching);
    go("mod", "init", "example.org/project");
    go("get", `${MODULE_PATH}@v${version}`);
    expect(go("run", "-trimpath", ".")).toBe("end_turn\n");
    // They are compiled above.
    const packages = profiles.map((profile) => `${MODULE_PATH}/acp${profile.replace("-", "")}`);
    expect(
      go("list", ...packages)
        .trim()
        .split("\n"),
    ).toEqual(packages);
  });
});
