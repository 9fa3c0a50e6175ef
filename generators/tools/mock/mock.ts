import { PassThrough, type Readable, type Writable } from "node:stream";
import { expandMock } from "../../emit/behavior/expand.js";
import { checkOptions, OPTION, type OptionRules } from "../../run/check-options.js";
import { SCHEMA } from "../../run/installation.js";
import { usageError } from "../../run/messages.js";
import { InputError, type Problem } from "../../schema/problem.js";
import type { MockScript, Subject } from "../../schema/source/behavior-source.js";
import { loadDialect, readJson } from "../../schema/source/load.js";
import { playScript } from "../conformance/behavior/play-script.js";
import { startSubject, SubjectProcess, type Program } from "../processes/subject-process.js";

export interface MockOptions {
  /** The side that is played. */
  readonly side: Subject;
  /** The script, or the path of its file. */
  readonly script: string | MockScript;
  /** What a client tests: a program and its arguments. */
  readonly command?: readonly string[];
  /** Where the messages for an agent come from, and where its own go. */
  readonly input?: Readable;
  readonly output?: Writable;
  /** How long a step waits for a message, in milliseconds; a day by default. */
  readonly timeoutMs?: number;
}

export interface MockResult {
  /** The step, from 1 on, in which the other side did something else than the script says. */
  readonly failure?: {
    readonly step: number;
    readonly reason: string;
    /** The end of the standard error of an agent. */
    readonly errors?: string;
  };
  /** The exit code that the script gives the mock. */
  readonly exit?: number;
}

const RULES: OptionRules<MockOptions> = {
  side: {
    accepts: (side) => side === "agent" || side === "client",
    expected: '"agent" or "client"',
    isRequired: true,
  },
  script: {
    accepts: (script) => OPTION.text.accepts(script) || OPTION.object.accepts(script),
    expected: "a path or a script",
    isRequired: true,
  },
  command: OPTION.texts,
  input: OPTION.object,
  output: OPTION.object,
  timeoutMs: OPTION.time,
};

const DAY_MS = 86_400_000;

/**
 * Plays one side by a script, with all its faults: a fake agent on two streams, or a fake client of
 * an agent that it starts. An agent whose script gives no exit code stays until its input ends; its
 * streams end with it.
 *
 * @throws TypeError for an option that is unknown, missing or of another type; InputError for a file
 *   that is not a script; OutputError when the program cannot be started
 */
export async function mock(options: MockOptions): Promise<MockResult> {
  checkOptions("mock", options, RULES);
  const { side, timeoutMs = DAY_MS } = options;
  const script = readScript(options);
  const { origins, steps, ...rest } = script;
  const other = await openOther(options);
  const stay = side === "agent" && script.exit === undefined ? [{ expectExit: DAY_MS }] : [];
  try {
    const subject = side === "agent" ? "client" : "agent";
    const played = { ...rest, subject, steps: [...steps, ...stay] } as const;
    const { outcome } = await playScript(played, other, { timeoutMs, startMs: timeoutMs });
    if (outcome.kind === "passed") return script.exit === undefined ? {} : { exit: script.exit };
    const step = outcome.kind === "failed" ? (origins[outcome.step - 1] ?? origins.length) : 1;
    const { errors } = other;
    return { failure: { step, reason: outcome.reason, ...(errors !== "" && { errors }) } };
  } finally {
    await other.kill();
  }
}

function readScript({ side, script }: MockOptions) {
  const file = typeof script === "string" ? script : "the script";
  try {
    const source = (typeof script === "string" ? readJson(script, script) : script) as MockScript;
    const document = { $schema: "../dialect/behavior.schema.json", mock: source };
    const problems = loadDialect(SCHEMA)("behavior", document, file);
    const own = problems.map((one) => ({
      ...one,
      pointer: one.pointer?.replace(/^\/mock/, "") ?? "",
    }));
    return { ...expandRight(source, side, file, own), exit: source.exit };
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.problems, "usage") : error;
  }
}

/**
 * Expands a script.
 *
 * @param problems those of its form, which are reported with those of its steps
 */
function expandRight(
  source: MockScript,
  side: Subject,
  file: string,
  problems: readonly Problem[],
): ReturnType<typeof expandMock> {
  if (problems.length === 0) return expandMock(source, side, file);
  const inside = problems.filter(({ pointer = "" }) =>
    /^(\/(steps|skip|replies))?(\/\d+)?$/.test(pointer),
  );
  // What a script is made of has to be there.
  if (inside.length > 0) throw new InputError(problems);
  try {
    expandMock(source, side, file);
  } catch (error) {
    if (error instanceof InputError) throw new InputError([...problems, ...error.problems]);
  }
  throw new InputError(problems);
}

async function openOther({
  side,
  command = [],
  input,
  output,
}: MockOptions): Promise<SubjectProcess> {
  if (side === "agent") {
    if (input === undefined || output === undefined)
      throw usageError("an agent has no streams", "Give input and output.");
    const end = (): void => void (input.destroy(), output.end());
    return new SubjectProcess(programOn(input, output), end);
  }
  return startSubject(command);
}

/** Returns whoever is at the other end of two streams as a program. */
function programOn(stdout: Readable, stdin: Writable): Program {
  // A file does not close by itself.
  stdout.once("end", () => stdout.destroy());
  return {
    stdin,
    stdout,
    stderr: new PassThrough(),
    once: (_, listener) => stdout.once("close", () => listener(null, "the end of its output")),
    kill: () => {},
  };
}
