import { InputError } from "../schema/problem.js";
import type { Emitter } from "./emitter.js";

/** A target of the user's own: what it does wrong is their mistake, not ours. */
export interface OwnTarget extends Emitter {
  /** Its module, as the user has named it. */
  readonly file: string;
}

export function isOwnTarget(target: Emitter): target is OwnTarget {
  return "file" in target;
}

/**
 * What is wrong with what an own target does.
 *
 * @param file its module
 * @param cause what was thrown, where something was
 */
export function targetMistake(file: string, message: string, cause?: unknown): InputError {
  const error = new InputError([{ file, message, hint: "Correct it." }]);
  if (cause !== undefined) error.cause = cause;
  return error;
}
