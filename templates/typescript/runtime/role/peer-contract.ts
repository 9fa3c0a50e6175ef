import { decode } from "../validate/decode.js";
import { InvalidValueError, explainRejected } from "../validate/encode.js";
import { ofPeer } from "../acp-error.js";
import { ErrorCodes, RpcError, type CapabilityError } from "../rpc/errors.js";
import { Gates } from "../gates/gates.js";
import { shareUnavailable } from "../gates/share-unavailable.js";
import type { MethodDescriptor } from "../methods.js";
import { notAnEntry, notExpected, notSent } from "./capability-errors.js";
import { decodeEmptyResult } from "./empty-result.js";
import type { Handshake, Role, UnknownValues } from "./role.js";
import { findBrokenRule, findWrongItem } from "./outgoing-rules.js";
import { isDeclared, mayBeSent } from "../validate/outgoing-check.js";
import type { Issue, Note } from "../validate/decode-result.js";
import * as sentences from "../sentences.js";
import { asReceived, isPlainChunk } from "../validate/received.js";

/** The longest JSON pointer in an error that is sent to the peer, in characters. */
const POINTER_LIMIT = 400;

const KEEP = { unknown: "keep" } as const;

/**
 * The negotiated state of one connection: the handshake, the gates, and the checks of messages in
 * both directions.
 */
export class PeerContract {
  readonly role: Role<unknown>;
  readonly gates: Gates;
  #handshake: Handshake<unknown, unknown> | undefined;

  constructor(role: Role<unknown>) {
    this.role = role;
    this.gates = new Gates(role.methods, shareUnavailable);
  }

  /** The messages of the handshake; undefined before it is complete. */
  get handshake(): Handshake<unknown, unknown> | undefined {
    return this.#handshake;
  }

  /** Completes or repeats the handshake. */
  agree(request: unknown, response: unknown): void {
    this.#handshake = { request, response };
    this.gates.advertise("client", request);
    this.gates.advertise("agent", response);
  }

  /** Returns the method that a side handles under a name; undefined when there is none. */
  find(name: string, kind: MethodDescriptor["kind"], side: string): MethodDescriptor | undefined {
    return this.role.methods.find(
      (method) => method.name === name && method.kind === kind && method.side === side,
    );
  }

  /**
   * Decodes a received value as leniently as the protocol requires. A value with anything unknown
   * is marked as received, so that it may be sent again.
   *
   * @throws RpcError with the path of the first error and the rule that was broken, never the
   *   value
   */
  decode(method: MethodDescriptor, part: "params" | "result", value: unknown): unknown {
    const check = this.role.checks[method[part]!];
    if (check === undefined) return value;
    const isRequest = part === "params" && method.kind === "request";
    let decoded = decode(check, value, isRequest ? { unknown: this.#unknown(method.name) } : KEEP);
    if (!decoded.ok && part === "result")
      decoded = decodeEmptyResult(method, check, value) ?? decoded;
    if (!decoded.ok)
      throw part === "params"
        ? firstMessageError(method.name, part, decoded.issues)
        : receivedResultError(method.name, decoded.issues);
    this.note(decoded.notes, method.name);
    const { notes, value: result } = decoded;
    const isKnown = notes.length === 0 && (isChunk(method, result) || isDeclared(check, result));
    return isKnown ? result : asReceived(result);
  }

  #unknown(method: string): UnknownValues {
    const { unknown = "keep" } = this.role;
    return typeof unknown === "string" ? unknown : (unknown[method] ?? "keep");
  }

  /** Passes the notes of a decoded value on to the author of the role. */
  note(notes: readonly Note[], method: string): void {
    try {
      if (notes.length > 0) this.role.onNotes?.(notes, { method });
    } catch (error) {
      this.role.report(error, { method });
    }
  }

  /**
   * Returns an error for the first field in received params or a received result that needs a
   * capability which was not advertised; undefined when there is none.
   */
  findUnavailable(
    method: MethodDescriptor,
    part: "params" | "result",
    value: unknown,
  ): CapabilityError | undefined {
    const unavailable = this.gates.findMissingCapability(method, part, value);
    if (unavailable?.strength !== "must") return undefined;
    const { capability, side, pointer } = unavailable;
    return notExpected(this.role.role, method.name, part, capability, side, pointer);
  }

  /**
   * Checks that params or a result may be sent.
   *
   * @throws InvalidValueError for values that the schema or a rule rejects, CapabilityError for a field that
   *   needs a capability which the peer did not advertise
   * @param isGated whether such fields are looked for
   */
  check(method: MethodDescriptor, part: "params" | "result", value: unknown, isGated = true): void {
    const { checks, checkOutgoing = true } = this.role;
    if (!checkOutgoing) return;
    const definition = method[part]!;
    const check = checks[definition];
    if (check !== undefined && !mayBeSent(check, value)) {
      const issues = explainRejected(check, value);
      if (issues.length > 0) throw new InvalidValueError(definition, issues, method.name);
    }
    const broken = isChunk(method, value)
      ? undefined
      : (findBrokenRule(method, part, value) ??
        (part === "params" ? findWrongItem(value, this.role.protocolVersion) : undefined));
    if (broken !== undefined) throw new InvalidValueError(definition, [broken], method.name);
    if (!isGated) return;
    const unavailable = this.gates.findMissingCapability(method, part, value);
    if (unavailable?.strength !== "must") return;
    const { capability, side, pointer } = unavailable;
    throw notSent(method.name, capability, side, pointer, part);
  }

  /**
   * Checks that a method may be called. Only gates of the strength `must` refuse a call.
   *
   * @param params the params of the call, for gates that depend on them
   * @throws CapabilityError when what it needs was not advertised
   */
  checkGate(method: MethodDescriptor, params?: unknown): void {
    const { gate, name } = method;
    if (gate === undefined || gate.kind === "always" || gate.strength !== "must") return;
    const missing = this.gates.missing(method, params);
    if (missing === undefined) return;
    const pointer = params === undefined ? "" : gatedPointer(method);
    throw gate.kind === "entry" && params !== undefined
      ? notAnEntry(method, params, pointer, this.#handshake)
      : notSent(name, missing, gate.side, pointer);
  }
}

/** Returns whether a message is a chunk of plain text, to which no rule applies. */
function isChunk({ kind }: MethodDescriptor, message: unknown): boolean {
  return kind === "notification" && isPlainChunk(message);
}

/**
 * Returns the pointer to the param that a method's gate depends on; empty when the gate depends
 * on the method only.
 */
export function gatedPointer({ gate }: MethodDescriptor): string {
  const place =
    gate?.kind === "key" ? gate.key : gate?.kind === "entry" ? Object.values(gate.entry)[0] : "";
  return place?.replace("params", "").replaceAll(".", "/") ?? "";
}

/** The invalid part of a message: its params, or the result of the side that answers. */
export type InvalidPart = "params" | "result" | "result of the agent" | "result of the client";

/**
 * Returns the error for invalid params or an invalid result: the pointer and the rule, never the
 * value, since the peer receives it. A pointer contains keys of the message, so a long one is
 * shortened to the pointer of an enclosing value.
 */
export function messageError(
  method: string,
  part: InvalidPart,
  pointer: string,
  rule: string,
): RpcError {
  const isShort = pointer.length <= POINTER_LIMIT;
  const kept = isShort ? pointer : pointer.slice(0, pointer.lastIndexOf("/", POINTER_LIMIT));
  const data = { pointer: kept, rule };
  const code = part === "params" ? ErrorCodes.InvalidParams : ErrorCodes.InternalError;
  return new RpcError(code, sentences.invalidPart(part, kept, rule), data, { method });
}

/** Returns the error for the first of several issues. */
export function firstMessageError(
  method: string,
  part: InvalidPart,
  [first]: readonly Issue[],
): RpcError {
  const error = messageError(method, part, first?.pointer ?? "", first?.rule ?? "");
  return part === "params" ? ofPeer(error) : error;
}

/**
 * Returns the error for a received result that the schema rejects. Whether the other side has
 * carried out the request is not known: some answer a failure with `null`.
 */
export function receivedResultError(method: string, issues: readonly Issue[]): RpcError {
  const { code, data } = firstMessageError(method, "result", issues);
  const { pointer, rule } = data as { readonly pointer: string; readonly rule: string };
  const text = `${method} ${sentences.invalidAnswer(pointer, rule)}`;
  return new RpcError(code, text, data, { method });
}
