import { ofPeer } from "../acp-error.js";
import { CapabilityError } from "../rpc/errors.js";
import { isRecord } from "../rpc/messages.js";
import { pathText } from "../gates/capability.js";
import { findExcluded } from "../gates/entry-gates.js";
import type { MethodDescriptor } from "../methods.js";
import * as sentences from "../sentences.js";
import type { Handshake } from "./role.js";

type Role = "agent" | "client";

/** What has the missing capability or list entry: a side, or the state of a session. */
export type CapabilityOwner = Role | "session";

const sendAnyway = (): string => sentences.sendAnyway("the call option ignoreCapabilities");

/**
 * Returns the error for a message that is not sent, because what it needs was not advertised.
 *
 * @param part what is sent; a result has no call options, but its handler has a context
 */
export function notSent(
  method: string,
  capability: string,
  owner: CapabilityOwner,
  pointer = "",
  part: "params" | "result" = "params",
): CapabilityError {
  const supported = `context.supports(${JSON.stringify(capability)})`;
  const cure = part === "params" ? sendAnyway() : sentences.leaveOut(supported);
  const reason = sentences.notAdvertised(capability, owner);
  const text = sentences.notSent(method, pointer, reason, cure);
  return new CapabilityError(method, capability, pointer, text);
}

/** Returns the error for a call that is not sent, because it would change a subagent that does not permit it. */
export function ofSubagent(method: string): CapabilityError {
  const pointer = "/sessionId";
  const text = sentences.notSent(method, pointer, sentences.subagentRefuses, sendAnyway());
  return new CapabilityError(method, "capabilities", pointer, text);
}

/**
 * Returns the error for a call that is not sent, because no list has the entry that it names.
 *
 * @param pointer the place of the entry's key in the params
 */
export function notAnEntry(
  method: MethodDescriptor,
  params: unknown,
  pointer: string,
  handshake: Handshake<unknown, unknown> | undefined,
): CapabilityError {
  const { name, gate } = method;
  const { path, side } = gate as Extract<MethodDescriptor["gate"], { readonly kind: "entry" }>;
  const capability = pathText(path);
  const message = side === "agent" ? handshake?.response : handshake?.request;
  const excluded = side === "session" ? undefined : findExcluded(gate as never, message, params);
  const isTerminal = isRecord(excluded) && excluded["type"] === "terminal";
  const text = isTerminal
    ? sentences.notSent(name, pointer, sentences.terminalLogin(name), "")
    : sentences.notSent(name, pointer, sentences.notListed(side, capability), sendAnyway());
  return new CapabilityError(name, capability, pointer, text);
}

/**
 * Returns the report of received params or of a received result which need a capability that was
 * not advertised.
 *
 * @param own the side that has received them
 */
export function notExpected(
  own: Role,
  method: string,
  part: "params" | "result",
  capability: string,
  owner: CapabilityOwner,
  pointer: string,
): CapabilityError {
  const other = own === "agent" ? "client" : "agent";
  const message = part === "params" ? method : sentences.resultOf(method);
  const text = sentences.receivedUnadvertised(other, message, pointer, capability, owner);
  return ofPeer(new CapabilityError(method, capability, pointer, text));
}
