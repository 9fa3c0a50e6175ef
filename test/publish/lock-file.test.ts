import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findLockProblems } from "../../release/lock-problems.js";
import { readLock, type Lock, type Locked } from "../../release/lockfile.js";
import { findYoung, lockedVersions } from "../../release/young-versions.js";
import { ROOT } from "../paths.js";

const lock = readLock(ROOT);

describe("the lock file of this repository", () => {
  test("has exact versions from the registry with digests, and an entry for every dependency", () => {
    expect(findLockProblems(lock)).toEqual([]);
  });

  test("names every version once, whatever the folders that it is in", () => {
    const versions = lockedVersions(lock).map(({ name, version }) => `${name}@${version}`);
    expect(new Set(versions).size).toBe(versions.length);
    expect(versions.length).toBeGreaterThan(300);
    expect(lockedVersions(lock, ["ajv"]).every(({ name }) => name === "ajv")).toBe(true);
  });
});

/** A lock file with one dependency, changed. */
function lockWith(own: Locked, dependency: Locked = {}, more: Lock["packages"] = {}): Lock {
  const fine = { version: "1.0.0", integrity: "sha512-x" };
  return {
    packages: {
      "": { workspaces: ["part"], dependencies: { a: "1.0.0" }, ...own },
      "node_modules/a": { ...fine, ...dependency },
      ...more,
    },
  };
}

describe("a lock file is refused", () => {
  const cases: readonly [what: string, lock: Lock, problem: string][] = [
    [
      "for a range of versions",
      lockWith({ devDependencies: { a: "^1.0.0" } }),
      "package.json asks for a ^1.0.0, which is not one version",
    ],
    [
      "for a range in a workspace",
      lockWith({}, {}, { part: { dependencies: { a: "1" } } }),
      "part/package.json asks for a 1, which is not one version",
    ],
    ["without a digest", lockWith({}, { integrity: "" }), "node_modules/a has no sha512 digest"],
    [
      "with a digest that is too short",
      lockWith({}, { integrity: "sha1-x" }),
      "node_modules/a has no sha512 digest",
    ],
    [
      "for a place that is not the registry",
      lockWith({}, { resolved: "https://example.com/a.tgz" }),
      "node_modules/a is taken from https://example.com/a.tgz",
    ],
    [
      "for a link that is no workspace",
      lockWith({}, {}, { "node_modules/b": { link: true, resolved: "../b" } }),
      "node_modules/b is a link to ../b, which is no workspace",
    ],
    ...["git+ssh://git@example.com/b.git", "https://example.com/b.tgz", "file:../b", "me/b"].map(
      (from): [string, Lock, string] => [
        `for a dependency from ${from}`,
        lockWith(
          {},
          { dependencies: { b: from } },
          { "node_modules/b": { version: "1.0.0", integrity: "sha512-x" } },
        ),
        `node_modules/a needs b ${from}, which is not from the registry`,
      ],
    ),
    [
      "when an optional dependency, for another machine, has no entry",
      lockWith({}, { optionalDependencies: { "a-win32": "1.0.0" } }),
      "node_modules/a needs a-win32 1.0.0, which is not locked",
    ],
    [
      "when a dependency stands only where Node.js does not look",
      lockWith(
        {},
        { dependencies: { b: ">=1 <3 || 4.x" } },
        { "node_modules/c/node_modules/b": { version: "1.0.0", integrity: "sha512-x" } },
      ),
      "node_modules/a needs b >=1 <3 || 4.x, which is not locked",
    ],
  ];
  test.each(cases)("%s", (_, wrong, problem) => {
    expect(findLockProblems(wrong)).toEqual([problem]);
  });

  test("for nothing else", () => {
    const workspace = { "node_modules/part": { link: true, resolved: "part" }, part: {} };
    const nested = { "node_modules/a/node_modules/b": { version: "2.0.0", integrity: "sha512-x" } };
    const fine = { dependencies: { b: "npm:@me/b@^2.0.0" } };
    expect(findLockProblems(lockWith({}, fine, { ...workspace, ...nested }))).toEqual([]);
  });
});

describe("the age of versions", () => {
  let server: Server;
  const asked: string[] = [];
  beforeAll(async () => {
    const time = {
      created: "2020-01-01T00:00:00.000Z",
      "1.0.0": "2024-02-01T00:00:00.000Z",
      "2.0.0": "2024-03-01T00:00:00.000Z",
    };
    server = createServer((request, response) => {
      const name = decodeURIComponent(request.url!.slice(1));
      asked.push(name);
      const versions = { "1.0.0": { name, version: "1.0.0" }, "2.0.0": { name, version: "2.0.0" } };
      const tags = { latest: "2.0.0" };
      response.end(JSON.stringify({ name, time, versions, "dist-tags": tags }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    vi.stubEnv("npm_config_registry", `http://127.0.0.1:${port}/`);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.close();
  });

  test("is asked of the registry, once a package; those under a week are told", async () => {
    const versions = [
      { name: "a", version: "1.0.0" },
      { name: "a", version: "2.0.0" },
      { name: "@b/c", version: "3.0.0" },
    ];
    const now = Date.parse("2024-03-07T23:59:00.000Z");
    expect(await findYoung(versions, now)).toEqual([
      "@b/c 3.0.0 is not in the registry",
      "a 2.0.0 was published 2024-03-01T00:00:00.000Z, less than 7 days ago",
    ]);
    expect(asked.sort()).toEqual(["@b/c", "a"]);
    expect(await findYoung(versions.slice(0, 2), now + 60_000)).toEqual([]);
  });
});
