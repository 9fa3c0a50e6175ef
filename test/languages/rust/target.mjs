/** The smallest language: types of Rust for serde, and a function that finds the type of a definition. */
import { buildParts, wordsOf } from "acp-codegen/model";

const text = (value) =>
  `"${value.replace(/[\\"\x00-\x1f\x7f-\u{10ffff}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`)}"`;

const SCALARS = { string: "String", integer: "i64", number: "f64", boolean: "bool" };
const KEYWORDS = new Set(
  "abstract as async await become box break const continue do dyn else enum extern final fn for gen if impl in let loop macro match mod move mut override priv pub ref return static struct trait try type typeof unsafe unsized use virtual where while yield".split(
    " ",
  ),
);
const member = (property) => {
  const name = wordsOf(property)
    .join("_")
    .toLowerCase()
    .replace(/^(?=\d|$)/, "_");
  return KEYWORDS.has(name) ? `r#${name}` : name;
};

/** The type of a shape in a part, which holds no objects or unions of its own. */
function typeOf(shape) {
  switch (shape.kind) {
    case "any":
      return "Value";
    case "null":
      return "()";
    case "scalar":
      return SCALARS[shape.type];
    case "enum":
      return SCALARS[shape.type];
    case "list":
      return `Vec<${slotOf(shape.items)}>`;
    case "map":
      return `HashMap<String, ${slotOf(shape.values)}>`;
    case "reference":
      return `Box<${shape.name}>`;
    default:
      throw new Error(`no type for ${shape.kind}`);
  }
}

const slotOf = ({ shape, nullable }) => (nullable ? `Option<${typeOf(shape)}>` : typeOf(shape));

function fieldOf(field) {
  const isOptional = !field.required && !field.nullable;
  const attributes = [
    `rename = ${text(field.name)}`,
    ...(field.required ? [] : ["default", 'skip_serializing_if = "Option::is_none"']),
  ];
  const type = isOptional ? `Option<${typeOf(field.shape)}>` : slotOf(field);
  return `    #[serde(${attributes.join(", ")})]\n    pub ${member(field.name)}: ${type},`;
}

const enumOf = (name, attribute, variants) =>
  `#[derive(Clone, Debug, Serialize, Deserialize)]\n#[serde(${attribute})]\npub enum ${name} {\n${variants.join("\n")}\n}`;

function declarationOf(part) {
  const { name } = part;
  switch (part.kind) {
    case "record": {
      const base =
        part.base === undefined ? [] : [`    #[serde(flatten)]\n    pub base: ${part.base},`];
      const lines = [...base, ...part.fields.map(fieldOf)].join("\n");
      return `#[derive(Clone, Debug, Serialize, Deserialize)]\npub struct ${name} {\n${lines}\n}`;
    }
    case "choice": {
      const cases = part.cases.map(
        ({ value, part: body }) =>
          `    #[serde(rename = ${text(value)})]\n    ${body}(Box<${body}>),`,
      );
      const others = [part.fallback ?? part.absent].flatMap((other) =>
        other === undefined ? [] : [`    #[serde(untagged)]\n    ${other}(Box<${other}>),`],
      );
      const unknown = part.isOpen ? ["    #[serde(untagged)]\n    Unlisted(Value),"] : [];
      return enumOf(name, `tag = ${text(part.tag)}`, [...cases, ...others, ...unknown]);
    }
    case "union":
      return enumOf(
        name,
        "untagged",
        part.alternatives.map((one) => `    ${one.name}(${slotOf(one)}),`),
      );
    case "alias":
      return `pub type ${name} = ${typeOf(part.shape)};`;
  }
}

/** @type {import("acp-codegen").Emitter} */
export default {
  name: "rust",
  summary: "types for Rust",
  emit: (protocols) =>
    protocols.map((protocol) => {
      const arms = protocol.definitions.map(
        ({ name }) => `        ${text(name)} => read::<${name}>(input),`,
      );
      const head = `use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// Reads a value as a type and writes it again; an error where it does not fit.
fn read<T: for<'a> Deserialize<'a> + Serialize>(input: &str) -> serde_json::Result<Value> {
    serde_json::to_value(serde_json::from_str::<T>(input)?)
}

pub fn round_trip(definition: &str, input: &str) -> serde_json::Result<Value> {
    match definition {
${arms.join("\n")}
        _ => panic!("no definition {definition}"),
    }
}`;
      const types = [...buildParts(protocol).values()].map(declarationOf);
      return {
        profile: protocol.profile,
        path: `rust/${protocol.profile.replaceAll("-", "_")}.rs`,
        text: `${[head, ...types].join("\n\n")}\n`,
        language: { comment: "//" },
      };
    }),
};
