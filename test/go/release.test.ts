import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { ROOT } from "../support/paths.js";
import { goTest, temporaryFolder } from "./go-test.js";
import { MODULE, run, runGo } from "./toolchain.js";

/** What the workflow runs to tag the module. */
const SCRIPT = /- name: Tag the Go module[^]*?run: \|\n([^]*)$/.exec(
  readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8"),
)![1]!;

/** The command of GitHub, as far as the workflow uses it, on a repository in a folder. */
const GH = `#!/bin/sh
echo "$@" >> "$CALLS"
shift
case "$1" in
  repos/acme/acp/git/refs/*) git -C "$REPOSITORY" show-ref --verify "refs/\${1#*/refs/}" ;;
  repos/acme/acp/git/refs) git -C "$REPOSITORY" update-ref "\${3#ref=}" "\${5#sha=}" ;;
esac
`;

const PROGRAM = `package main

import (
	"fmt"

	"github.com/acp-codegen/acp-codegen/out/go/acpv1"
)

func main() {
	fmt.Println(string(acpv1.StopReasonEndTurn))
}
`;

goTest("a release can be fetched by its version from the path of the module", () => {
  const folder = temporaryFolder();
  const repository = join(folder, "repository");
  cpSync(MODULE, join(repository, "out/go"), { recursive: true });
  const git = (...args: readonly string[]): string => {
    const name = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
    const { code, out, err } = run("git", [...name, ...args], { cwd: repository });
    expect(code, err).toBe(0);
    return out.trim();
  };
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "Release");

  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "gh"), GH, { mode: 0o755 });
  const env = {
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    CALLS: join(folder, "calls"),
    REPOSITORY: repository,
    GITHUB_REPOSITORY: "acme/acp",
    GITHUB_REF_NAME: "v0.1.0",
    GITHUB_SHA: git("rev-parse", "HEAD"),
  };
  const tag = (): ReturnType<typeof run> => run("bash", ["-e", "-c", SCRIPT], { env });
  expect(tag()).toMatchObject({ code: 0 });
  expect(tag()).toMatchObject({ code: 0, out: expect.stringContaining("tagged already") });
  const calls = readFileSync(env.CALLS, "utf8").split("\n");
  expect(calls.filter((call) => call.includes("sha="))).toHaveLength(1);

  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "main.go"), PROGRAM);
  // The address of the module is that of the repository above.
  writeFileSync(
    join(folder, "gitconfig"),
    `[url "${pathToFileURL(repository).href}"]\n\tinsteadOf = https://github.com/acp-codegen/acp-codegen\n`,
  );
  const fetching = {
    GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
    GIT_ALLOW_PROTOCOL: "file",
    GOPROXY: "direct",
    GONOSUMDB: "*",
    GOMODCACHE: join(folder, "modules"),
    GOFLAGS: "-mod=mod -modcacherw",
  };
  const go = (...args: readonly string[]): string => {
    const { code, out, err } = runGo(args, { cwd: project, env: fetching });
    expect(code, err).toBe(0);
    return out;
  };
  go("mod", "init", "example.org/project");
  go("get", "github.com/acp-codegen/acp-codegen/out/go@v0.1.0");
  expect(go("run", ".")).toBe("end_turn\n");
});
