import type { BundleDefinition, BundleMethod } from "./bundle.js";
import { jsonPointer, nearest, type Problem } from "./problem.js";
import { walk } from "./walk.js";

/** Definitions that composition itself adds. */
const ENVELOPES = /^(Agent|Client|Proxy)(Request|Response|Notification)$/;

/**
 * Notes every reference that leads nowhere: `$ref`s, params and results of
 * methods, required properties that are not described, definitions whose name
 * belongs to an envelope, and definitions that are nothing but references in a circle.
 */
export function checkReferences(
  definitions: ReadonlyMap<string, BundleDefinition>,
  methods: readonly BundleMethod[],
  problems: Problem[],
): void {
  const unknown = (name: string): Pick<Problem, "message" | "hint"> => {
    const near = nearest(name, definitions.keys());
    return {
      message: `there is no definition "${name}"`,
      hint: near ? `Did you mean "${near}"?` : "Add it, or turn on the feature that has it.",
    };
  };
  for (const [name, definition] of definitions) {
    const place = (path: readonly (string | number)[]): Pick<Problem, "file" | "pointer"> => ({
      ...(definition.file !== undefined && { file: definition.file }),
      pointer: jsonPointer(["$defs", name, ...path]),
    });
    if (ENVELOPES.test(name)) {
      problems.push({
        ...place([]),
        message: `"${name}" is derived from the methods`,
        hint: "Rename the definition.",
      });
    }
    walk(definition.schema, (schema, path) => {
      const target = schema.$ref?.slice("#/$defs/".length);
      if (target !== undefined && !definitions.has(target)) {
        problems.push({ ...place([...path, "$ref"]), ...unknown(target) });
      }
    });
    if (isCircular(name, definitions)) {
      problems.push({
        ...place([]),
        message: `"${name}" refers only to itself`,
        hint: "Give it a type, or refer to another definition.",
      });
    }
  }
  for (const method of methods) {
    const place = {
      ...(method.file !== undefined && { file: method.file }),
      pointer: method.pointer,
    };
    for (const part of ["params", "result"] as const) {
      const name = method[part];
      if (name !== undefined && !definitions.has(name)) {
        problems.push({ ...place, pointer: `${place.pointer}/${part}`, ...unknown(name) });
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

/** Whether following only plain references from a definition leads back to it. */
function isCircular(start: string, definitions: ReadonlyMap<string, BundleDefinition>): boolean {
  const seen = new Set<string>();
  const queue = [start];
  while (queue.length > 0) {
    const { $ref, allOf } = definitions.get(queue.pop()!)?.schema ?? {};
    for (const reference of [$ref, ...(allOf ?? []).map((part) => part.$ref)]) {
      const name = reference?.slice("#/$defs/".length);
      if (name === start) return true;
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      queue.push(name);
    }
  }
  return false;
}
