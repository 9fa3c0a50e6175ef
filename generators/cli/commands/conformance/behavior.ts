import { Option, type Command } from "commander";
import type { ScriptLevel, Subject } from "../../../schema/source/behavior-source.js";
import { ExitCode, type AddCommand } from "../../context.js";
import {
  addOneSelectionFlags,
  parseList,
  parseOnce,
  parsePositive,
  parseSeconds,
  toSelection,
  type OneSelectionFlags,
} from "../../flags.js";
import { junitReport } from "../../print/junit.js";
import { createStatusLine } from "../../print/progress.js";
import { writeResultFile } from "../../result-file.js";
import type { Terminal } from "../../terminal.js";

interface BehaviorFlags extends OneSelectionFlags {
  readonly testee?: boolean;
  readonly prompt?: string;
  readonly only?: string[];
  readonly failOn: ScriptLevel;
  readonly timeout?: number;
  readonly jobs?: number;
  readonly all?: boolean;
  readonly wire?: boolean;
  readonly junit?: string;
  readonly json?: boolean;
}

export const addAgent: AddCommand = (conformance, { terminal, exit }) => {
  const command = addOneSelectionFlags(conformance.command("agent"), "the profile of the scripts")
    .description("play scripts of wire messages with an agent; exit 1 for failures")
    .argument("<command...>", "the agent, after --; started anew for each script")
    .option("--testee", "the agent has the fixed behaviors: play all scripts")
    .option("--prompt <text>", "the prompt for turns with any other agent", parseOnce);
  addCommonFlags(command).action(async (program: string[], flags: BehaviorFlags) => {
    exit(await play("agent", program, flags, terminal));
  });
};

export const addClient: AddCommand = (conformance, { terminal, exit }) => {
  const command = addOneSelectionFlags(conformance.command("client"), "the profile of the scripts")
    .description("play scripts of wire messages with a client; exit 1 for failures")
    .argument("<command...>", "the client, after --: it talks to the agent over its own stdio");
  addCommonFlags(command).action(async (program: string[], flags: BehaviorFlags) => {
    exit(await play("client", program, flags, terminal));
  });
};

function addCommonFlags(command: Command): Command {
  return command
    .option(
      "--only <texts>",
      "only scripts whose ids contain one of these, or of a rule",
      parseList,
    )
    .addOption(
      new Option("--fail-on <level>", "exit 1 for failures of this level, or worse")
        .choices(["must", "should"])
        .default("must"),
    )
    .option("--timeout <seconds>", "how long a message may take (default: 5)", parseSeconds)
    .option(
      "--jobs <number>",
      "play so many scripts at once (default: one for each core)",
      parsePositive,
    )
    .option("--all", "print every script, not only those that failed")
    .option("--wire", "print the messages of scripts that failed")
    .option("--junit <file>", "write the results in JUnit's format", parseOnce)
    .option("--json", "print JSON");
}

/** Plays the scripts and prints the results. Returns the exit code. */
async function play(
  subject: Subject,
  command: readonly string[],
  flags: BehaviorFlags,
  terminal: Terminal,
): Promise<number> {
  const [{ testBehavior }, print] = await Promise.all([
    import("../../../run/behavior/behavior.js"),
    import("../../print/behavior.js"),
  ]);
  const { testee, prompt, only, failOn, timeout, jobs, all, wire, junit, json, ...selection } =
    flags;
  const status = createStatusLine(terminal.streams.stderr);
  let played = 0;
  const result = await testBehavior(
    {
      subject,
      inputs: toSelection(selection),
      command,
      ...(subject === "agent" && { isTestee: testee === true }),
      ...(prompt !== undefined && { prompt }),
      ...(only !== undefined && { only }),
      ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      ...(jobs !== undefined && { jobs }),
    },
    ({ id }) => status.show(() => `${++played} scripts, ${id}`),
  ).finally(() => status.clear());
  if (junit !== undefined) writeResultFile(junit, junitReport([print.behaviorSuite(result)]));
  if (json) terminal.writeOut(JSON.stringify(print.behaviorJson(result), null, 2));
  else print.printBehavior(result, { all, wire }).forEach(terminal.writeOut);
  const isBad = result.scripts.some(
    ({ outcome, level }) => outcome === "failed" && (level === "must" || failOn === "should"),
  );
  return isBad ? ExitCode.no : ExitCode.done;
}
