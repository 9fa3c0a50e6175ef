import { createConformanceChecker, type Violation } from "../runtime/conformance/check.js";
import { at, show } from "../runtime/conformance/select.js";
import { otherSide, type Side } from "../runtime/conformance/transcript.js";
import { classify, type Incoming } from "../runtime/rpc/messages.js";
import type { MethodDescriptor } from "../runtime/methods.js";
import { OpenRequests } from "./open-requests.js";
import type { Recorded } from "./record.js";
import { inspectValue, type Remark, type ValueChecks } from "./findings.js";
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
  readonly remarks: readonly Remark[];
  /** The rules of behaviour that it breaks; some are about an earlier line. */
  readonly violations: readonly Violation[];
}

export interface Inspector {
  readonly inspect: (recorded: Recorded, line: number) => Inspected;
  /** What only shows at the end. */
  readonly end: () => readonly Violation[];
}

type Judged = Pick<Inspected, "from" | "kind" | "method" | "definition" | "remarks">;

/** What remarks of one line and violations would say twice. */
const STRUCTURE = ["message-shape", "no-batches", "method-direction", "extension-prefix"];

/**
 * Makes a judge of a recorded conversation, message by message. What it keeps
 * is bounded.
 *
 * @param withRules whether rules of behaviour are looked at as well: they hold for whole
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

  const judge = ({ message, from }: Recorded): Judged => {
    const incoming = classify(message, true);
    switch (incoming.kind) {
      case "request":
      case "notification":
        return judgeCall(incoming, from);
      case "response":
        return judgeResponse(incoming.message, from);
      default: {
        const rule = Array.isArray(message) ? "no-batches" : "message-shape";
        return {
          from: from ?? "client",
          kind: "invalid",
          remarks: [{ level: "error", rule, ...explainShape(message) }],
        };
      }
    }
  };

  const judgeCall = (
    { kind, message }: Extract<Incoming, { kind: "request" | "notification" }>,
    told: Side | undefined,
  ): Judged => {
    const { method } = message;
    const named = byName.get(method) ?? [];
    const known = named.filter(
      (one) => one.kind === kind && (told === undefined || one.side !== told),
    );
    const from = told ?? findSender({ method, params: message.params, known }, open);
    const [descriptor] = known;
    if (kind === "request") open.add(at(message, "id"), { from, method, descriptor });
    if (descriptor === undefined)
      return { from, kind, method, remarks: [unknownMethod(method, kind, from, named.length > 0)] };
    const { params: definition } = descriptor;
    const remarks = inspectValue(profile, definition, message.params ?? {}, "/params");
    return { from, kind, method, definition, remarks };
  };

  const judgeResponse = (message: object, told: Side | undefined): Judged => {
    const request = open.take(at(message, "id"), told);
    const from = told ?? (request === undefined ? "agent" : otherSide(request.from));
    const judged = { from, kind: "response" as const };
    const answered = request === undefined ? judged : { ...judged, method: request.method };
    const error = at(message, "error");
    if (error !== undefined) {
      const remarks = inspectValue(profile, "Error", error, "/error");
      return { ...answered, definition: "Error", remarks };
    }
    const definition = request?.descriptor?.result;
    if (definition !== undefined) {
      const remarks = inspectValue(profile, definition, at(message, "result"), "/result");
      return { ...answered, definition, remarks };
    }
    const why =
      request === undefined ? "the request that it answers is not here" : "its method is not known";
    return {
      ...answered,
      remarks: [
        { level: "note", rule: "unchecked", path: "/result", message: `not checked: ${why}` },
      ],
    };
  };

  return {
    inspect: (recorded, line) => {
      const judged = judge(recorded);
      const entry = { from: judged.from, message: recorded.message, line };
      const { remarks } = judged;
      let violations = rules?.check(entry) ?? [];
      if (violations.length > 0 && remarks.length > 0)
        violations = violations.filter(
          ({ rule: id }) => !STRUCTURE.includes(id) || !remarks.some(({ rule }) => rule === id),
        );
      return { ...judged, verdict: verdictOf(remarks), violations };
    },
    end: () => rules?.end() ?? [],
  };
}

function unknownMethod(method: string, kind: string, from: Side, isNamed: boolean): Remark {
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

function verdictOf(remarks: readonly Remark[]): InspectedVerdict {
  if (remarks.length === 0) return "valid";
  if (remarks.some(({ level }) => level === "error")) return "invalid";
  return remarks.some(({ level }) => level === "warning") ? "repaired" : "valid";
}
