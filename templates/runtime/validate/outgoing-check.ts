import {
  closer,
  fine,
  isJson,
  lazily,
  list,
  map,
  object,
  oneOf,
  tagged,
  type Pass,
} from "./outgoing-fast-path.js";
import type { Check } from "./diagnosis.js";

/** Kinds of nodes; generated code holds the numbers. */
export const Sendable = {
  /** Nothing to look for: a scalar, or a map of such. */
  Fine: 0,
  /** Only what JSON cannot carry. */
  Json: 1,
  /** Only the closer look can tell. */
  Closer: 2,
  List: 3,
  Map: 4,
  /** A union told apart by a tag. */
  Tagged: 5,
  /** An object that may have properties that are not declared. */
  Open: 6,
  /** A union without a tag, whose variants each have a property that the others have not. */
  OneOf: 7,
} as const;

/**
 * What is looked for in a place of a valid message: a number, the name of a definition, the
 * declared properties of an object, or a list that starts with its kind.
 */
export type SendableNode = 0 | 1 | 2 | string | SendableFields | Form;

type Form =
  | readonly [kind: 3, items: SendableNode]
  | readonly [kind: 4, values: SendableNode]
  | Tagged
  | readonly [kind: 6, fields: SendableFields]
  | OneOf;

type Tagged = readonly [
  kind: 5,
  tag: string,
  variants: SendableFields,
  /** Properties of every variant. */
  shared: SendableFields,
  /** The variant of objects without a tag. */
  none?: SendableNode,
];

type OneOf = readonly [
  kind: 7,
  /** By the property that only this one has, and must have. */
  variants: SendableFields,
  shared: SendableFields,
];

/** By the name of a definition, a property or a variant. */
export interface SendableFields {
  readonly [name: string]: SendableNode;
}

/** Says of a message whether it may be sent; false means that only `whyNotSent` can tell. */
export type IsSendable = (definition: string, check: Check, value: unknown) => boolean;

/** Connections of one protocol share what was compiled. */
const compiled = new WeakMap<SendableFields, IsSendable>();

/**
 * Makes the glance at outgoing messages: a message that is valid, and has nothing that is
 * undeclared or that JSON cannot carry, needs no closer look. The glance never throws.
 *
 * @param table the definitions that messages are made of, by name
 */
export function sendableBy(table: SendableFields): IsSendable {
  let isSendable = compiled.get(table);
  if (isSendable === undefined) compiled.set(table, (isSendable = compileTable(table)));
  return isSendable;
}

function compileTable(table: SendableFields): IsSendable {
  const compiler = new Compiler(table);
  return (definition, check, value) => {
    try {
      return check.is(value) && compiler.passOf(definition)(value, 0);
    } catch {
      // Getters and proxies may throw; why they did is for the closer look to say.
      return false;
    }
  };
}

/** Turns nodes into passes: a definition, and what it refers to, when it is first asked for. */
class Compiler {
  readonly #table: SendableFields;
  readonly #passes = new Map<string, Pass>();
  /** The definitions that are being compiled: one that holds itself must wait for its own pass. */
  readonly #underWay = new Set<string>();

  constructor(table: SendableFields) {
    this.#table = table;
  }

  passOf(definition: string): Pass {
    return this.#passes.get(definition) ?? this.#reference(definition);
  }

  #node(definition: string): SendableNode {
    return Object.hasOwn(this.#table, definition) ? this.#table[definition]! : Sendable.Closer;
  }

  /** @param around properties that stand beside those of the node: a tag, and what variants share */
  #compile(node: SendableNode, around?: SendableFields): Pass {
    if (typeof node === "string") return this.#reference(node, around);
    if (typeof node === "object" && !isForm(node)) return this.#object(node, around);
    if (isForm(node)) {
      if (node[0] === Sendable.Tagged) return this.#tagged(node, around);
      if (node[0] === Sendable.OneOf) return this.#oneOf(node, around);
      if (node[0] === Sendable.Open) return this.#object(node[1], around, true);
    }
    // Only objects have properties beside others.
    if (around !== undefined) return closer;
    if (!isForm(node)) return SIMPLE[node];
    const inner = this.#compile(node[1]);
    return node[0] === Sendable.List ? list(inner) : map(inner);
  }

  #reference(name: string, around?: SendableFields): Pass {
    if (this.#underWay.has(name)) return lazily(() => this.#reference(name, around));
    const made = around === undefined ? this.#passes.get(name) : undefined;
    if (made !== undefined) return made;
    this.#underWay.add(name);
    const pass = this.#compile(this.#node(name), around);
    this.#underWay.delete(name);
    if (around === undefined) this.#passes.set(name, pass);
    return pass;
  }

  #object(own: SendableFields, around: SendableFields = {}, isOpen?: boolean): Pass {
    const passes = new Map<string, Pass>();
    for (const [name, node] of [...Object.entries(around), ...Object.entries(own)]) {
      const outer = passes.get(name) ?? fine;
      const inner = this.#compile(node);
      passes.set(name, outer === fine ? inner : inner === fine ? outer : closer);
    }
    return object(passes, isOpen);
  }

  #tagged([, tag, variants, shared, none = Sendable.Closer]: Tagged, outer?: SendableFields): Pass {
    const around = { ...outer, ...shared, [tag]: Sendable.Fine };
    const passes = new Map<unknown, Pass>();
    for (const [value, body] of Object.entries(variants))
      passes.set(value, this.#compile(body, around));
    const untagged = this.#compile(none, around);
    return tagged(tag, passes.set(undefined, untagged).set(null, untagged));
  }

  #oneOf([, variants, shared]: OneOf, outer?: SendableFields): Pass {
    const all = { ...outer, ...shared };
    const around = Object.keys(all).length === 0 ? undefined : all;
    return oneOf(
      Object.entries(variants).map(([name, body]) => [name, this.#compile(body, around)]),
    );
  }
}

const SIMPLE = [fine, isJson, closer] as const;

function isForm(node: SendableNode): node is Form {
  return Array.isArray(node);
}
