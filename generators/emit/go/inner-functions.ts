import type { EnumShape, ListShape, ScalarShape, Shape, Slot } from "../../model/shape.js";
import { go, identifier, type Go } from "./code.js";
import { isOptionalItem, scalarOf, typeName, type GoContext } from "./context.js";
import { SCALAR_NAMES } from "./limits.js";
import { claim, exported } from "./names.js";

/** Functions for values without a type of their own, which are printed once a file, by their statements. */
export class InnerFunctions {
  readonly #verb: string;
  readonly #taken: Set<string>;
  readonly #byText = new Map<string, Go>();
  readonly printed: Go[] = [];

  /**
   * @param verb begins the names
   * @param taken names of other functions of the package
   */
  constructor(verb: string, taken: Iterable<string> = []) {
    this.#verb = verb;
    this.#taken = new Set(taken);
  }

  /** Returns the name of the function, given the name of its value, its signature and body. */
  name(value: string, rest: Go): Go {
    const known = this.#byText.get(rest);
    if (known !== undefined) return known;
    const name = identifier(claim(this.#verb + value, this.#taken));
    this.#byText.set(rest, name);
    this.printed.push(go`func ${name}${rest}\n`);
    return name;
  }
}

/** Returns a name for the values of a slot: `NullableRoleList`. */
export function slotName(slot: Slot, context: GoContext): string {
  const name = shapeName(slot.shape, context);
  return isOptionalItem(slot) ? `Nullable${name}` : name;
}

/** Returns a name for the values of a shape, with its limits: `StringListMin1`. */
export function shapeName(shape: Shape, context: GoContext): string {
  switch (shape.kind) {
    case "any":
      return "Raw";
    case "null":
      return "Null";
    case "scalar":
      return SCALAR_NAMES[scalarOf(shape)] + scalarLimits(shape);
    case "enum":
      return enumName(shape);
    case "list":
      return `${slotName(shape.items, context)}List${sizes(shape)}`;
    case "map":
      return `${slotName(shape.values, context)}Map`;
    case "reference":
      return typeName(shape.name, context);
    case "object":
    case "tagged":
    case "union":
      throw new Error(`a part holds a shape of the kind ${shape.kind}`);
    default:
      return shape satisfies never;
  }
}

function scalarLimits(shape: ScalarShape): string {
  const { minLength, maxLength, pattern, constant } = shape;
  return [
    constant === undefined ? "" : exported(String(constant), ""),
    limit("Min", minLength ?? shape.minimum),
    limit("Above", shape.exclusiveMinimum),
    limit("Max", maxLength ?? shape.maximum),
    limit("Below", shape.exclusiveMaximum),
    pattern === undefined ? "" : `Like${patternName(pattern)}`,
  ].join("");
}

function sizes({ minItems, maxItems }: ListShape): string {
  return limit("Min", minItems) + limit("Max", maxItems);
}

function limit(word: string, value: number | undefined): string {
  if (value === undefined) return "";
  return word + String(value).replaceAll("-", "Minus").replace(".", "Point").replace("+", "");
}

/** Returns a name for values of a union that are of one of its alternatives: `RequestIDAsNumber`. */
export function alternativeName(union: string, alternative: string): string {
  const rest = alternative.startsWith(union) ? alternative.slice(union.length) : "";
  return `${union}As${/^[A-Z]/.test(rest) ? rest : alternative}`;
}

/** The letters of a pattern that its name has. */
const LETTERS = 40;

/** Returns a name for a pattern, from its words. */
export function patternName(pattern: string): string {
  return exported(pattern.replace(/\\z$/, ""), "").slice(0, LETTERS);
}

/** The values of an enumeration that its name has. */
const NAMED = 3;

function enumName({ type, values }: EnumShape): string {
  const named = values.slice(0, NAMED).map(({ value }) => exported(`${value}`, ""));
  const others = values.length > NAMED ? ["Other"] : [];
  return `${SCALAR_NAMES[type]}${[...named, ...others].join("Or")}`;
}
