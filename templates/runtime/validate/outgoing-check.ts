import { DECLARED_FORMS } from "./declared-fast-path.js";
import {
  undecided,
  accepted,
  lazy,
  oneOf,
  OUTGOING_FORMS,
  tagged,
  type FastPath,
  type Forms,
} from "./outgoing-fast-path.js";
import type { Check } from "./diagnosis.js";

/** The kinds of nodes; the generated table contains the numbers. */
export const NodeKind = {
  /** Needs no check: a scalar. */
  Unchecked: 0,
  /** Any value that JSON can represent. */
  Json: 1,
  /** Left to the slow path. */
  SlowPath: 2,
  List: 3,
  Map: 4,
  /** A tagged union. */
  Tagged: 5,
  /** An object that may have undeclared properties. */
  Open: 6,
  /** A union without a tag, each of whose variants has a property that the others do not have. */
  OneOf: 7,
} as const;

/**
 * A node of the table: a kind without operands, the name of a definition, the declared properties
 * of an object, or a list that starts with its kind.
 */
export type DeclaredNode = 0 | 1 | 2 | string | DeclaredFields | Form;

type Form =
  | readonly [kind: 3, items: DeclaredNode]
  | readonly [kind: 4, values: DeclaredNode]
  | Tagged
  | readonly [kind: 6, fields: DeclaredFields]
  | OneOf;

type Tagged = readonly [
  kind: 5,
  tag: string,
  variants: DeclaredFields,
  /** The properties of every variant. */
  shared: DeclaredFields,
  /** The variant of objects without a tag. */
  none?: DeclaredNode,
];

type OneOf = readonly [
  kind: 7,
  /** The variants, by the property that only this variant has and requires. */
  variants: DeclaredFields,
  shared: DeclaredFields,
];

/** Nodes by the name of a definition, a property or a variant. */
export interface DeclaredFields {
  readonly [name: string]: DeclaredNode;
}

/** Returns whether a message may be sent; false leaves the decision to `explainRejected`. */
export type OutgoingCheck = (definition: string, check: Check, value: unknown) => boolean;

/** Returns whether a decoded message has declared properties only; false if that is not certain. */
export type DeclaredCheck = (definition: string, value: unknown) => boolean;

/** The compiled tables, shared by all connections of a protocol. */
const compiled = new WeakMap<DeclaredFields, OutgoingCheck>();
const declared = new WeakMap<DeclaredFields, DeclaredCheck>();

/**
 * Creates the fast path of the outgoing check: it accepts messages that are valid, have declared
 * properties only, and hold only what JSON can represent. It never throws.
 *
 * @param table the nodes of all definitions that occur in messages, by name
 */
export function createOutgoingCheck(table: DeclaredFields): OutgoingCheck {
  let check = compiled.get(table);
  if (check === undefined) compiled.set(table, (check = compileTable(table)));
  return check;
}

/** Creates the check for undeclared properties in what was parsed and decoded. It never throws. */
export function createDeclaredCheck(table: DeclaredFields): DeclaredCheck {
  let check = declared.get(table);
  if (check === undefined) {
    const compiler = new Compiler(table, DECLARED_FORMS);
    check = (definition, value) => {
      try {
        return compiler.pathOf(definition)(value, 0);
      } catch {
        return false;
      }
    };
    declared.set(table, check);
  }
  return check;
}

function compileTable(table: DeclaredFields): OutgoingCheck {
  const compiler = new Compiler(table, OUTGOING_FORMS);
  return (definition, check, value) => {
    try {
      return check.is(value) && compiler.pathOf(definition)(value, 0);
    } catch {
      // Getters and proxies may throw; the slow path reports it.
      return false;
    }
  };
}

/** Compiles nodes to functions: a definition, and those it refers to, on first use. */
class Compiler {
  readonly #table: DeclaredFields;
  readonly #forms: Forms;
  readonly #simple: readonly [FastPath, FastPath, FastPath];
  readonly #paths = new Map<string, FastPath>();
  /** The definitions that are being compiled, which detects recursion. */
  readonly #underWay = new Set<string>();

  constructor(table: DeclaredFields, forms: Forms) {
    this.#table = table;
    this.#forms = forms;
    this.#simple = [accepted, forms.json, undecided];
  }

  pathOf(definition: string): FastPath {
    return this.#paths.get(definition) ?? this.#reference(definition);
  }

  #node(definition: string): DeclaredNode {
    return Object.hasOwn(this.#table, definition) ? this.#table[definition]! : NodeKind.SlowPath;
  }

  /** @param around properties of the enclosing object: a tag, and shared ones */
  #compile(node: DeclaredNode, around?: DeclaredFields): FastPath {
    if (typeof node === "string") return this.#reference(node, around);
    if (typeof node === "object" && !isForm(node)) return this.#object(node, around);
    if (isForm(node)) {
      if (node[0] === NodeKind.Tagged) return this.#tagged(node, around);
      if (node[0] === NodeKind.OneOf) return this.#oneOf(node, around);
      if (node[0] === NodeKind.Open) return this.#object(node[1], around, true);
    }
    // Only objects can be combined with other properties.
    if (around !== undefined) return undecided;
    if (!isForm(node)) return this.#simple[node];
    const inner = this.#compile(node[1]);
    return node[0] === NodeKind.List ? this.#forms.list(inner) : this.#forms.map(inner);
  }

  #reference(name: string, around?: DeclaredFields): FastPath {
    if (this.#underWay.has(name)) return lazy(() => this.#reference(name, around));
    const made = around === undefined ? this.#paths.get(name) : undefined;
    if (made !== undefined) return made;
    this.#underWay.add(name);
    const path = this.#compile(this.#node(name), around);
    this.#underWay.delete(name);
    if (around === undefined) this.#paths.set(name, path);
    return path;
  }

  #object(own: DeclaredFields, around: DeclaredFields = {}, isOpen?: boolean): FastPath {
    const paths = new Map<string, FastPath>();
    for (const [name, node] of [...Object.entries(around), ...Object.entries(own)]) {
      const outer = paths.get(name) ?? accepted;
      const inner = this.#compile(node);
      paths.set(name, outer === accepted ? inner : inner === accepted ? outer : undecided);
    }
    return this.#forms.object(paths, isOpen);
  }

  #tagged(
    [, tag, variants, shared, none = NodeKind.SlowPath]: Tagged,
    outer?: DeclaredFields,
  ): FastPath {
    const around = { ...outer, ...shared, [tag]: NodeKind.Unchecked };
    const paths = new Map<unknown, FastPath>();
    for (const [value, body] of Object.entries(variants))
      paths.set(value, this.#compile(body, around));
    const untagged = this.#compile(none, around);
    return tagged(tag, paths.set(undefined, untagged).set(null, untagged));
  }

  #oneOf([, variants, shared]: OneOf, outer?: DeclaredFields): FastPath {
    const all = { ...outer, ...shared };
    const around = Object.keys(all).length === 0 ? undefined : all;
    return oneOf(
      Object.entries(variants).map(([name, body]) => [name, this.#compile(body, around)]),
    );
  }
}

function isForm(node: DeclaredNode): node is Form {
  return Array.isArray(node);
}
