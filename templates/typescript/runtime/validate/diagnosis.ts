import type { CheckNode } from "./check.js";
import type { Note, NoteRule, Issue } from "./decode-result.js";
import { withFields } from "./fast-checks.js";
import { pointerToken, render, shorten } from "./report-text.js";

/**
 * Selects what a diagnosis does besides reporting errors: `keep` and `reject` repair what may
 * be repaired; `keep` also accepts values that closed unions and enumerations do not list;
 * `strict` and `send` do neither; `send` rejects names that are reserved for the protocol.
 */
export type DiagnosisMode = "strict" | "send" | "keep" | "reject";

/** Objects and arrays nested deeper than this are rejected. */
const MAX_DEPTH = 256;

/**
 * The slow path: diagnoses a value that did not pass the fast check. It reads tracked values, which
 * record the property that was read last, so that errors have a path and repairs have a target.
 */
export abstract class Diagnosis {
  mode: DiagnosisMode;
  readonly maxIssues: number;
  issues: Issue[] = [];
  readonly notes: Note[] = [];
  /** The number of errors, including unreported ones. */
  failures = 0;
  /** The object or array that was read last; `key` names the property or the item. */
  holder!: TrackedValue;
  key = "";
  /** The number of changes: repairs and inserted defaults. */
  changes = 0;
  /** Whether the run only decides about a value: its changes and notes are discarded. */
  isTrial = false;
  /** Whether values that pass their fast check are read as well, which subclasses may need. */
  readonly readsAll: boolean = false;

  constructor(mode: DiagnosisMode, maxIssues = 16) {
    this.mode = mode;
    this.maxIssues = maxIssues;
  }

  /** Whether unknown values of an object or a list are accepted, although its union or enumeration is closed. */
  keepsUnknown(_holder: object): boolean {
    return this.mode === "keep";
  }

  /** Whether an object or a list may have names that are reserved for the protocol. */
  allowsReserved(holder: object): boolean {
    return this.mode !== "send" || this.keepsUnknown(holder);
  }

  get repairs(): boolean {
    return this.mode === "keep" || this.mode === "reject";
  }

  /**
   * Reports the errors of a value.
   *
   * @param value tracked if it is an object or a list
   * @param skips whether invalid items of a list are removed
   */
  abstract diagnose(node: CheckNode, value: unknown, skips?: boolean): void;

  /** Returns whether a value, which is not tracked, is valid as it is. */
  abstract isValid(node: CheckNode, value: unknown): boolean;

  /** Diagnoses a value and returns it, repaired where possible. Never throws. */
  run(node: CheckNode, value: unknown): unknown {
    const holder = new TrackedValue(this, { value });
    try {
      this.diagnose(node, this.read(holder, "value"));
      return (holder.build() as { readonly value: unknown }).value;
    } catch {
      // Getters and proxies inside the value may throw; parsed JSON has neither.
      this.reject("readable", "a readable value", null);
      return value;
    }
  }

  /** Reads a property that is declared. */
  readDeclared(holder: TrackedValue, name: string): unknown {
    holder.declared.push(name);
    return this.read(holder, name);
  }

  /** Reads a property or an item; objects and arrays are returned as tracked values. */
  read(holder: TrackedValue, key: string): unknown {
    this.holder = holder;
    this.key = key;
    const value = own(holder.source, key);
    if (typeof value !== "object" || value === null) return value;
    if (holder.depth < MAX_DEPTH) return new TrackedValue(this, value, holder, key);
    this.reject("depth", `depth ${MAX_DEPTH}`, value);
    return undefined;
  }

  /** Whether valid parts are read as well: trials compare which properties are declared. */
  readsAllParts(): boolean {
    return this.readsAll || this.isTrial;
  }

  /** Makes a property or an item the place of the next report. */
  moveTo(holder: TrackedValue, key: string): void {
    this.holder = holder;
    this.key = key;
  }

  /** Called at a tag that is none of the listed ones, for a value that its union accepts nevertheless. */
  passTag(_listed: readonly string[]): void {}

  /** Reports an error at the path of a tracked value; for any other value, at the path read last. */
  reject(rule: string, expected: string, value: unknown): void {
    this.failures++;
    if (this.issues.length < this.maxIssues) {
      const found = render(this.locate(value));
      this.issues.push({
        pointer: this.pointer(),
        rule: value === undefined ? "required" : rule,
        expected,
        found,
      });
    }
  }

  /** Moves to the path of a tracked value and returns its source; other values are returned as they are. */
  locate(value: unknown): unknown {
    const holder = trackedOf(value);
    if (holder === undefined) return value;
    this.holder = holder.parent!;
    this.key = holder.key;
    return holder.source;
  }

  /** Reports a repair, or a value that was kept although it is unknown, at the path read last. */
  note(rule: NoteRule, reason: string): void {
    if (!this.repairs) return;
    const kind = rule === "unknown" || rule === "unsafe-integer" ? "kept" : "repaired";
    this.notes.push({ kind, pointer: this.pointer(), rule, reason });
  }

  /**
   * Diagnoses a value. When it is invalid, removes the reports and returns the errors.
   *
   * @param discard whether to remove the reports also when it is valid
   */
  attempt(
    node: CheckNode,
    value: unknown,
    discard = false,
    skips = false,
  ): readonly Issue[] | undefined {
    const { failures, issues } = this;
    const noted = this.notes.length;
    this.issues = [];
    this.diagnose(node, value, skips);
    const errors = this.issues;
    this.issues = issues;
    const fits = this.failures === failures;
    this.failures = failures;
    if (!fits || discard) this.notes.length = noted;
    return fits ? undefined : errors;
  }

  /** Returns the JSON pointer of the property or item that was read last. */
  pointer(): string {
    let path = "";
    let { key } = this;
    // The object around the whole value is not part of the path.
    for (let holder = this.holder; holder.parent !== undefined; holder = holder.parent) {
      path = pointerToken(shorten(key)) + path;
      key = holder.key;
    }
    return path;
  }
}

/** The results of trials at one path, by mode and node, and those at the paths inside. */
class Trials {
  readonly #inside = new Map<string, Trials>();
  readonly #results = new Map<DiagnosisMode, Map<CheckNode, readonly Issue[] | undefined>>();

  at(key: string): Trials {
    let trials = this.#inside.get(key);
    if (trials === undefined) this.#inside.set(key, (trials = new Trials()));
    return trials;
  }

  in(mode: DiagnosisMode): Map<CheckNode, readonly Issue[] | undefined> {
    let results = this.#results.get(mode);
    if (results === undefined) this.#results.set(mode, (results = new Map()));
    return results;
  }
}

/**
 * Represents an object or array during a diagnosis. Reading a property records the path in the
 * diagnosis; changes are stored here, so that the source is never modified.
 */
export class TrackedValue {
  readonly diagnosis: Diagnosis;
  readonly source: object;
  readonly parent: TrackedValue | undefined;
  readonly key: string;
  readonly depth: number;
  /** The properties that were read, which are those that are declared. */
  readonly declared: string[] = [];
  /** Whether other properties are allowed. */
  isOpen = false;
  /** Whether a later tracked value for the same path replaces this one. */
  isSuperseded = false;
  /** New values by key: nested tracked values with changes, replacements, undefined for removed ones. */
  #changes: Map<string, unknown> | undefined;
  #trials: Trials | undefined;

  constructor(diagnosis: Diagnosis, source: object, parent?: TrackedValue, key = "") {
    this.diagnosis = diagnosis;
    this.source = source;
    this.parent = parent;
    this.key = key;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  /** Reads a property that is declared. */
  get(name: string): unknown {
    return this.diagnosis.readDeclared(this, name);
  }

  /** The results of trials, which all tracked values for the same path share. */
  get trials(): Trials {
    return (this.#trials ??= this.parent?.trials.at(this.key) ?? new Trials());
  }

  /** Replaces a property or an item; undefined removes it. */
  change(key: string, value: unknown): void {
    if (!(value instanceof TrackedValue)) this.diagnosis.changes++;
    (this.#changes ??= new Map()).set(key, value);
    this.parent?.change(this.key, this);
  }

  /** Creates a tracked value for the same path, to try another node; the latest one counts. */
  retry(): TrackedValue {
    const next = new TrackedValue(this.diagnosis, this.source, this.parent, this.key);
    next.declared.push(...this.declared);
    next.isOpen = this.isOpen;
    this.isSuperseded = true;
    next.#changes = this.#changes && new Map(this.#changes);
    this.parent?.change(this.key, next);
    return next;
  }

  /** Returns the source with all changes, or the source itself when there are none. */
  build(): object {
    const { source } = this;
    const isList = Array.isArray(source);
    let copy: { [key: string]: unknown } | undefined;
    for (const [key, change] of this.#changes ?? []) {
      const value = change instanceof TrackedValue ? change.build() : change;
      const isPresent = Object.hasOwn(source, key);
      // An undefined item, or a hole, is removed, too.
      const isRemoved = value === undefined && (isPresent || isList);
      if (!isRemoved && value === own(source, key)) continue;
      copy ??= withFields(source, {}) as { [key: string]: unknown };
      if (isRemoved) delete copy[key];
      else if (key !== "__proto__") copy[key] = value;
      else
        Object.defineProperty(copy, key, {
          value,
          configurable: true,
          enumerable: true,
          writable: true,
        });
    }
    if (copy === undefined) return source;
    return isList ? Object.values(copy) : copy;
  }
}

/** Returns a value if it is tracked; undefined for values that are not objects. */
export function trackedOf(value: unknown): TrackedValue | undefined {
  return value instanceof TrackedValue ? value : undefined;
}

/** Returns an own property or item; undefined for inherited ones. */
export function own(holder: object, key: string): unknown {
  return Object.hasOwn(holder, key) ? (holder as { [key: string]: unknown })[key] : undefined;
}

/** Returns whether an object determines its own JSON, so that its properties are not what is sent. */
export function writesItself(value: object): value is { toJSON(): unknown } {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === "function";
}
