import type { ValidationError } from "./decode-result.js";
import { pointerToken, render, Walk, type Check, type View } from "./diagnosis.js";

/** A value that must not be sent, and why. */
export class EncodeError extends Error {
  override readonly name = "EncodeError";
  readonly errors: readonly ValidationError[];

  constructor(errors: readonly ValidationError[]) {
    const [first] = errors;
    super(`${first?.path || "the value"}: expected ${first?.expected}, found ${first?.found}`);
    this.errors = errors;
  }
}

/**
 * Gives back a value that may be sent.
 *
 * @throws EncodeError when it does not fit the definition, has properties that
 *   the profile does not know, tags or values that are reserved for the
 *   protocol, or parts that JSON cannot carry
 */
export function encode<T>(check: Check, value: T): T {
  const errors = whyNotSent(check, value);
  if (errors.length > 0) throw new EncodeError(errors);
  return value;
}

/** What a sender must not send of a value; empty when it may be sent. */
export function whyNotSent(
  check: Check,
  value: unknown,
  maxErrors?: number,
): readonly ValidationError[] {
  const errors: ValidationError[] = [];
  try {
    findUnserializable(value, "", new Set(), errors);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    errors.push({ path: "", rule: "depth", expected: "fewer levels", found: render(value) });
  }
  if (errors.length > 0) return errors.slice(0, maxErrors);
  const walk = new Outgoing("send", maxErrors);
  walk.run(check.look, value);
  // A check that fails early has not asked for everything.
  if (walk.failures === 0) walk.findUndeclared();
  return walk.errors;
}

/** Remembers which objects looks have looked into: they may have what was asked for, and no more. */
class Outgoing extends Walk {
  readonly #views: View[] = [];
  readonly #known = new WeakSet<View>();

  override ask(view: View, name: string): unknown {
    if (!this.#known.has(view)) this.#views.push(view);
    this.#known.add(view);
    return super.ask(view, name);
  }

  override attempt(...attempt: Parameters<Walk["attempt"]>): ReturnType<Walk["attempt"]> {
    const { length } = this.#views;
    const errors = super.attempt(...attempt);
    if (errors !== undefined || attempt[2]) this.#views.length = length;
    return errors;
  }

  findUndeclared(): void {
    for (const view of this.#views.filter(({ isOpen, isReplaced }) => !isOpen && !isReplaced)) {
      for (const [key, value] of Object.entries(view.source)) {
        if (view.asked.has(key) || value === undefined) continue;
        this.view = view;
        this.key = key;
        this.reject("undeclared", "no such property", value);
      }
    }
  }
}

/** Finds what `JSON.stringify` would refuse, or replace without a word. */
function findUnserializable(
  value: unknown,
  path: string,
  holders: Set<object>,
  errors: ValidationError[],
): void {
  const wrong = (expected: string): void =>
    void errors.push({ path, rule: "json", expected, found: render(value) });
  switch (typeof value) {
    case "string":
    case "boolean":
      return;
    case "number":
      return Number.isFinite(value) ? undefined : wrong("a finite number");
    case "object":
      break;
    default:
      return wrong("a JSON value");
  }
  // What makes its own JSON is taken at its word.
  if (value === null || "toJSON" in value) return;
  if (holders.has(value)) return wrong("a value without circles");
  holders.add(value);
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined && !Array.isArray(value)) continue;
    findUnserializable(part, path + pointerToken(key), holders, errors);
  }
  holders.delete(value);
}
