import { createConformanceChecker, type Violation } from "../runtime/conformance/check.js";
import { at, show } from "../runtime/conformance/select.js";
import { otherSide, type Side } from "../runtime/conformance/transcript.js";
import { classify, type Incoming } from "../runtime/rpc/messages.js";
import type { MethodDescriptor } from "../runtime/methods.js";
import { OpenRequests } from "./open-requests.js";
import type { Recorded } from "./record.js";
import { inspectValue, type Finding, type ValueChecks } from "./findings.js";
import { findSender } from "./sender.js";
import { explainShape } from "./shape.js";

/** What a profile knows: its methods, and its decoders. */
export interface InspectedProfile extends ValueChecks {
  readonly name: string;
  /** The number of the protocol version. */
  readonly version: number;
  readonly methods: readonly MethodDescriptor[];
}

/**
 * Whether a receiver can use a message: as it is, after repairs that the
 * protocol allows, or not at all.
 */
export type InspectedVerdict = "valid" | "repaired" | "invalid";

export interface Inspected {
  /** Who sent it, told by the recording or found out. */
  readonly from: Side;
  readonly kind: "request" | "notification" | "response" | "invalid";
  /** The method, of a response that of its request; absent where there is none. */
  readonly method?: string;
  /** What its params, result or error were looked at as; absent where nothing is known of them. */
  readonly definition?: string;
  readonly verdict: InspectedVerdict;
  readonly findings: readonly Finding[];
  /** The rules of behaviour that it breaks; some are about an earlier line. */
  readonly violations: readonly Violation[];
}

export interface Inspector {
  readonly inspect: (recorded: Recorded, line: number) => Inspected;
  /** What only shows at the end. */
  readonly end: () => readonly Violation[];
}

type Inspection = Pick<Inspected, "from" | "kind" | "method" | "definition" | "findings">;

/** Rules whose violations repeat findings of the same line. */
const STRUCTURE = ["message-shape", "no-batches", "method-direction", "extension-prefix"];

/**
 * Returns an inspector of one recorded conversation, message by message, in
 * bounded memory.
 *
 * @param withRules whether rules of behavior are checked as well: they hold for whole
 *   conversations, and a part of one would seem to break them
 */
export function createInspector(profile: InspectedProfile, withRules: boolean): Inspector {
  const open = new OpenRequests();
  const version = profile.version >= 2 ? 2 : 1;
  const rules = withRules
    ? createConformanceChecker({ version, methods: profile.methods })
    : undefined;
  const byName = new Map<string, MethodDescriptor[]>();
  for (const method of profile.methods)
    byName.set(method.name, [...(byName.get(method.name) ?? []), method]);

  const inspectRecord = ({ message, from }: Recorded): Inspection => {
    const incoming = classify(message, true);
    switch (incoming.kind) {
      case "request":
      case "notification":
        return inspectCall(incoming, from);
      case "response":
        return inspectResponse(incoming.message, from);
      default: {
        const rule = Array.isArray(message) ? "no-batches" : "message-shape";
        return {
          from: from ?? "client",
          kind: "invalid",
          findings: [{ level: "error", rule, ...explainShape(message) }],
        };
      }
    }
  };

  const inspectCall = (
    { kind, message }: Extract<Incoming, { kind: "request" | "notification" }>,
    recordedFrom: Side | undefined,
  ): Inspection => {
    const { method } = message;
    const named = byName.get(method) ?? [];
    const known = named.filter(
      (one) => one.kind === kind && (recordedFrom === undefined || one.side !== recordedFrom),
    );
    const from = recordedFrom ?? findSender({ method, params: message.params, known }, open);
    const [descriptor] = known;
    if (kind === "request") open.add(at(message, "id"), { from, method, descriptor });
    if (descriptor === undefined)
      return {
        from,
        kind,
        method,
        findings: [unknownMethod(method, kind, from, named.length > 0)],
      };
    const { params: definition } = descriptor;
    const findings = inspectValue(profile, definition, message.params ?? {}, "/params");
    return { from, kind, method, definition, findings };
  };

  const inspectResponse = (message: object, recordedFrom: Side | undefined): Inspection => {
    const request = open.take(at(message, "id"), recordedFrom);
    const from = recordedFrom ?? (request === undefined ? "agent" : otherSide(request.from));
    const inspected = { from, kind: "response" as const };
    const answered = request === undefined ? inspected : { ...inspected, method: request.method };
    const error = at(message, "error");
    if (error !== undefined) {
      const findings = inspectValue(profile, "Error", error, "/error");
      return { ...answered, definition: "Error", findings };
    }
    const definition = request?.descriptor?.result;
    if (definition !== undefined) {
      const findings = inspectValue(profile, definition, at(message, "result"), "/result");
      return { ...answered, definition, findings };
    }
    const why =
      request === undefined ? "the request that it answers is not here" : "its method is not known";
    return {
      ...answered,
      findings: [
        { level: "note", rule: "unchecked", path: "/result", message: `not checked: ${why}` },
      ],
    };
  };

  return {
    inspect: (recorded, line) => {
      const inspected = inspectRecord(recorded);
      const entry = { from: inspected.from, message: recorded.message, line };
      const { findings } = inspected;
      let violations = rules?.check(entry) ?? [];
      if (violations.length > 0 && findings.length > 0)
        violations = violations.filter(
          ({ rule: id }) => !STRUCTURE.includes(id) || !findings.some(({ rule }) => rule === id),
        );
      return { ...inspected, verdict: verdictOf(findings), violations };
    },
    end: () => rules?.end() ?? [],
  };
}

function unknownMethod(method: string, kind: string, from: Side, isNamed: boolean): Finding {
  const path = "/method";
  if (method.startsWith("_"))
    return { level: "note", rule: "extension", path, message: "an extension: its params are free" };
  if (kind === "notification" && method.startsWith("$/")) {
    const message = "a notice of the protocol that the profile does not have; receivers ignore it";
    return { level: "note", rule: "unknown-notice", path, message };
  }
  if (isNamed) {
    const message = `${show(method)} is no ${kind} that the ${from} sends`;
    return { level: "error", rule: "method-direction", path, message };
  }
  const message = `the profile has no method ${show(method)}`;
  return { level: "error", rule: "extension-prefix", path, message };
}

function verdictOf(findings: readonly Finding[]): InspectedVerdict {
  if (findings.length === 0) return "valid";
  if (findings.some(({ level }) => level === "error")) return "invalid";
  return findings.some(({ level }) => level === "warning") ? "repaired" : "valid";
}
