import type { Protocol } from "../../../generators/model/protocol.js";
import type { Shape } from "../../../generators/model/shape.js";
import {
  isObject,
  type Json,
  type JsonObject,
} from "../../../generators/schema/json-schema/json.js";
import { declaredFields, possibleShapes } from "../../support/possible-shapes.js";
import {
  methodOf,
  NESTED,
  otherOf,
  updateOf,
  type Receiver,
  type Script,
  type Step,
} from "./script.js";

/** A script that a release can play. */
export interface Fitted {
  readonly script: Script;
  /** The methods, updates and properties that the release does not have, and that are left out. */
  readonly left: readonly string[];
}

/**
 * Makes a script fit the release that the schema follows, which may lack methods, updates and
 * properties. What follows from a step that is left out follows from the one before it.
 */
export function fitScript(script: Script, protocol: Protocol): Fitted {
  const left = new Set<string>();
  const updates = updateKinds(protocol);
  const prune = (value: Json, definition: string): Json =>
    pruneUndeclared(value, definition, { protocol, left });

  function fit(steps: readonly Step[], receiver: Receiver): readonly Step[] {
    const kept: Step[] = [];
    for (const step of steps) {
      const missing = missingOf(step, receiver);
      if (missing === undefined) kept.push(fitStep(step, receiver));
      else {
        left.add(missing);
        const before = kept.pop();
        const after = [...(before?.after ?? []), ...fit(step.after ?? [], otherOf(receiver))];
        if (before !== undefined) kept.push(after.length === 0 ? before : { ...before, after });
      }
    }
    return kept;
  }

  function missingOf(step: Step, receiver: Receiver): string | undefined {
    const name = updateOf(step) ?? (step.request ?? step.notify)!;
    if (name.startsWith("_") || updates.includes(name)) return undefined;
    return updateOf(step) === undefined && methodOf(step, receiver, protocol.methods)
      ? undefined
      : name;
  }

  function fitStep(step: Step, receiver: Receiver): Step {
    const method = methodOf(step, receiver, protocol.methods);
    const nested = Object.entries(NESTED).flatMap(([key, isAnswer]) => {
      const steps = step[key as keyof typeof NESTED];
      return steps === undefined
        ? []
        : [[key, fit(steps, isAnswer ? otherOf(receiver) : receiver)]];
    });
    return {
      ...step,
      ...(method && { params: prune(step.params, method.params) }),
      ...(method?.result !== undefined &&
        step.result !== undefined && { result: prune(step.result, method.result) }),
      ...(Object.fromEntries(nested) as Partial<Step>),
    };
  }

  const { client, agent } = protocol.initialize!;
  const fitted = {
    version: script.version,
    client: prune(script.client, client.definition.name) as JsonObject,
    agent: prune(script.agent, agent.definition.name) as JsonObject,
    steps: fit(script.steps, "agent"),
    last: fit(script.last, "agent"),
  };
  return { script: fitted, left: [...left].sort() };
}

/** Removes the properties that a release does not declare where it declares others. */
function pruneUndeclared(
  whole: Json,
  definition: string,
  { protocol, left }: { readonly protocol: Protocol; readonly left: Set<string> },
): Json {
  const walk = (value: Json, shapes: readonly Shape[]): Json => {
    const all = shapes.flatMap((shape) => possibleShapes(shape, value, protocol.definitions));
    if (Array.isArray(value)) {
      const items = all.flatMap((shape) => (shape.kind === "list" ? [shape.items.shape] : []));
      return value.map((item: Json) => walk(item, items));
    }
    if (!isObject(value) || !all.every((shape) => isClosed(shape, value))) return value;
    const entries = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
      const fields = declaredFields(name, all);
      if (fields === undefined) left.add(name);
      return fields === undefined
        ? []
        : [
            [
              name,
              walk(
                inner,
                fields.map(({ shape }) => shape),
              ),
            ],
          ];
    });
    return Object.fromEntries(entries);
  };
  return walk(whole, [{ kind: "reference", name: definition }]);
}

/** Checks for a shape that lists all properties of a value; a variant of the vendor's own lists none. */
function isClosed(shape: Shape, value: JsonObject): boolean {
  if (shape.kind === "object") return shape.extensible !== true;
  if (shape.kind === "tagged") return !String(value[shape.tag]).startsWith("_");
  return shape.kind === "union";
}

function updateKinds({ definitions }: Protocol): readonly string[] {
  const shape = definitions.find(({ name }) => name === "SessionUpdate")?.shape;
  return shape?.kind === "tagged" ? shape.variants.map(({ value }) => value) : [];
}
