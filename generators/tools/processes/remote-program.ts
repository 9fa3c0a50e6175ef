import { join } from "node:path";
import { ROOT } from "../../run/installation.js";

const ADDRESS = /^(?:https?|wss?):\/\//i;

/**
 * Returns the program for a subject: where its command is the address of an agent on another
 * machine, with flags of `connect` behind it, the program that connects standard input and output
 * to it.
 */
export function programOf(command: readonly string[]): readonly string[] {
  if (!ADDRESS.test(command[0] ?? "")) return command;
  return [process.execPath, join(ROOT, "bin/acp-codegen.js"), "connect", ...command];
}
