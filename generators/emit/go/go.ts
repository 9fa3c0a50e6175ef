import { buildCheckTable } from "../../model/check-table.js";
import type { Protocol } from "../../model/protocol.js";
import { outputPath } from "../../output/file.js";
import { perProfile, type EmitContext, type Emitter, type ProfileFile } from "../emitter.js";
import {
  comment,
  go as code,
  identifier,
  joinGo,
  literal,
  numeral,
  rawLiteral,
  type Go,
} from "./code.js";
import { printCapabilities } from "./capabilities.js";
import {
  createGoContext,
  isInterface,
  isPrinted,
  resolve,
  typeName,
  type GoContext,
} from "./context.js";
import { printDecoders } from "./decoders.js";
import { printEncoders } from "./encoders.js";
import { printMethods, printMethodTable } from "./methods.js";
import { COMMENTS, modulePath, printGoModule, printRoles } from "./module.js";
import { LANGUAGE, packageOf } from "./names.js";
import { withGoPatterns } from "./patterns.js";
import { takenNames } from "./printed-parts.js";
import { siteCode } from "./site-code.js";
import { printStateTable } from "./state-table.js";
import { printTypes } from "./types.js";

/** A Go module with one package per profile, above a runtime written by hand. */
export const go: Emitter = {
  name: LANGUAGE,
  summary: "the Go module: types, decoders, encoders, agents and clients; on request",
  onRequest: true,
  siteCode,
  renames: (protocol) => createGoContext(protocol).names.renamed,
  emit: async (...given) => [
    ...(await perProfile(printPackage)(...given)),
    ...printGoModule(given[0], given[2]),
  ],
};

function printPackage(given: Protocol, _: unknown, context: EmitContext): ProfileFile[] {
  const protocol = withGoPatterns(given);
  const printed = createGoContext(protocol);
  const name = packageOf(protocol.profile);
  const { initialize } = protocol;
  const file = (file: string, body: Go, doc: Go = code``): ProfileFile => ({
    path: outputPath("go", name, file),
    text: `${doc}package ${name}\n\n${imports(body, context)}${body}`,
    language: COMMENTS,
  });
  return [
    file("doc.go", printFacts(protocol), comment(`Package ${name} has ${protocol.title}.`)),
    file("types.go", printTypes(createGoContext(given))),
    file("codec.go", printCodec(printed, protocol)),
    file("decoders.go", printDecoders(printed)),
    file("encoders.go", printEncoders(printed)),
    file(
      "table.go",
      joinGo(
        [
          printTable(protocol),
          ...(initialize ? [printMethodTable(protocol), printStateTable(protocol)] : []),
        ],
        "\n",
      ),
    ),
    ...(initialize === undefined
      ? []
      : [
          file("methods.go", printMethods(printed, protocol, initialize)),
          ...printCapabilities(protocol).map((text) => file("capabilities.go", text)),
          ...printRoles(protocol, printed.names, context),
        ]),
  ];
}

/** Prints the imports of what a file uses. */
function imports(body: Go, context: EmitContext): Go {
  const module = modulePath(context);
  const paths = [
    ...["context", "encoding/json", "reflect", "regexp", "sync"].map(
      (path) => [path.replace(/.*\//, ""), path] as const,
    ),
    ["acp", `${module}/acp`] as const,
    ["codec", `${module}/internal/codec`] as const,
    ["role", `${module}/internal/role`] as const,
  ].filter(([name]) => new RegExp(`(?<![\\w"/])${name}\\.[A-Z]`).test(withoutComments(body)));
  if (paths.length === 0) return code``;
  const lines = paths.map(([, path]) => code`\t${literal(path)}\n`);
  const isOwn = paths.map(([, path]) => path.startsWith(`${module}/`));
  const gap = isOwn.indexOf(true);
  const spaced = lines.map((line, index) => (index === gap && gap > 0 ? code`\n${line}` : line));
  return code`import (\n${joinGo(spaced, "")})\n\n`;
}

function withoutComments(body: string): string {
  return body.replace(/^\s*\/\/.*$/gm, "").replace(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, '""');
}

function printFacts({ versionNumber }: Protocol): Go {
  return code`// Version is the number of the protocol version.\nconst Version = ${numeral(versionNumber)}\n`;
}

/** Prints the functions for all types, and the schema of each that has one. */
function printCodec(context: GoContext, protocol: Protocol): Go {
  const schemas = schemaNames(protocol, context);
  const cases = [...schemas.keys()].map((name) => {
    const part = resolve(name, context);
    if (part.name !== name) return code``;
    const type = typeName(name, context);
    const pointer = part.kind === "record" ? code`*` : code``;
    return code`\tcase *${pointer}${type}:\n\t\tfound = schema${type}\n`;
  });
  const declared = [...schemas].map(([name, schema]) => {
    const part = resolve(name, context);
    const own = identifier(context.names.typeOf(name));
    const type = typeName(name, context);
    const isObject = part.kind === "record";
    const isUnion = part.kind === "choice" || part.kind === "union";
    const isOwn = part.name === name;
    const read = isObject ? code`read${type}` : code`decode${type}`;
    const pointer =
      isObject && isOwn
        ? code`func read${type}(d *codec.Decoder, v **${type}, m codec.Mode) bool {
	*v = new(${type})
	return decode${type}(d, *v, m)
}

`
        : code``;
    const print = isUnion
      ? code`encode${type}`
      : code`${isObject ? code`(*${type})` : type}.encodeJSON`;
    return code`${pointer}var schema${own} = &codec.Schema[${isObject ? code`*` : code``}${type}]{
	Name:  ${literal(schema)},
	Read:  ${read},
	Print: ${print},
	Walk:  walk,
}
`;
  });
  const methods = context.printed.flatMap((part) => {
    if (part.kind !== "record") return [];
    const type = typeName(part.name, context);
    const marshal = schemas.has(part.name)
      ? code`schema${type}.Encode(&v)`
      : code`codec.Marshal(v.encodeJSON)`;
    const unmarshal = schemas.has(part.name)
      ? code`decoded, _, err := schema${type}.Decode(data)
	if err == nil {
		*v = *decoded
	}
	return err`
      : code`return codec.Unmarshal(data, ${literal(type)}, func(d *codec.Decoder) bool {
		return decode${type}(d, v, codec.Lenient)
	})`;
    return [
      code`// MarshalJSON implements json.Marshaler.
func (v ${type}) MarshalJSON() ([]byte, error) {
	return ${marshal}
}

// UnmarshalJSON implements json.Unmarshaler: it decodes leniently, without the notes.
func (v *${type}) UnmarshalJSON(data []byte) error {
	${unmarshal}
}
`,
    ];
  });
  return joinGo(
    [
      API,
      code`// schemaOf returns the schema of a definition; nil for a type that is only a part of one.
func schemaOf[T Value]() *codec.Schema[T] {
	var found any
	switch any((*T)(nil)).(type) {
${joinGo(cases, "")}	}
	schema, _ := found.(*codec.Schema[T])
	return schema
}
`,
      ...declared,
      ...methods,
    ],
    "\n",
  );
}

/**
 * Returns the definitions by which values are checked, by the names of their parts: definitions that have
 * types, and variants that have the names of definitions, which are checked as values of their unions.
 */
function schemaNames({ definitions }: Protocol, context: GoContext): ReadonlyMap<string, string> {
  const own = definitions
    .filter(({ name }) => isPrinted(name, context))
    .map(({ name }) => [name, name] as const);
  const variants = [...takenNames(context.printed).keys()].flatMap((name) => {
    const union = context.parts.get(name)!.path[0]!;
    return isInterface(context.parts.get(union)!) ? [[name, union] as const] : [];
  });
  return new Map([...own, ...variants]);
}

const API = code`// Value is the constraint of the types of this package: pointers to structs, interfaces of
// unions, and named types.
type Value interface {
	encodeJSON(*codec.Encoder)
}

// Decode decodes a JSON text leniently, as a receiver must. It repairs what the schema
// marks as repairable, and keeps what the schema does not know; the notes say where. An
// error is an [*acp.SyntaxError] or an [*acp.InvalidError].
//
// A variant of a union is read and written with its tag, also by its own type.
func Decode[T Value](data []byte) (T, []acp.Note, error) { return schemaOf[T]().Decode(data) }

// Validate returns why a JSON text is not valid, strictly; nothing for one that is.
func Validate[T Value](data []byte) []acp.Issue { return schemaOf[T]().Validate(data) }

// Encode returns the JSON text of a value, on one line. A value that is not valid, or has
// names that are reserved for the protocol and were not received, is an
// [*acp.InvalidError]. Properties in Extra are sent as they are.
func Encode[T Value](value T) ([]byte, error) { return schemaOf[T]().Encode(value) }

// JSON is a value in a struct for encoding/json, which cannot read interfaces by itself:
//
//	Updates []JSON[SessionUpdate] \`json:"updates"\`
type JSON[T Value] struct{ Value T }

// MarshalJSON implements json.Marshaler.
func (j JSON[T]) MarshalJSON() ([]byte, error) { return Encode(j.Value) }

// UnmarshalJSON implements json.Unmarshaler: it decodes leniently, without the notes.
func (j *JSON[T]) UnmarshalJSON(data []byte) (err error) {
	j.Value, _, err = Decode[T](data)
	return err
}

var walk = sync.OnceValue(func() *codec.Walk { return codec.NewWalk(checkTable) })
`;

/** Prints the checks of all definitions as JSON, a definition on each line. */
function printTable(protocol: Protocol): Go {
  const rows = Object.entries(buildCheckTable(protocol)).map(
    ([name, node]) => `${JSON.stringify(name)}:${JSON.stringify(node)}`,
  );
  const table = rawLiteral(`{\n${rows.join(",\n")}\n}`);
  return code`// checkTable has the checks of all definitions, for the slow path.\nconst checkTable = ${table}\n`;
}
