import {
  createConformanceChecker,
  type Violation,
} from "../../typescript/runtime/conformance/check.js";
import {
  explainForm,
  type MethodForm,
  type Sent,
} from "../../typescript/runtime/conformance/method-table.js";
import { explainParams } from "../../typescript/runtime/conformance/rules/envelope.js";
import { at, show } from "../../typescript/runtime/conformance/select.js";
import { otherSide, type Side } from "../../typescript/runtime/conformance/transcript.js";
import { classify, type Incoming, isRecord } from "../../typescript/runtime/rpc/messages.js";
import type { MethodDescriptor } from "../../typescript/runtime/methods.js";
import { OpenRequests } from "./open-requests.js";
import type { Recorded } from "./record.js";
import { inspectValue, type Finding } from "./findings.js";
import { alike } from "./spelling.js";
import type { ValueChecks } from "./value-checks.js";
import { INITIALIZING } from "../../typescript/runtime/conformance/conversation.js";

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

/** Shared by all messages without findings. */
const NONE: readonly never[] = [];

/** Longer names of methods are not compared with others. */
const MAX_NAME = 64;

/** Rules whose violations repeat findings of the same line. */
const STRUCTURE = [
  ...["message-shape", "structured-params", "no-batches"],
  ...["method-direction", "extension-prefix"],
];

/**
 * Creates an inspector of one recorded conversation, message by message, with bounded memory.
 *
 * @param isWhole whether the behavior rules of conversations are checked as well, which an excerpt
 *   may appear to break; those of single messages always are
 */
export function createInspector(profile: InspectedProfile, isWhole: boolean): Inspector {
  const open = new OpenRequests();
  const version = profile.version >= 2 ? 2 : 1;
  const rules = createConformanceChecker({
    version,
    methods: profile.methods,
    notes: true,
    excerpt: !isWhole,
  });
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
        const isBatch = Array.isArray(message);
        const rule = isBatch ? "no-batches" : "message-shape";
        const level = isBatch && version === 2 ? "warning" : "error";
        return {
          from: from ?? "client",
          kind: "invalid",
          findings: [{ level, rule, ...explainShape(message) }],
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
    const candidates = known.length > 0 ? known : named;
    const from = recordedFrom ?? findSender({ method, params: message.params, candidates }, open);
    const [descriptor] = known;
    if (kind === "request") open.add(at(message, "id"), { from, method, descriptor });
    const unstructured = unstructuredParams(message);
    if (descriptor === undefined) {
      const unknown = unknownMethod({ method, kind, from }, named, [...byName.keys()]);
      return { from, kind, method, findings: [unknown, ...unstructured] };
    }
    const { params: definition } = descriptor;
    const findings = inspectValue(profile, definition, message.params ?? {}, "/params");
    const isExplained =
      unstructured.length === 0 || findings.some(({ path }) => path === "/params");
    const all = isExplained ? findings : [...unstructured, ...findings];
    return { from, kind, method, definition, findings: all };
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
      let violations = rules.check(entry);
      if (violations.length > 0 && findings.length > 0)
        violations = violations.filter(
          ({ rule: id }) => !STRUCTURE.includes(id) || !findings.some(({ rule }) => rule === id),
        );
      return { ...inspected, verdict: verdictOf(findings), violations };
    },
    end: () => rules.end(),
  };
}

function unstructuredParams(message: object): readonly Finding[] {
  const problem = explainParams(message);
  if (problem === undefined) return NONE;
  return [{ level: "warning", rule: "structured-params", path: "/params", message: problem }];
}

/**
 * @param named the methods of the same name, of another kind or handled by the sender
 * @param declared the names of all methods
 */
function unknownMethod(
  sent: Sent,
  named: readonly MethodDescriptor[],
  declared: readonly string[],
): Finding {
  const { method, kind } = sent;
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
  const forms = named.map(({ side, kind: of }): MethodForm => {
    // Both sides handle the methods of the protocol itself and of proxies.
    const isOneSided = side === "agent" || side === "client";
    return { handler: isOneSided ? side : otherSide(sent.from), kind: of };
  });
  const problem = explainForm(sent, forms);
  if (problem !== undefined)
    return { level: "error", rule: "method-direction", path, message: problem };
  const near = method.length > MAX_NAME ? undefined : alike(method, declared)[0];
  const hint = near === undefined ? "" : `; did you mean "${near}"?`;
  const message = `the profile does not declare the method ${show(method)}${hint}`;
  return { level: "error", rule: "extension-prefix", path, message };
}

function verdictOf(findings: readonly Finding[]): InspectedVerdict {
  if (findings.length === 0) return "valid";
  if (findings.some(({ level }) => level === "error")) return "invalid";
  // An unknown name is kept, even if it is a misspelling.
  const isRepair = ({ level, rule }: Finding): boolean => level === "warning" && rule !== "unknown";
  return findings.some(isRepair) ? "repaired" : "valid";
}

/** A call, and the descriptors of its method in the profile. */
interface Call {
  readonly method: string;
  readonly params: unknown;
  /** The descriptors of the name and kind; without one, those of the name. */
  readonly candidates: readonly MethodDescriptor[];
}

/**
 * Infers the sender of a request or notification from a recording without senders: the side that
 * does not handle the method, or for `$/cancel_request` the side with such an unanswered request.
 */
function findSender({ method, params, candidates }: Call, open: OpenRequests): Side {
  const [first] = candidates;
  if (first?.side === "agent" || first?.side === "client") return otherSide(first.side);
  if (INITIALIZING.includes(method)) return "client";
  if (first?.side === "protocol") {
    const id = at(params, "requestId");
    return open.has("agent", id) && !open.has("client", id) ? "agent" : "client";
  }
  // Extensions and requests to proxies: agents send most messages.
  return "agent";
}

/** Explains why a value is not a message, with the JSON pointer of the offending member. */
function explainShape(value: unknown): { readonly path: string; readonly message: string } {
  if (Array.isArray(value))
    return { path: "", message: "a message must be a single object, not a batch" };
  if (!isRecord(value)) return { path: "", message: "a message must be an object" };
  const has = (member: string): boolean => Object.hasOwn(value, member);
  if (value["jsonrpc"] !== "2.0") return { path: "/jsonrpc", message: 'must be "2.0"' };
  if (has("method") && (has("result") || has("error")))
    return { path: "", message: "is both a call and a response" };
  if (has("result") && has("error")) return { path: "", message: "has a result and an error" };
  if (has("method") && typeof value["method"] !== "string")
    return { path: "/method", message: "must be a string" };
  if (!has("method") && !has("result") && !has("error"))
    return { path: "", message: "has neither a method nor a result nor an error" };
  if (!has("method") && !has("id")) return { path: "", message: "is a response without an id" };
  if (has("error") && !isErrorObject(value["error"]))
    return { path: "/error", message: "needs an integer code and a message" };
  return { path: "/id", message: "must be a string, an integer or null" };
}

function isErrorObject(value: unknown): boolean {
  return isRecord(value) && Number.isInteger(value["code"]) && typeof value["message"] === "string";
}
