import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/paths.js";

export const PAIRS = join(ROOT, "test/programs/pairs");

export const LIBRARIES = ["ours", "sdk"] as const;
export type Library = (typeof LIBRARIES)[number];

/** The programs, and why one is written on our bindings only. */
export const NAMES: { readonly [name: string]: string | undefined } = {
  "minimal-agent": undefined,
  "realistic-agent": undefined,
  "terminal-client": undefined,
  "editor-client": "has neither a session's state nor a way to start an agent",
  "example-agent": "has it as an example of its own",
  "example-client": "has it as an example of its own",
  "both-versions": "connects two agents that share no code",
};

/** Returns the file of a program; undefined where a library has none. */
export function fileOf(name: string, library: Library): string | undefined {
  const file = join(PAIRS, name, `${library}.ts`);
  return existsSync(file) ? file : undefined;
}

/** Returns the files of all programs on some libraries. */
export function allFiles(libraries: readonly Library[] = LIBRARIES): readonly string[] {
  return readdirSync(PAIRS).flatMap((name) =>
    libraries.flatMap((library) => fileOf(name, library) ?? []),
  );
}
