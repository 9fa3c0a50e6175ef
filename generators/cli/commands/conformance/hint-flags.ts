import { HINTS } from "../../../run/hints.js";
import { InputError } from "../../../schema/problem.js";

/** The hints of the library in the words of the command. */
const FLAG_HINTS: { readonly [name in keyof typeof HINTS]: string } = {
  oneProfile: "Give one --profile, or --protocol.",
  testee: "If the agent has the fixed behaviors of a testee, add --testee.",
  scripts: "--list prints all scripts with their ids and rules.",
};

/** Throws an error of the library again; its hints name flags instead of options. */
export function throwWithFlags(error: unknown): never {
  if (!(error instanceof InputError)) throw error;
  const problems = error.problems.map(({ hint, ...problem }) => ({
    ...problem,
    ...(hint !== undefined && { hint: withFlags(hint) }),
  }));
  throw new InputError(problems, error.kind);
}

function withFlags(hint: string): string {
  const names = Object.keys(HINTS) as (keyof typeof HINTS)[];
  return names.reduce((text, name) => text.replace(HINTS[name], FLAG_HINTS[name]), hint);
}
