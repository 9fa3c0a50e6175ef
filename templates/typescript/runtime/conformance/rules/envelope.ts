import { ErrorCodes } from "../../rpc/errors.js";
import { key } from "../conversation.js";
import { explainForm, formsOf, isFree } from "../method-table.js";
import { BOTH, onEnd, onKinds, onSent, V2, type Rule } from "./rule.js";
import { at, show } from "../select.js";
import type { TranscriptStep } from "../step.js";
import { otherSide } from "../transcript.js";

/** An id with which nothing was asked: none at all, or null without a request that has it. */
function hasNoId({ kind, incoming, id, call }: TranscriptStep): boolean {
  if (incoming.kind === "broken-response") return id === undefined;
  return (kind === "result" || kind === "error") && id === null && call === undefined;
}

/** Whether a response says that the text or the request itself could not be read. */
function isUnreadable({ message, id }: TranscriptStep): boolean {
  const code = at(message, "error", "code");
  return id === null && (code === ErrorCodes.ParseError || code === ErrorCodes.InvalidRequest);
}

/** Explains why the params of a call are not what JSON-RPC allows; undefined when they are, or are absent. */
export function explainParams(message: unknown): string | undefined {
  const params = at(message, "params");
  if (params === undefined || (typeof params === "object" && params !== null)) return undefined;
  return `the params are ${show(params)}, but must be an object or a list, or be left out`;
}

/** Rules of JSON-RPC, for all methods. */
export const ENVELOPE_RULES: readonly Rule[] = [
  {
    id: "message-shape",
    source: "JSON-RPC 2.0 sections 4 and 5; protocol overview, error handling",
    level: "error",
    versions: BOTH,
    check: onKinds(["other"], function* (step) {
      const { kind } = step.incoming;
      if (step.kind === "end" || Array.isArray(step.message) || hasNoId(step)) return;
      if (kind === "invalid" || kind === "broken-response")
        yield { message: "is neither a request nor a notification nor a response" };
    }),
  },
  {
    id: "structured-params",
    source: "JSON-RPC 2.0 section 4.2",
    // Receivers read null as absent.
    level: "warning",
    versions: BOTH,
    check: onSent(undefined, ({ message }) => {
      const problem = explainParams(message);
      return problem === undefined ? [] : [{ message: problem, path: "/params" }];
    }),
  },
  {
    id: "no-batches",
    source:
      "the migration guide of the official SDK, which has no batches; in version 2, the page on transports has them",
    level: "error",
    levelInVersion2: "warning",
    versions: BOTH,
    check: onKinds(["other"], function* ({ message }) {
      if (Array.isArray(message)) yield { message: "several messages are sent as an array" };
    }),
  },
  {
    id: "no-response-to-notifications",
    source: "protocol overview, error handling; JSON-RPC 2.0 section 4.1",
    level: "error",
    versions: BOTH,
    check: onKinds(["other", "result", "error"], function* (step) {
      if (hasNoId(step) && !isUnreadable(step))
        yield { message: "responds to a message without an id" };
    }),
  },
  {
    id: "one-response",
    source: "JSON-RPC 2.0 section 5, as the official SDK has it",
    level: "error",
    versions: BOTH,
    check: onKinds(["result", "error"], function* ({ kind, id, from, call }, conversation) {
      if ((kind !== "result" && kind !== "error") || call !== undefined) return;
      if (conversation.answered[otherSide(from)].has(key(id)))
        yield { message: `the request ${show(id)} is answered already`, path: "/id" };
    }),
  },
  {
    id: "known-response-id",
    source: "description of RequestId in the schema; JSON-RPC 2.0 section 5",
    level: "error",
    versions: BOTH,
    check: onKinds(["result", "error"], function* (step, conversation) {
      const { kind, id, from, call } = step;
      if ((kind !== "result" && kind !== "error") || call !== undefined || hasNoId(step)) return;
      const asker = otherSide(from);
      if (!conversation.answered[asker].has(key(id)) && !conversation.pending[asker].hasForgotten)
        yield { message: `no request has the id ${show(id)}`, path: "/id" };
    }),
  },
  {
    id: "every-request-answered",
    source: "JSON-RPC 2.0 section 5",
    level: "warning",
    versions: BOTH,
    check: onEnd(function* (conversation) {
      for (const { id, method, line, isWithdrawn } of conversation.unanswered())
        if (!isWithdrawn) yield { message: `${method} (${show(id)}) is never answered`, line };
    }),
  },
  {
    id: "withdrawn-request-answered",
    source: "request cancellation, the part on responses",
    level: "warning",
    versions: BOTH,
    check: onEnd(function* (conversation) {
      for (const { id, method, line, isWithdrawn } of conversation.unanswered())
        if (isWithdrawn)
          yield { message: `${method} (${show(id)}) was cancelled, but not answered`, line };
    }),
  },
  {
    id: "known-withdrawn-request",
    source: "request cancellation; description of the protocol's own notifications",
    level: "warning",
    versions: BOTH,
    check: onSent(["$/cancel_request"], function* ({ params, from }, conversation) {
      const id = at(params, "requestId");
      if (!conversation.pending[from].mayHave(key(id)) && !conversation.answered[from].has(key(id)))
        yield { message: `this side has sent no request ${show(id)}`, path: "/params/requestId" };
    }),
  },
  {
    id: "request-id",
    source: "description of RequestId in the schema of version 2",
    level: "error",
    versions: V2,
    isAboutOneMessage: true,
    check: onKinds(["request"], function* ({ kind, id }) {
      if (kind === "request" && id === null)
        yield { message: "the id of a request is null", path: "/id" };
    }),
  },
  {
    id: "unique-request-id",
    source: "the id of a pending request is not used again; JSON-RPC 2.0 section 4",
    level: "error",
    versions: BOTH,
    check: onKinds(["request"], function* ({ kind, id, from }, conversation) {
      if (kind === "request" && conversation.pending[from].has(key(id)))
        yield { message: `a pending request has the id ${show(id)}`, path: "/id" };
    }),
  },
  {
    id: "method-direction",
    source: "the side and kind of each method in the schema",
    level: "error",
    versions: BOTH,
    check: onSent(undefined, function* ({ kind, method, from }, { version }) {
      if (kind !== "request" && kind !== "notification") return;
      const problem = explainForm({ method, kind, from }, formsOf(method, version));
      if (problem !== undefined) yield { message: problem, path: "/method" };
    }),
  },
  {
    id: "extension-prefix",
    source: "extensibility, custom methods",
    level: "error",
    versions: BOTH,
    check: onSent(undefined, function* ({ kind, method }, { version, gates }) {
      if (kind !== "request" && kind !== "notification") return;
      const isKnown = isFree(method) || formsOf(method, version).length > 0;
      if (!method.startsWith("_") && !isKnown && gates?.knows(method) !== true)
        yield {
          message: `${show(method)} is not a method of version ${version} and does not begin with an underscore`,
          path: "/method",
        };
    }),
  },
];
