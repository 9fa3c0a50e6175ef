import { INITIALIZE } from "../runtime/conformance/conversation.js";
import { at } from "../runtime/conformance/select.js";
import { otherSide, type Side } from "../runtime/conformance/transcript.js";
import type { MethodDescriptor } from "../runtime/methods.js";
import type { OpenRequests } from "./open-requests.js";

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
export function findSender({ method, params, candidates }: Call, open: OpenRequests): Side {
  const [first] = candidates;
  if (first?.side === "agent" || first?.side === "client") return otherSide(first.side);
  if (INITIALIZE.includes(method)) return "client";
  if (first?.side === "protocol") {
    const id = at(params, "requestId");
    return open.has("agent", id) && !open.has("client", id) ? "agent" : "client";
  }
  // Extensions and requests to proxies: agents send most messages.
  return "agent";
}
