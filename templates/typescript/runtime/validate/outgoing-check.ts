import { fieldsOf, formOf, isReference, REQUIRED } from "./check.js";
import type { Check, CheckNode, FieldNode, Form, TaggedNode, UnionNode } from "./check.js";
import { DECLARED_FORMS } from "./declared-fast-path.js";
import {
  accepted,
  lazy,
  oneOf,
  OUTGOING_FORMS,
  tagged,
  undecided,
  type FastPath,
  type Forms,
} from "./outgoing-fast-path.js";

/**
 * The fast path of the outgoing check: returns whether a message is valid, has declared properties
 * only, and holds only what JSON can represent. It never throws; false leaves the decision to
 * `explainRejected`.
 */
export function mayBeSent(check: Check, value: unknown): boolean {
  try {
    return check.is?.(value) === true && outgoing.pathOf(check)(value, 0);
  } catch {
    // Getters and proxies may throw; the slow path reports it.
    return false;
  }
}

/** Returns whether a value that was parsed and decoded has declared properties only; false if that is not certain. */
export function isDeclared(check: Check, value: unknown): boolean {
  try {
    return declared.pathOf(check)(value, 0);
  } catch {
    return false;
  }
}

/** Compiles nodes to functions: a definition, and those it refers to, on first use. */
class Compiler {
  readonly #forms: Forms;
  readonly #paths = new WeakMap<Check, FastPath>();
  /** The definitions that are being compiled, which detects recursion. */
  readonly #underWay = new Set<Check>();

  constructor(forms: Forms) {
    this.#forms = forms;
  }

  pathOf(check: Check): FastPath {
    return this.#paths.get(check) ?? this.#reference(check);
  }

  /** @param around properties of the enclosing object: a tag, and shared ones */
  #compile(node: CheckNode, around: readonly FieldNode[] = []): FastPath {
    if (isReference(node)) return this.#reference(node, around);
    if (node[0] === "object") return this.#object(node[1], around, node[2]);
    if (node[0] === "tagged") return this.#tagged(node, around);
    if (node[0] === "union") return this.#union(node, around);
    // Only objects can be combined with other properties.
    return around.length > 0 ? undecided : this.#value(node);
  }

  #value(
    node: Exclude<Form, TaggedNode | UnionNode | readonly ["object", ...unknown[]]>,
  ): FastPath {
    switch (node[0]) {
      case "any":
        return this.#forms.json;
      case "nullable":
        return this.#compile(node[1]);
      case "list":
        return this.#collection(node[1], this.#forms.list);
      case "map":
        return this.#collection(node[1], this.#forms.map);
      default:
        return accepted;
    }
  }

  /** Compiles a list or a map; one without declared properties is any JSON. */
  #collection(part: CheckNode, compile: (part: FastPath) => FastPath): FastPath {
    const path = this.#compile(part);
    return path === accepted || path === this.#forms.json ? this.#forms.json : compile(path);
  }

  #reference(check: Check, around: readonly FieldNode[] = []): FastPath {
    if (this.#underWay.has(check)) return lazy(() => this.#reference(check, around));
    const made = around.length === 0 ? this.#paths.get(check) : undefined;
    if (made !== undefined) return made;
    this.#underWay.add(check);
    const path = this.#compile(formOf(check), around);
    this.#underWay.delete(check);
    if (around.length === 0) this.#paths.set(check, path);
    return path;
  }

  #object(
    own: readonly FieldNode[] = [],
    around: readonly FieldNode[],
    isOpen?: boolean,
  ): FastPath {
    const paths = new Map<string, FastPath>();
    for (const [name, node] of [...around, ...own]) {
      const outer = paths.get(name) ?? accepted;
      const inner = this.#compile(node);
      paths.set(name, outer === accepted ? inner : inner === accepted ? outer : undecided);
    }
    return this.#forms.object(paths, isOpen);
  }

  #tagged(
    [, tag, variants, others = [], shared = []]: TaggedNode,
    outer: readonly FieldNode[],
  ): FastPath {
    const around: FieldNode[] = [...outer, ...shared, [tag, ["string"]]];
    const paths = new Map<unknown, FastPath>();
    for (const [value, body] of Object.entries(variants))
      paths.set(value, this.#compile(body, around));
    const [, fallback, absent] = others;
    const none = absent ?? fallback;
    const untagged = none == null ? undecided : this.#compile(none, around);
    return tagged(tag, paths.set(undefined, untagged).set(null, untagged));
  }

  #union([, , slots, shared = []]: UnionNode, outer: readonly FieldNode[]): FastPath {
    const around = [...outer, ...shared];
    const alternatives = slots.map(presentNode);
    if (around.length > 0) return this.#oneOf(alternatives, around);
    const simple = this.#simple(alternatives);
    if (simple !== undefined) return simple;
    const [first, ...others] = alternatives;
    if (others.length === 0) return this.#compile(first!);
    const items = alternatives.flatMap((node) => {
      const form = formOf(node);
      return form[0] === "list" ? [presentNode(form[1])] : [];
    });
    if (items.length < alternatives.length) return this.#oneOf(alternatives, around);
    const path = this.#oneOf(items, around);
    return path === undecided ? path : this.#forms.list(path);
  }

  /** Returns the path of alternatives that hold no declared objects; undefined for all others. */
  #simple(alternatives: readonly CheckNode[]): FastPath | undefined {
    const { json } = this.#forms;
    const paths = alternatives.map((node) => this.#compile(node));
    if (paths.every((path) => path === accepted)) return accepted;
    return paths.every((path) => path === accepted || path === json) ? json : undefined;
  }

  /** Distinguishes alternatives by a property that one requires and no other has; without one, selects the slow path. */
  #oneOf(alternatives: readonly CheckNode[], around: readonly FieldNode[]): FastPath {
    const fields = alternatives.map((node) => fieldsOf(node));
    const marks = fields.map((own) =>
      own.find(
        ([name, , flags = 0]) =>
          (flags & REQUIRED) !== 0 &&
          fields.every((other) => other === own || !other.some(([one]) => one === name)),
      ),
    );
    if (marks.includes(undefined)) return undecided;
    return oneOf(
      alternatives.map((node, index) => [marks[index]![0], this.#compile(node, around)]),
    );
  }
}

/** Returns the node of values that are not null, which every path accepts. */
function presentNode(node: CheckNode): CheckNode {
  return !isReference(node) && node[0] === "nullable" ? node[1] : node;
}

const outgoing = /* @__PURE__ */ new Compiler(OUTGOING_FORMS);
const declared = /* @__PURE__ */ new Compiler(DECLARED_FORMS);
