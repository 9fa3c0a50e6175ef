/** A target for another language, from the model alone: Python's TypedDicts. */
const text = (value) => JSON.stringify(value).replaceAll("\x7f", "\\x7f");
const scalars = { string: "str", integer: "int", number: "float", boolean: "bool" };

/** A place: its shape, or nothing. */
const slot = ({ shape, nullable }, names) =>
  nullable ? `t.Union[${type(shape, names)}, None]` : type(shape, names);

const union = (types) => `t.Union[${[...new Set(types)].join(", ")}]`;

const record = (name, fields, extra = []) => {
  const entries = fields.map((field) => {
    const value = slot(field, field.name);
    return `${text(field.name)}: ${field.required ? value : `t.NotRequired[${value}]`}`;
  });
  return `t.TypedDict(${text(name)}, {${[...extra, ...entries].join(", ")}})`;
};

function type(shape, name) {
  switch (shape.kind) {
    case "any":
      return "t.Any";
    case "null":
      return "None";
    case "scalar":
      return scalars[shape.type];
    case "enum": {
      const values = `t.Literal[${shape.values.map(({ value }) => text(value)).join(", ")}]`;
      return shape.open ? union([values, scalars[shape.type]]) : values;
    }
    case "list":
      return `t.List[${slot(shape.items, name)}]`;
    case "map":
      return `t.Dict[str, ${slot(shape.values, name)}]`;
    case "reference":
      return text(shape.name);
    case "object":
      return record(name, shape.fields);
    case "tagged": {
      const variants = shape.variants.map(({ value, body }) => {
        const tag = `${text(shape.tag)}: t.Literal[${text(value)}]`;
        const fields = body.kind === "object" ? body.fields : [];
        return record(`${name}_${value}`, [...fields, ...shape.shared], [tag]);
      });
      return union(shape.open || shape.fallback ? [...variants, "t.Dict[str, t.Any]"] : variants);
    }
    case "union":
      return union(shape.variants.map((variant) => slot(variant.slot, name)));
    default:
      throw new Error(`no type for ${shape.kind}`);
  }
}

function moduleOf(definitions) {
  const lines = definitions.map(({ identifier, shape }) =>
    `${identifier}: t.TypeAlias = ${type(shape, identifier)}`.replace(
      /^(\w+): t.TypeAlias = t.TypedDict/,
      "$1 = t.TypedDict",
    ),
  );
  return ["import typing as t", "", ...lines, ""].join("\n");
}

export default {
  name: "typed-dicts",
  summary: "TypedDicts for Python 3.11 and newer",
  emit: (protocols) =>
    protocols.map(({ profile, definitions }) => ({
      profile,
      path: `typed-dicts/${profile.replaceAll("-", "_")}.py`,
      text: moduleOf(definitions),
      language: "plain",
    })),
};
