import type { ValidationError } from "./decode-result.js";
import { pointerToken, render, Diagnosis, type Check, type TrackedValue } from "./diagnosis.js";

/** Thrown for a value that must not be sent. */
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
 * Returns a value unchanged if it may be sent.
 *
 * @throws EncodeError when it does not match the definition, has properties that the profile does
 *   not declare, has tags or values that are reserved for the protocol, or contains values that
 *   JSON cannot represent
 */
export function encode<T>(check: Check, value: T): T {
  const errors = explainRejected(check, value);
  if (errors.length > 0) throw new EncodeError(errors);
  return value;
}

/** Returns why a value must not be sent; empty when it may be sent. */
export function explainRejected(
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
  const diagnosis = new OutgoingDiagnosis("send", maxErrors);
  diagnosis.run(check.diagnose, value);
  // A diagnosis that fails may not have read every declared property.
  if (diagnosis.failures === 0) diagnosis.findUndeclared();
  return diagnosis.errors;
}

/** Records the objects whose properties were read, so that other properties can be reported as undeclared. */
class OutgoingDiagnosis extends Diagnosis {
  readonly #tracked: TrackedValue[] = [];
  readonly #known = new WeakSet<TrackedValue>();

  override readDeclared(holder: TrackedValue, name: string): unknown {
    if (!this.#known.has(holder)) this.#tracked.push(holder);
    this.#known.add(holder);
    return super.readDeclared(holder, name);
  }

  override attempt(...attempt: Parameters<Diagnosis["attempt"]>): ReturnType<Diagnosis["attempt"]> {
    const { length } = this.#tracked;
    const errors = super.attempt(...attempt);
    if (errors !== undefined || attempt[2]) this.#tracked.length = length;
    return errors;
  }

  findUndeclared(): void {
    for (const tracked of this.#tracked.filter(
      ({ isOpen, isSuperseded: isReplaced }) => !isOpen && !isReplaced,
    )) {
      for (const [key, value] of Object.entries(tracked.source)) {
        if (tracked.declared.has(key) || value === undefined) continue;
        this.holder = tracked;
        this.key = key;
        this.reject("undeclared", "only declared properties", value);
      }
    }
  }
}

/** Finds values that `JSON.stringify` rejects or silently replaces. */
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
  // An object with `toJSON` determines its own JSON.
  if (value === null || "toJSON" in value) return;
  if (holders.has(value)) return wrong("a value without circular references");
  holders.add(value);
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined && !Array.isArray(value)) continue;
    findUnserializable(part, path + pointerToken(key), holders, errors);
  }
  holders.delete(value);
}
