import type { Definition } from "../../model/protocol.js";
import type { EnumShape, Field, ObjectShape, Shape, Slot } from "../../model/shape.js";
import {
  code,
  identifier,
  joinCode,
  literal,
  propertyAccess,
  type Code,
} from "../../output/code.js";
import { scalarCall, sizes } from "./scalars.js";
import { printTagged, printUnion, type CheckPrinter } from "./unions.js";

/** The name of the check of a definition. */
export function checkName(identifierOfType: string): Code {
  return identifier(`is${identifierOfType}`);
}

/**
 * Prints the check of a definition: straight-line code over the functions of
 * the runtime, which says quickly whether a value fits and needs no note. The
 * same code explains and repairs when the runtime lets it look at views.
 *
 * @param find the definition of a name
 * @returns statements: the check, and before it what it is made of
 */
export function printCheck(definition: Definition, find: (name: string) => Definition): Code {
  return new DefinitionPrinter(definition, find).print();
}

const VALUE = code`v`;

/** The numbers of `templates/runtime/checks.ts`; a test keeps the two equal. */
export const Flag = {
  Required: 1,
  Nullable: 2,
  DefaultOnError: 4,
  DefaultOnNull: 8,
  SkipInvalidItems: 16,
} as const;

class DefinitionPrinter implements CheckPrinter {
  readonly #definition: Definition;
  readonly #find: (name: string) => Definition;
  /** Checks of places inside, which have no definition of their own. */
  readonly #parts: Code[] = [];

  constructor(definition: Definition, find: (name: string) => Definition) {
    this.#definition = definition;
    this.#find = find;
  }

  print(): Code {
    const { identifier: id, shape } = this.#definition;
    const main = code`export ${this.#function(checkName(id), shape)}`;
    return joinCode([...this.#parts, main], "\n");
  }

  #function(name: Code, shape: Shape): Code {
    const body =
      shape.kind === "tagged" ? printTagged(shape, this) : code`return ${this.test(shape)};`;
    return code`function ${name}(v: any): boolean {
${body}
}`;
  }

  test(shape: Shape): Code {
    return this.#test({ shape, nullable: false }, VALUE);
  }

  /** An expression that tests a value. */
  #test({ shape, nullable }: Slot, value: Code): Code {
    if (nullable)
      return code`(${value} === null || ${this.#test({ shape, nullable: false }, value)})`;
    const inlined = this.#inlined(shape);
    switch (inlined.kind) {
      case "scalar": {
        const { name, limits } = scalarCall(inlined);
        return code`${name}(${joinCode([value, ...limits], ", ")})`;
      }
      case "enum":
        return this.#enum(inlined, value);
      case "list":
        return code`isList(${joinCode([value, this.check(inlined.items), ...sizes(inlined)], ", ")})`;
      case "map":
        return inlined.values.shape.kind === "any"
          ? code`isObject(${value})`
          : code`isMap(${value}, ${this.check(inlined.values)})`;
      case "object":
        return value === VALUE ? this.#object(inlined) : code`${this.#part(inlined)}(${value})`;
      case "union":
        return value === VALUE ? printUnion(inlined, this) : code`${this.#part(inlined)}(${value})`;
      case "any":
      case "null":
      case "reference":
      case "tagged":
        return code`${this.check({ shape: inlined, nullable: false })}(${value})`;
      default:
        return inlined satisfies never;
    }
  }

  check({ shape, nullable }: Slot): Code {
    if (nullable) return this.#part(shape, true);
    const inlined = this.#inlined(shape);
    switch (inlined.kind) {
      case "any":
        return code`isAny`;
      case "null":
        return code`isNull`;
      case "reference":
        return checkName(this.#find(inlined.name).identifier);
      case "map":
        return inlined.values.shape.kind === "any" ? code`isObject` : this.#part(inlined);
      case "scalar": {
        const { name, limits } = scalarCall(inlined);
        return limits.length === 0 ? name : this.#part(inlined);
      }
      default:
        return this.#part(inlined);
    }
  }

  /** References to what one function of the runtime checks are not followed at run time. */
  #inlined(shape: Shape): Shape {
    if (shape.kind !== "reference") return shape;
    const target = this.#find(shape.name).shape;
    return target.kind === "scalar" || target.kind === "any" ? target : shape;
  }

  /** Whether a check would also take undefined. */
  #takesAnything(shape: Shape): boolean {
    if (shape.kind === "reference") return this.#takesAnything(this.#find(shape.name).shape);
    return (
      shape.kind === "any" ||
      (shape.kind === "union" && shape.variants.some(({ slot }) => this.#takesAnything(slot.shape)))
    );
  }

  /** Prints a check of its own for a place, and gives its name. */
  #part(shape: Shape, nullable = false): Code {
    const name = identifier(`is${this.#definition.identifier}$${this.#parts.length + 1}`);
    // Its number is taken before parts inside it are printed.
    const index = this.#parts.push(name) - 1;
    this.#parts[index] = nullable
      ? code`function ${name}(v: any): boolean {
return ${this.#test({ shape, nullable }, VALUE)};
}`
      : this.#function(name, shape);
    return name;
  }

  #enum(shape: EnumShape, value: Code): Code {
    const name = identifier(`valuesOf${this.#definition.identifier}$${this.#parts.length + 1}`);
    this.#parts.push(code`const ${name} = ${literal(shape.values.map((known) => known.value))};`);
    return code`isOneOf(${joinCode([value, name, ...(shape.open ? [literal(1)] : [])], ", ")})`;
  }

  #object({ fields, extensible }: ObjectShape): Code {
    if (fields.length === 0 && !extensible) return code`isMarker(v)`;
    // JSON-RPC's own property is none of the protocol's.
    const own = this.#definition.envelope ? [code`allows(v, "jsonrpc")`] : [];
    return joinAnd([code`isObject(v)`, ...own, ...fields.map((field) => this.field(field))]);
  }

  field(field: Field): Code {
    const value =
      field.name in {}
        ? code`own(v, ${literal(field.name)})`
        : code`v${propertyAccess(field.name)}`;
    const { required, nullable, decode, default: fallback } = field;
    const shape = this.#inlined(field.shape);
    if (shape.kind === "any" && fallback === undefined)
      return required ? code`isPresent(${value})` : code`allows(v, ${literal(field.name)})`;
    const flags =
      (required ? Flag.Required : 0) +
      (nullable ? Flag.Nullable : 0) +
      (decode.defaultOnError ? Flag.DefaultOnError : 0) +
      (decode.defaultOnNull ? Flag.DefaultOnNull : 0) +
      (decode.skipInvalidItems ? Flag.SkipInvalidItems : 0);
    if (flags === Flag.Required && fallback === undefined) {
      const test = this.#test({ shape, nullable }, value);
      return this.#takesAnything(shape) ? code`isPresent(${value}) && ${test}` : test;
    }
    const rest = fallback === undefined ? [] : [literal(JSON.stringify(fallback))];
    if (shape.kind === "list") {
      const check = this.check(shape.items);
      const limits = sizes(shape);
      const padding = limits.length > 0 && rest.length === 0 ? [code`undefined`] : rest;
      return code`list(${joinCode([value, check, literal(flags), ...padding, ...limits], ", ")})`;
    }
    const check = this.check({ shape, nullable: false });
    if (flags === Flag.Nullable + Flag.DefaultOnError && rest.length === 0)
      return code`(${value} == null || optional(${value}, ${check}))`;
    return code`field(${joinCode([value, check, literal(flags), ...rest], ", ")})`;
  }
}

function joinAnd(tests: readonly Code[]): Code {
  return tests.reduce((all, one) => code`${all} && ${one}`);
}
