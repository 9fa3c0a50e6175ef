import { ownFields } from "../../../model/map-shape.js";
import type { Method } from "../../../model/protocol.js";
import { isObject, type Json, type JsonObject } from "../../../schema/json-schema/json.js";
import { DIRECTIONS } from "../model/directions.js";
import { methodErrors } from "../model/method-errors.js";
import type { Site } from "../model/site.js";

/**
 * The profile as an OpenRPC document. OpenRPC knows one server and names that
 * are unique, so each method has its direction in `x-direction`, and a method that
 * shares its name with another one has it in `x-wire-name`.
 */
export function openRpc(site: Site): JsonObject {
  const { protocol } = site;
  const { title, versionNumber, description } = protocol;
  const seen = new Set<string>();
  return {
    openrpc: "1.3.2",
    info: { title, version: String(versionNumber), description },
    methods: protocol.methods.map((method) => {
      const shared = seen.has(method.name);
      seen.add(method.name);
      return methodObject(method, shared, site);
    }),
    components: { schemas: moved((protocol.schema.$defs ?? {}) as unknown as Json) as JsonObject },
  };
}

function methodObject(method: Method, shared: boolean, site: Site): JsonObject {
  const { name, kind, side, feature, result } = method;
  const { from, to } = DIRECTIONS[side];
  const area = site.protocol.areas.find((item) => item.name === method.area);
  return {
    name: shared ? `${name} (${kind}, ${from} to ${to})` : name,
    ...(shared && { "x-wire-name": name }),
    summary: method.summary,
    description: method.description,
    ...(area !== undefined && { tags: [{ name: area.title }] }),
    paramStructure: "by-name",
    params: params(method, site),
    ...(result !== undefined && { result: { name: result, schema: reference(result) } }),
    ...errors(method, site),
    ...examples(method),
    "x-kind": kind,
    "x-direction": `${from} to ${to}`,
    "x-stability":
      feature === undefined ? "stable" : (site.features.get(feature)?.status ?? "unstable"),
    ...(feature !== undefined && { "x-feature": feature }),
    ...(method.gate !== undefined && { "x-gate": method.gate as unknown as Json }),
    ...(method.traits !== undefined && { "x-traits": method.traits }),
    "x-params": reference(method.params),
  };
}

function params({ params: name }: Method, { definitions, protocol }: Site): readonly Json[] {
  const properties = protocol.schema.$defs?.[name]?.properties ?? {};
  return ownFields(definitions.get(name)!.shape).map((field) => ({
    name: field.name,
    required: field.required,
    schema: moved((properties[field.name] ?? {}) as unknown as Json),
  }));
}

function errors(method: Method, site: Site): JsonObject {
  const own = methodErrors(method, site);
  const unique = own.filter(
    ({ code }, index) => own.findIndex((other) => other.code === code) === index,
  );
  if (unique.length === 0) return {};
  return { errors: unique.map(({ code, when }) => ({ code, message: when })) };
}

function examples(method: Method): JsonObject {
  if (method.examples.length === 0) return {};
  return {
    examples: method.examples.map(({ title, params: values, result }) => ({
      name: title,
      params: Object.entries(isObject(values) ? (values as JsonObject) : {}).map(
        ([name, value]) => ({ name, value }),
      ),
      ...(result !== undefined && { result: { name: method.result!, value: result } }),
    })),
  };
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema whose references lead to the components. */
function moved(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(moved);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string"
        ? inner.replace("#/$defs/", "#/components/schemas/")
        : moved(inner),
    ]),
  );
}
