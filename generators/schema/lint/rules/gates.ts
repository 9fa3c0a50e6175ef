import type { GateSource } from "../../json-schema/json.js";
import type { Path } from "../../json-schema/walk.js";
import { ANY_FEATURE, capabilityDefinitions, hasCapability } from "./capabilities.js";
import type { Objection } from "../rule.js";
import { nameOf, partsOf, pointerTo, type Stated, type StatedSchema } from "../source-index.js";

/** A gate, and where it stands. */
export interface StatedGate {
  readonly gate: GateSource;
  readonly of: Pick<StatedSchema, "file" | "path" | "feature" | "beside">;
  readonly inside: Path;
  readonly subject: string;
}

/** Every gate of methods, properties, variants and uses of variants. */
export function* gatesOf(stated: Stated): Generator<StatedGate> {
  for (const { of, schema, inside } of partsOf(stated)) {
    const subject = nameOf(of, inside);
    const gate = schema["x-gate"];
    if (gate !== undefined) yield { gate, of, inside: [...inside, "x-gate"], subject };
    for (const [tag, one] of Object.entries(schema["x-variant-gates"] ?? {}))
      yield { gate: one, of, inside: [...inside, "x-variant-gates", tag], subject };
  }
  for (const of of stated.methods)
    yield { gate: of.method.gate, of, inside: ["gate"], subject: of.method.name };
}

/**
 * Finds what a feature adds to messages that exist, and methods, without saying
 * what has to be negotiated first. Capabilities themselves need no gate: they
 * are what gates ask for.
 */
export function* findMissingGates(stated: Stated): Generator<Objection> {
  const capabilities = capabilityDefinitions(stated);
  for (const { of, schema, inside } of partsOf(stated)) {
    const isAdded = of.isAddition && inside.length === 2 && !capabilities.has(of.name);
    if (!isAdded || schema["x-gate"] !== undefined) continue;
    const subject = nameOf(of, inside);
    yield {
      file: of.file,
      pointer: pointerTo(of, inside),
      subject,
      message: `${subject} has no gate`,
      hint: 'Name the capability in x-gate, or say { "always": "ungated" }.',
    };
  }
  for (const { file, path, method } of stated.methods) {
    const { always, agent, client, session } = method.gate;
    if ([always, agent, client, session].some((side) => side !== undefined)) continue;
    yield {
      file,
      pointer: pointerTo({ path }, ["gate"]),
      subject: method.name,
      message: `the gate of ${method.name} asks for nothing`,
      hint: "Say one of always, agent, client and session.",
    };
  }
}

/** Finds gates that ask for a capability which no initialize message has. */
export function* findUnknownCapabilities(stated: Stated): Generator<Objection> {
  for (const { gate, of, inside, subject } of gatesOf(stated))
    if (!hasCapability(gate, stated, ANY_FEATURE))
      yield {
        file: of.file,
        pointer: pointerTo(of, inside),
        subject,
        message: `"${gate.agent ?? gate.client}" is in no initialize message`,
        hint: "Correct the path, or add the capability.",
      };
}
