import type { Command } from "commander";
import type { Terminal } from "./terminal.js";

/** Exit codes of the command. */
export const ExitCode = { done: 0, no: 1, usage: 2, environment: 3 } as const;

/** The context of every command. */
export interface CommandContext {
  /** The arguments of the process. */
  readonly args: readonly string[];
  readonly terminal: Terminal;
  /** Sets the exit code, which is 0 otherwise. */
  readonly exit: (code: number) => void;
}

/** Adds a command to the program. */
export type AddCommand = (program: Command, context: CommandContext) => void | Promise<void>;
