import { runCommand } from "../generators/cli/run-command.js";

/** Plays the scripts about sessions with an agent, and returns the code and the last lines of `conformance`. */
export async function playSessions(
  command: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<object> {
  const only = ["-p", "v1", "--only", "sessions,unknown-sessions"];
  const { code, out } = await runCommand(["conformance", "agent", ...only, "--", ...command], {
    env,
  });
  return { code, must: /must (\d+ of \d+)/.exec(out)?.[1] };
}

/** The result of an agent that keeps its sessions. */
export const KEPT = { code: 0, must: "4 of 4" };
