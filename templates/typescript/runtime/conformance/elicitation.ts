import { isRecord } from "../rpc/messages.js";
import { REQUIRED, type CheckNode, type FieldNode } from "../validate/check.js";
import type { Issue } from "../validate/decode-result.js";
import { Walk } from "../validate/walk.js";
import { at, list } from "./select.js";

/** The values of a form, by the names of its fields. */
export interface ElicitationContent {
  readonly [field: string]: string | number | boolean | readonly string[];
}

/**
 * Returns why the content of an elicitation does not fit its form; empty if it does. `pattern` and
 * `format` are not checked, since an expression of the other side can run forever.
 *
 * @param schema the `requestedSchema` of the request
 * @param content the `content` of the answer; an absent one has no fields
 */
export function checkElicitation(schema: object, content: unknown): readonly Issue[] {
  const required = list(at(schema, "required")).filter(isText);
  const names = new Set([...required, ...Object.keys(propertiesOf(schema))]);
  const fields = [...names].map((name): FieldNode => {
    const flags = required.includes(name) ? REQUIRED : 0;
    return [name, nodeOf(at(schema, "properties", name)), flags];
  });
  const walk = new Walk("strict");
  walk.run(["object", fields, true], content ?? {});
  return walk.issues;
}

/**
 * Returns the values that a form starts with: the defaults of its fields, except for those that the
 * field does not accept.
 *
 * @param schema the `requestedSchema` of the request
 */
export function elicitationDefaults(schema: object): ElicitationContent {
  const defaults = Object.entries(propertiesOf(schema)).flatMap(
    ([name, field]: [string, unknown]) => {
      const value = at(field, "default") ?? undefined;
      const isFit = checkElicitation({ properties: { value: field } }, { value }).length === 0;
      return value !== undefined && isFit ? [[name, value]] : [];
    },
  );
  return Object.fromEntries(defaults) as ElicitationContent;
}

/** Returns the first issue of the content in the answer to an elicitation. */
export function findUnfitContent(params: unknown, result: unknown): Issue | undefined {
  const schema = at(params, "requestedSchema");
  if (!isRecord(schema) || at(result, "action") !== "accept") return undefined;
  const [first] = checkElicitation(schema, at(result, "content"));
  return first && { ...first, pointer: `/content${first.pointer}` };
}

function propertiesOf(schema: object): object {
  const found = at(schema, "properties");
  return isRecord(found) ? found : {};
}

/** Forms come from the other side: what is not what it has to be limits nothing. */
function isText(value: unknown): value is string {
  return typeof value === "string";
}

function nodeOf(field: unknown): CheckNode {
  const limit = (name: string): number | undefined => {
    const found = at(field, name);
    return typeof found === "number" ? found : undefined;
  };
  const type = at(field, "type");
  switch (type) {
    case "string":
      return offeredBy(field) ?? [type, limit("minLength"), limit("maxLength")];
    case "number":
    case "integer":
      return [type, limit("minimum"), limit("maximum")];
    case "boolean":
      return [type];
    case "array": {
      const item = offeredBy(at(field, "items")) ?? ["any"];
      return ["list", item, limit("minItems"), limit("maxItems")];
    }
    default:
      return ["any"];
  }
}

/** Returns the check of the values that a field offers; undefined if it has no list of them. */
function offeredBy(field: unknown): CheckNode | undefined {
  const options = [...list(at(field, "oneOf")), ...list(at(field, "anyOf"))];
  const values = [...list(at(field, "enum")), ...options.map((option) => at(option, "const"))];
  return values.length > 0 ? ["enum", "string", values.filter(isText)] : undefined;
}
