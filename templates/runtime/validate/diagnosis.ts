import type { Dropped, DropRule, ValidationError } from "./decode-result.js";

/** The two ways to look at a value of a definition. */
export interface Check {
  /** The first look: quick, without a trace, on the value itself. */
  readonly is: (value: any) => boolean;
  readonly look: Look;
}

/**
 * The second look, on a view: tells the walk that is under way what does not
 * fit, and goes on.
 */
export type Look = (value: any) => void;

/**
 * What a walk does besides noting errors: `keep` and `reject` repair what may be
 * repaired; `keep` also takes what closed unions and enumerations do not know;
 * `strict` and `send` do neither; `send` refuses names reserved for the protocol.
 */
export type Mode = "strict" | "send" | "keep" | "reject";

/** Objects and arrays nested deeper are refused, whatever the stack could bear. */
const MAX_DEPTH = 256;

/** The walk that is under way. */
export let walk: Walk;

/**
 * The second look at a value, for what did not pass the first: looks run on
 * views, which tell the walk which property was read last, so that errors have
 * a place and repairs a target.
 */
export class Walk {
  readonly errors: ValidationError[] = [];
  readonly dropped: Dropped[] = [];
  /** How many errors there are, reported or not. */
  failures = 0;
  /** Where the value that a look is given was read. */
  view!: View;
  key = "";

  constructor(
    public mode: Mode,
    readonly maxErrors = 16,
  ) {}

  get repairs(): boolean {
    return this.mode === "keep" || this.mode === "reject";
  }

  /** Looks at a value; the result is what it was repaired to. Never throws. */
  run(look: Look, value: unknown): unknown {
    const holder = new View(this, { value });
    const outer = walk;
    walk = this;
    try {
      look(this.read(holder, "value"));
      return (holder.build() as { readonly value: unknown }).value;
    } catch {
      // Getters and proxies of the value's own may throw; what parsing gives has none.
      this.reject("readable", "a value that can be read", null);
      return value;
    } finally {
      walk = outer;
    }
  }

  /** Reads a property that is declared. */
  ask(view: View, name: string): unknown {
    view.asked.add(name);
    return this.read(view, name);
  }

  /** Reads a property or an item for a look; objects and arrays are given as views. */
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
  reject(rule: string, expected: string, value: unknown): void {
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
  }

  /** Goes to the place of a value that is a view, and gives what it stands for. */
  locate(value: unknown): unknown {
    const view = viewOf(value);
    if (view === undefined) return value;
    this.view = view.parent!;
    this.key = view.key;
    return view.source;
  }

  /** Notes something that is no error, at the place that was read last. */
  note(rule: DropRule, reason: string): void {
    if (this.repairs) this.dropped.push({ path: this.pointer(), rule, reason });
  }

  /**
   * Runs a look; when it fails, forgets what was noted meanwhile and gives the
   * errors.
   *
   * @param isTrial whether to forget in any case
   */
  attempt(look: Look, value: unknown, isTrial = false): readonly ValidationError[] | undefined {
    const { failures } = this;
    const reported = this.errors.length;
    const dropped = this.dropped.length;
    look(value);
    const fits = this.failures === failures;
    this.failures = failures;
    const errors = this.errors.splice(reported);
    if (!fits || isTrial) this.dropped.length = dropped;
    return fits ? undefined : errors;
  }

  /** JSON pointer of the place that was read last. */
  pointer(): string {
    let path = "";
    let { key } = this;
    // What holds the whole value is not part of it.
    for (let view = this.view; view.parent !== undefined; view = view.parent) {
      path = pointerToken(shorten(key)) + path;
      key = view.key;
    }
    return path;
  }
}

/** Asks a view for itself. */
const SELF = Symbol("view");

/**
 * Stands for an object or array while a walk looks at it: what is read through
 * `proxy` tells the walk where it is, and changes are kept aside, so that the
 * source stays as it is.
 */
export class View implements ProxyHandler<object> {
  readonly proxy: object;
  readonly depth: number;
  /** The properties that looks have asked for. */
  readonly asked: Set<string>;
  /** Whether it may have others. */
  isOpen = false;
  /** Whether another view of the same place counts. */
  isReplaced = false;
  /** New values by key: nested views that have changes, other values, undefined for what is removed. */
  #changes = new Map<string, unknown>();

  constructor(
    readonly walk: Walk,
    readonly source: object,
    readonly parent?: View,
    readonly key = "",
    asked?: Iterable<string>,
  ) {
    this.asked = new Set(asked);
    // A proxy may not hide what its target has frozen, so the target is an empty one.
    this.proxy = new Proxy(Array.isArray(source) ? [] : {}, this);
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  get(_target: object, name: string | symbol): unknown {
    return name === SELF ? this : this.walk.ask(this, name as string);
  }

  /** Replaces a property or an item; undefined removes it. */
  put(key: string, value: unknown): void {
    this.#changes.set(key, value);
    this.parent?.put(this.key, this);
  }

  /** A view of the same place to try a reading on; the last one made counts. */
  again(): View {
    const view = new View(this.walk, this.source, this.parent, this.key, this.asked);
    view.isOpen = this.isOpen;
    this.isReplaced = true;
    view.#changes = new Map(this.#changes);
    this.parent?.put(this.key, view);
    return view;
  }

  /** The source with all changes, or the source itself when there are none. */
  build(): object {
    const { source } = this;
    const entries = new Map<string, unknown>(Object.entries(source));
    let isSame = true;
    for (const [key, change] of this.#changes) {
      const value = change instanceof View ? change.build() : change;
      if (value === entries.get(key)) continue;
      isSame = false;
      if (value === undefined) entries.delete(key);
      else entries.set(key, value);
    }
    if (isSame) return source;
    return Array.isArray(source) ? [...entries.values()] : Object.fromEntries(entries);
  }
}

/** The view that a look was given; undefined for values without parts. */
export function viewOf(value: unknown): View | undefined {
  return typeof value === "object" && value !== null
    ? (value as { readonly [SELF]?: View })[SELF]
    : undefined;
}

/** A property or an item of its own; what is inherited does not count. */
export function own(holder: object, key: string): unknown {
  return Object.hasOwn(holder, key) ? (holder as { [key: string]: unknown })[key] : undefined;
}

/** A key as a step of a JSON pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Never more than 100 characters, never the content of an object. */
export function render(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(shorten(value));
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : shorten(String(value));
}

/** What a peer sent must not make reports long. */
function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
