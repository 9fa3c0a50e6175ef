import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** The arguments of `acp-bridge`. */
export interface BridgeArguments {
  readonly command: string;
  readonly args: readonly string[];
  /** The version of the agent; found out when absent. */
  readonly agentVersion?: 1 | 2;
  /** A file that gets every loss as a line of JSON. */
  readonly losses?: string;
  /** Whether losses are not written to standard error. */
  readonly quiet: boolean;
  readonly strict: boolean;
}

export const USAGE = `Usage: acp-bridge [options] -- <agent> [arguments]

Runs an agent, and connects it with an editor of the other version of the Agent Client Protocol over
standard input and output. When both speak the same version, every message passes as it is.

  --agent <v1|v2>    the version of the agent; found out when absent
  --losses <file>    write everything that cannot be passed on to a file, a line of JSON each
  --quiet            do not write it to standard error
  --strict           refuse requests of which a part would be dropped
  --version          print the version of this package
  -h, --help         print this help

Example, as the command of an agent in an editor's settings:

  acp-bridge --agent v2 -- my-agent --flag
`;

const OPTIONS = {
  agent: { type: "string" },
  losses: { type: "string" },
  quiet: { type: "boolean" },
  strict: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** Returns the version of the package that this file is a part of. */
function packageVersion(): string {
  const manifest = readFileSync(new URL("../../../../package.json", import.meta.url), "utf8");
  return String((JSON.parse(manifest) as { readonly version?: unknown }).version);
}

/**
 * Reads the arguments of the command.
 *
 * @returns the arguments, or the text to print: the help, or what is wrong
 */
export function readArguments(
  given: readonly string[],
): BridgeArguments | { readonly help: string } | { readonly problem: string } {
  const end = given.indexOf("--");
  const own = end < 0 ? given : given.slice(0, end);
  const [command, ...args] = end < 0 ? [] : given.slice(end + 1);
  const { values, tokens } = parseArgs({
    args: [...own],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: OPTIONS,
  });
  // What follows the first word is the agent's.
  const first = tokens.findIndex(({ kind }) => kind === "positional");
  for (const token of first < 0 ? tokens : tokens.slice(0, first)) {
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as keyof typeof OPTIONS] : undefined;
    if (option === undefined) return { problem: `there is no option ${rawName}` };
    const isValue = value !== undefined && value !== "" && !value.startsWith("-");
    if (option.type === "string" && !isValue) return { problem: `${rawName} needs a value` };
    if (option.type === "boolean" && value !== undefined)
      return { problem: `${rawName} takes no value` };
  }
  if (values.help === true && first < 0) return { help: USAGE };
  if (values.version === true && first < 0) return { help: `${packageVersion()}\n` };
  const { index } = tokens[first] ?? {};
  if (index !== undefined) {
    const whole = [...own.slice(0, index), "--", ...given.slice(index)];
    return { problem: `write the agent's command after --: acp-bridge ${whole.join(" ")}` };
  }
  const { agent, losses, quiet, strict } = values;
  if (agent !== undefined && agent !== "v1" && agent !== "v2")
    return { problem: `--agent is v1 or v2, not ${JSON.stringify(agent)}` };
  if (command === undefined || command === "")
    return { problem: "the agent's command is missing; write it after --" };
  return {
    command,
    args,
    quiet: quiet === true,
    strict: strict === true,
    ...(agent !== undefined && { agentVersion: agent === "v1" ? 1 : 2 }),
    ...(typeof losses === "string" && { losses }),
  };
}
