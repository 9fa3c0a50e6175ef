import { decode } from "../validate/decode.js";
import { EncodeError, explainRejected } from "../validate/encode.js";
import { CapabilityError, ErrorCodes, RpcError } from "../rpc/errors.js";
import { Gates } from "../gates/gates.js";
import type { MethodDescriptor } from "../methods.js";
import type { Handshake, Role } from "./role.js";
import { createOutgoingCheck, type OutgoingCheck } from "../validate/outgoing-check.js";
import type { ValidationError } from "../validate/decode-result.js";

/** The longest JSON pointer that an error carries over the wire, in characters. */
const POINTER_LIMIT = 400;

/** Every message of a role without a table takes the slow path of the outgoing check. */
const NO_TABLE = {};

/** What passes between both sides of one connection: what they said of themselves, and the checks of their messages. */
export class PeerContract {
  readonly role: Role<unknown>;
  readonly gates: Gates;
  readonly #mayBeSent: OutgoingCheck;
  #handshake: Handshake<unknown, unknown> | undefined;

  constructor(role: Role<unknown>) {
    this.role = role;
    this.gates = new Gates(role.methods);
    this.#mayBeSent = createOutgoingCheck(role.declaredFields ?? NO_TABLE);
  }

  /** What both sides have said of themselves; absent before the handshake is complete. */
  get handshake(): Handshake<unknown, unknown> | undefined {
    return this.#handshake;
  }

  /** Completes the handshake, or repeats it. */
  agree(request: unknown, response: unknown): void {
    this.#handshake = { request, response };
    this.gates.advertise("client", request);
    this.gates.advertise("agent", response);
  }

  /** The method that one side handles under a name. */
  find(name: string, kind: MethodDescriptor["kind"], side: string): MethodDescriptor | undefined {
    return this.role.methods.find(
      (method) => method.name === name && method.kind === kind && method.side === side,
    );
  }

  /**
   * Decodes what came in, as leniently as the protocol demands.
   *
   * @throws RpcError with the place of the first mistake and the rule it breaks, never the value
   */
  decode(method: MethodDescriptor, part: "params" | "result", value: unknown): unknown {
    const check = this.role.checks[method[part]!];
    if (check === undefined) return value;
    const decoded = decode(check, value);
    if (!decoded.ok) throw firstMessageError(part, decoded.errors);
    if (decoded.dropped.length > 0) this.role.onDropped?.(decoded.dropped, { method: method.name });
    return decoded.value;
  }

  /** The first place in received params or a received result that this side did not open. */
  findUnavailable(
    method: MethodDescriptor,
    part: "params" | "result",
    value: unknown,
  ): CapabilityError | undefined {
    const unavailable = this.gates.findClosed(method, part, value);
    if (unavailable?.strength !== "must") return undefined;
    return new CapabilityError(method.name, unavailable.capability, unavailable.pointer);
  }

  /**
   * Makes sure that something may be sent.
   *
   * @throws EncodeError for what the schema refuses, CapabilityError for a place that
   *   needs a capability which the peer did not advertise
   */
  check(method: MethodDescriptor, part: "params" | "result", value: unknown): void {
    const { checks, checkOutgoing = true } = this.role;
    if (!checkOutgoing) return;
    const definition = method[part]!;
    const check = checks[definition];
    if (check !== undefined && !this.#mayBeSent(definition, check, value)) {
      const errors = explainRejected(check, value);
      if (errors.length > 0) throw new EncodeError(errors);
    }
    const unavailable = this.gates.findClosed(method, part, value);
    if (unavailable !== undefined && unavailable.strength !== "should")
      throw new CapabilityError(method.name, unavailable.capability, unavailable.pointer);
  }
}

/** The place in a method's params that its gate depends on; empty when that is the method alone. */
export function gatedPointer({ gate }: MethodDescriptor): string {
  const place =
    gate?.kind === "key" ? gate.key : gate?.kind === "entry" ? Object.values(gate.entry)[0] : "";
  return place?.replace("params", "").replaceAll(".", "/") ?? "";
}

/**
 * What the peer is told of a mistake in its message, or in a result that it was to get:
 * the place and the rule, never the value. A pointer holds keys of the message, so a long
 * one is cut to the pointer of a surrounding place.
 */
export function messageError(part: "params" | "result", pointer: string, rule: string): RpcError {
  const isShort = pointer.length <= POINTER_LIMIT;
  const kept = isShort ? pointer : pointer.slice(0, pointer.lastIndexOf("/", POINTER_LIMIT));
  const data = { pointer: kept, rule };
  return part === "params"
    ? new RpcError(ErrorCodes.InvalidParams, "Invalid params", data)
    : new RpcError(ErrorCodes.InternalError, "Invalid result", data);
}

/** The same for the first of the mistakes that a decoder or an encoder has found. */
export function firstMessageError(
  part: "params" | "result",
  [first]: readonly ValidationError[],
): RpcError {
  return messageError(part, first?.path ?? "", first?.rule ?? "");
}
