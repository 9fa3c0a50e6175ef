import type { Walk } from "./walk.js";

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
  /** New values by key: nested views that have changes, other values, undefined for what is removed. */
  #changes = new Map<string, unknown>();

  constructor(
    readonly walk: Walk,
    readonly source: object,
    readonly parent?: View,
    readonly key = "",
  ) {
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
    const view = new View(this.walk, this.source, this.parent, this.key);
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

/** The view that a check was given; undefined for values without parts. */
export function viewOf(value: unknown): View | undefined {
  return typeof value === "object" && value !== null
    ? (value as { readonly [SELF]?: View })[SELF]
    : undefined;
}
