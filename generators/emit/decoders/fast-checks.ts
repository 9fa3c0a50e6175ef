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
import { completes, inlined, takesAnything, type Find } from "./shape-queries.js";

/** The name of the first look at a definition. */
export function checkName(identifierOfType: string): Code {
  return identifier(`is${identifierOfType}`);
}

/**
 * Prints the first look at one definition: straight-line code that says whether
 * a value is valid and needs neither repair nor completion nor a note. What it
 * lets through is decoded by being returned; everything else gets a second look.
 *
 * @param find the definition of a name
 */
export function printFirstLook(definition: Definition, find: Find): Code {
  const name = checkName(definition.identifier);
  const { shape } = definition;
  const body =
    shape.kind === "tagged" ? taggedBody(shape, find) : code`return ${test(shape, VALUE, find)};`;
  return code`function ${name}(v: any): boolean {
${body}
}`;
}

const VALUE = code`v`;

/** More variants than this are told apart by the length of their tags first. */
const MANY = 4;

/** An expression that is true for clean values of a shape. */
function test(given: Shape, value: Code, find: Find): Code {
  const shape = inlined(given, find);
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
      return code`${checkName(find(shape.name).identifier)}(${value})`;
    case "list": {
      const least =
        shape.minItems === undefined
          ? code``
          : code` && ${value}.length >= ${literal(shape.minItems)}`;
      const most =
        shape.maxItems === undefined
          ? code``
          : code` && ${value}.length <= ${literal(shape.maxItems)}`;
      return code`isList(${value}, ${itemCheck(shape.items, find)})${least}${most}`;
    }
    case "map":
      return shape.values.shape.kind === "any"
        ? code`isObject(${value})`
        : code`isMap(${value}, ${itemCheck(shape.values, find)})`;
    case "object":
      return joinAnd([
        code`isObject(${value})`,
        ...shape.fields.map((field) => fieldTest(field, value, find)),
      ]);
    case "tagged":
      return code`((v: any): boolean => {
${taggedBody(shape, find)}
})(${value})`;
    case "union":
      return unionTest(shape, value, find);
    default:
      return shape satisfies never;
  }
}

/** A function that checks an item: the definition's own where there is one. */
function itemCheck({ shape, nullable }: Slot, find: Find): Code {
  const item = inlined(shape, find);
  if (item.kind === "reference" && !nullable) return checkName(find(item.name).identifier);
  return code`(v: any) => ${slotTest({ shape: item, nullable }, VALUE, find)}`;
}

function slotTest({ shape, nullable }: Slot, value: Code, find: Find): Code {
  const inner = test(shape, value, find);
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

function enumTest({ values, open, type }: EnumShape, value: Code): Code {
  const tests = values.map((known) => code`${value} === ${literal(known.value)}`);
  return joinOr(open && type === "string" ? [...tests, code`isCustom(${value})`] : tests);
}

function fieldTest(field: Field, holder: Code, find: Find): Code {
  const value = code`${holder}${propertyAccess(field.name)}`;
  const shape = inlined(field.shape, find);
  // A property with a default is completed when it is absent.
  if (!field.required && field.default === undefined) {
    if (shape.kind === "any") return code`true`;
    const inner = test(shape, value, find);
    return field.nullable
      ? code`(${value} == null || ${inner})`
      : code`(${value} === undefined || ${inner})`;
  }
  const inner = slotTest(field, value, find);
  const owns = field.name in {} ? [owned(field, holder)] : [];
  if (owns.length === 0 && takesAnything(shape, find)) owns.push(code`${value} !== undefined`);
  return joinAnd([...owns, inner]);
}

/** Every object inherits a few names. */
function owned(field: Field, holder: Code): Code {
  return code`Object.hasOwn(${holder}, ${literal(field.name)})`;
}

function taggedBody(shape: TaggedShape, find: Find): Code {
  const { tag, variants, open, fallback, absent } = shape;
  const shared = shape.shared.map((field) => fieldTest(field, VALUE, find));
  const none = absent ?? fallback;
  const others = [
    ...(none
      ? [code`if (t === undefined || t === null) return ${test(none.body, VALUE, find)};`]
      : []),
    ...(open ? [code`if (isCustom(t)) return ${test(open.body, VALUE, find)};`] : []),
    // Another string needs a note in an open union, and is not valid in a closed one.
    ...(fallback && !open
      ? [code`return ${test(fallback.body, VALUE, find)};`]
      : [code`return false;`]),
  ];
  const body = (value: string): Code =>
    test(variants.find((one) => one.value === value)!.body, VALUE, find);
  const values = variants.map(({ value }) => value);
  return code`if (!(${joinAnd([code`isObject(v)`, ...shared])})) return false;
const t = v${propertyAccess(tag)};
${values.length > MANY ? switchOnLength(values, body) : switchOn(values, body)}
${joinCode(others, "\n")}`;
}

function switchOn(values: readonly string[], body: (value: string) => Code): Code {
  const cases = values.map((value) => code`case ${literal(value)}: return ${body(value)};`);
  return code`switch (t) {
${joinCode(cases, "\n")}
}`;
}

/** So that a variant costs the same wherever it stands. */
function switchOnLength(values: readonly string[], body: (value: string) => Code): Code {
  const lengths = [...new Set(values.map(({ length }) => length))];
  const cases = lengths.map((length) => {
    const tests = values
      .filter((value) => value.length === length)
      .map((value) => code`if (t === ${literal(value)}) return ${body(value)};`);
    return code`case ${literal(length)}:
${joinCode(tests, "\n")}
break;`;
  });
  return code`if (typeof t === "string") switch (t.length) {
${joinCode(cases, "\n")}
}`;
}

function unionTest(shape: UnionShape, value: Code, find: Find): Code {
  // A value that a variant would complete must not be taken for a later one.
  const end = shape.variants.findIndex(({ slot }) => completes(slot.shape, find));
  const before = end === -1 || shape.exclusive ? shape.variants : shape.variants.slice(0, end + 1);
  const variants = before.map(({ slot }) => slotTest(slot, value, find));
  const alternatives = shape.exclusive ? code`(${printedSum(variants)}) === 1` : joinOr(variants);
  if (shape.shared.length === 0) return alternatives;
  return joinAnd([
    code`isObject(${value})`,
    ...shape.shared.map((field) => fieldTest(field, value, find)),
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
