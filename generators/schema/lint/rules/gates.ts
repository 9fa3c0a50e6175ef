import type { GateSource } from "../../json-schema/json.js";
import { nearest } from "../../problem.js";
import type { Path } from "../../json-schema/walk.js";
import {
  ANY_FEATURE,
  capabilityDefinitions,
  capabilityPaths,
  hasCapability,
} from "./capabilities.js";
import type { Diagnostic } from "../rule.js";
import {
  placeName,
  schemaParts,
  pointerTo,
  type SourceIndex,
  type SourceSchema,
} from "../source-index.js";

/** A gate and its location. */
export interface SourceGate {
  readonly gate: GateSource;
  readonly of: Pick<SourceSchema, "file" | "path" | "feature" | "withFeature">;
  readonly path: Path;
  readonly subject: string;
}

/** Yields every gate of methods, properties, variants and uses of variants. */
export function* gatesOf(index: SourceIndex): Generator<SourceGate> {
  for (const { of, schema, path } of schemaParts(index)) {
    const subject = placeName(of, path);
    const gate = schema["x-gate"];
    if (gate !== undefined) yield { gate, of, path: [...path, "x-gate"], subject };
    for (const [tag, one] of Object.entries(schema["x-variant-gates"] ?? {}))
      yield { gate: one, of, path: [...path, "x-variant-gates", tag], subject };
  }
  for (const of of index.methods)
    yield { gate: of.method.gate, of, path: ["gate"], subject: of.method.name };
}

/**
 * Finds methods, and additions of features to existing messages, that name no capability to be
 * negotiated first. Capabilities themselves need no gate.
 */
export function* findMissingGates(index: SourceIndex): Generator<Diagnostic> {
  const capabilities = capabilityDefinitions(index);
  for (const { of, schema, path } of schemaParts(index)) {
    const isAdded = of.isAddition && path.length === 2 && !capabilities.has(of.name);
    if (!isAdded || schema["x-gate"] !== undefined) continue;
    const subject = placeName(of, path);
    yield {
      file: of.file,
      pointer: pointerTo(of, path),
      subject,
      message: `${subject} has no gate`,
      hint: 'Name the capability in x-gate, or say { "always": "ungated" }.',
    };
  }
  for (const { file, path, method } of index.methods) {
    const { always, agent, client, session } = method.gate;
    if ([always, agent, client, session].some((side) => side !== undefined)) continue;
    yield {
      file,
      pointer: pointerTo({ path }, ["gate"]),
      subject: method.name,
      message: `the gate of ${method.name} is empty`,
      hint: "Use one of always, agent, client and session.",
    };
  }
}

/** Finds gates that require a capability which is not in any initialize message. */
export function* findUnknownCapabilities(index: SourceIndex): Generator<Diagnostic> {
  for (const { gate, of, path, subject } of gatesOf(index)) {
    if (hasCapability(gate, index, ANY_FEATURE)) continue;
    const side = gate.agent === undefined ? "client" : "agent";
    const capability = gate[side] ?? "";
    // A wrong path is mostly a right name in a wrong place.
    const known = new Map(capabilityPaths(index, side).map((one) => [lastOf(one), one]));
    const near = nearest(lastOf(capability), known.keys());
    yield {
      file: of.file,
      pointer: pointerTo(of, path),
      subject,
      message: `"${capability}" is not in any initialize message`,
      hint:
        near === undefined
          ? "Correct the path, or add the capability."
          : `Did you mean "${known.get(near)}"?`,
    };
  }
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
