import { AcpError } from "../rpc/acp-error.js";
import type { Issue } from "./decode-result.js";
import { pointerToken, render, Diagnosis, type Check, type TrackedValue } from "./diagnosis.js";

/** Thrown for a value that must not be sent, or that cannot be read as its definition. */
export class InvalidValueError extends AcpError {
  override readonly name = "InvalidValueError";
  /** The name of the definition that the value does not match. */
  readonly definition: string;
  readonly issues: readonly Issue[];

  constructor(definition: string, issues: readonly Issue[], method?: string) {
    const [first] = issues;
    const place = first?.pointer ? `${definition} at ${first.pointer}` : definition;
    super(`${place}: expected ${first?.expected}, found ${first?.found}`, method);
    this.definition = definition;
    this.issues = issues;
  }
}

/**
 * Returns a value unchanged if it may be sent.
 *
 * @throws InvalidValueError when it does not match the definition, has properties that the profile
 *   does not declare, has tags or values that are reserved for the protocol, or contains values
 *   that JSON cannot represent
 */
export function encode<T>(definition: string, check: Check, value: T): T {
  const issues = explainRejected(check, value);
  if (issues.length > 0) throw new InvalidValueError(definition, issues);
  return value;
}

/** Returns why a value must not be sent; empty when it may be sent. */
export function explainRejected(
  check: Check,
  value: unknown,
  maxIssues?: number,
): readonly Issue[] {
  const errors: Issue[] = [];
  try {
    findUnserializable(value, "", new Set(), errors);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    errors.push({ pointer: "", rule: "depth", expected: "fewer levels", found: render(value) });
  }
  if (errors.length > 0) return errors.slice(0, maxIssues);
  const diagnosis = new OutgoingDiagnosis("send", maxIssues);
  diagnosis.run(check.diagnose, value);
  // A diagnosis that fails may not have read every declared property.
  if (diagnosis.failures === 0) diagnosis.findUndeclared();
  return diagnosis.issues;
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
  errors: Issue[],
): void {
  const wrong = (expected: string): void =>
    void errors.push({ pointer: path, rule: "json", expected, found: render(value) });
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
