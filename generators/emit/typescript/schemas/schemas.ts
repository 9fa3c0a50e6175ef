import type { Definition, Method, Protocol } from "../../../model/protocol.js";
import {
  code,
  identifier,
  joinCode,
  literal,
  propertyKey,
  propertyName,
  type Code,
} from "../../../output/code.js";
import { outputPath } from "../../../output/file.js";
import { perProfile, type Emitter } from "../../emitter.js";
import { printChecks } from "./checks.js";
/** Checks as straight-line code, and one object per definition that runs them. */
export const schemas: Emitter = {
  name: "schemas",
  summary: "one object per definition that validates, decodes and encodes; Standard Schema",
  requires: ["types", "runtime"],
  emit: perProfile((protocol) => {
    const path = (...file: string[]): string =>
      outputPath("typescript", "src", protocol.profile, ...file);
    return [
      { path: path("internal", "checks.ts"), text: printChecks(protocol), language: "plain" },
      { path: path("schemas.ts"), text: printSchemas(protocol), language: "plain" },
    ];
  }),
};

/** The imported names start with `_`, as definitions never do. */
function printSchemas(protocol: Protocol): Code {
  const { definitions, methods, received } = protocol;
  const head = code`import * as _checks from "./internal/checks.js";
${received.size > 0 ? code`import type * as _received from "./received.js";\n` : code``}import { schema as _schema, unknownSchema as _unknownSchema, type Schema as _Schema, type Unknown as _Unknown, type UnknownSchema as _UnknownSchema } from "../runtime/validate/schema.js";
import type * as _types from "./types.js";
`;
  const exports = definitions.map((definition) => printSchema(definition, protocol));
  return joinCode([head, ...exports, printByMethod(methods, definitions)], "\n");
}

function printSchema(definition: Definition, { received }: Protocol): Code {
  const id = identifier(definition.identifier);
  const sent = code`_types.${id}`;
  const arrived = received.get(definition.name);
  const own = arrived === undefined ? sent : code`_received.${id}`;
  const unknown = printUnknownSchema(definition, arrived ?? definition, sent, own);
  const types = arrived === undefined ? sent : code`${sent}, ${own}`;
  const value =
    unknown ??
    code`_Schema<${types}> = /* @__PURE__ */ _schema(${literal(definition.name)}, _checks.${id})`;
  return code`export type ${id} = ${sent};
export const ${id}: ${value};`;
}

/** Prints the table from methods to the schemas of their messages. */
function printByMethod(methods: readonly Method[], definitions: readonly Definition[]): Code {
  const identifiers = new Map(definitions.map(({ name, identifier: id }) => [name, id]));
  const messages = ({ params, result }: Method): readonly (readonly [Code, string])[] => [
    [code`params`, params],
    ...(result === undefined ? [] : [[code`result`, result] as const]),
  ];
  const print = (isType: boolean): Code => {
    const key = (name: Code): Code => (isType ? code`readonly ${name}` : name);
    const table = (method: Method): Code[] =>
      messages(method).map(([part, name]) => {
        const id = identifier(identifiers.get(name)!);
        return code`${key(part)}: ${isType ? code`typeof ${id}` : id}`;
      });
    const rows = [...new Set(methods.map(({ name }) => name))].map((name) => {
      const named = methods.filter((method) => method.name === name);
      const request = named.find(({ kind }) => kind === "request");
      const notification = named.find(({ kind }) => kind === "notification");
      const members = table(request ?? notification!);
      if (request !== undefined && notification !== undefined)
        members.push(code`${key(code`notification`)}: { ${joinCode(table(notification), ", ")} }`);
      const property = isType ? propertyName(name) : propertyKey(name);
      return code`  ${key(property)}: { ${joinCode(members, ", ")} }${isType ? code`;` : code`,`}`;
    });
    return joinCode(rows, "\n");
  };
  return code`
/** The schemas of the params and the result of every method. */
export const byMethod: {
${print(true)}
} = {
${print(false)}
};
`;
}

/**
 * Prints the type and the value of the schema of a union that accepts tags this version does not
 * know, or that a receiver keeps with such a tag: tags with a leading `_` and those of later
 * versions.
 *
 * @param received the received form of the definition
 * @returns undefined for other definitions
 */
function printUnknownSchema(
  definition: Definition,
  { shape }: Definition,
  sentType: Code,
  receivedType: Code,
): Code | undefined {
  if (shape.kind !== "tagged" || shape.open === undefined) return undefined;
  const unknown = code`_Unknown<${receivedType}, ${literal(shape.tag)}>`;
  const known = joinCode(
    shape.variants.map(({ value }) => literal(value)),
    ", ",
  );
  // A missing tag is not an unknown tag.
  const mayLack = shape.fallback !== undefined || shape.absent !== undefined;
  const check = code`_checks.${identifier(definition.identifier)}`;
  return code`_UnknownSchema<${sentType}, ${receivedType}, ${unknown}> = /* @__PURE__ */ _unknownSchema(${literal(definition.name)}, ${check}, ${literal(shape.tag)}, [${known}]${mayLack ? code`, 1` : code``})`;
}
