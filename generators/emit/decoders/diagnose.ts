import type { Definition } from "../../model/protocol.js";
import type { Field, Shape, Slot, TaggedShape } from "../../model/shape.js";
import {
  code,
  identifier,
  joinCode,
  literal,
  optionalAccess,
  propertyAccess,
  propertyKey,
  type Code,
} from "../../output/code.js";
import { inlined, takesAnything, type Find } from "./shape-queries.js";
import { scalarCall, sizes } from "./scalars.js";

/** The name of the second look at a definition. */
export function lookName(identifierOfType: string): Code {
  return identifier(`look${identifierOfType}`);
}

/**
 * Prints the second look at a definition: straight-line code over the functions
 * of the runtime, which explain and repair. It runs on views only, so that the
 * engine never sees a proxy in the code of the first look.
 *
 * @param find the definition of a name
 * @returns statements: the look, and after it the looks at places inside it
 */
export function printSecondLook(definition: Definition, find: (name: string) => Definition): Code {
  return new LookPrinter(definition, find).print();
}

/** The numbers of `templates/runtime/validate/diagnose.ts`; a test keeps the two equal. */
export const Flag = {
  Required: 1,
  Nullable: 2,
  DefaultOnError: 4,
  DefaultOnNull: 8,
  SkipInvalidItems: 16,
} as const;

const VALUE = code`v`;

class LookPrinter {
  readonly #definition: Definition;
  readonly #find: Find;
  /** Looks at places inside, which have no definition of their own. */
  readonly #parts: Code[] = [];

  constructor(definition: Definition, find: Find) {
    this.#definition = definition;
    this.#find = find;
  }

  print(): Code {
    const main = this.#function(lookName(this.#definition.identifier), this.#definition.shape);
    return joinCode([main, ...this.#parts], "\n");
  }

  #function(name: Code, shape: Shape, nullable = false): Code {
    const body = this.#statement(shape, VALUE);
    return code`function ${name}(v: any): void {
${nullable ? code`if (v !== null) ` : code``}${body}
}`;
  }

  /** A statement that looks at a value. */
  #statement(shape: Shape, value: Code): Code {
    const plain = inlined(shape, this.#find);
    // What is read more than once has a function of its own.
    if (value !== VALUE && ["object", "tagged", "union"].includes(plain.kind))
      return code`${this.#look({ shape, nullable: false })}(${value});`;
    switch (plain.kind) {
      case "any":
        return code`{}`;
      case "null":
        return code`r.nothing(${value});`;
      case "scalar": {
        const { name, limits } = scalarCall(plain);
        return code`r.${name}(${joinCode([value, ...limits], ", ")});`;
      }
      case "enum": {
        const values = literal(plain.values.map((known) => known.value));
        const open = plain.open === undefined ? [] : [literal(1)];
        return code`r.oneOf(${joinCode([value, values, ...open], ", ")});`;
      }
      case "reference":
        return code`${lookName(this.#find(plain.name).identifier)}(${value});`;
      case "list":
        return code`r.list(${joinCode([value, this.#look(plain.items), ...sizes(plain)], ", ")});`;
      case "map":
        return plain.values.shape.kind === "any"
          ? code`r.object(${value});`
          : code`r.map(${value}, ${this.#look(plain.values)});`;
      case "object":
        return this.#fields(plain.fields, [
          ...(plain.extensible ? [code`r.opens(v);`] : []),
          ...(plain.fields.length === 0 && !plain.extensible ? [code`r.allows(v, "");`] : []),
          // JSON-RPC's own property is none of the protocol's.
          ...(this.#definition.envelope ? [code`r.allows(v, "jsonrpc");`] : []),
        ]);
      case "tagged":
        return this.#fields(plain.shared, [], this.#tagged(plain));
      case "union": {
        const looks = plain.variants.map(({ slot }) => this.#look(slot));
        const all = joinCode([value, literal(plain.exclusive), ...looks], ", ");
        const call = code`u.alternatives(${all});`;
        return plain.shared.length === 0 ? call : this.#fields(plain.shared, [], call);
      }
      default:
        return plain satisfies never;
    }
  }

  /** Statements that look at the properties of `v`, and at what stands around them. */
  #fields(fields: readonly Field[], first: readonly Code[], last?: Code): Code {
    if (fields.length === 0 && first.length === 0) return last ?? code`r.object(v);`;
    const statements = [
      ...first,
      ...fields.map((field) => this.#field(field)),
      ...(last ? [last] : []),
    ];
    return code`if (r.object(v)) {
${joinCode(statements, "\n")}
}`;
  }

  #field(field: Field): Code {
    const name = literal(field.name);
    const value = code`v${propertyAccess(field.name)}`;
    const { required, nullable, decode, default: fallback } = field;
    const shape = inlined(field.shape, this.#find);
    if (shape.kind === "any" && fallback === undefined)
      return required ? code`r.present(${value});` : code`r.allows(v, ${name});`;
    const flags =
      (required ? Flag.Required : 0) +
      (nullable ? Flag.Nullable : 0) +
      (decode.defaultOnError ? Flag.DefaultOnError : 0) +
      (decode.defaultOnNull ? Flag.DefaultOnNull : 0) +
      (decode.skipInvalidItems ? Flag.SkipInvalidItems : 0);
    const rest = fallback === undefined ? [] : [literal(JSON.stringify(fallback))];
    if (
      flags === Flag.Required &&
      rest.length === 0 &&
      !nullable &&
      !takesAnything(shape, this.#find)
    )
      return this.#statement(shape, value);
    if (shape.kind === "list") {
      const limits = sizes(shape);
      const padding = limits.length > 0 && rest.length === 0 ? [code`undefined`] : rest;
      const all = [value, this.#look(shape.items), literal(flags), ...padding, ...limits];
      return code`r.listField(${joinCode(all, ", ")});`;
    }
    const look = this.#look({ shape, nullable: false });
    return flags === Flag.Nullable + Flag.DefaultOnError && rest.length === 0
      ? code`r.optional(${value}, ${look});`
      : code`r.field(${joinCode([value, look, literal(flags), ...rest], ", ")});`;
  }

  #tagged({ tag, variants, open, fallback, absent, tagField }: TaggedShape): Code {
    const bodyLook = (shape: Shape): Code => this.#look({ shape, nullable: false });
    const looks = variants.map(({ value, body }) => code`${propertyKey(value)}: ${bodyLook(body)}`);
    const others = Object.entries({ open, fallback, absent }).flatMap(([role, other]) =>
      other === undefined ? [] : [code`${identifier(role)}: ${bodyLook(other.body)}`],
    );
    const lenient = absent && tagField?.decode.defaultOnError ? [code`lenient: 1`] : [];
    const rest = [...others, ...lenient];
    const all = [
      code`v`,
      code`v${optionalAccess(tag)}`,
      code`{ ${joinCode(looks, ", ")} }`,
      ...(rest.length === 0 ? [] : [code`{ ${joinCode(rest, ", ")} }`]),
    ];
    return code`u.tagged(${joinCode(all, ", ")});`;
  }

  /** The name of a function that looks at a value. */
  #look({ shape, nullable }: Slot): Code {
    const plain = inlined(shape, this.#find);
    if (!nullable) {
      if (plain.kind === "reference") return lookName(this.#find(plain.name).identifier);
      if (plain.kind === "any") return code`r.any`;
      if (plain.kind === "null") return code`r.nothing`;
      if (plain.kind === "map" && plain.values.shape.kind === "any") return code`r.object`;
      if (plain.kind === "scalar") {
        const { name, limits } = scalarCall(plain);
        if (limits.length === 0) return code`r.${name}`;
      }
    }
    const name = identifier(`look${this.#definition.identifier}$${this.#parts.length + 1}`);
    // Its number is taken before parts inside it are printed.
    const index = this.#parts.push(name) - 1;
    this.#parts[index] = this.#function(name, plain, nullable);
    return name;
  }
}
