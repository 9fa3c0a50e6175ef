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
  /** New values of properties and items; undefined removes one. */
  #changes: Map<string | number, unknown> | undefined;
  /** The nested views that have changes. */
  #changed: Map<string | number, View> | undefined;

  constructor(
    readonly walk: Walk,
    readonly source: object,
    readonly parent?: View,
    readonly key: string | number = "",
  ) {
    // A proxy may not hide what its target has frozen, so the target is an empty one.
    this.proxy = new Proxy(Array.isArray(source) ? [] : {}, this);
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  get(_target: object, name: string | symbol): unknown {
    return name === SELF ? this : this.walk.read(this, name as string);
  }

  /** Replaces a property or an item; undefined removes it. */
  put(key: string | number, value: unknown): void {
    this.#changed?.delete(key);
    (this.#changes ??= new Map()).set(key, value);
    this.#announce();
  }

  /** A view of the same place to try a reading on; the last one made counts. */
  again(): View {
    const { walk, source, parent, key } = this;
    const view = new View(walk, source, parent, key);
    if (parent !== undefined) parent.#changed?.delete(key);
    view.#changes = this.#changes && new Map(this.#changes);
    view.#changed = this.#changed && new Map(this.#changed);
    if (this.#changes ?? this.#changed) view.#announce();
    return view;
  }

  /** The source with all changes, or the source itself when there are none. */
  build(): object {
    const { source } = this;
    const changes = new Map(this.#changes);
    for (const [key, view] of this.#changed ?? []) changes.set(key, view.build());
    if (changes.size === 0) return source;
    if (Array.isArray(source)) {
      return source.flatMap((item: unknown, index) => {
        const value = changes.has(index) ? changes.get(index) : item;
        return value === undefined ? [] : [value];
      });
    }
    const copy: { [key: string]: unknown } = { ...source };
    for (const [key, value] of changes) {
      if (value === undefined) delete copy[key];
      // An assignment to `__proto__` would do something else.
      else Object.defineProperty(copy, key, { ...PLAIN, value });
    }
    return copy;
  }

  #announce(): void {
    const { parent, key } = this;
    if (parent === undefined || parent.#changed?.get(key) === this) return;
    (parent.#changed ??= new Map()).set(key, this);
    parent.#announce();
  }
}

const PLAIN = { writable: true, enumerable: true, configurable: true } as const;

/** The view that a check was given; undefined for values without parts. */
export function viewOf(value: unknown): View | undefined {
  return typeof value === "object" && value !== null
    ? (value as { readonly [SELF]?: View })[SELF]
    : undefined;
}
