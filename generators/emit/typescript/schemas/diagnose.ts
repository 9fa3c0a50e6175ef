import type { Definition } from "../../../model/protocol.js";
import type { Field, Shape, Slot, TaggedShape } from "../../../model/shape.js";
import {
  code,
  identifier,
  joinCode,
  literal,
  propertyKey,
  type Code,
} from "../../../output/code.js";
import { fastCheckName } from "./fast-checks.js";
import {
  inlined,
  acceptsUndefined,
  holdsNumbers,
  isRecursive,
  type Find,
} from "./shape-queries.js";
import { scalarCall, sizes } from "./scalars.js";
import type { Json } from "../../../schema/json-schema/json.js";

/** Returns the name of the diagnose function of a definition. */
export function diagnoseName(identifierOfType: string): Code {
  return identifier(`diagnose${identifierOfType}`);
}

/**
 * Prints the diagnose function of a definition: straight-line code over the functions of the
 * runtime, which explain and repair. It runs on tracked values only.
 *
 * @param find returns the definition of a name
 * @returns statements: the function, followed by the functions for values inside it
 */
export function printDiagnose(definition: Definition, find: (name: string) => Definition): Code {
  return new DiagnosePrinter(definition, find).print();
}

const VALUE = code`v`;

class DiagnosePrinter {
  readonly #definition: Definition;
  readonly #find: Find;
  /** The functions for values inside that have no definition. */
  readonly #inner: Code[] = [];

  constructor(definition: Definition, find: Find) {
    this.#definition = definition;
    this.#find = find;
  }

  print(): Code {
    const { identifier: id, shape } = this.#definition;
    const first = this.#skipsValid() ? code`if (!r.passes(v, ${fastCheckName(id)})) ` : code``;
    const main = this.#function(diagnoseName(id), shape, first);
    return joinCode([main, ...this.#inner], "\n");
  }

  /**
   * Returns whether the function skips values that pass the fast check: unions, which try variants.
   * Definitions that refer to themselves would run that check at every level; among numbers it also
   * passes integers that have lost precision, which are reported.
   */
  #skipsValid(): boolean {
    const { name, shape } = this.#definition;
    return (
      shape.kind === "union" && !isRecursive(name, this.#find) && !holdsNumbers(shape, this.#find)
    );
  }

  /** @param condition of the body; empty for none */
  #function(name: Code, shape: Shape, condition: Code): Code {
    const body = this.#statement(shape, VALUE);
    // The underscore marks a parameter that compilers must not report as unused.
    const parameter = body === "{}" && condition === "" ? code`_v` : VALUE;
    return code`function ${name}(${parameter}: any): void {
${condition}${body}
}`;
  }

  /** Prints a statement that diagnoses a value. */
  #statement(shape: Shape, value: Code): Code {
    const plain = inlined(shape, this.#find);
    // A value that is read more than once is passed to a function.
    if (value !== VALUE && ["object", "tagged", "union"].includes(plain.kind))
      return code`${this.#diagnose({ shape, nullable: false })}(${value});`;
    switch (plain.kind) {
      case "any":
        return code`{}`;
      case "null":
        return code`r.nullValue(${value});`;
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
        return code`${diagnoseName(this.#find(plain.name).identifier)}(${value});`;
      case "list":
        return code`r.list(${joinCode([value, this.#items(plain.items), ...sizes(plain)], ", ")});`;
      case "map":
        return plain.values.shape.kind === "any"
          ? code`r.object(${value});`
          : code`r.map(${value}, ${this.#diagnose(plain.values)});`;
      case "object":
        return this.#fields(plain.fields, [
          ...(plain.extensible ? [code`r.allowsOthers(v);`] : []),
          ...(plain.fields.length === 0 && !plain.extensible ? [code`r.declares(v, "");`] : []),
          // A property of JSON-RPC that the schema does not declare.
          ...(this.#definition.envelope ? [code`r.declares(v, "jsonrpc");`] : []),
        ]);
      case "tagged":
        return this.#fields(plain.shared, [], this.#tagged(plain));
      case "union": {
        const functions = plain.variants.map(({ slot }) => this.#diagnose(slot));
        const all = joinCode([value, literal(plain.exclusive), ...functions], ", ");
        const call = code`u.alternatives(${all});`;
        return plain.shared.length === 0 ? call : this.#fields(plain.shared, [], call);
      }
      default:
        return plain satisfies never;
    }
  }

  /** Prints statements that diagnose the properties of `v`. */
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
    const value = code`v.get(${name})`;
    const { required, nullable, decode, default: fallback } = field;
    const shape = inlined(field.shape, this.#find);
    if (shape.kind === "any" && fallback === undefined)
      return required ? code`r.present(${value});` : code`r.declares(v, ${name});`;
    const flags = [
      ...(required ? [code`r.Required`] : []),
      ...(nullable ? [code`r.Nullable`] : []),
      ...(decode.defaultOnError ? [code`r.DefaultOnError`] : []),
      ...(decode.defaultOnNull ? [code`r.DefaultOnNull`] : []),
      ...(decode.skipInvalidItems ? [code`r.SkipInvalidItems`] : []),
    ];
    const sum =
      flags.length === 0 ? literal(0) : flags.reduce((all, flag) => code`${all} + ${flag}`);
    const rest = fallback === undefined ? [] : [printDefault(fallback)];
    if (required && flags.length === 1 && rest.length === 0 && !acceptsUndefined(shape, this.#find))
      return this.#statement(shape, value);
    if (shape.kind === "list") {
      const limits = sizes(shape);
      const padding = limits.length > 0 && rest.length === 0 ? [code`undefined`] : rest;
      const all = [value, this.#items(shape.items), sum, ...padding, ...limits];
      return code`r.listField(${joinCode(all, ", ")});`;
    }
    const diagnose = this.#diagnose({ shape, nullable: false });
    const isOptional = !required && nullable && decode.defaultOnError && flags.length === 2;
    return isOptional && rest.length === 0
      ? code`r.optional(${value}, ${diagnose});`
      : code`r.field(${joinCode([value, diagnose, sum, ...rest], ", ")});`;
  }

  #tagged({ tag, variants, open, fallback, absent, tagField }: TaggedShape): Code {
    const ofBody = (shape: Shape): Code => this.#diagnose({ shape, nullable: false });
    const known = variants.map(({ value, body }) => code`${propertyKey(value)}: ${ofBody(body)}`);
    const others = Object.entries({ open, fallback, absent }).flatMap(([role, other]) =>
      other === undefined ? [] : [code`${identifier(role)}: ${ofBody(other.body)}`],
    );
    const lenient = absent && tagField?.decode.defaultOnError ? [code`lenient: 1`] : [];
    const rest = [...others, ...lenient];
    const all = [
      code`v`,
      literal(tag),
      code`{ ${joinCode(known, ", ")} }`,
      ...(rest.length === 0 ? [] : [code`{ ${joinCode(rest, ", ")} }`]),
    ];
    return code`u.tagged(${joinCode(all, ", ")});`;
  }

  /**
   * Returns the check of the items of a list, which need no diagnosis when they pass its fast path.
   * Definitions that refer to themselves would take that path again at every level.
   */
  #items(slot: Slot): Code {
    const { shape, nullable } = slot;
    const isCheck =
      shape.kind === "reference" &&
      !nullable &&
      inlined(shape, this.#find) === shape &&
      !isRecursive(shape.name, this.#find);
    return isCheck ? identifier(this.#find(shape.name).identifier) : this.#diagnose(slot);
  }

  /** Returns the name of the function that diagnoses a value. */
  #diagnose({ shape, nullable }: Slot): Code {
    const plain = inlined(shape, this.#find);
    if (!nullable) {
      if (plain.kind === "reference") return diagnoseName(this.#find(plain.name).identifier);
      if (plain.kind === "any") return code`r.any`;
      if (plain.kind === "null") return code`r.nullValue`;
      if (plain.kind === "map" && plain.values.shape.kind === "any") return code`r.object`;
      if (plain.kind === "scalar") {
        const { name, limits } = scalarCall(plain);
        if (limits.length === 0) return code`r.${name}`;
      }
    }
    const name = identifier(`diagnose${this.#definition.identifier}$${this.#inner.length + 1}`);
    // The number is reserved before the functions inside are printed.
    const index = this.#inner.push(name) - 1;
    this.#inner[index] = this.#function(name, plain, nullable ? code`if (v !== null) ` : code``);
    return name;
  }
}

/** Prints a function that returns a new copy of a default. */
function printDefault(value: Json): Code {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? code`() => (${literal(value)})` : code`() => ${literal(value)}`;
}
