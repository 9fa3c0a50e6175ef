import { extraOf, fieldsOf } from "../../model/parts/fields-of.js";
import {
  isByTag,
  type Alternative,
  type AliasPart,
  type ChoicePart,
  type Part,
  type RecordPart,
  type UnionPart,
} from "../../model/parts/part.js";
import type { EnumShape, Field, ScalarShape, Shape, Slot } from "../../model/shape.js";
import { go, identifier, indent, joinGo, literal, numeral, rawLiteral, type Go } from "./code.js";
import {
  goAlternatives,
  fieldForm,
  fieldType,
  isOptionalItem,
  keepsUnknown,
  ownType,
  recordOf,
  resolve,
  scalarOf,
  SCALARS,
  shapeType,
  slotType,
  typeName,
  type GoContext,
  type Scalar,
} from "./context.js";
import { alternativeName, InnerFunctions, patternName, shapeName } from "./inner-functions.js";
import {
  customConditions,
  listedValues,
  scalarConditions,
  SCALAR_NAMES,
  sizeConditions,
} from "./limits.js";
import { claim } from "./names.js";

/*
 * Generated decoders read from `d` into `v` in the mode `m`. They return false for what needs a
 * diagnosis.
 */

interface DecoderContext extends GoContext {
  readonly inner: InnerFunctions;
  /** The variables of compiled patterns, by pattern. */
  readonly patterns: Map<string, Go>;
}

/** Prints the fast path for received values: a decoder for each part. */
export function printDecoders(context: GoContext): Go {
  const ofTypes = context.printed.map(({ name }) => `read${typeName(name, context)}`);
  const own = {
    ...context,
    inner: new InnerFunctions("read", ofTypes),
    patterns: new Map<string, Go>(),
  };
  const decoders = context.printed.map((part) => printDecoder(part, own));
  const patterns = [...own.patterns].map(
    ([pattern, name]) => go`var ${name} = regexp.MustCompile(${literal(pattern)})\n`,
  );
  return joinGo(
    [...patterns, ...own.inner.printed, ...decoders].filter((one) => one !== ""),
    "\n",
  );
}

function printDecoder(part: Part, context: DecoderContext): Go {
  const head = (name: Go): Go => go`func decode${name}${signature(name)}`;
  const name = typeName(part.name, context);
  switch (part.kind) {
    case "record":
      return go`${head(name)} {\n${indent(printRecord(part, context))}\n}\n`;
    case "choice":
      return go`${head(name)} {\n${indent(printChoice(part, context))}\n}\n`;
    case "union": {
      const own = goAlternatives(part)
        .filter(({ shape }) => shape.kind !== "reference")
        .map((one) => {
          const type = ownType(one, context);
          return go`${head(type)} {\n${indent(printShape(one.shape, context, true))}\n}\n`;
        });
      return joinGo([go`${head(name)} {\n${indent(printUnion(part, context))}\n}\n`, ...own], "\n");
    }
    case "alias":
      return part.shape.kind === "reference" ? go`` : printAlias(part, head(name), context);
    default:
      return part satisfies never;
  }
}

function signature(type: Go): Go {
  return go`(d *codec.Decoder, v *${type}, m codec.Mode) bool`;
}

function printAlias(part: AliasPart, head: Go, context: DecoderContext): Go {
  const { shape } = part;
  if (shape.kind !== "enum") return go`${head} {\n${indent(printShape(shape, context, true))}\n}\n`;
  return go`${head} {\n\treturn ${readScalar(shape.type, go`v`, true)} && (v.IsKnown() || ${unlisted(shape, go`*v`, true)})\n}\n`;
}

/** Returns the condition under which a value that is not listed is accepted. */
function unlisted(shape: EnumShape, value: Go, isNamed: boolean): Go {
  const custom = customConditions(shape, isNamed ? go`string(${value})` : value);
  return joinGo([go`m == codec.Checked`, ...custom], " || ");
}

function readScalar(type: Scalar, place: Go, isNamed: boolean): Go {
  const pointer = isNamed ? go`(*${SCALARS[type]})(${place})` : place;
  // Strings with a type of their own are ids and listed values.
  const read = isNamed && type === "string" ? go`Name` : SCALAR_NAMES[type];
  return go`codec.Read${read}(d, ${pointer}, m)`;
}

/** Prints statements that read a shape into `v` and return whether it fits. */
function printShape(shape: Shape, context: DecoderContext, isNamed = false): Go {
  switch (shape.kind) {
    case "any":
      return go`return codec.ReadRaw(d, ${isNamed ? go`(*json.RawMessage)(v)` : go`v`}, m)`;
    case "null":
      return go`return d.Null()`;
    case "scalar": {
      const checks = scalarChecks(shape, isNamed, context);
      return go`return ${joinGo([readScalar(scalarOf(shape), go`v`, isNamed), ...checks], " && ")}`;
    }
    case "enum": {
      const listed = listedValues(shape);
      const cases =
        listed.length === 0
          ? go``
          : go`switch *v {\ncase ${joinGo(listed, ", ")}:\n\treturn true\n}\n`;
      const read = readScalar(shape.type, go`v`, isNamed);
      return go`if !${read} {\n\treturn false\n}\n${cases}return ${unlisted(shape, go`*v`, isNamed)}`;
    }
    case "list": {
      const read = go`codec.List(d, v, m, ${readerOf(shape.items, context)})`;
      return go`return ${joinGo([read, ...sizeConditions(shape, go`*v`)], " && ")}`;
    }
    case "map":
      return go`return codec.Map(d, v, m, ${readerOf(shape.values, context)})`;
    case "reference":
      return go`return ${readerOf({ shape, nullable: false }, context)}(d, v, m)`;
    case "object":
    case "tagged":
    case "union":
      throw new Error(`a part holds a shape of the kind ${shape.kind}`);
    default:
      return shape satisfies never;
  }
}

function scalarChecks(shape: ScalarShape, isNamed: boolean, context: DecoderContext): Go[] {
  const { pattern } = shape;
  const conditions = scalarConditions(shape, go`*v`, isNamed);
  if (pattern === undefined) return conditions;
  const text = isNamed ? go`string(*v)` : go`*v`;
  return [...conditions, go`codec.Matches(${patternOf(pattern, context.patterns)}, ${text})`];
}

function patternOf(pattern: string, patterns: Map<string, Go>): Go {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const taken = new Set<string>(patterns.values());
  const name = identifier(claim(`pattern${patternName(pattern)}`, taken));
  patterns.set(pattern, name);
  return name;
}

/** Returns the function that reads a slot. */
function readerOf(slot: Slot, context: DecoderContext): Go {
  const { shape } = slot;
  if (isOptionalItem(slot)) return optionalReader(slot, slotType(slot, context), context);
  switch (shape.kind) {
    case "any":
      return go`codec.ReadRaw`;
    case "null":
      return go`codec.ReadNull`;
    case "reference":
      return go`decode${typeName(shape.name, context)}`;
    case "scalar":
      if (scalarChecks(shape, false, context).length === 0)
        return go`codec.Read${SCALAR_NAMES[scalarOf(shape)]}`;
  }
  return inner(
    shapeName(shape, context),
    shapeType(shape, context),
    printShape(shape, context),
    context,
  );
}

/** Returns the function that reads a value, of its statements. */
function inner(name: string, type: Go, statements: Go, context: DecoderContext): Go {
  return context.inner.name(name, go`${signature(type)} {\n${indent(statements)}\n}`);
}

/** Returns the function that reads what may be null, or absent. */
function optionalReader(slot: Slot, type: Go, context: DecoderContext): Go {
  const name = optionalKind(slot) + shapeName(slot.shape, context);
  return inner(name, type, go`return ${readOptional(slot, go`v`, context)}`, context);
}

function optionalKind({ shape, nullable }: Slot): Go {
  return nullable || shape.kind === "any" ? go`Nullable` : go`Optional`;
}

/** Returns the expression that reads what may be null, or absent, into a place. */
function readOptional(slot: Slot, place: Go, context: DecoderContext): Go {
  const { shape } = slot;
  const isNew = recordOf(shape, context) !== undefined ? go`New` : go``;
  const reader = readerOf({ shape, nullable: false }, context);
  return go`codec.${optionalKind(slot)}${isNew}(d, ${place}, m, ${reader})`;
}

function readField(field: Field, place: Go, record: RecordPart, context: DecoderContext): Go {
  switch (fieldForm(field, record, context)) {
    case "optional":
      return readOptional(field, place, context);
    case "pointer":
      return go`codec.New(d, ${place}, m, ${readerOf(field, context)})`;
    default:
      return go`${readerOf(field, context)}(d, ${place}, m)`;
  }
}

/** Returns the function that reads a field by itself. */
function fieldReader(field: Field, record: RecordPart, context: DecoderContext): Go {
  const type = fieldType(field, record, context);
  switch (fieldForm(field, record, context)) {
    case "optional":
      return optionalReader(field, type, context);
    case "pointer": {
      const name = `New${shapeName(field.shape, context)}`;
      return inner(name, type, go`return ${readField(field, go`v`, record, context)}`, context);
    }
    default:
      return readerOf(field, context);
  }
}

function printRecord(record: RecordPart, context: DecoderContext): Go {
  const fields = fieldsOf(record, context.parts);
  const bits = [...record.tags, ...fields].map((_, index) => index);
  const { names } = context;
  const words = Math.ceil(bits.length / WORD);
  const word = (index: number): Go =>
    words === 1 ? go`seen` : go`seen[${numeral(Math.floor(index / WORD))}]`;
  const place = (field: Field): Go => go`&v.${identifier(names.fieldOf(record.name, field.name))}`;
  const first = (index: number): Go => go`codec.First(${go`&${word(index)}`}, ${bit(index)})`;
  const cases = [
    ...record.tags.map(({ name, value }, index) => {
      return go`case ${literal(name)}:\n\tok = ${first(index)} && d.Literal(${literal(value)})\n`;
    }),
    ...fields.map((field, at) => {
      const read = readField(field, place(field), record, context);
      return go`case ${literal(field.name)}:\n\tok = ${first(record.tags.length + at)} && ${read}\n`;
    }),
  ];
  if (record.excludes.length > 0)
    cases.push(go`case ${joinGo(record.excludes.map(literal), ", ")}:\n\tok = false\n`);
  const extra = extraOf(record, context.parts);
  const read =
    extra === undefined
      ? go`d.Extra(&v.Extra, name)`
      : go`codec.Entry(d, &v.Extra, name, m, ${readerOf(extra, context)})`;
  const other = go`${record.isClosed === true ? go`m == codec.Checked && ` : go``}${read}`;
  const chosen =
    cases.length === 0
      ? go`ok = ${other}\n`
      : go`switch string(name) {\n${joinGo(cases, "")}default:\n\tok = ${other}\n}\n`;
  const defaults = fields.flatMap((field, at) => {
    if (field.default === undefined) return [];
    const index = record.tags.length + at;
    const read = fieldReader(field, record, context);
    const inserted = go`codec.Default(${rawLiteral(JSON.stringify(field.default))}, ${place(field)}, ${read})`;
    const wrong = field.required
      ? go`(m != codec.Lenient || !${inserted})`
      : go`m == codec.Lenient && !${inserted}`;
    return [go`if ${word(index)}&(${bit(index)}) == 0 && ${wrong} {\n\treturn false\n}\n`];
  });
  const required = bits.filter((index) => {
    const field = fields[index - record.tags.length];
    return (
      field === undefined ||
      index < record.tags.length ||
      (field.required && field.default === undefined)
    );
  });
  const seen =
    words === 0
      ? go``
      : words === 1
        ? go`var seen uint64\n`
        : go`var seen [${numeral(words)}]uint64\n`;
  const masks = Array.from({ length: words }, (_, at) => {
    const own = required.filter((index) => Math.floor(index / WORD) === at);
    const mask = own.reduce((sum, index) => sum | (1n << BigInt(index % WORD)), 0n);
    return mask === 0n ? [] : [go`${word(at * WORD)}&${hex(mask)} == ${hex(mask)}`];
  }).flat();
  return go`if !d.Object() {
	return false
}
${seen}for isFirst := true; ; isFirst = false {
	name, ok := d.Member(isFirst)
	if !ok {
		return false
	}
	if name == nil {
		break
	}
${indent(chosen)}	if !ok {
		return false
	}
}
${joinGo(defaults, "")}v.Received = d.Kept()
return ${joinGo([...masks, ...(extra === undefined ? [go`codec.AreDistinct(v.Extra)`] : [])], " && ") || go`true`}`;
}

/** The properties that one variable notes as read. */
const WORD = 64;

function bit(index: number): Go {
  return go`1<<${numeral(index % WORD)}`;
}

function hex(mask: bigint): Go {
  return `0x${mask.toString(16)}` as Go;
}

/** Prints statements that read a part as a value of a union. */
function readAs(name: string, context: DecoderContext): Go {
  const part = resolve(name, context);
  const type = typeName(name, context);
  return part.kind === "record"
    ? go`x := new(${type})\n*v = x\nreturn decode${type}(d, x, m)`
    : go`return codec.As(d, v, m, decode${type})`;
}

function printChoice(part: ChoicePart, context: DecoderContext): Go {
  const { tag, cases, fallback, absent } = part;
  const type = typeName(part.name, context);
  const reader = (name: string): Go => {
    const own = alternativeName(type, typeName(name, context));
    return inner(own, type, readAs(name, context), context);
  };
  const listed = cases.map(({ value, part: name }) => {
    const read =
      fallback === undefined
        ? readAs(name, context)
        : go`return codec.Known(d, v, m, ${literal(part.name)}, ${reader(name)}, ${reader(fallback)})`;
    return go`case ${literal(value)}:\n${indent(read)}\n`;
  });
  const kept = keepsUnknown(part)
    ? go`if m != codec.Checked {
	return false
}
x := &Unknown{Tag: string(tag), Received: d.Kept()}
*v = x
return codec.ReadRaw(d, &x.Raw, m)
`
    : go``;
  const others = fallback === undefined ? go`return false` : readAs(fallback, context);
  const untagged =
    absent === undefined
      ? go``
      : go`if kind == codec.TagAbsent {\n${indent(readAs(absent, context))}\n}\n`;
  const choose = go`switch string(tag) {\n${joinGo(listed, "")}}\n`;
  if (isByTag(part))
    return go`tag, kind := d.Tag(${literal(tag)})
if kind != codec.TagText {
	return false
}
${choose}${kept.trimEnd() as Go}`;
  return go`tag, kind := d.Tag(${literal(tag)})
if kind == codec.NoObject {
	return false
}
if kind == codec.TagText {
${indent(go`${choose}${kept}`)}}
${untagged}${others}`;
}

function printUnion(part: UnionPart, context: DecoderContext): Go {
  const type = typeName(part.name, context);
  const readers = goAlternatives(part).map((one) => {
    const { shape } = one;
    const own = shape.kind === "reference" ? typeName(shape.name, context) : ownType(one, context);
    const read = shape.kind === "reference" ? readAs(shape.name, context) : readOwn(one, context);
    return inner(alternativeName(type, own), type, read, context);
  });
  const completes = context.completes(part);
  if (part.isExclusive && completes)
    return go`return m != codec.Lenient && codec.OneOf(${unionArguments(part, readers)})`;
  const choose = part.isExclusive ? go`OneOf` : completes ? go`AnyOfCompleted` : go`AnyOf`;
  return go`return codec.${choose}(${unionArguments(part, readers)})`;
}

function unionArguments(part: UnionPart, readers: readonly Go[]): Go {
  return go`d, v, m, ${literal(part.name)}, ${joinGo(readers, ", ")}`;
}

function readOwn(one: Alternative, context: DecoderContext): Go {
  return go`return codec.As(d, v, m, decode${ownType(one, context)})`;
}
