import { OutputError } from "../../../output/output-error.js";
import type { ProcessEnd } from "../../processes/subject-process.js";

/** How a subject that failed a script has behaved in it. */
export interface FailedStart {
  /** Whether it has sent a message, or still ran after it had written another line. */
  readonly hasSpoken: boolean;
  /** How its process has ended by itself; undefined while it ran. */
  readonly end: ProcessEnd | undefined;
  /** The end of its standard error. */
  readonly errors: string;
}

/** After so many scripts without a word of the subject, the others would end in the same way. */
const ENOUGH = 3;

/** The number of lines of standard error that the error has. */
const SHOWN_LINES = 10;

/** Recognizes a command that does not work at all. */
export interface StartCheck {
  /** Whether the subject has sent nothing so far. */
  readonly isOpen: () => boolean;
  /** Called when the subject has sent a message. */
  readonly spoke: () => void;
  /** Called when a script has failed; throws OutputError when the subject does not work at all. */
  readonly failed: (start: FailedStart) => void;
}

/**
 * Creates the check of one run. A command does not work at all when it ends, or is silent, in each
 * of the first scripts that fail. One that has sent a message in any script can be tested.
 */
export function createStartCheck(program: string): StartCheck {
  let hasSpoken = false;
  let failures = 0;
  return {
    isOpen: () => !hasSpoken,
    spoke: () => void (hasSpoken = true),
    failed: ({ end, errors, ...start }) => {
      hasSpoken ||= start.hasSpoken;
      if (hasSpoken || ++failures < ENOUGH) return;
      const lines = errors === "" ? [] : errors.split("\n").slice(-SHOWN_LINES);
      const details = lines.length === 0 ? [] : ["The end of its standard error:", ...lines];
      throw new OutputError(
        `${program} ${describe(end)}; ${failures} scripts have failed in this way.`,
        { details },
      );
    },
  };
}

function describe(end: ProcessEnd | undefined): string {
  if (end === undefined) return "sends no message in time";
  const how = typeof end === "number" ? `exits with code ${end}` : `is ended by ${end}`;
  return `${how} before it sends a message`;
}
