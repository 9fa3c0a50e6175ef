import type { Random } from "../samples/random.js";

/** Changes an object or an array in place into what JSON text never gives, or what must not be sent. */
type Change = (holder: Holder, key: string, random: Random) => void;

interface Holder {
  [key: string]: unknown;
}

class Instance {
  inherited = "x";
  get computed(): string {
    return "y";
  }
}

/** Puts a value in the place of a property. */
function putting(make: (before: unknown, holder: Holder) => unknown): Change {
  return (holder, key) => void (holder[key] = make(holder[key], holder));
}

/** Defines a property anew. */
function defining(make: (before: unknown) => PropertyDescriptor): Change {
  return (holder, key) => {
    const descriptor = { configurable: true, ...make(holder[key]) };
    if (!Array.isArray(holder) || key !== "length") Object.defineProperty(holder, key, descriptor);
  };
}

/** Gives a property another prototype, where it holds an object. */
function inheriting(prototype: object | null): Change {
  return putting((before) =>
    typeof before === "object" && before !== null
      ? Object.setPrototypeOf(before, prototype)
      : before,
  );
}

const VALUES: readonly unknown[] = [
  () => 1,
  Symbol("x"),
  7n,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  -0,
  undefined,
  null,
  "_custom",
  "reserved",
  [undefined],
  [, 1],
  Object.assign(["x"], { extra: () => 1 }),
  { toJSON: () => "x" },
  { toJSON: 1, more: () => 1 },
  new Date(0),
  new Map([["a", 1]]),
  new Instance(),
  Object.assign(Object.create(null), { a: 1 }),
  Object.assign(Object.create({ inherited: 1 }), { a: 1 }),
  JSON.parse('{"__proto__": {"a": 1}}'),
  { [Symbol("key")]: () => 1 },
  new String("text"),
  new Proxy({ a: 1 }, {}),
];

const CHANGES: readonly Change[] = [
  (holder, key, random) => void (holder[key] = random.pick(VALUES)),
  (holder, _, random) => void (holder[random.pick(["extra", "_extra", "toJSON"])] = 1),
  (holder, _, random) => {
    const name = random.pick(["__proto__", "constructor", "toString", ""]);
    Object.defineProperty(holder, name, { value: {}, enumerable: true, configurable: true });
  },
  (holder) => Object.assign(holder, { [Symbol("key")]: () => 1 }),
  (holder, _, random) => void (holder[random.pick(["type", "sessionUpdate", "kind"])] = "_vendor"),
  putting((_, holder) => holder),
  // All that it has is inherited.
  putting((before) => (typeof before === "object" ? Object.create(before) : before)),
  putting((before) => ({ ...(before as object), extra: 1 })),
  putting((before) => [before]),
  putting((before) => {
    let deep: unknown = before;
    for (let level = 0; level < 150; level++) deep = { deep };
    return deep;
  }),
  defining((value) => ({ value, enumerable: false })),
  defining((value) => ({ get: () => value, enumerable: true })),
  defining((value) => ({ get: () => value, enumerable: false })),
  defining(() => ({ value: { extra: [() => 1] }, enumerable: false })),
  defining((value) => ({
    value: typeof value === "object" ? { ...value, extra: 1 } : value,
    enumerable: false,
  })),
  defining(() => ({
    get: () => {
      throw new Error("boom");
    },
    enumerable: true,
  })),
  inheriting(null),
  inheriting(Instance.prototype),
  inheriting({ toJSON: () => "x" }),
  (holder) => void Object.defineProperty(holder, "toJSON", { value: () => "x" }),
  inheriting(Object.create(Object.prototype, { extra: { value: 1, enumerable: true } })),
];

/**
 * Changes a random place of a message.
 *
 * @param message is left as it is
 */
export function changeHostilely(message: unknown, random: Random): unknown {
  const holder: Holder = { message: structuredClone(message) };
  const holders = holdersIn(holder);
  const chosen = random.pick(holders);
  const keys = Object.keys(chosen);
  const key = keys.length === 0 || random.chance(0.1) ? "_meta" : random.pick(keys);
  random.pick(CHANGES)(chosen, key, random);
  // A getter in its place is as good as none.
  return Object.getOwnPropertyDescriptor(holder, "message")?.value;
}

/** An object and all objects and arrays in it. */
function holdersIn(value: object): Holder[] {
  const inside = Object.values(value).filter((part) => typeof part === "object" && part !== null);
  return [value as Holder, ...inside.flatMap((part: object) => holdersIn(part))];
}
