import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

describe.each(["ci", "release"])("the workflow %s", (name) => {
  const text = read(`.github/workflows/${name}.yml`);

  test("uses actions by their commit only", () => {
    const uses = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(1);
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action!))).toEqual([]);
  });

  test("never runs with the rights of a pull request's target", () => {
    expect(text).not.toMatch(/pull_request_target|workflow_run|issue_comment/);
  });

  test("caches nothing, and keeps no credentials of the checkout", () => {
    expect(text).not.toMatch(/actions\/cache|\n\s+cache:/);
    const checkouts = text.split("actions/checkout@").slice(1);
    for (const checkout of checkouts)
      expect(checkout).toMatch(/^\S+.*\n\s+with:\n\s+persist-credentials: false/);
  });

  test("installs without running scripts", () => {
    const installs = text.match(/npm (ci|install|i)\b[^\n]*/g) ?? [];
    expect(installs.filter((line) => !line.includes("--ignore-scripts"))).toEqual([]);
  });

  test("interpolates nothing into a script", () => {
    expect(text.match(/run: [^\n]*\$\{\{/g)).toBeNull();
  });
});

test("the workflow of pushes and pull requests can only read", () => {
  const text = read(".github/workflows/ci.yml");
  expect(text).toMatch(/\npermissions:\n {2}contents: read\n/);
  expect(text).not.toMatch(/: write|secrets\.|environment:/);
});

describe("the release workflow", () => {
  const text = read(".github/workflows/release.yml");
  const jobs = new Map(
    text
      .slice(text.indexOf("\njobs:") + 7)
      .split(/\n {2}(?=[a-z-]+:\n)/)
      .map((job) => [job.trim().split(":")[0]!, job]),
  );

  test("runs on tags only", () => {
    expect(text).toMatch(/\non:\n {2}push:\n {4}tags: /);
    expect(text).not.toMatch(/pull_request/);
  });

  test("gives the right to publish to one job, after an approval, without a token", () => {
    expect(text).toMatch(/\npermissions: \{\}\n/);
    const publishing = [...jobs].filter(([, job]) => job.includes("id-token: write"));
    expect(publishing.map(([name]) => name)).toEqual(["publish"]);
    expect(publishing[0]![1]).toContain("environment: release");
    expect(text).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|secrets\./);
  });

  test("checks signatures and versions before it packs, and the tarballs before it publishes", () => {
    const build = jobs.get("build")!;
    const steps = [
      ...["npm audit signatures", "The tag is the version", "npm run check", "npm pack"],
      ...["-m build", "bundle-go.ts", "smoke.mjs", "--no-index", "npm sbom", "upload-artifact"],
    ].map((step) => build.indexOf(step));
    expect(steps).not.toContain(-1);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  test("runs only git where it may push", () => {
    const pushing = [...jobs].filter(([, job]) => job.includes("contents: write"));
    expect(pushing.map(([name]) => name)).toEqual(["tag"]);
    expect(pushing[0]![1]).not.toMatch(/npm|npx|node|go run|bin\//);
  });

  test("publishes the tarballs that were tested", () => {
    expect(jobs.get("publish")).not.toMatch(/npm run|tsx|npm ci|npm pack|-m build/);
    expect(jobs.get("publish")).toContain("npm publish");
    expect(jobs.get("publish")).toMatch(/uv==[\d.]+ publish .* tarballs\/python/);
  });
});
