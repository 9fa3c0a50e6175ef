import type { EmittedFile, Emitter } from "acp-codegen";
import {
  buildCheckTable,
  buildParts,
  fieldsOf,
  inDependencyOrder,
  isByTag,
  methodRows,
  pascalCase,
  wordsOf,
  type Part,
  type Protocol,
  type Shape,
} from "acp-codegen/model";

/** A language that does not exist, as somebody outside of this repository would add one. */
export default {
  name: "toy",
  summary: "declarations, the check table and the methods, for a language that does not exist",
  emit: (protocols) => protocols.flatMap(filesOf),
} satisfies Emitter;

function filesOf(protocol: Protocol): EmittedFile[] {
  const { profile } = protocol;
  return [
    {
      profile,
      path: `toy/${profile}.toy`,
      text: declarations(protocol),
      language: { comment: "#" },
    },
    {
      profile,
      path: `toy/${profile}.json`,
      text: JSON.stringify(buildCheckTable(protocol)),
      language: "json",
    },
  ];
}

function declarations(protocol: Protocol): string {
  const parts = buildParts(protocol);
  const types = inDependencyOrder([...parts.values()]).map((part) => declaration(part, parts));
  const methods = methodRows(protocol).map(({ method, places, isRequired }) => {
    const name = pascalCase(method.handler.flatMap(wordsOf));
    const marks = [isRequired ? "required" : "optional", `${places.length} gated places`];
    return `method ${method.side} ${method.kind} ${name} # ${marks.join(", ")}`;
  });
  return [...types, ...methods].map((text) => `${text}\n`).join("");
}

function declaration(part: Part, parts: ReadonlyMap<string, Part>): string {
  switch (part.kind) {
    case "record": {
      const tags = part.tags.map(({ name, value }) => `  ${name} is ${JSON.stringify(value)}`);
      const fields = fieldsOf(part, parts).map(
        ({ name, shape, required }) => `  ${name}${required ? "" : "?"} ${typeOf(shape)}`,
      );
      return [`record ${part.name}`, ...tags, ...fields].join("\n");
    }
    case "choice": {
      const cases = part.cases.map((one) => `  ${JSON.stringify(one.value)} ${one.part}`);
      const head = `choice ${part.name} by ${part.tag}${isByTag(part) ? " alone" : ""}`;
      return [head, ...cases].join("\n");
    }
    case "union":
      return [
        `union ${part.name}`,
        ...part.alternatives.map(({ shape }) => `  ${typeOf(shape)}`),
      ].join("\n");
    case "alias":
      return `alias ${part.name} ${typeOf(part.shape)}`;
  }
}

function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case "reference":
      return shape.name;
    case "list":
      return `[${typeOf(shape.items.shape)}]`;
    case "map":
      return `{${typeOf(shape.values.shape)}}`;
    case "scalar":
    case "enum":
      return shape.type;
    default:
      return shape.kind;
  }
}
