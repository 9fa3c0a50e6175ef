import { fieldsOf } from "../../../model/map-shape.js";
import type { Protocol } from "../../../model/protocol.js";
import type { Field, Shape, UnionShape } from "../../../model/shape.js";
import {
  code,
  indentLines,
  joinCode,
  literal,
  propertyKey,
  type Code,
} from "../../../output/code.js";
import type { Json } from "../../../schema/json-schema/json.js";

/** The numbers of `templates/runtime/validate/outgoing-check.ts`; a test keeps both tables equal. */
export const NodeKind = {
  Unchecked: 0,
  Json: 1,
  SlowPath: 2,
  List: 3,
  Map: 4,
  Tagged: 5,
  Open: 6,
  OneOf: 7,
} as const;

/**
 * Prints the table of the outgoing check: the declared properties of every definition that
 * methods carry, and of those it refers to.
 */
export function printDeclaredFields(protocol: Protocol): Code {
  const rows = [...new DeclaredFieldsTable(protocol).nodes].map(
    ([name, node]) => code`${propertyKey(name)}: ${printNode(node)},`,
  );
  return indentLines(code`import type { DeclaredFields } from "../../runtime/validate/outgoing-check.js";

export const DECLARED_FIELDS: DeclaredFields = {
${joinCode(rows, "\n")}
} as const;
`);
}

/** The longest node that is printed on one line, in characters. */
const LINE = 80;

/** Prints a node on one line, or on a line for each of its parts. */
function printNode(node: Json): Code {
  const line = literal(node);
  if (line.length <= LINE || typeof node !== "object" || node === null) return line;
  if (Array.isArray(node)) {
    const parts = node.map((part: Json) => code`${printNode(part)},`);
    return code`[
${joinCode(parts, "\n")}
]`;
  }
  const parts = Object.entries(node).map(
    ([name, part]) => code`${propertyKey(name)}: ${printNode(part as Json)},`,
  );
  return code`{
${joinCode(parts, "\n")}
}`;
}

/** Builds nodes in the form of the runtime's `DeclaredNode`. */
class DeclaredFieldsTable {
  readonly nodes = new Map<string, Json>();
  readonly #shapes: ReadonlyMap<string, Shape>;
  /** The results of `#simple` for definitions; undefined while one is computed. */
  readonly #known = new Map<string, Json | undefined>();

  constructor({ definitions, methods }: Protocol) {
    this.#shapes = new Map(definitions.map(({ name, shape }) => [name, shape]));
    for (const { params, result = params } of methods) {
      this.#define(params);
      this.#define(result);
    }
  }

  #define(name: string): void {
    if (this.nodes.has(name)) return;
    // Reserved before its references are followed, since definitions may be recursive.
    this.nodes.set(name, NodeKind.SlowPath);
    this.nodes.set(name, this.#node(this.#shapes.get(name)!));
  }

  #node(shape: Shape): Json {
    const simple = this.#simple(shape);
    if (simple !== undefined) return simple;
    switch (shape.kind) {
      case "reference":
        this.#define(shape.name);
        return shape.name;
      case "list":
        return [NodeKind.List, this.#node(shape.items.shape)];
      case "map":
        return [NodeKind.Map, this.#node(shape.values.shape)];
      case "object": {
        const fields = this.#fields(shape.fields);
        return shape.extensible ? [NodeKind.Open, fields] : fields;
      }
      case "tagged": {
        const { tag, variants, shared, absent, fallback } = shape;
        const bodies = variants.map(({ value, body }) => [value, this.#node(body)] as const);
        const none = absent ?? fallback;
        return [
          NodeKind.Tagged,
          tag,
          Object.fromEntries(bodies),
          this.#fields(shared),
          ...(none === undefined ? [] : [this.#node(none.body)]),
        ];
      }
      case "union":
        return this.#union(shape);
      default:
        throw new Error(`a place of the kind "${shape.kind}" has no node`);
    }
  }

  /** Distinguishes variants by a property that one requires and no other has; without one, selects the slow path. */
  #union({ variants, shared }: UnionShape): Json {
    const shapes = variants.map(({ slot }) => this.#resolve(slot.shape));
    const [first, ...others] = shapes;
    if (others.length === 0 && shared.length === 0) return this.#node(first!);
    const lists = shapes.filter((shape) => shape.kind === "list");
    if (lists.length === shapes.length && shared.length === 0) {
      const items = this.#oneOf(
        lists.map((list) => list.items.shape),
        shared,
      );
      return items === NodeKind.SlowPath ? items : [NodeKind.List, items];
    }
    return this.#oneOf(
      variants.map(({ slot }) => slot.shape),
      shared,
    );
  }

  #oneOf(variants: readonly Shape[], shared: readonly Field[]): Json {
    const fields = variants.map((variant) => fieldsOf(this.#resolve(variant)));
    const marks = fields.map((own) =>
      own.find(
        ({ name, required }) =>
          required &&
          fields.every((other) => other === own || !other.some((one) => one.name === name)),
      ),
    );
    const bodies = marks.flatMap((mark, index) =>
      mark === undefined ? [] : [[mark.name, this.#node(variants[index]!)] as const],
    );
    if (bodies.length < variants.length) return NodeKind.SlowPath;
    return [NodeKind.OneOf, Object.fromEntries(bodies), this.#fields(shared)];
  }

  #resolve(shape: Shape): Shape {
    return shape.kind === "reference" ? this.#resolve(this.#shapes.get(shape.name)!) : shape;
  }

  #fields(fields: readonly Field[]): Json {
    return Object.fromEntries(fields.map(({ name, shape }) => [name, this.#node(shape)]));
  }

  /** Returns the node of shapes that hold no declared objects; undefined for all others. */
  #simple(shape: Shape): Json | undefined {
    switch (shape.kind) {
      case "null":
      case "scalar":
      case "enum":
        return NodeKind.Unchecked;
      case "any":
        return NodeKind.Json;
      case "reference":
        return this.#simpleDefinition(shape.name);
      case "map":
        // The fast check also accepts instances of classes, such as a `Map`.
        return this.#simple(shape.values.shape) === undefined ? undefined : NodeKind.Json;
      case "list":
        return this.#simple(shape.items.shape) === undefined ? undefined : NodeKind.Json;
      case "union": {
        const variants = shape.variants.map(({ slot }) => this.#simple(slot.shape));
        if (shape.shared.length > 0 || variants.includes(undefined)) return undefined;
        return variants.includes(NodeKind.Json) ? NodeKind.Json : NodeKind.Unchecked;
      }
      case "object":
      case "tagged":
        return undefined;
      default:
        return shape satisfies never;
    }
  }

  /** Returns the node of a simple definition; recursive definitions are not simple. */
  #simpleDefinition(name: string): Json | undefined {
    if (!this.#known.has(name)) {
      this.#known.set(name, undefined);
      this.#known.set(name, this.#simple(this.#shapes.get(name)!));
    }
    return this.#known.get(name);
  }
}
