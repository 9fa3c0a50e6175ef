import type { Field, OtherVariant, Shape, Slot, TaggedShape } from "../../../model/shape.js";
import {
  code,
  identifier,
  indentLines,
  joinCode,
  literal,
  printedCode,
  propertyKey,
  type Code,
} from "../../../output/code.js";
import type { CodeBlock } from "../../../output/markup.js";
import { fragmentUrl, type Url } from "../../../output/url.js";
import { fieldsOf } from "../../../model/map-shape.js";
import { stepId } from "../facts/type-uses.js";
import type { PageScope, Site } from "../site-types.js";

const ANY_OBJECT = code`object & { readonly [Symbol.iterator]?: never }`;

/** The declarations of a profile that were printed, and the names of its identifiers. */
interface Printed {
  readonly texts: Map<string, Code>;
  readonly names: ReadonlyMap<string, string>;
}

const printed = new WeakMap<Site, Printed>();

function printedOf(site: Site): Printed {
  const { definitions } = site.protocol;
  const known = printed.get(site) ?? {
    texts: new Map(),
    names: new Map(definitions.map(({ name, identifier: id }) => [id, name])),
  };
  printed.set(site, known);
  return known;
}

/**
 * Returns the TypeScript type of a definition as the generated package declares it, without comments. Its
 * names lead to their types, and those of its properties to their rows on the same page.
 */
export function declaration(name: string, { site, toType }: PageScope): CodeBlock {
  const { texts, names } = printedOf(site);
  const text = texts.get(name) ?? printDeclaration(name, site);
  texts.set(name, text);
  const own = fieldsOf(site.definitions.get(name)!.shape).map((field) => field.name);
  const find = (word: string): Url | undefined => {
    const target = names.get(word);
    if (target !== undefined) return target === name ? undefined : toType(target);
    return own.includes(word) ? fragmentUrl(stepId([{ kind: "field", name: word }])) : undefined;
  };
  return { markup: "block", language: "ts", text, find };
}

function printDeclaration(name: string, site: Site): Code {
  const { identifier: id, shape } = site.protocol.sent.get(name) ?? site.definitions.get(name)!;
  const type = printShape(shape, site);
  return indentLines(
    shape.kind === "object" && shape.fields.length > 0
      ? code`interface ${identifier(id)} ${type}`
      : code`type ${identifier(id)} = ${type};`,
  );
}

function printShape(shape: Shape, site: Site): Code {
  switch (shape.kind) {
    case "any":
      return code`unknown`;
    case "null":
      return code`null`;
    case "scalar":
      if (shape.constant !== undefined) return literal(shape.constant);
      return printedCode(shape.type === "integer" ? "number" : shape.type);
    case "reference":
      return identifier(site.definitions.get(shape.name)!.identifier);
    case "enum": {
      const values = shape.values.map(({ value }) => literal(value));
      if (shape.open === undefined) return union(values);
      const strings = shape.open.isReceived ? code`(string & {})` : code`\`_\${string}\``;
      return union([...values, shape.type === "string" ? strings : code`(number & {})`]);
    }
    case "list":
      return code`readonly ${inParentheses(shape.items, site)}[]`;
    case "map":
      return code`{ [k: string]: ${printSlot(shape.values, site)} }`;
    case "object":
      return shape.fields.length === 0 ? ANY_OBJECT : printFields(shape.fields, site);
    case "tagged":
      return withShared(union(taggedVariants(shape, site)), shape.shared, site);
    case "union":
      return withShared(
        union(shape.variants.map(({ slot }) => printSlot(slot, site))),
        shape.shared,
        site,
      );
    default:
      return shape satisfies never;
  }
}

function printSlot({ shape, nullable }: Slot, site: Site): Code {
  const type = printShape(shape, site);
  return nullable ? union([type, code`null`]) : type;
}

function inParentheses(slot: Slot, site: Site): Code {
  const type = printSlot(slot, site);
  return / [|&] /.test(type) ? code`(${type})` : type;
}

/** Prints alternatives in a line, or each in a line of its own where that would be long. */
function union(types: readonly Code[]): Code {
  const own = [...new Set(types)];
  const line = joinCode(own, " | ");
  if (own.length < 2 || (line.length < 70 && !line.includes("\n"))) return line;
  // The alternatives of a union inside begin with a bar already.
  return printedCode(own.map((type) => (type.startsWith("\n|") ? type : `\n| ${type}`)).join(""));
}

/** @param around properties before and after those of the fields */
function printFields(
  fields: readonly Field[],
  site: Site,
  around: { readonly first?: Code; readonly last?: Code } = {},
): Code {
  const own = fields.map((field) => {
    const type = printSlot(field, site);
    const isWidened = !field.required && field.shape.kind !== "any";
    const mark = field.required ? code`` : code`?`;
    const whole = isWidened ? union([type, code`undefined`]) : type;
    return code`${propertyKey(field.name)}${mark}: ${whole};`;
  });
  return code`{
${joinCode([around.first ?? [], own, around.last ?? []].flat(), "\n")}
}`;
}

function taggedVariants(shape: TaggedShape, site: Site): readonly Code[] {
  const key = propertyKey(shape.tag);
  const listed = shape.variants.map(({ value, body }) =>
    withBody(code`${key}: ${literal(value)};`, body, site),
  );
  const other = (variant: OtherVariant | undefined, tag: Code, last?: Code): readonly Code[] =>
    variant === undefined ? [] : [withBody(tag, variant.body, site, last)];
  return [
    ...listed,
    ...other(shape.open, code`${key}: \`_\${string}\`;`, code`[k: string]: unknown;`),
    ...other(shape.absent, code`${key}?: null;`),
    ...other(shape.fallback, code`${key}?: never;`),
  ];
}

function withBody(first: Code, body: Shape, site: Site, last?: Code): Code {
  const around = { first, ...(last !== undefined && { last }) };
  if (body.kind === "object") return printFields(body.fields, site, around);
  const rest = inParentheses({ shape: body, nullable: false }, site);
  return code`(${printFields([], site, around)} & ${rest})`;
}

function withShared(type: Code, shared: readonly Field[], site: Site): Code {
  return shared.length === 0 ? type : code`${printFields(shared, site)} & (${type})`;
}
