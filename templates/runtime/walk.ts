import type { Dropped, DropRule, ValidationError } from "./verdict.js";
import { View, viewOf } from "./view.js";

/**
 * Says whether a value fits, quickly and without a trace; while a walk is under
 * way it notes instead what does not fit and goes on.
 */
export type Check = (value: any) => boolean;

/**
 * What a walk does besides noting errors: `keep` and `reject` repair what may be
 * repaired; `keep` also takes what closed unions and enumerations do not know;
 * `strict` and `send` do neither; `send` refuses names reserved for the protocol.
 */
export type Mode = "strict" | "send" | "keep" | "reject";

/** Objects and arrays nested deeper are refused, whatever the stack could bear. */
const MAX_DEPTH = 256;

/** The walk that is under way. */
export let walk: Walk | undefined;

/**
 * The second look at a value: the same checks as the first, on views that tell
 * which property was read last. Checks go on after a failure, so what they
 * return means nothing here; what counts are the failures noted.
 */
export class Walk {
  readonly errors: ValidationError[] = [];
  readonly dropped: Dropped[] = [];
  /** How many errors there are, reported or not. */
  failures = 0;
  /** Where the value that a check is given was read. */
  view!: View;
  key = "";

  constructor(
    public mode: Mode,
    readonly maxErrors = 16,
  ) {}

  get repairs(): boolean {
    return this.mode === "keep" || this.mode === "reject";
  }

  /** Looks at a value; the result is what it was repaired to. */
  run(check: Check, value: unknown): unknown {
    const holder = new View(this, { value });
    const outer = walk;
    walk = this;
    try {
      check(this.read(holder, "value"));
    } finally {
      walk = outer;
    }
    return (holder.build() as { readonly value: unknown }).value;
  }

  /** Reads a property that is declared. */
  ask(view: View, name: string): unknown {
    return this.read(view, name);
  }

  /** Reads a property or an item for a check; objects and arrays are given as views. */
  read(view: View, key: string): unknown {
    this.view = view;
    this.key = key;
    const value = own(view.source, key);
    if (typeof value !== "object" || value === null) return value;
    if (view.depth < MAX_DEPTH) return new View(this, value, view, key).proxy;
    this.reject("depth", `depth ${MAX_DEPTH}`, value);
    return undefined;
  }

  /** Notes an error at the place that was read last, or at that of a view. */
  reject(rule: string, expected: string, value: unknown): true {
    this.failures++;
    if (this.errors.length < this.maxErrors) {
      const found = render(this.locate(value));
      this.errors.push({
        path: this.pointer(),
        rule: value === undefined ? "required" : rule,
        expected,
        found,
      });
    }
    return true;
  }

  /** Goes to the place of a value that is a view, and gives what it stands for. */
  locate(value: unknown): unknown {
    const view = viewOf(value);
    if (view === undefined) return value;
    this.view = view.parent!;
    this.key = view.key;
    return view.source;
  }

  /** Told that an object may have properties that no check asks for. */
  free(_view: View): void {}

  /** Notes something that is no error, at the place that was read last. */
  note(rule: DropRule, reason: string): void {
    if (this.repairs) this.dropped.push({ path: this.pointer(), rule, reason });
  }

  /** Runs a check; when it fails, forgets what was noted meanwhile and gives the errors. */
  attempt(check: Check, value: unknown): readonly ValidationError[] | undefined {
    const { failures } = this;
    const reported = this.errors.length;
    const dropped = this.dropped.length;
    check(value);
    if (this.failures === failures) return undefined;
    this.failures = failures;
    this.dropped.length = dropped;
    return this.errors.splice(reported);
  }

  /** JSON pointer of the place that was read last. */
  pointer(): string {
    let path = "";
    let { key } = this;
    // What holds the whole value is not part of it.
    for (let view = this.view; view.parent !== undefined; view = view.parent) {
      path = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}${path}`;
      key = view.key;
    }
    return path;
  }
}

/** A property or an item of its own; what is inherited does not count. */
export function own(holder: object, key: string): unknown {
  return Object.hasOwn(holder, key) ? (holder as { [key: string]: unknown })[key] : undefined;
}

/** Never more than 100 characters, never the content of an object. */
export function render(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
