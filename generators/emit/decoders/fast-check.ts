import type { Definition } from "../../model/protocol.js";
import type {
  EnumShape,
  Field,
  ScalarShape,
  Shape,
  Slot,
  TaggedShape,
  UnionShape,
} from "../../model/shape.js";
import {
  code,
  identifier,
  joinCode,
  literal,
  propertyAccess,
  type Code,
} from "../../output/code.js";

/** The name of the fast check of a definition. */
export function checkName(identifierOfType: string): Code {
  return identifier(`is${identifierOfType}`);
}

/**
 * Prints the fast check of one definition: straight-line code that says
 * whether a value is valid and needs neither repair nor completion nor a note.
 * What it lets through is decoded by being returned; everything else gets a
 * second look.
 */
export function printFastCheck(definition: Definition, checkOf: (name: string) => Code): Code {
  const name = checkName(definition.identifier);
  const { shape } = definition;
  const body =
    shape.kind === "tagged"
      ? taggedBody(shape, checkOf)
      : code`return ${test(shape, VALUE, checkOf)};`;
  return code`export function ${name}(v: any): boolean {
${body}
}`;
}

type CheckOf = (name: string) => Code;

const VALUE = code`v`;

/** An expression that is true for clean values of a shape. */
function test(shape: Shape, value: Code, checkOf: CheckOf): Code {
  switch (shape.kind) {
    case "any":
      return code`true`;
    case "null":
      return code`${value} === null`;
    case "scalar":
      return scalarTest(shape, value);
    case "enum":
      return enumTest(shape, value);
    case "reference":
      return code`${checkOf(shape.name)}(${value})`;
    case "list": {
      const least =
        shape.minItems === undefined
          ? code``
          : code` && ${value}.length >= ${literal(shape.minItems)}`;
      const most =
        shape.maxItems === undefined
          ? code``
          : code` && ${value}.length <= ${literal(shape.maxItems)}`;
      return code`isList(${value}, ${itemCheck(shape.items, checkOf)})${least}${most}`;
    }
    case "map":
      return shape.values.shape.kind === "any"
        ? code`isObject(${value})`
        : code`isMap(${value}, ${itemCheck(shape.values, checkOf)})`;
    case "object":
      return joinAnd([
        code`isObject(${value})`,
        ...shape.fields.map((field) => fieldTest(field, value, checkOf)),
      ]);
    case "tagged":
      return code`((v: any): boolean => {
${taggedBody(shape, checkOf)}
})(${value})`;
    case "union":
      return unionTest(shape, value, checkOf);
    default:
      return shape satisfies never;
  }
}

/** A function that checks an item: the definition's own where there is one. */
function itemCheck({ shape, nullable }: Slot, checkOf: CheckOf): Code {
  if (shape.kind === "reference" && !nullable) return checkOf(shape.name);
  return code`(v: any) => ${slotTest({ shape, nullable }, VALUE, checkOf)}`;
}

function slotTest({ shape, nullable }: Slot, value: Code, checkOf: CheckOf): Code {
  const inner = test(shape, value, checkOf);
  return nullable ? code`(${value} === null || ${inner})` : inner;
}

function scalarTest(shape: ScalarShape, value: Code): Code {
  const bounds = [
    ...(shape.minimum === undefined ? [] : [code`${value} >= ${literal(shape.minimum)}`]),
    ...(shape.maximum === undefined ? [] : [code`${value} <= ${literal(shape.maximum)}`]),
    ...(shape.minLength === undefined
      ? []
      : [code`codePointLength(${value}) >= ${literal(shape.minLength)}`]),
    ...(shape.maxLength === undefined
      ? []
      : [code`codePointLength(${value}) <= ${literal(shape.maxLength)}`]),
    ...(shape.pattern === undefined
      ? []
      : [code`new RegExp(${literal(shape.pattern)}, "u").test(${value})`]),
  ];
  switch (shape.type) {
    case "string":
    case "boolean":
      return joinAnd([code`typeof ${value} === ${literal(shape.type)}`, ...bounds]);
    case "integer":
      return joinAnd([code`Number.isSafeInteger(${value})`, ...bounds]);
    case "number":
      return joinAnd([code`Number.isFinite(${value})`, ...bounds]);
    default:
      return shape.type satisfies never;
  }
}

function enumTest(shape: EnumShape, value: Code): Code {
  return joinOr(shape.values.map((known) => code`${value} === ${literal(known.value)}`));
}

function fieldTest(field: Field, holder: Code, checkOf: CheckOf): Code {
  const value = code`${holder}${propertyAccess(field.name)}`;
  const inner = slotTest(field, value, checkOf);
  // A property with a default is completed when it is absent.
  if (!field.required && field.default === undefined)
    return code`(${value} === undefined || ${inner})`;
  if (field.shape.kind !== "any")
    return field.name in {} ? joinAnd([owned(field, holder), inner]) : inner;
  return field.name in {} ? owned(field, holder) : code`${value} !== undefined`;
}

/** Every object inherits a few names. */
function owned(field: Field, holder: Code): Code {
  return code`Object.hasOwn(${holder}, ${literal(field.name)})`;
}

function taggedBody(shape: TaggedShape, checkOf: CheckOf): Code {
  const shared = shape.shared.map((field) => fieldTest(field, VALUE, checkOf));
  const variants = shape.variants.map(
    ({ value, body }) => code`case ${literal(value)}: return ${test(body, VALUE, checkOf)};`,
  );
  const others = [
    ...(shape.absent
      ? [code`case undefined: case null: return ${test(shape.absent.body, VALUE, checkOf)};`]
      : []),
    ...(shape.fallback && !shape.absent
      ? [code`case undefined: return ${test(shape.fallback.body, VALUE, checkOf)};`]
      : []),
  ];
  return code`if (!(${joinAnd([code`isObject(v)`, ...shared])})) return false;
switch (v${propertyAccess(shape.tag)}) {
${joinCode([...variants, ...others], "\n")}
default: return false;
}`;
}

function unionTest(shape: UnionShape, value: Code, checkOf: CheckOf): Code {
  const variants = shape.variants.map(({ slot }) => slotTest(slot, value, checkOf));
  const alternatives = shape.exclusive ? code`(${printedSum(variants)}) === 1` : joinOr(variants);
  if (shape.shared.length === 0) return alternatives;
  return joinAnd([
    code`isObject(${value})`,
    ...shape.shared.map((field) => fieldTest(field, value, checkOf)),
    alternatives,
  ]);
}

function printedSum(tests: readonly Code[]): Code {
  return tests.map((one) => code`Number(${one})`).reduce((sum, one) => code`${sum} + ${one}`);
}

function joinAnd(tests: readonly Code[]): Code {
  const needed = tests.filter((one) => one !== "true");
  return needed.length === 0 ? code`true` : needed.reduce((all, one) => code`${all} && ${one}`);
}

function joinOr(tests: readonly Code[]): Code {
  return code`(${tests.reduce((any, one) => code`${any} || ${one}`)})`;
}
