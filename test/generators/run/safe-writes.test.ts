import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, parse, resolve } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import { acquireLock } from "../../../generators/run/generate/lock.js";
import type { HeldLock } from "../../../generators/run/options.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { readFolder } from "../golden/compile-mini.js";
import { ROOT } from "../../support/paths.js";
import { NODE_ARGS, runCommand, spawnCommand, startCommand } from "../cli/run-command.js";
import { IS_DEEP, deepDescribe, deepTest } from "../../support/deep.js";
import { listenTo, runToEnd } from "../../support/processes.js";

const folder = temporaryFolder();
const fast = { profiles: ["v1"], targets: ["schema"] };
const flags = ["--profile", "v1", "--target", "schema"];
const whole = join(folder, "whole");
beforeAll(async () => void (await generate({ ...fast, out: whole })));

/** The traces that our runs leave while they work. */
const leftOvers = (out: string): string[] =>
  existsSync(out) ? readdirSync(out).filter((name) => name.startsWith(".")) : [];

test("a run for the root of the file system is refused", async () => {
  for (const check of [false, true])
    await expect(generate({ ...fast, out: parse(folder).root, check })).rejects.toThrow(
      "the output folder is the root of the file system",
    );
});

describe("the lock", () => {
  const ROUNDS = IS_DEEP ? 100 : 1;
  deepTest(
    `lets runs wait for each other, so that eight at once leave one complete tree, ${ROUNDS} times`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const out = join(folder, `many-${round}`);
        await Promise.all(Array.from({ length: 8 }, () => generate({ ...fast, out })));
        expect(readFolder(out)).toEqual(readFolder(whole));
        rmSync(out, { recursive: true });
      }
    },
    600_000,
  );

  test.skipIf(!IS_DEEP)("also serializes processes", async () => {
    const out = join(folder, "processes");
    const runs = [1, 2, 3].map(() => startCommand(["generate", ...flags, "--out", out]));
    const codes = await Promise.all(
      runs.map(async (run) => (await once(run, "exit"))[0] as number),
    );
    expect(codes).toEqual([0, 0, 0]);
    expect(readFolder(out)).toEqual(readFolder(whole));
  });

  test("is reported with the run that holds it when that takes too long", async () => {
    const out = join(folder, "slow");
    const unlock = await acquireLock(out, { timeoutMs: 0 });
    const waits: HeldLock[] = [];
    const second = acquireLock(out, { timeoutMs: 60, onWait: (lock) => waits.push(lock) });
    await expect(second).rejects.toThrow(`is held by process ${process.pid}`);
    expect(waits).toEqual([{ pid: process.pid, file: join(out, ".acp-codegen.lock") }]);
    unlock();
    expect(existsSync(out)).toBe(false);
  });

  test("of another machine is never taken over, and reported at once with a hint", async () => {
    const out = join(folder, "foreign-lock");
    mkdirSync(out);
    // On this machine, the process has ended.
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const holder = { pid, host: "other-host", run: "x" };
    const file = join(out, ".acp-codegen.lock");
    writeFileSync(file, JSON.stringify(holder));
    const waits: HeldLock[] = [];
    const run = acquireLock(out, { timeoutMs: 60, onWait: (lock) => waits.push(lock) });
    await expect(run).rejects.toThrow(`process ${pid} on other-host`);
    expect(waits).toEqual([{ pid, host: "other-host", file }]);
  });

  const quiet = [[], ["--quiet"], ["--json"]];
  test.each(quiet.slice(0, IS_DEEP ? undefined : 1))(
    "that is waited for is named: %j",
    async (...more) => {
      const out = join(folder, "waited-for");
      const file = join(out, ".acp-codegen.lock");
      mkdirSync(out, { recursive: true });
      writeFileSync(file, JSON.stringify({ pid: 7, host: "other-host", run: "x" }));
      const child = startCommand(["generate", ...flags, ...more, "--out", out]);
      const [chunk] = (await once(child.stderr!, "data")) as [Buffer];
      expect(String(chunk)).toBe(
        `waiting for process 7 on other-host; if that run has ended, remove ${file}\n`,
      );
      rmSync(file);
      expect((await once(child, "exit"))[0]).toBe(0);
      expect(leftOvers(out)).toEqual([]);
    },
  );

  test("leaves nothing behind beside a folder with the name of a draft", async () => {
    const out = join(folder, "draft-folder");
    mkdirSync(join(out, ".acp-codegen.lock.d"), { recursive: true });
    await generate({ ...fast, out });
    expect(leftOvers(out)).toEqual([".acp-codegen.lock.d"]);
  });

  test.skipIf(!existsSync("/dev/zero"))("and files are not read through a link", async () => {
    const out = join(folder, "linked-lock");
    mkdirSync(out, { recursive: true });
    symlinkSync("/dev/zero", join(out, ".acp-codegen.lock"));
    await expect(generate({ ...fast, out })).rejects.toThrow("names no run that holds it");
    rmSync(join(out, ".acp-codegen.lock"));
    mkdirSync(join(out, ".acp-codegen"));
    symlinkSync("/dev/zero", join(out, ".acp-codegen/journal.json"));
    await generate({ ...fast, out });
    for (const path of ["acp-codegen.manifest.json", "schema/v1.meta.json"]) {
      rmSync(join(out, path));
      symlinkSync("/dev/zero", join(out, path));
      for (const check of [true, false])
        await expect(generate({ ...fast, out, check })).rejects.toThrow(/ is a symbolic link\. /);
      rmSync(join(out, path));
    }
  });

  test.each(["", "{}", "not JSON"])("that names no run is reported at once: %j", async (text) => {
    const out = join(folder, "no-holder");
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, ".acp-codegen.lock"), text);
    const run = acquireLock(out, { timeoutMs: 60_000 });
    await expect(run).rejects.toThrow(/acp-codegen\.lock names no run that holds it\. Remove it/);
  });

  test("of a terminated run is taken over by exactly one of many", async () => {
    const out = join(folder, "dead");
    mkdirSync(out);
    const { hostname } = await import("node:os");
    const holder = { pid: 2 ** 22 + 1, host: hostname(), run: "dead" };
    writeFileSync(join(out, ".acp-codegen.lock"), JSON.stringify(holder));
    let inside = 0;
    const enter = async (): Promise<void> => {
      const unlock = await acquireLock(out, { timeoutMs: 30_000 });
      expect(++inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
      unlock();
    };
    await Promise.all(Array.from({ length: 8 }, enter));
  });
});

describe("a run", () => {
  // With everything in the cache, a run waits for nothing on its way.
  const cache = join(folder, "cache");
  beforeAll(() => {
    if (!IS_DEEP) return;
    const env = { ACP_CODEGEN_CACHE: cache };
    expect(spawnCommand(["generate", "--out", join(folder, "warm")], { env }).code).toBe(0);
  }, 300_000);

  const signals = [
    ["SIGINT", 130, "no cache", ""],
    ["SIGTERM", 143, "no cache", ""],
    ["SIGINT", 130, "a full cache", cache],
  ] as const;
  test.each(signals.slice(0, IS_DEEP ? undefined : 1))(
    "that is ended by %s exits with %i and leaves nothing behind, with %s",
    async (signal, code, _, prints) => {
      const out = join(folder, `${signal}${prints === "" ? "" : "-warm"}`);
      const env = { ACP_CODEGEN_CACHE: prints };
      const child = startCommand(["generate", "--out", out], { env });
      await expect.poll(() => leftOvers(out), { timeout: 20_000 }).toEqual([".acp-codegen.lock"]);
      child.kill(signal);
      expect((await once(child, "exit"))[0]).toBe(code);
      expect(existsSync(out)).toBe(false);
    },
  );

  test("continues when the reader of its output has closed", async () => {
    const out = join(folder, "piped");
    const child = startCommand(["generate", ...flags, "--out", out]);
    child.stdout!.destroy();
    expect(await listenTo(child).ended).toMatchObject({ code: 0, err: "" });
    expect(readFolder(out)).toEqual(readFolder(whole));
  });
});

describe("a home that cannot be written to", () => {
  const homes = ["/proc/x", "/dev/null", ""];
  test.each(homes.slice(0, IS_DEEP ? undefined : 1))(
    "does not keep a run from its work: %j",
    (home) => {
      const out = join(folder, "homeless");
      rmSync(out, { recursive: true, force: true });
      const { ACP_CODEGEN_CACHE: _, ...env } = process.env;
      const args = [...NODE_ARGS, "generate", ...flags, "--out", out];
      const options = { cwd: folder, env: { ...env, HOME: home }, timeout: 20_000 };
      expect(runToEnd(process.execPath, args, options)).toMatchObject({ code: 0, err: "" });
      expect(readFolder(out)).toEqual(readFolder(whole));
      expect(existsSync(join(folder, ".cache"))).toBe(false);
    },
  );
});

describe("the output folder", () => {
  test("that is impossible is reported at once, before anything is compiled", async () => {
    const { code, err, out } = await runCommand(["generate", "--out", "/proc/x"]);
    expect(code).toBe(3);
    expect(err).toMatch(/^error: \/proc\/x cannot be written \(\w+\)\. Check the disk/);
    expect(out).toBe("");
  });

  describe("that is a link", () => {
    const project = join(folder, "linking");
    const victim = join(folder, "victim");
    const run = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(args, { cwd: project });
    beforeEach(() => {
      for (const path of [project, victim]) {
        rmSync(path, { recursive: true, force: true });
        mkdirSync(path);
      }
    });

    test.each([
      ["out", "../victim", ["out"]],
      ["..out", "../victim", ["..out"]],
      ["out", "../nowhere", ["out"]],
      ["made", "../victim", ["made/out", "made"]],
      ["inner", "../linking/../victim", ["inner"]],
    ])("in the working folder and leads out of it is refused: %s -> %s", async (link, to, outs) => {
      symlinkSync(to, join(project, link));
      for (const out of outs)
        for (const more of [[], ["--check"], ["--force"]]) {
          const { code, err } = await run("generate", ...flags, ...more, "--out", out);
          expect(code).toBe(3);
          expect(err).toMatch(/ is a symbolic link that leads out of the working folder, to /);
        }
      cpSync(whole, join(victim, "out"), { recursive: true });
      expect((await run("verify", `${outs[0]}`)).code).toBe(3);
      expect(readdirSync(victim)).toEqual(["out"]);
      expect(existsSync(join(folder, "nowhere"))).toBe(false);
    });

    test.each([
      ["inside of the working folder", "inner", "out"],
      ["of another folder, named by the user", victim, join(folder, "link-victim")],
    ])("is followed %s", async (_, to, out) => {
      mkdirSync(join(project, "inner"));
      const link = resolve(project, out);
      symlinkSync(to, link);
      expect((await run("generate", ...flags, "--out", out)).code).toBe(0);
      expect(readFolder(resolve(project, to))).toEqual(readFolder(whole));
      expect((await run("generate", "--check", ...flags, "--out", out)).code).toBe(0);
      expect((await run("verify", out)).code).toBe(0);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
    });
  });

  test("may contain files of the user: they are kept, and one that is in the way is refused", async () => {
    const out = join(folder, "repository");
    cpSync(join(ROOT, "schema/v1"), join(out, "schema"), { recursive: true });
    writeFileSync(join(out, "package.json"), "{}");
    const before = readFolder(out);
    await generate({ ...fast, out });
    const after = readFolder(out);
    for (const [path, text] of before) expect(after.get(path), path).toBe(text);
    writeFileSync(join(out, "acp-codegen.manifest.json"), "{}");
    writeFileSync(join(out, "schema/v1.meta.json"), "mine");
    await expect(generate({ ...fast, out })).rejects.toThrow(
      /^files that acp-codegen has not generated are in the way in .*: schema\/v1\.meta\.json\./,
    );
    expect(readFileSync(join(out, "schema/v1.meta.json"), "utf8")).toBe("mine");
    await generate({ ...fast, out, force: true });
    expect(readFileSync(join(out, "schema/v1.meta.json"), "utf8")).not.toBe("mine");
  });

  test("whose last run was killed while it moved files is stale until the next run", async () => {
    const out = join(folder, "journal");
    cpSync(whole, out, { recursive: true });
    mkdirSync(join(out, ".acp-codegen"));
    writeFileSync(join(out, ".acp-codegen/journal.json"), '{"write":[],"remove":[]}');
    const { code, err } = await runCommand(["generate", "--check", ...flags, "--out", out]);
    expect(code).toBe(1);
    expect(err).toContain("an earlier run was killed while it moved files");
    await generate({ ...fast, out });
    expect((await generate({ ...fast, out, check: true })).interrupted).toBe(false);
  });
});

deepDescribe("a run for everything", () => {
  const out = join(folder, "everything");
  const schema = join(folder, "schema");
  /** The schema without a profile that it had; two profiles are enough. */
  const keep = (names: readonly string[]): void => {
    const file = join(ROOT, "schema/profiles.json");
    const document = JSON.parse(readFileSync(file, "utf8")) as { profiles: object };
    const profiles = Object.entries(document.profiles).filter(([name]) => names.includes(name));
    const text = JSON.stringify({ ...document, profiles: Object.fromEntries(profiles) });
    writeFileSync(join(schema, "profiles.json"), text);
  };
  beforeAll(() => cpSync(join(ROOT, "schema"), schema, { recursive: true }));

  test("removes the files of profiles that no longer exist, and keeps custom selections", async () => {
    keep(["v1", "v2"]);
    await generate({ schemaDirectory: schema, out });
    await generate({
      schemaDirectory: schema,
      out,
      protocol: "v1",
      with: ["nes"],
      name: "editor",
      targets: ["types"],
    });
    await generate({ schemaDirectory: schema, out, profiles: ["v1"], targets: ["ajv"] });
    keep(["v1"]);
    const narrow = await generate({
      schemaDirectory: schema,
      out,
      profiles: ["v1"],
      check: true,
    });
    // What v2 left waits for a run for everything.
    expect(narrow.remove).toEqual([]);
    await generate({ schemaDirectory: schema, out });
    expect(readdirSync(join(out, "typescript/src")).sort()).toEqual(["editor", "runtime", "v1"]);
    expect(readdirSync(join(out, "schema"))).toEqual(["v1.meta.json", "v1.schema.json"]);
    const { exports } = JSON.parse(readFileSync(join(out, "typescript/package.json"), "utf8")) as {
      exports: object;
    };
    expect(Object.keys(exports).filter((path) => path.startsWith("./v2"))).toEqual([]);
    expect(Object.keys(exports)).toContain("./editor");
  });

  test("updates the targets that were generated on request", async () => {
    const file = join(out, "typescript/src/v1/ajv.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, "stale");
    expect(
      (await generate({ schemaDirectory: schema, out, check: true })).write[0]?.file.path,
    ).toBe("typescript/src/v1/ajv.ts");
    await generate({ schemaDirectory: schema, out, force: true });
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
