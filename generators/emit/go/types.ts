import { fieldText } from "../../model/field-text.js";
import type { AliasPart, ChoicePart, Part, RecordPart, UnionPart } from "../../model/parts/part.js";
import { extraOf, fieldsOf } from "../../model/parts/fields-of.js";
import type { Slot } from "../../model/shape.js";
import { comment, go, identifier, indent, joinGo, literal, type Go } from "./code.js";
import {
  goAlternatives,
  extraType,
  fieldType,
  isInterface,
  leavesOf,
  ownType,
  slotType,
  typeName,
  type GoContext,
} from "./context.js";
import { listedValues } from "./limits.js";

/** Prints the types: a struct for each record, an interface for each union. */
export function printTypes(context: GoContext): Go {
  const { printed } = context;
  return joinGo(
    [...printed.map((part) => printPart(part, context)), UNKNOWN, ...printMarks(printed, context)],
    "\n",
  );
}

function printPart(part: Part, context: GoContext): Go {
  const name = identifier(context.names.typeOf(part.name));
  const doc = documentation(name, part.description);
  switch (part.kind) {
    case "record":
      return go`${doc}${printStruct(part, context)}`;
    case "alias":
      return go`${doc}${printAlias(part, context)}`;
    case "choice":
    case "union": {
      const own = part.kind === "union" ? goAlternatives(part) : [];
      const alternatives = own
        .filter(({ shape }) => shape.kind !== "reference")
        .map((one) => {
          const type = ownType(one, context);
          const text = comment(`${type} is an alternative of [${name}].`);
          return go`${text}${printNamed(type, one, context)}`;
        });
      const declared = go`${doc}//\n${printInterface(part, context)}`;
      return joinGo([declared, ...alternatives], "\n");
    }
    default:
      return part satisfies never;
  }
}

/** Prints the interface of a union, with the types that implement it. */
export function printInterface(part: ChoicePart | UnionPart, context: GoContext): Go {
  const name = identifier(context.names.typeOf(part.name));
  const links = [...leavesOf(part, context)].map((leaf) => go`[${leaf}]`);
  return go`${comment(`Its values are of the types ${joinGo(links, ", ")}.`)}type ${name} interface {
	is${name}()
	Value
}
`;
}

/** Returns the comment of a type, which begins with its name. */
function documentation(name: Go, description: string): Go {
  if (description.trim() === "") return comment(`${name} is a type of the protocol.`);
  const [, article, rest] = /^(An?|The|One|Any)( .*)$/s.exec(description) ?? [];
  return article === undefined
    ? comment(`${name}: ${description}`)
    : comment(`${name} is ${article.toLowerCase()}${rest}`);
}

function printStruct(record: RecordPart, context: GoContext): Go {
  // A blank line behind each field leaves formatters nothing to align.
  const fields = fieldsOf(record, context.parts).map((field) => {
    const name = identifier(context.names.fieldOf(record.name, field.name));
    return go`${comment(fieldText(field))}${name} ${fieldType(field, record, context)}\n`;
  });
  const isTyped = extraOf(record, context.parts) !== undefined;
  const extra = go`// Extra has the properties ${isTyped ? go`of any other name` : go`that the schema does not name. They are sent again`}.
Extra ${extraType(record, context)}
`;
  const body = joinGo([...fields, extra, RECEIVED], "\n");
  return go`type ${typeName(record.name, context)} struct {\n${indent(body)}}\n`;
}

const RECEIVED = go`// Received is set if the object was received with something unknown in it.
Received acp.Received
`;

function printAlias(part: AliasPart, context: GoContext): Go {
  const name = identifier(context.names.typeOf(part.name));
  const { shape } = part;
  if (shape.kind === "reference") return go`type ${name} = ${typeName(shape.name, context)}\n`;
  if (shape.kind !== "enum") return printNamed(name, { shape, nullable: false }, context);
  const listed = listedValues(shape);
  const constants = (part.values ?? []).map((value, index) => {
    const constant = identifier(context.names.constantOf(value.name));
    return go`${comment(shape.values[index]!.description)}const ${constant} ${name} = ${listed[index]!}\n`;
  });
  const known =
    listed.length === 0
      ? go`\treturn false`
      : go`	switch v {
	case ${joinGo(listed, ", ")}:
		return true
	}
	return false`;
  const method = go`// IsKnown returns whether the schema lists the value.
func (v ${name}) IsKnown() bool {
${known}
}
`;
  const type = slotType({ shape, nullable: false }, context);
  return joinGo([go`type ${name} ${type}\n`, ...constants, method], "\n");
}

/** Prints a named type. Those that encoding/json would print otherwise have its methods. */
function printNamed(name: Go, slot: Slot, context: GoContext): Go {
  const declared = go`type ${name} ${slotType(slot, context)}\n`;
  if (["scalar", "enum"].includes(slot.shape.kind)) return declared;
  return go`${declared}
// MarshalJSON implements json.Marshaler.
func (v ${name}) MarshalJSON() ([]byte, error) {
	return codec.Marshal(v.encodeJSON)
}

// UnmarshalJSON implements json.Unmarshaler: it decodes leniently, without the notes.
func (v *${name}) UnmarshalJSON(data []byte) error {
	return codec.Unmarshal(data, ${literal(name)}, func(d *codec.Decoder) bool {
		return decode${name}(d, v, codec.Lenient)
	})
}
`;
}

const UNKNOWN = go`// Unknown is a variant of a union that the schema does not list, or a custom one.
//
// One that was received can be sent again. One that a program makes can be sent if its
// tag begins with an underscore; other names are reserved for the protocol.
type Unknown struct {
	// Tag is the value that selects the variant.
	Tag string

	// Raw is the whole object, with the tag.
	Raw json.RawMessage

	// Received is set if the variant was received.
	Received acp.Received
}

// MarshalJSON implements json.Marshaler.
func (v *Unknown) MarshalJSON() ([]byte, error) {
	return codec.Marshal(v.encodeJSON)
}
`;

/** The columns of a function from which on gofmt breaks its line. */
const LONG = 100;

/** Prints the methods that make types implement the interfaces of unions. */
function printMarks(parts: readonly Part[], context: GoContext): readonly Go[] {
  return parts.filter(isInterface).map((part) => {
    const name = typeName(part.name, context);
    const marks = [...leavesOf(part, context)].map((leaf) => {
      const head = go`func (${leaf}) is${name}()`;
      return go`${head} {${head.length < LONG ? go`` : go`\n`}}\n`;
    });
    return joinGo(marks, "\n");
  });
}
