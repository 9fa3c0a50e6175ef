import type { Definition } from "../../../model/protocol.js";
import type {
  EnumShape,
  Field,
  ObjectShape,
  ScalarShape,
  Shape,
  Slot,
  TaggedShape,
  UnionShape,
} from "../../../model/shape.js";
import {
  code,
  identifier,
  joinCode,
  literal,
  propertyAccess,
  type Code,
} from "../../../output/code.js";
import { exclusiveTest } from "./exclusive-unions.js";
import { completes, inlined, acceptsUndefined, type Find } from "./shape-queries.js";

/** Returns the name of the fast check of a definition. */
export function fastCheckName(identifierOfType: string): Code {
  return identifier(`is${identifierOfType}`);
}

/**
 * Prints the fast check of one definition: straight-line code that returns whether a value is
 * valid and needs neither repairs nor defaults nor reports. Such a value is its own decoded
 * form; every other value takes the slow path.
 *
 * @param find returns the definition of a name
 * @param isShared whether many variants of unions check the same value with it
 */
export function printFastCheck(definition: Definition, find: Find, isShared: boolean): Code {
  const name = fastCheckName(definition.identifier);
  const { shape } = definition;
  const body = shape.kind === "tagged" ? taggedBody(shape, find) : returned(shape, find);
  if (isShared)
    return code`function ${name}(v: any): boolean {
return checkOnce(v, ${name}$1);
}
function ${name}$1(v: any): boolean {
${body}
}`;
  // The underscore marks a parameter that compilers must not report as unused.
  const parameter = body === "return true;" ? code`_v` : VALUE;
  return code`function ${name}(${parameter}: any): boolean {
${body}
}`;
}

const VALUE = code`v`;

/** Prints the statement that returns the test of a definition, with a line for each property. */
function returned(shape: Shape, find: Find): Code {
  if (shape.kind !== "object") return code`return ${test(shape, VALUE, find)};`;
  return code`return ${joinAnd(objectTests(shape, VALUE, find), true)};`;
}

function objectTests({ fields }: ObjectShape, value: Code, find: Find): Code[] {
  return [code`isObject(${value})`, ...fields.map((field) => fieldTest(field, value, find))];
}

/** With more variants than this, the length of the tag is tested first. */
const MANY = 4;

/** Prints an expression that is true for values of a shape that need no slow path. */
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
      return code`${fastCheckName(find(shape.name).identifier)}(${value})`;
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
      return joinAnd(objectTests(shape, value, find));
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

/** Prints a function that checks an item: the definition's fast check where there is one. */
function itemCheck({ shape, nullable }: Slot, find: Find): Code {
  const item = inlined(shape, find);
  if (item.kind === "reference" && !nullable) return fastCheckName(find(item.name).identifier);
  const inner = slotTest({ shape: item, nullable }, VALUE, find);
  return inner === "true" ? code`() => true` : code`(v: any) => ${inner}`;
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
  // The slow path inserts the default of an absent property.
  if (!field.required && field.default === undefined) {
    if (shape.kind === "any") return code`true`;
    const inner = test(shape, value, find);
    return field.nullable
      ? code`(${value} == null || ${inner})`
      : code`(${value} === undefined || ${inner})`;
  }
  const inner = slotTest(field, value, find);
  const owns = field.name in {} ? [owned(field, holder)] : [];
  if (owns.length === 0 && acceptsUndefined(shape, find)) owns.push(code`${value} !== undefined`);
  return joinAnd([...owns, inner]);
}

/** Tests for an own property, since every object inherits a few names. */
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
    // Another string is reported in an open union, and invalid in a closed one.
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

/** Prints a switch over the lengths of tags, so that the order of variants does not matter for speed. */
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
  // A value that gets defaults from one variant must not be matched by a later variant.
  const end = shape.variants.findIndex(({ slot }) => completes(slot.shape, find));
  const before = end === -1 || shape.exclusive ? shape.variants : shape.variants.slice(0, end + 1);
  const variants = before.map(({ slot }) => slotTest(slot, value, find));
  const slots = before.map(({ slot }) => slot);
  const alternatives = shape.exclusive
    ? exclusiveTest(slots, variants, value, find)
    : joinOr(variants);
  if (shape.shared.length === 0) return alternatives;
  return joinAnd([
    code`isObject(${value})`,
    ...shape.shared.map((field) => fieldTest(field, value, find)),
    alternatives,
  ]);
}

function joinAnd(tests: readonly Code[], onLines = false): Code {
  const needed = tests.filter((one) => one !== "true");
  const and = onLines ? code`\n&&` : code` &&`;
  return needed.length === 0 ? code`true` : needed.reduce((all, one) => code`${all}${and} ${one}`);
}

function joinOr(tests: readonly Code[]): Code {
  if (tests.some((one) => one === "true")) return code`true`;
  return code`(${tests.reduce((any, one) => code`${any} || ${one}`)})`;
}
