import { InputError } from "../schema/problem.js";
import type { Target } from "./emitter.js";

/** A target that the user provides: its errors are reported as errors of its module. */
export interface CustomTarget extends Target {
  /** The path of its module, as the user wrote it. */
  readonly file: string;
}

export function isCustomTarget(target: object): target is CustomTarget {
  return "file" in target;
}

/**
 * Creates the error for a mistake of a custom target.
 *
 * @param file the path of its module
 * @param cause the value that the target threw, if it threw
 */
export function customTargetError(file: string, message: string, cause?: unknown): InputError {
  const error = new InputError([{ file, message, hint: "Correct it." }]);
  if (cause !== undefined) error.cause = cause;
  return error;
}
