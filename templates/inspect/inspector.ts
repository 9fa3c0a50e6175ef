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

/** The methods and decoders of a profile. */
export interface InspectedProfile extends ValueChecks {
  readonly name: string;
  /** The number of the protocol version. */
  readonly version: number;
  readonly methods: readonly MethodDescriptor[];
}

/**
 * Says whether a receiver can use a message: unchanged, after repairs that the protocol allows,
 * or not at all.
 */
export type InspectedVerdict = "valid" | "repaired" | "invalid";

export interface Inspected {
  /** The sender, as recorded or inferred. */
  readonly from: Side;
  readonly kind: "request" | "notification" | "response" | "invalid";
  /** The method, for a response that of its request; absent when it is unknown. */
  readonly method?: string;
  /** The definition of its params, result or error; absent when it is unknown. */
  readonly definition?: string;
  readonly verdict: InspectedVerdict;
  readonly findings: readonly Finding[];
  /** The violations of behavior rules; some refer to an earlier line. */
  readonly violations: readonly Violation[];
}

export interface Inspector {
  readonly inspect: (recorded: Recorded, line: number) => Inspected;
  /** Returns the violations that only the end of the conversation shows. */
  readonly end: () => readonly Violation[];
}

type Inspection = Pick<Inspected, "from" | "kind" | "method" | "definition" | "findings">;

/** Rules whose violations repeat findings of the same line. */
const STRUCTURE = ["message-shape", "no-batches", "method-direction", "extension-prefix"];

/**
 * Creates an inspector of one recorded conversation, message by message, with bounded memory.
 *
 * @param withRules whether behavior rules are checked as well: they hold for whole conversations,
 *   and an excerpt may appear to break them
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
      request === undefined ? "its request is not in the recording" : "its method is unknown";
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
    return {
      level: "note",
      rule: "extension",
      path,
      message: "an extension method; its params are not checked",
    };
  if (kind === "notification" && method.startsWith("$/")) {
    const message =
      "a protocol notification that the profile does not declare; receivers ignore it";
    return { level: "note", rule: "unknown-notice", path, message };
  }
  if (isNamed) {
    const message = `${show(method)} is not a ${kind} that the ${from} sends`;
    return { level: "error", rule: "method-direction", path, message };
  }
  const message = `the profile does not declare the method ${show(method)}`;
  return { level: "error", rule: "extension-prefix", path, message };
}

function verdictOf(findings: readonly Finding[]): InspectedVerdict {
  if (findings.length === 0) return "valid";
  if (findings.some(({ level }) => level === "error")) return "invalid";
  return findings.some(({ level }) => level === "warning") ? "repaired" : "valid";
}
