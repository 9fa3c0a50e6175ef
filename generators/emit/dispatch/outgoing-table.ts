import { fieldsOf } from "../../model/map-shape.js";
import type { Protocol } from "../../model/protocol.js";
import type { Field, Shape, UnionShape } from "../../model/shape.js";
import { code, joinCode, literal, propertyKey, type Code } from "../../output/code.js";
import type { Json } from "../../schema/json-schema/json.js";

/** The numbers of `templates/runtime/validate/outgoing-check.ts`; a test keeps the two equal. */
export const Sendable = {
  Fine: 0,
  Json: 1,
  Closer: 2,
  List: 3,
  Map: 4,
  Tagged: 5,
  Open: 6,
  OneOf: 7,
} as const;

/**
 * Prints the table of what a sender looks for in messages that are known to be valid: for
 * every definition that methods carry, and those it refers to, the declared properties.
 */
export function printSendable(protocol: Protocol): Code {
  const rows = [...new SendableTable(protocol).nodes].map(
    ([name, node]) => code`${propertyKey(name)}: ${literal(node)},`,
  );
  return code`import type { SendableFields } from "../../runtime/validate/outgoing-check.js";

export const SENDABLE: SendableFields = {
${joinCode(rows, "\n")}
} as const;
`;
}

/** The forms of nodes are those of `SendableNode` in the runtime. */
class SendableTable {
  readonly nodes = new Map<string, Json>();
  readonly #shapes: ReadonlyMap<string, Shape>;
  /** What `#simple` has found out about definitions; nothing for one that it is looking at. */
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
    // Taken before what it refers to is defined, since definitions may hold themselves.
    this.nodes.set(name, Sendable.Closer);
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
        return [Sendable.List, this.#node(shape.items.shape)];
      case "map":
        return [Sendable.Map, this.#node(shape.values.shape)];
      case "object": {
        const fields = this.#fields(shape.fields);
        return shape.extensible ? [Sendable.Open, fields] : fields;
      }
      case "tagged": {
        const { tag, variants, shared, absent, fallback } = shape;
        const bodies = variants.map(({ value, body }) => [value, this.#node(body)] as const);
        const none = absent ?? fallback;
        return [
          Sendable.Tagged,
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

  /** Variants are told apart by a property that one must have and no other may; else it takes a closer look. */
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
      return items === Sendable.Closer ? items : [Sendable.List, items];
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
    if (bodies.length < variants.length) return Sendable.Closer;
    return [Sendable.OneOf, Object.fromEntries(bodies), this.#fields(shared)];
  }

  #resolve(shape: Shape): Shape {
    return shape.kind === "reference" ? this.#resolve(this.#shapes.get(shape.name)!) : shape;
  }

  #fields(fields: readonly Field[]): Json {
    return Object.fromEntries(fields.map(({ name, shape }) => [name, this.#node(shape)]));
  }

  /** What needs no node of its own: places that cannot hold an object, or any. */
  #simple(shape: Shape): Json | undefined {
    switch (shape.kind) {
      case "null":
      case "scalar":
      case "enum":
        return Sendable.Fine;
      case "any":
        return Sendable.Json;
      case "reference":
        return this.#simpleDefinition(shape.name);
      case "map":
        // Whether it is an object the first look says.
        return this.#simple(shape.values.shape);
      case "list":
        return this.#simple(shape.items.shape) === undefined ? undefined : Sendable.Json;
      case "union": {
        const variants = shape.variants.map(({ slot }) => this.#simple(slot.shape));
        if (shape.shared.length > 0 || variants.includes(undefined)) return undefined;
        return variants.includes(Sendable.Json) ? Sendable.Json : Sendable.Fine;
      }
      case "object":
      case "tagged":
        return undefined;
      default:
        return shape satisfies never;
    }
  }

  /** A definition that holds itself needs a node. */
  #simpleDefinition(name: string): Json | undefined {
    if (!this.#known.has(name)) {
      this.#known.set(name, undefined);
      this.#known.set(name, this.#simple(this.#shapes.get(name)!));
    }
    return this.#known.get(name);
  }
}
