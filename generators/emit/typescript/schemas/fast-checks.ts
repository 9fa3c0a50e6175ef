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

/**
 * Returns the name of the fast check of a definition. No definition has an identifier with `$`, so
 * that functions of definitions cannot have the name of another definition.
 */
export function fastCheckName(identifierOfType: string): Code {
  return identifier(`is$${identifierOfType}`);
}

/** The context of printing one definition's check. */
interface Context {
  readonly find: Find;
  /** Returns the name of a declaration that stands before the check. */
  readonly hoist: (declare: (name: Code) => Code) => Code;
  /** The properties that the union around an object checks. */
  readonly checked: readonly string[];
}

/** With more values than this, those of an enumeration are looked up in a set. */
const MOST_COMPARED = 32;

/**
 * With more properties than this, an object has several functions: compilers have limits for the
 * depth of an expression.
 */
const MOST_IN_A_ROW = 256;

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
  const hoisted: Code[] = [];
  const context: Context = {
    find,
    checked: [],
    hoist: (declare) => {
      const own = code`${name}$${literal(hoisted.length + 2)}`;
      hoisted.push(declare(own));
      return own;
    },
  };
  const body = shape.kind === "tagged" ? taggedBody(shape, context) : returned(shape, context);
  const check = isShared
    ? joinCode(
        [
          printFunction(name, code`return _checkOnce(v, ${name}$1);`),
          printFunction(code`${name}$1`, body),
        ],
        "\n",
      )
    : printFunction(name, body);
  return joinCode([...hoisted, check], "\n");
}

function printFunction(name: Code, body: Code): Code {
  // The underscore marks a parameter that compilers must not report as unused.
  const parameter = body === "return true;" ? code`_v` : VALUE;
  return code`function ${name}(${parameter}: any): boolean {
${body}
}`;
}

const VALUE = code`v`;

/** Prints the statement that returns the test of a definition, with a line for each property. */
function returned(shape: Shape, context: Context): Code {
  if (shape.kind !== "object") return code`return ${test(shape, VALUE, context)};`;
  return code`return ${joinAnd(objectTests(shape, VALUE, context), true)};`;
}

function objectTests(shape: ObjectShape, value: Code, outer: Context): Code[] {
  const { closed, patterns, others, excludes = [] } = shape;
  const context = { ...outer, checked: [] };
  const fields = shape.fields.filter((field) => !isMeta(field));
  const hasMeta = fields.length < shape.fields.length;
  const isObject = hasMeta ? code`_isWithMeta(${value})` : code`_isObject(${value})`;
  const absent = excludes.map((name) => code`${value}${propertyAccess(name)} === undefined`);
  // What other properties accept is for the slow path to find out.
  if ((closed ?? patterns ?? others) !== undefined) {
    const { closed: _, patterns: __, others: ___, ...open } = shape;
    const names = [...outer.checked, ...shape.fields.map(({ name }) => name)];
    const isKnown = hoistLookup(
      names.map((name) => literal(name)),
      context,
    );
    return [...objectTests(open, value, context), code`_hasOnly(${value}, ${isKnown})`];
  }
  if (fields.length <= MOST_IN_A_ROW)
    return [isObject, ...absent, ...fields.map((field) => fieldTest(field, value, context))];
  const groups = Array.from({ length: Math.ceil(fields.length / MOST_IN_A_ROW) }, (_, index) =>
    fields.slice(index * MOST_IN_A_ROW, (index + 1) * MOST_IN_A_ROW),
  );
  const calls = groups.map((group) => {
    const tests = group.map((field) => fieldTest(field, VALUE, context));
    const name = context.hoist((own) => printFunction(own, code`return ${joinAnd(tests, true)};`));
    return code`${name}(${value})`;
  });
  return [isObject, ...absent, ...calls];
}

/** Returns whether a property is the `_meta` that nearly all objects have. */
function isMeta({ name, shape, required, nullable, default: value }: Field): boolean {
  const isMap = shape.kind === "map" && shape.values.shape.kind === "any";
  return name === "_meta" && isMap && nullable && !required && value === undefined;
}

/** With more variants than this, the length of the tag is tested first. */
const MANY = 4;

/** Prints an expression that is true for values of a shape that need no slow path. */
function test(given: Shape, value: Code, context: Context): Code {
  const shape = inlined(given, context.find);
  switch (shape.kind) {
    case "any":
      return code`true`;
    case "null":
      return code`${value} === null`;
    case "scalar":
      return scalarTest(shape, value);
    case "enum":
      return enumTest(shape, value, context);
    case "reference":
      return code`${fastCheckName(context.find(shape.name).identifier)}(${value})`;
    case "list": {
      const least =
        shape.minItems === undefined
          ? code``
          : code` && ${value}.length >= ${literal(shape.minItems)}`;
      const most =
        shape.maxItems === undefined
          ? code``
          : code` && ${value}.length <= ${literal(shape.maxItems)}`;
      return code`_isList(${value}, ${itemCheck(shape.items, context)})${least}${most}`;
    }
    case "map":
      return shape.values.shape.kind === "any"
        ? code`_isObject(${value})`
        : code`_isMap(${value}, ${itemCheck(shape.values, context)})`;
    case "object":
      return joinAnd(objectTests(shape, value, context));
    case "tagged":
      return code`((v: any): boolean => {
${taggedBody(shape, context)}
})(${value})`;
    case "union":
      return unionTest(shape, value, context);
    default:
      return shape satisfies never;
  }
}

/** Prints a function that checks an item: the definition's fast check where there is one. */
function itemCheck({ shape, nullable }: Slot, outer: Context): Code {
  const context = { ...outer, checked: [] };
  const item = inlined(shape, context.find);
  if (item.kind === "reference" && !nullable)
    return fastCheckName(context.find(item.name).identifier);
  const inner = slotTest({ shape: item, nullable }, VALUE, context);
  return inner === "true" ? code`() => true` : code`(v: any) => ${inner}`;
}

function slotTest({ shape, nullable }: Slot, value: Code, context: Context): Code {
  const inner = test(shape, value, context);
  return nullable ? code`(${value} === null || ${inner})` : inner;
}

function scalarTest(shape: ScalarShape, value: Code): Code {
  const bounds = [
    ...(shape.minimum === undefined ? [] : [code`${value} >= ${literal(shape.minimum)}`]),
    ...(shape.maximum === undefined ? [] : [code`${value} <= ${literal(shape.maximum)}`]),
    ...(shape.exclusiveMinimum === undefined
      ? []
      : [code`${value} > ${literal(shape.exclusiveMinimum)}`]),
    ...(shape.exclusiveMaximum === undefined
      ? []
      : [code`${value} < ${literal(shape.exclusiveMaximum)}`]),
    ...(shape.minLength === undefined
      ? []
      : [code`_codePointLength(${value}) >= ${literal(shape.minLength)}`]),
    ...(shape.maxLength === undefined
      ? []
      : [code`_codePointLength(${value}) <= ${literal(shape.maxLength)}`]),
    ...(shape.pattern === undefined ? [] : [code`_matches(${value}, ${literal(shape.pattern)})`]),
  ];
  switch (shape.type) {
    case "boolean":
      return shape.constant === undefined
        ? code`typeof ${value} === "boolean"`
        : code`${value} === ${literal(shape.constant)}`;
    case "string":
      return joinAnd([code`typeof ${value} === ${literal(shape.type)}`, ...bounds]);
    case "integer":
      return joinAnd([code`_isInteger(${value})`, ...bounds]);
    case "number":
      return joinAnd([code`_isNumber(${value})`, ...bounds]);
    default:
      return shape.type satisfies never;
  }
}

function enumTest({ values, open, type }: EnumShape, value: Code, context: Context): Code {
  const known = values.map((one) => literal(one.value));
  const tests =
    known.length <= MOST_COMPARED
      ? known.map((one) => code`${value} === ${one}`)
      : [code`${hoistLookup(known, context)}(${value})`];
  return joinOr(open && type === "string" ? [...tests, code`_isCustom(${value})`] : tests);
}

/** Returns the name of a function that looks a value up in a set, which its first call creates. */
function hoistLookup(known: readonly Code[], { hoist }: Context): Code {
  return hoist(
    (name) => code`const ${name} = /* @__PURE__ */ _lookup(() => [${joinCode(known, ", ")}]);`,
  );
}

function fieldTest(field: Field, holder: Code, outer: Context): Code {
  const context = { ...outer, checked: [] };
  const value = code`${holder}${propertyAccess(field.name)}`;
  const shape = inlined(field.shape, context.find);
  // The slow path inserts the default of an absent property.
  if (!field.required && field.default === undefined) {
    if (shape.kind === "any") return code`true`;
    const inner = test(shape, value, context);
    if (field.nullable && inner === code`typeof ${value} === "string"`)
      return code`_isText(${value})`;
    return field.nullable
      ? code`(${value} == null || ${inner})`
      : code`(${value} === undefined || ${inner})`;
  }
  const inner = slotTest(field, value, context);
  const owns = field.name in {} ? [owned(field, holder)] : [];
  if (owns.length === 0 && acceptsUndefined(shape, context.find))
    owns.push(code`${value} !== undefined`);
  return joinAnd([...owns, inner]);
}

/** Tests for an own property, since every object inherits a few names. */
function owned(field: Field, holder: Code): Code {
  return code`_hasOwn(${holder}, ${literal(field.name)})`;
}

function taggedBody(shape: TaggedShape, outer: Context): Code {
  const { tag, variants, open, fallback, absent } = shape;
  const shared = shape.shared.map((field) => fieldTest(field, VALUE, outer));
  const context = { ...outer, checked: [...outer.checked, tag] };
  const none = absent ?? fallback;
  const others = [
    ...(none
      ? [code`if (t === undefined || t === null) return ${test(none.body, VALUE, context)};`]
      : []),
    ...(open ? [code`if (_isCustom(t)) return ${test(open.body, VALUE, context)};`] : []),
    // Another string is reported in an open union, and invalid in a closed one.
    ...(fallback && !open
      ? [code`return ${test(fallback.body, VALUE, context)};`]
      : [code`return false;`]),
  ];
  const body = (value: string): Code =>
    test(variants.find((one) => one.value === value)!.body, VALUE, context);
  const values = variants.map(({ value }) => value);
  return code`if (!(${joinAnd([code`_isObject(v)`, ...shared])})) return false;
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

function unionTest(shape: UnionShape, value: Code, context: Context): Code {
  // A value that gets defaults from one variant must not be matched by a later variant.
  const end = shape.variants.findIndex(({ slot }) => completes(slot.shape, context.find));
  const before = end === -1 || shape.exclusive ? shape.variants : shape.variants.slice(0, end + 1);
  const variants = before.map(({ slot }) => slotTest(slot, value, context));
  const slots = before.map(({ slot }) => slot);
  const alternatives = shape.exclusive
    ? exclusiveTest(slots, variants, value, context.find)
    : joinOr(variants);
  if (shape.shared.length === 0) return alternatives;
  return joinAnd([
    code`_isObject(${value})`,
    ...shape.shared.map((field) => fieldTest(field, value, context)),
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
