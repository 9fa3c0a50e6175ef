import type { BundleDefinition, BundleMethod } from "../compose/bundle.js";
import type { JsonSchema } from "../json-schema/json.js";
import { findPatternProblem } from "../json-schema/pattern/find-pattern-problem.js";
import { didYouMean, type Problem } from "../problem.js";
import type { FeatureSource } from "../source/sources.js";
import { checkReferences } from "./check-references.js";
import { locatePart } from "../compose/locate-addition.js";
import { referencedName } from "../json-schema/references.js";
import { walk } from "../json-schema/walk.js";

/** Definitions that composition itself adds. */
const ENVELOPES =
  /^((Agent|Client|Proxy)(Request|Response|Notification)|ProtocolLevelNotification)$/;

/**
 * Reports errors that require all modules: dangling references (`$ref`s, params and results of
 * methods, required properties), name clashes with envelopes, circular references, and patterns that
 * are invalid or could take exponential time.
 *
 * @param features the features that are on: problems in what they add are in their files
 * @param allowsPatterns whether patterns need not be safe
 */
export function checkDefinitions(
  definitions: ReadonlyMap<string, BundleDefinition>,
  methods: readonly BundleMethod[],
  problems: Problem[],
  features: readonly FeatureSource[] = [],
  allowsPatterns = false,
): void {
  for (const [name, definition] of definitions) {
    const place = (path: readonly (string | number)[]): Pick<Problem, "file" | "pointer"> =>
      locatePart(definition, path, features);
    if (methods.length > 0 && ENVELOPES.test(name) && definition.area !== "envelopes") {
      problems.push({
        ...place([]),
        message: `"${name}" is derived from the methods`,
        hint: "Rename the definition.",
      });
    }
    walk(definition.schema, (schema, path) => {
      for (const property of schema.required ?? []) {
        if (describes(schema, property, definitions)) continue;
        problems.push({
          ...place([...path, "required"]),
          message: `the required property "${property}" is not described`,
          hint: "Add it to the properties.",
        });
      }
      if (schema["x-meta"] !== undefined && schema.properties?.["_meta"] !== undefined) {
        problems.push({
          ...place([...path, "properties", "_meta"]),
          message: "`x-meta` declares this property too",
          hint: "Keep one of them.",
        });
      }
      const unfit =
        schema.pattern === undefined
          ? undefined
          : findPatternProblem(schema.pattern, allowsPatterns);
      if (unfit !== undefined) problems.push({ ...place([...path, "pattern"]), ...unfit });
      for (const pattern of Object.keys(schema.patternProperties ?? {})) {
        const found = findPatternProblem(pattern, allowsPatterns);
        const at = [...path, "patternProperties", pattern];
        if (found !== undefined) problems.push({ ...place(at), ...found });
      }
      const target = referencedName(schema);
      if (target !== undefined && !definitions.has(target)) {
        problems.push({ ...place([...path, "$ref"]), ...unknown(target, definitions) });
      }
    });
  }
  checkReferences(definitions, problems);
  checkMethods(methods, definitions, problems);
}

function checkMethods(
  methods: readonly BundleMethod[],
  definitions: ReadonlyMap<string, BundleDefinition>,
  problems: Problem[],
): void {
  for (const method of methods) {
    const place = {
      ...(method.file !== undefined && { file: method.file }),
      pointer: method.pointer,
    };
    for (const part of ["params", "result"] as const) {
      const name = method[part];
      if (name !== undefined && !definitions.has(name)) {
        problems.push({
          ...place,
          pointer: `${place.pointer}/${part}`,
          ...unknown(name, definitions),
        });
      }
    }
    if ((method.result === undefined) === (method.kind === "request")) {
      const has = method.result === undefined ? "has no result" : "has a result";
      problems.push({
        ...place,
        message: `the ${method.kind} "${method.name}" ${has}`,
        hint: "Requests have a result, notifications have none.",
      });
    }
  }
}

function unknown(
  name: string,
  definitions: ReadonlyMap<string, BundleDefinition>,
): Pick<Problem, "message" | "hint"> {
  return {
    message: `unknown definition "${name}"`,
    hint: didYouMean(name, definitions.keys(), "Add it, or turn on the feature that has it."),
  };
}

/** Checks whether a schema, or its base, defines a property. */
function describes(
  schema: JsonSchema,
  property: string,
  definitions: ReadonlyMap<string, BundleDefinition>,
): boolean {
  const names = new Set<string>();
  const queue = [schema];
  for (const one of queue) {
    if (one.properties !== undefined && Object.hasOwn(one.properties, property)) return true;
    if (property === "_meta" && one["x-meta"] !== undefined) return true;
    for (const name of [one, ...(one.allOf ?? [])].flatMap((part) => referencedName(part) ?? [])) {
      const target = definitions.get(name)?.schema;
      if (target === undefined || names.has(name)) continue;
      names.add(name);
      queue.push(target);
    }
  }
  return false;
}
