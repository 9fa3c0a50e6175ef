import { Option, type Command } from "commander";
import type { Selection } from "../../../run/options.js";
import type { ScriptLevel, Subject } from "../../../schema/source/behavior-source.js";
import { ExitCode, type AddCommand } from "../../context.js";
import {
  addOneSelectionFlags,
  parseFile,
  parseList,
  parseOnce,
  parsePositive,
  parseSeconds,
  toSelection,
  type OneSelectionFlags,
} from "../../flags.js";
import { count } from "../../print/format.js";
import { junitReport } from "../../print/junit.js";
import { createStatusLine } from "../../print/progress.js";
import { openResultFile } from "../../result-file.js";
import type { Terminal } from "../../terminal.js";
import { throwWithFlags } from "./hint-flags.js";
import { addSubjectCommand, checkSubjectCommand } from "../../subject-command.js";

interface BehaviorFlags extends OneSelectionFlags {
  readonly testee?: boolean;
  readonly prompt?: string;
  readonly only?: string[];
  readonly failOn: ScriptLevel;
  readonly timeout?: number;
  readonly maxTime?: number;
  readonly jobs?: number;
  readonly all?: boolean;
  readonly wire?: boolean;
  readonly list?: boolean;
  readonly junit?: string;
  readonly json?: boolean;
}

export const addAgent: AddCommand = (conformance, { args, terminal, exit }) => {
  const subject = addOneSelectionFlags(conformance.command("agent"), "the profile of the scripts");
  const command = addSubjectCommand(subject, "the agent, after --; started anew for each script")
    .description("play scripts of wire messages with an agent, which is started for each of them")
    .option("--testee", "the agent has the fixed behaviors: play all scripts")
    .option("--prompt <text>", "the prompt for turns with any other agent", parseOnce);
  addCommonFlags(command).action(async (program: string[], flags: BehaviorFlags) => {
    if (flags.list) return list("agent", flags, terminal);
    checkSubjectCommand(program, args, "./my-agent");
    exit(await play("agent", program, flags, terminal));
  });
};

export const addClient: AddCommand = (conformance, { args, terminal, exit }) => {
  const subject = addOneSelectionFlags(conformance.command("client"), "the profile of the scripts");
  const command = addSubjectCommand(
    subject,
    "the client, after --: it talks to the agent over its own stdio",
  ).description("play scripts of wire messages with a client that has fixed behaviors, a testee");
  addCommonFlags(command).action(async (program: string[], flags: BehaviorFlags) => {
    if (flags.list) return list("client", flags, terminal);
    checkSubjectCommand(program, args, "./my-testee-client");
    exit(await play("client", program, flags, terminal));
  });
};

function addCommonFlags(command: Command): Command {
  return command
    .option(
      "--only <texts>",
      "only the scripts of these rules, or whose ids contain one of these",
      parseList,
    )
    .addOption(
      new Option("--fail-on <level>", "exit 1 for failures of this level, or worse")
        .choices(["must", "should"])
        .default("must"),
    )
    .option("--timeout <seconds>", "how long a message may take (default: 5)", parseSeconds)
    .option("--max-time <seconds>", "how long the whole run may take", parseSeconds)
    .option(
      "--jobs <number>",
      "play so many scripts at once (default: one for each core)",
      parsePositive,
    )
    .option("--all", "print every script, not only those that failed")
    .option("--wire", "print the messages of scripts that failed")
    .option("--list", "print the scripts with their levels and rules, and exit")
    .option("--junit <file>", "write the results in JUnit's format", parseFile)
    .option("--json", "print JSON");
}

/** Prints the scripts for a subject, those for testees too. */
async function list(subject: Subject, flags: BehaviorFlags, terminal: Terminal): Promise<void> {
  const [{ selectBehavior }, print] = await Promise.all([
    import("../../../tools/conformance/behavior/behavior.js"),
    import("../../print/behavior.js"),
  ]);
  const { only, json } = flags;
  const selected = { subject, inputs: selectionOf(flags), isTestee: true, ...(only && { only }) };
  const scripts = await Promise.resolve(selected).then(selectBehavior).catch(throwWithFlags);
  if (json) terminal.writeOut(JSON.stringify(print.scriptsJson(scripts), null, 2));
  else print.printScripts(scripts).forEach(terminal.writeOut);
}

function selectionOf(flags: BehaviorFlags): Selection {
  const { testee, prompt, only, failOn, timeout, maxTime, jobs, ...others } = flags;
  const { all, wire, list, junit, json, ...rest } = others;
  return toSelection(rest);
}

/** Plays the scripts and prints the results. Returns the exit code. */
async function play(
  subject: Subject,
  command: readonly string[],
  flags: BehaviorFlags,
  terminal: Terminal,
): Promise<number> {
  const [{ testBehavior, TIME_IS_OVER }, print] = await Promise.all([
    import("../../../tools/conformance/behavior/behavior.js"),
    import("../../print/behavior.js"),
  ]);
  const { testee, prompt, only, failOn, timeout, maxTime, jobs, all, wire, junit, json } = flags;
  const report = junit === undefined ? undefined : openResultFile(junit);
  const status = createStatusLine(terminal.streams.stderr);
  const printer = print.createScriptPrinter({ all, wire });
  const write = (lines: readonly string[]): void => {
    if (lines.length > 0) status.clear();
    if (!json) lines.forEach(terminal.writeOut);
  };
  let played = 0;
  const result = await testBehavior(
    {
      subject,
      inputs: selectionOf(flags),
      command,
      ...(subject === "agent" && { isTestee: testee === true }),
      ...(prompt !== undefined && { prompt }),
      ...(only !== undefined && { only }),
      ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      ...(maxTime !== undefined && { maxTimeMs: maxTime * 1000 }),
      ...(jobs !== undefined && { jobs }),
    },
    (script) => {
      played++;
      write(printer.ended(script));
      status.show(() => `${count(played, "script")}, ${script.id}`);
    },
  )
    .catch((error: unknown) => {
      report?.discard();
      return throwWithFlags(error);
    })
    .finally(() => status.clear());
  report?.write(junitReport([print.behaviorSuite(result)]));
  report?.close();
  if (json) terminal.writeOut(JSON.stringify(print.behaviorJson(result), null, 2));
  else write([...printer.rest(result), ...print.printBehavior(result)]);
  const isBad = result.scripts.some(
    ({ outcome, level, reason }) =>
      (outcome === "failed" && (level === "must" || failOn === "should")) ||
      reason === TIME_IS_OVER,
  );
  return isBad ? ExitCode.no : ExitCode.done;
}
