/** How unknown tags and values of closed unions and enumerations are taken. */
export interface DecodeOptions {
  /** `keep` (default): as they are, noted in `dropped`. `reject`: as the schema says. */
  readonly unknown?: "keep" | "reject";
  /** How many errors are reported at most; 16 when absent. */
  readonly maxErrors?: number;
}

/** What a value decodes to: itself or its repaired form, or why it cannot be used. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T; readonly dropped: readonly Dropped[] }
  | { readonly ok: false; readonly errors: readonly DecodeError[] };

/** Something that a decode has repaired, or kept without knowing it. */
export interface Dropped {
  /** JSON pointer (RFC 6901) into the input. */
  readonly path: string;
  readonly rule: DropRule;
  readonly reason: string;
}

export type DropRule =
  "default-on-error" | "default-on-null" | "skip-invalid-items" | "unknown" | "unsafe-integer";

/** One thing that is wrong with a value. */
export interface DecodeError {
  /** JSON pointer (RFC 6901) into the input. */
  readonly path: string;
  /** The keyword that failed. */
  readonly rule: string;
  readonly expected: string;
  /** A short rendering of what was there, for people on this side only. */
  readonly found: string;
}

/** Stands for "no value": reading has failed and has noted why. */
export const INVALID: unique symbol = Symbol("invalid");

/** References nested deeper are refused, whatever the stack could bear. */
const MAX_DEPTH = 256;

/** The state of one decode. */
export class Walk {
  /** Where it is in the input. */
  readonly path: (string | number)[] = [];
  readonly dropped: Dropped[] = [];
  readonly errors: DecodeError[] = [];
  mode: "strict" | "keep" | "reject";
  readonly #maxErrors: number;
  #depth = 0;

  constructor(mode: Walk["mode"], maxErrors = 16) {
    this.mode = mode;
    this.#maxErrors = maxErrors;
  }

  /** Whether what the schema does not know is taken as it is. */
  get keeps(): boolean {
    return this.mode === "keep";
  }

  /** Whether more errors would not be reported. */
  get isFull(): boolean {
    return this.errors.length >= this.#maxErrors;
  }

  fail(rule: string, expected: string, value: unknown): typeof INVALID {
    if (!this.isFull)
      this.errors.push({ path: this.pointer(), rule, expected, found: render(value) });
    return INVALID;
  }

  note(rule: DropRule, reason: string): void {
    if (this.mode !== "strict") this.dropped.push({ path: this.pointer(), rule, reason });
  }

  /** Remembers what has been noted so far. */
  mark(): { readonly errors: number; readonly dropped: number } {
    return { errors: this.errors.length, dropped: this.dropped.length };
  }

  /** Forgets what was noted since a mark and gives back the errors. */
  rollback({ errors, dropped }: ReturnType<Walk["mark"]>): DecodeError[] {
    this.dropped.length = dropped;
    return this.errors.splice(errors);
  }

  /** Notes that the value at the current place was replaced because of the errors since a mark. */
  repair(mark: ReturnType<Walk["mark"]>, rule: DropRule): void {
    const [first] = this.rollback(mark);
    const where = first === undefined ? "" : first.path.slice(this.pointer().length);
    this.note(
      rule,
      first === undefined
        ? "invalid"
        : `${where === "" ? "" : `${where}: `}expected ${first.expected}`,
    );
  }

  /** Reads something nested, unless it is nested too deeply. */
  nested(run: () => unknown, value: unknown): unknown {
    if (this.#depth >= MAX_DEPTH) return this.fail("depth", `at most ${MAX_DEPTH} levels`, value);
    this.#depth++;
    const result = run();
    this.#depth--;
    return result;
  }

  pointer(): string {
    return this.path
      .map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`)
      .join("");
  }
}

/** Never more than 100 characters, never the content of an object. */
function render(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
