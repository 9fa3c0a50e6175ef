import { INITIALIZE } from "../runtime/conformance/conversation.js";
import { at } from "../runtime/conformance/select.js";
import { otherSide, type Side } from "../runtime/conformance/transcript.js";
import type { MethodDescriptor } from "../runtime/methods.js";
import type { OpenRequests } from "./open-requests.js";

/** A call, and what a profile has under its name. */
interface Call {
  readonly method: string;
  readonly params: unknown;
  /** The descriptors of the name and kind. */
  readonly known: readonly MethodDescriptor[];
}

/**
 * Finds the sender of a request or notification that the recording does not
 * name: the side that does not handle it; of the protocol's own `$/cancel_request`,
 * the side that has such a request open.
 */
export function findSender({ method, params, known }: Call, open: OpenRequests): Side {
  const [first] = known;
  if (first?.side === "agent" || first?.side === "client") return otherSide(first.side);
  if (INITIALIZE.includes(method)) return "client";
  if (first?.side === "protocol") {
    const id = at(params, "requestId");
    return open.has("agent", id) && !open.has("client", id) ? "agent" : "client";
  }
  // What proxies are asked for, and extensions: most of what is sent at all is sent by agents.
  return "agent";
}
