import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { loadProcessModule } from "../../../generators/tools/processes/process-module.js";
import {
  KEPT_DAYS,
  pruneRecordings,
  recordings,
} from "../../../generators/tools/record/recordings.js";
import * as processModule from "../../../templates/typescript/command/process.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { listenTo } from "../../support/processes.js";
import { NODE_ARGS, runCommand } from "./run-command.js";

const folder = temporaryFolder();
const isPosix = process.platform !== "win32";

interface Recorded {
  readonly child: ChildProcess;
  readonly file: string;
  /** What standard output and standard error have said so far. */
  readonly said: { out: Buffer; err: string };
  /** The exit code, or the signal. */
  readonly ended: Promise<number | string>;
}

let count = 0;

/** Records a program of Node.js, or without one the given command. */
function record(code: string, flags: readonly string[] = [], isRead = true): Recorded {
  const file = join(folder, `${count++}.ndjson`);
  const args = ["inspect", "--record", file, ...flags, "--", process.execPath, "-e", code];
  const child = spawn(process.execPath, [...NODE_ARGS, ...args], { stdio: "pipe" });
  const said = { out: Buffer.alloc(0), err: "" };
  if (isRead) child.stdout.on("data", (data) => (said.out = Buffer.concat([said.out, data])));
  child.stderr.on("data", (data) => (said.err += String(data)));
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([exit, signal]) => (signal ?? exit) as number | string);
  return { child, file, said, ended };
}

/** Returns the records of a recording, without their times. */
function read(file: string): Record<string, unknown>[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { time: _, ...record } = JSON.parse(line) as Record<string, unknown>;
    return record;
  });
}

async function until(holds: () => boolean): Promise<void> {
  for (let left = 500; !holds() && left > 0; left--) await wait(20);
  expect(holds()).toBe(true);
}

const ECHO = "process.stdin.pipe(process.stdout)";

describe("acp-codegen inspect -- <agent>", () => {
  test("forwards bytes as they are, and records lines as they are spelled", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":1.0,"a":2e0}\r\n\n'),
      Buffer.from([0xff, 0xfe, 10]),
      Buffer.from(`{"long":"${"ü".repeat(1_000_000)}"}\nnot JSON\n[1]`),
    ]);
    const { child, file, said, ended } = record(ECHO);
    child.stdin!.end(bytes);
    expect(await ended).toBe(0);
    expect(said.out.equals(bytes)).toBe(true);
    const text = readFileSync(file, "utf8");
    expect(text.match(/"message":\{"a":1\.0,"a":2e0\}/g)).toHaveLength(2);
    const [header, ...records] = read(file);
    expect(header).toMatchObject({ recording: 1, about: expect.stringContaining("secrets") });
    const ofAgent = records.filter(({ from }) => from === "agent");
    expect(ofAgent.map((entry) => Object.keys(entry).slice(1).join())).toEqual([
      ...["message", "text,reason", "message", "text", "message", "kind", "kind,code"],
    ]);
    if (isPosix) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["exit code", "process.exit(7)", 7],
    ["signal", "process.kill(process.pid, 'SIGKILL')", isPosix ? "SIGKILL" : 1],
  ])("ends as the agent does: %s", async (_, code, end) => {
    const { file, ended } = record(code);
    expect(await ended).toBe(end);
    expect(read(file).at(-1)).toMatchObject({ from: "agent", kind: "exit" });
  });

  test("says why an agent cannot be started", async () => {
    const { code, err } = await runCommand(["inspect", "-q", "--", "no-such-agent"], {
      env: { ACP_CODEGEN_RECORDINGS: folder },
    });
    expect({ code, err }).toEqual({
      code: 3,
      err: "error: no-such-agent cannot be started: there is no such program.\n",
    });
  });

  test("passes the end of input on, and keeps what the agent writes after it", async () => {
    const last =
      "process.stdin.on('end', () => setTimeout(() => process.stdout.write('last'), 100))";
    const { child, said, ended } = record(`${last}; process.stdin.resume()`);
    child.stdin!.end();
    expect(await ended).toBe(0);
    expect(said.out.toString()).toBe("last");
  });

  test("passes standard error on and records it", async () => {
    const { child, file, said, ended } = record("console.error('trouble'); process.exitCode = 1");
    child.stdin!.end();
    expect(await ended).toBe(1);
    expect(said.err).toBe(`acp-codegen: recording to ${file}\ntrouble\n`);
    expect(read(file)).toContainEqual({ from: "agent", kind: "stderr", text: "trouble" });
  });

  test("an agent that closes its output, or that nobody reads, learns it as without a recorder", async () => {
    const closing = record("require('fs').closeSync(1); setInterval(() => {}, 1000)");
    await once(closing.child.stdout!, "end");
    closing.child.kill("SIGKILL");
    const writing = `process.stdout.on('error', ({ code }) => { console.error(code); process.exit(5) });
      setInterval(() => process.stdout.write('x\\n'), 20)`;
    const unread = record(writing);
    await until(() => unread.said.out.length > 0);
    unread.child.stdout!.destroy();
    expect(await unread.ended).toBe(5);
    expect(unread.said.err).toContain("EPIPE");
  });

  test.runIf(isPosix)("passes signals on, and lets the agent decide", async () => {
    const handler = "process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000)";
    const deciding = record(`${handler}; process.stdout.write('ready')`);
    const dying = record("setInterval(() => {}, 1000); process.stdout.write('ready')");
    for (const { child, said } of [deciding, dying]) {
      await until(() => said.out.length > 0);
      child.kill("SIGTERM");
    }
    expect([await deciding.ended, await dying.ended]).toEqual([3, "SIGTERM"]);
    const [signal] = read(deciding.file).filter(({ kind }) => kind === "signal");
    expect(signal).toEqual({ from: "client", kind: "signal", signal: "SIGTERM" });
  });

  test.runIf(isPosix)("ends with the agent although a descendant holds its output", async () => {
    const code = `require('child_process').spawn('sleep', ['30'], { stdio: 'inherit', detached: true });
      process.stdout.write('last'); setTimeout(() => process.exit(4), 100)`;
    const { said, child } = record(code);
    const [exit] = await once(child, "exit");
    expect([exit, said.out.toString()]).toEqual([4, "last"]);
  });

  test.runIf(process.platform === "linux")(
    "holds an agent up that floods a client which does not read",
    async () => {
      const line = "const line = 'y'.repeat(1000) + '\\n'; let sent = 0;";
      const code = `${line} const go = () => { while (process.stdout.write(line)) sent++;
        process.stdout.once('drain', go) }; go(); setTimeout(() => console.error('sent', sent), 1500)`;
      const { child, said } = record(code, ["--quiet"], false);
      await until(() => said.err.includes("sent"));
      const pages = Number(readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ")[1]);
      expect((pages * 4096) / 1e6).toBeLessThan(120);
      expect(Number(/sent (\d+)/.exec(said.err)![1])).toBeLessThan(5000);
      child.kill("SIGKILL");
    },
  );

  test.runIf(process.platform === "linux")(
    "forwards everything when the disk is full, and says so once",
    async () => {
      const lines = `${'{"a":1}\n'.repeat(1000)}`;
      const args = ["inspect", "--record", "/dev/full", "--", process.execPath, "-e", ECHO];
      const full = spawn(process.execPath, [...NODE_ARGS, ...args], { stdio: "pipe" });
      const { ended } = listenTo(full);
      full.stdin.end(lines);
      const { code, out, err } = await ended;
      expect({ code, out }).toEqual({ code: 0, out: lines });
      expect(err.match(/the recording has ended: ENOSPC/g)).toHaveLength(1);
    },
  );

  test.runIf(isPosix)(
    "leaves a recording when it is killed, and the agent its end of input",
    async () => {
      const code = `process.stdin.on('end', () => require('fs').writeFileSync(process.argv[1], 'ended'));
      process.stdin.on('data', () => process.stdout.write('{"answer":1}\\n'))`;
      const mark = join(folder, "mark");
      const file = join(folder, "killed.ndjson");
      const args = ["inspect", "--record", file, "--", process.execPath, "-e", code, mark];
      const child = spawn(process.execPath, [...NODE_ARGS, ...args], { stdio: "pipe" });
      child.stdin.on("error", () => {});
      child.stdin.write('{"call":1}\n');
      await once(child.stdout, "data");
      await until(() => read(file).length === 3);
      child.kill("SIGKILL");
      await until(() => statSync(mark, { throwIfNoEntry: false })?.size === 5);
    },
  );

  test("keeps recordings in a folder of the user, for a time", async () => {
    const env = { ACP_CODEGEN_RECORDINGS: join(folder, "all") };
    const args = ["inspect", "--", process.execPath, "-e", "0"];
    const run = spawn(process.execPath, [...NODE_ARGS, ...args], {
      env: { ...process.env, ...env },
    });
    run.stdin.end();
    await once(run, "close");
    process.env["ACP_CODEGEN_RECORDINGS"] = env.ACP_CODEGEN_RECORDINGS;
    try {
      const [path] = recordings();
      if (isPosix) expect(statSync(env.ACP_CODEGEN_RECORDINGS).mode & 0o777).toBe(0o700);
      const others = join(env.ACP_CODEGEN_RECORDINGS, "mine.ndjson");
      writeFileSync(others, "");
      const old = statSync(others).mtimeMs / 1000 - (KEPT_DAYS + 1) * 24 * 60 * 60;
      utimesSync(others, old, old);
      pruneRecordings();
      expect(recordings()).toEqual([path]);
      utimesSync(path!, old, old);
      pruneRecordings();
      expect(recordings()).toEqual([]);
      expect(statSync(others).isFile()).toBe(true);
    } finally {
      delete process.env["ACP_CODEGEN_RECORDINGS"];
    }
  });

  test.each([
    [["inspect", "--json", "--", "x"], "--json is for checking a finished recording"],
    [["inspect", "--page", "x"], "--page is for following a recording"],
    [["inspect", "--html", "o.html", "--", "x"], "--html is for checking a finished recording"],
    [["inspect", "--profile", "v1", "--", "x"], "--profile is for checking"],
    [["inspect", "--filter", "a", "x"], "--filter is for following a recording"],
    [["inspect", "--live", "--all", "x"], "--all is for checking a finished recording"],
    [["inspect", "--live", "--", "x"], "--live is for following a recording"],
    [["inspect", "my-agent", "x"], "-- is missing before the command"],
    [["inspect", "--"], "no command is given after --"],
  ])("refuses %j", async (args, problem) => {
    const { code, err, out } = await runCommand(args);
    expect(code).toBe(2);
    expect(err + out).toContain(problem);
  });
});

test("the command has the types of the modules for processes, and the build all of them", async () => {
  const module: Awaited<ReturnType<typeof loadProcessModule>> = processModule;
  const built = (await import(NODE_ARGS[0]!.replace("cli/main.js", "process.js"))) as object;
  expect(Object.keys(built).sort()).toEqual(Object.keys(module).sort());
});
