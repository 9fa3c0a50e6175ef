import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { runCommand, startCommand } from "../../cli/run-command.js";

const folder = temporaryFolder();
/**
 * An agent that answers `initialize`, and `method not found` to other requests. It crashes at
 * `session/new`, with much on standard error.
 */
const AGENT = join(folder, "agent.cjs");
writeFileSync(
  AGENT,
  `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const say = (answer) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    if (method === "session/new") {
      console.error("first\\n" + "x".repeat(5000));
      process.exit(9);
    }
    if (method === "initialize") say({ result: { protocolVersion: 1, agentInfo: { name: "a" } } });
    else if (id !== undefined) say({ error: { code: -32601, message: "no" } });
  });`,
);

function agent(flags: string, ...command: string[]): ReturnType<typeof runCommand> {
  const own = command.length === 0 ? [process.execPath, AGENT] : command;
  return runCommand(["conformance", "agent", ...flags.split(" "), "--", ...own]);
}

describe("--only", () => {
  test("names what does not match, and the nearest name, in a short line each", async () => {
    const { err, code } = await agent("-p v1 --only zzz,cancl,handshake");
    expect(err).toBe(
      `error: no script and no rule is named "zzz". --list prints all scripts with their ids and rules.
error: no script and no rule is named "cancl". Did you mean "cancel"? --list prints all scripts with their ids and rules.
`,
    );
    expect(code).toBe(2);
  });

  test("says that scripts are for testees", async () => {
    const { err, code } = await agent("-p v1 --only order,handshake");
    expect(err).toContain('"order" names scripts for testees only.');
    expect(err).toContain("add --testee");
    expect(code).toBe(2);
  });

  test("takes the name of a rule for the rule, and other texts for parts of ids", async () => {
    const listed = async (only: string): Promise<string[]> => {
      const flags = ["-p", "v1", "--list", "--json", "--only", only];
      const { out } = await runCommand(["conformance", "agent", ...flags]);
      return (JSON.parse(out) as Report).scripts.map(({ id }) => id);
    };
    expect(await listed("order")).not.toContain("agent/byte-order-mark");
    expect(await listed("order-mark")).toEqual(["agent/byte-order-mark"]);
    expect(await listed("agent/cancel")).toEqual(["agent/cancel"]);
  });
});

test("--list prints the scripts without a command, and what they require", async () => {
  const { out, code } = await runCommand(["conformance", "agent", "-p", "v1", "--list"]);
  expect(out).toMatch(/^script +level +rule +requires +shows$/m);
  expect(out).toMatch(/^agent\/turn-any +must +turns +prompt +A turn ends/m);
  expect(out).toMatch(/^agent\/cancel +must +cancellation +testee +session\/cancel ends/m);
  expect(out).toMatch(/^agent\/crlf +must +framing +\. +A carriage return/m);
  expect(code).toBe(0);
});

describe("the command of the subject", () => {
  test.each([
    ["agent -p v1 ./my-agent --acp -p 80", "agent -p v1 -- ./my-agent --acp -p 80"],
    ["client -p v1 ./my-client", "client -p v1 -- ./my-client"],
    ["codec -p v1 ./my-codec --fast", "codec -p v1 -- ./my-codec --fast"],
  ])("needs -- before it: %s", async (given, right) => {
    const { err, code } = await runCommand(["conformance", ...given.split(" ")]);
    expect(err).toBe(
      `error: -- is missing before the command. Run acp-codegen conformance ${right}\n`,
    );
    expect(code).toBe(2);
  });

  test.each([
    [["agent", "-p", "v1"], "no command is given after --"],
    [["agent", "-p", "v1", "--"], "no command is given after --"],
    [["agent", "-p", "v1", "--", ""], "the command after -- is empty"],
    [["codec", "-p", "v1", "--", " "], "the command after -- is empty"],
  ])("is required: %s", async (given, message) => {
    const { err, code } = await runCommand(["conformance", ...given]);
    expect(err).toContain(`${message}. Run acp-codegen conformance ${given[0]} -p v1 -- ./my-`);
    expect(code).toBe(2);
  });

  test("in one word is explained", async () => {
    const { err, code } = await agent("-p v1", "npx my-agent");
    expect(err).toContain("npx my-agent cannot be started: there is no such program.");
    expect(err).toContain("separate words");
    expect(code).toBe(3);
  });
});

describe("a command that sends no message", () => {
  test("stops the run with its exit code and its standard error", async () => {
    const program = 'console.error("no key\\n" + "x".repeat(900)); process.exit(7)';
    const { out, err, code } = await agent("-p v1", process.execPath, "-e", program);
    expect(out).toBe("");
    expect(err).toContain("exits with code 7 before it sends a message; 3 scripts");
    expect(err).toMatch(/^ {2}no key\n {2}x{200}…$/m);
    expect(code).toBe(3);
  });

  test("stops the run when it prints something else before it exits", async () => {
    const { err, code } = await agent("-p v1", process.execPath, "-e", 'console.log("Usage")');
    expect(err).toContain("exits with code 0 before it sends a message");
    expect(code).toBe(3);
  });

  test("in few scripts only, fails these", async () => {
    const silent = await agent("-p v1 --only agent/crlf", process.execPath, "-e", "0");
    expect(silent.out).toContain("failed at step 2 agent/crlf");
    expect(silent.code).toBe(1);
  });
});

test("a crash in some scripts fails these, with standard error cut to a width", async () => {
  const { out, code } = await agent("-p v1 --only handshake,sessions,turns");
  expect(out).toMatch(/^failed at step 4 agent\/new \(must\)/m);
  expect(out).toContain("exited with code 9");
  expect(out).toMatch(/^ {2}stderr: x{200}…$/m);
  expect(out).toMatch(/^handshake +\d of 2/m);
  expect(code).toBe(1);
});

test("a script that fails is printed while others are played", async () => {
  const hanging = join(folder, "hanging.cjs");
  const hangs = "if (JSON.parse(line).params?.cwd === 5) return;";
  writeFileSync(hanging, readFileSync(AGENT, "utf8").replace("=> {\n", `=> {\n${hangs}\n`));
  const only = "agent/new,agent/new-cwd-number";
  const flags = `-p v1 --only ${only} --jobs 1 --timeout 600`.split(" ");
  const command = ["conformance", "agent", ...flags, "--", process.execPath, hanging];
  const run = startCommand(command);
  const [text] = (await once(run.stdout!, "data")) as [Buffer];
  expect(String(text)).toMatch(/^failed at step 4 agent\/new /);
  expect(run.exitCode).toBeNull();
  run.kill();
});

test("the reasons for scripts that were not tested are printed once, with the option for a prompt", async () => {
  const { out } = await agent("-p v1 --only turns,agent/list-any");
  expect(out).toContain(
    `2 scripts not tested: it needs a prompt; give one with --prompt "Say hello."`,
  );
  expect(out).toMatch(/^1 script not tested: the agent does not advertise agentCapabilities/m);
  expect(out.match(/--prompt/g)).toHaveLength(1);
});

/** An agent that offers a login in the terminal, which the driver cannot show, and answers everything else. */
const offering = join(folder, "offering.cjs");
const login = 'authMethods: [{ id: "t", name: "T", type: "terminal" }]';
writeFileSync(offering, readFileSync(AGENT, "utf8").replace('agentInfo: { name: "a" }', login));

describe("an error in the common beginning", () => {
  const flags = "-p v1 --only agent/initialize,unknown-methods";

  test("fails the script about it, and the others are judged by what they test", async () => {
    const report = join(folder, "common.xml");
    const { out, code } = await agent(`${flags} --junit ${report}`, process.execPath, offering);
    expect(out.match(/^failed.*$/gm)).toEqual([
      expect.stringMatching(/^failed agent\/initialize \(must\)/),
    ]);
    expect(out).toMatch(/^v1, agent: must 6 of 7$/m);
    expect(out).toMatch(
      /^initialize, in 7 scripts: \/result\/authMethods\/0.* \(rule terminal-auth-capability\); it fails agent\/initialize only$/m,
    );
    expect(readFileSync(report, "utf8").match(/<failure/g)).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("is listed in JSON, and fails another script where none is about it", async () => {
    const only = flags.replace("agent/initialize,", "");
    const { out } = await agent(`${only} --json`, process.execPath, offering);
    const { common, scripts } = JSON.parse(out) as Report;
    const failed = scripts.filter(({ outcome }) => outcome === "failed");
    expect(failed.map(({ id }) => id)).toEqual([scripts[0]!.id]);
    expect(scripts.flatMap(({ findings }) => findings)).toHaveLength(1);
    expect(common).toMatchObject([
      { method: "initialize", script: scripts[0]!.id, scripts: scripts.length },
    ]);
  });
});

test("--max-time ends the run: what has not ended is not tested, and the exit code is 1", async () => {
  const flags = "-p v1 --only unknown-methods --timeout 600 --max-time 2 --jobs 1";
  const { out, code } = await agent(flags, process.execPath, "-e", "setInterval(() => {}, 1000)");
  expect(out).toMatch(/^6 scripts not tested: the time limit of the run was reached$/m);
  expect(code).toBe(1);
});

test("a report is written into a new folder, and a path that is in the way stops the run first", async () => {
  const report = join(folder, "new/folder/report.xml");
  await agent(`-p v1 --only agent/initialize --junit ${report}`);
  expect(readFileSync(report, "utf8")).toContain('<testsuites tests="1"');
  const { err, code } = await agent(`-p v1 --junit ${AGENT}/report.xml`, "./no-such-agent");
  expect(err).toContain("cannot be written");
  expect(code).toBe(3);
  await agent(`-p v1 --junit ${report}`, "./no-such-agent");
  expect(existsSync(report)).toBe(false);
});

test("the workflow of the guide runs, fails for a broken agent and leaves its report", async () => {
  const guide = readFileSync("templates/site/guides/tool/conformance.md", "utf8");
  const workflow = parse(/```yaml\n([^]*?)```/.exec(guide)![1]!) as {
    readonly jobs: {
      readonly agent: {
        readonly steps: readonly { readonly run?: string; readonly with?: { path?: string } }[];
      };
    };
  };
  const { steps } = workflow.jobs.agent;
  const [, command] = /^npx acp-codegen (.*) -- /.exec(
    steps.find(({ run }) => /conf/.test(run ?? ""))!.run!,
  )!;
  const report = join(folder, steps.at(-1)!.with!.path!);
  const { code, out } = await runCommand([...command!.split(" "), "--", process.execPath, AGENT], {
    cwd: folder,
  });
  expect(out).toMatch(/^v1, agent: must \d+ of \d+/m);
  expect(code).toBe(1);
  expect(readFileSync(report, "utf8")).toContain("<failure");
});

test("the help describes all subjects, with examples", async () => {
  const { out, code } = await runCommand(["conformance", "--help"]);
  for (const subject of ["codec", "agent", "client"]) {
    expect(out).toMatch(new RegExp(`^  ${subject} {3,}\\w`, "m"));
    expect(out).toMatch(new RegExp(`^  acp-codegen conformance ${subject} .* -- `, "m"));
  }
  expect(code).toBe(0);
});

interface Report {
  readonly common: readonly object[];
  readonly scripts: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly findings: readonly object[];
  }[];
}

describe("the guide describes", () => {
  const guide = readFileSync("templates/site/guides/tool/conformance.md", "utf8");

  /** Returns the fields in the first table behind a line. */
  function documented(line: string): string[] {
    const [, table = ""] = new RegExp(`\\n${line}:\\n\\n((?:\\|.*\\n)+)`).exec(guide) ?? [];
    const cells = table.split("\n").map((row) => row.split("|")[1] ?? "");
    return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, field]) => field!));
  }

  /** Returns the paths to all leaves; `open` names the objects whose keys are names of anything. */
  function fieldsOf(value: unknown, open: RegExp, path = ""): string[] {
    if (Array.isArray(value))
      return value.length === 0 ? [] : value.flatMap((one) => fieldsOf(one, open, `${path}[]`));
    if (typeof value !== "object" || value === null || WHOLE.test(path)) return [path];
    return Object.entries(value).flatMap(([name, part]) => {
      const step = open.test(path) ? "…" : name;
      return fieldsOf(part, open, path === "" ? step : `${path}.${step}`);
    });
  }
  const WHOLE = /\.(expected|found)$/;

  test("the JSON of behavior, field by field", async () => {
    // Also an answer with an error of the inspector, in a script that passes otherwise.
    const wrong = join(folder, "wrong.cjs");
    const text = readFileSync(AGENT, "utf8");
    writeFileSync(wrong, text.replace('message: "no"', 'message: "no" }, result: { a: 1'));
    const flags = "-p v1 --json --only handshake,sessions,turns,unknown-methods";
    const common = "-p v1 --json --only agent/initialize,unknown-methods";
    const outs = [
      await agent(flags),
      await agent(flags, process.execPath, wrong),
      await agent(common, process.execPath, offering),
    ];
    const fields = outs.flatMap(({ out }) => fieldsOf(JSON.parse(out), /^rules$/));
    expect([...new Set(fields)].sort()).toEqual(
      documented("`conformance agent` and `conformance client`").sort(),
    );
  });

  test("rules with the numbers of their scripts, and no others", async () => {
    const { out } = await agent("-p v1 --json --only sessions,handshake");
    const { rules } = JSON.parse(out) as { readonly rules: object };
    expect(Object.keys(rules)).toEqual(["handshake", "sessions"]);
    expect(rules).toMatchObject({ sessions: { passed: 0, failed: 2, notTested: 1 } });
  });

  test("the JSON of codecs, field by field", async () => {
    const codec = ["node", "test/generators/tools/conformance/official-codec.mjs"];
    const flags = "-p v1 --definition Plan,SessionId,ReadTextFileRequest --max-differences 999";
    const args = ["conformance", "codec", ...flags.split(" "), "--json", "--", ...codec];
    const fields = fieldsOf(JSON.parse((await runCommand(args)).out), /^definitions$|\.kinds$/);
    const known = documented("`conformance codec`");
    expect(known.length).toBeGreaterThan(20);
    // An example of this class is rare.
    const found = new Set([...fields, "differences[].class"]);
    expect([...found].sort()).toEqual(known.sort());
  });
});

test.skipIf(process.platform === "win32")(
  "a signal ends the subjects with the command, also those that ignore the end of their input",
  async () => {
    const pids = join(folder, "pids");
    const program = `require("fs").appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n"); setInterval(() => {}, 1000)`;
    writeFileSync(pids, "");
    const flags = ["conformance", "agent", "-p", "v1", "--", process.execPath, "-e", program];
    const run = startCommand(flags);
    const read = (): number[] => readFileSync(pids, "utf8").trim().split("\n").map(Number);
    await expect.poll(() => readFileSync(pids, "utf8"), { timeout: 20_000 }).not.toBe("");
    run.kill("SIGINT");
    const isRunning = (pid: number): boolean => {
      try {
        process.kill(pid, 0);
        return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
      } catch {
        return false;
      }
    };
    await expect.poll(() => read().filter(isRunning), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => run.exitCode, { timeout: 10_000 }).toBe(130);
  },
);
