import { AcpError } from "../acp-error.js";
import type { Check } from "./check.js";
import type { Issue } from "./decode-result.js";
import { own, writesItself, type TrackedValue } from "./diagnosis.js";
import { isReceived, receivedNames } from "./received.js";
import { pointerToken, render } from "./report-text.js";
import { Walk } from "./walk.js";

const COPIES = "; asReceived(value) marks a copy as received";

/** Thrown for a value that must not be sent, or that cannot be read as its definition. */
export class InvalidValueError extends AcpError {
  override readonly name = "InvalidValueError";
  /** The name of the definition that the value does not match. */
  readonly definition: string;
  readonly issues: readonly Issue[];

  constructor(definition: string, issues: readonly Issue[], method?: string) {
    const [first] = issues;
    const place = first?.pointer ? ` at ${first.pointer}` : "";
    const cure = first?.rule === "undeclared" ? COPIES : "";
    super(
      `${definition}${place}: expected ${first?.expected}, found ${first?.found}${cure}`,
      method,
    );
    this.definition = definition;
    this.issues = issues;
  }
}

/**
 * Returns a value unchanged if it may be sent.
 *
 * @throws InvalidValueError when it does not match the definition, has properties that the profile
 *   does not declare, has tags or values that are reserved for the protocol, or contains values
 *   that JSON cannot represent; in objects that were received, properties, tags and values may be
 *   unknown
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
    const [rule, expected] =
      error instanceof RangeError ? ["depth", "fewer levels"] : ["readable", "a readable value"];
    errors.push({ pointer: "", rule, expected, found: "an object" });
  }
  if (errors.length > 0) return errors.slice(0, maxIssues);
  const walk = new OutgoingWalk("send", maxIssues);
  walk.run(check, value);
  // A walk that fails may not have read every declared property.
  if (walk.failures === 0) walk.findUnsent();
  return walk.issues;
}

/** Records the objects whose properties were read, so that other properties can be reported as undeclared. */
export class OutgoingWalk extends Walk {
  override readonly readsAll = true;
  readonly tracked: TrackedValue[] = [];
  readonly #known = new WeakSet<TrackedValue>();

  /** What was received may be sent again. */
  override keepsUnknown(holder: object): boolean {
    return this.mode === "keep" || isReceived(holder);
  }

  override readDeclared(holder: TrackedValue, name: string): unknown {
    if (!this.#known.has(holder)) this.tracked.push(holder);
    this.#known.add(holder);
    return super.readDeclared(holder, name);
  }

  override attempt(...attempt: Parameters<Walk["attempt"]>): ReturnType<Walk["attempt"]> {
    const { length } = this.tracked;
    const errors = super.attempt(...attempt);
    if (errors !== undefined || attempt[2]) this.tracked.length = length;
    return errors;
  }

  /** Reports declared properties that JSON does not get, and properties that are undeclared. */
  findUnsent(): void {
    for (const tracked of this.tracked) {
      if (tracked.isSuperseded) continue;
      const { source } = tracked;
      const keys = new Set(Object.keys(source));
      const allowed = new Set([...tracked.declared, ...receivedNames(source)]);
      const reject = (key: string, ...issue: readonly [rule: string, expected: string]): void => {
        const value = own(source, key);
        if (value === undefined) return;
        this.moveTo(tracked, key);
        this.reject(...issue, value);
      };
      for (const key of allowed) if (!keys.has(key)) reject(key, "json", "an enumerable property");
      if (tracked.isOpen) continue;
      for (const key of keys)
        if (!allowed.has(key)) reject(key, "undeclared", "only declared properties");
    }
  }
}

/** Finds values that `JSON.stringify` rejects or silently replaces. */
function findUnserializable(
  value: unknown,
  path: string,
  holders: Set<object>,
  errors: Issue[],
  isWritten = false,
): void {
  const wrong = (expected: string, found = render(value)): void =>
    void errors.push({ pointer: path, rule: "json", expected, found });
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
  if (value === null) return;
  if (value instanceof Date && Number.isNaN(value.getTime())) return wrong("a valid date");
  if (!isWritten && writesItself(value))
    return findUnserializable(value.toJSON(), path, holders, errors, true);
  if (holders.has(value)) return wrong("a value without circular references");
  if (losesContents(value)) return wrong("a plain object", instanceName(value));
  holders.add(value);
  const isList = Array.isArray(value);
  for (let index = 0; isList && index < value.length; index++)
    if (!Object.hasOwn(value, index)) {
      findUnserializable(undefined, `${path}/${index}`, holders, errors);
      break;
    }
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined && !isList) continue;
    findUnserializable(part, path + pointerToken(key), holders, errors);
  }
  holders.delete(value);
}

/** Returns whether an object has contents that JSON does not show as properties. */
function losesContents(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    !Array.isArray(value) &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) !== null &&
    (Object.keys(value).length === 0 || Symbol.iterator in value)
  );
}

function instanceName(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown };
  const name = typeof constructor === "function" && constructor.name.slice(0, 60);
  return `an instance of ${name || "a class"}`;
}
