import type { CallOptions, NotifyOptions } from "../rpc/outbound-requests.js";
import type {
  AnyExtension,
  ExtensionName,
  ExtensionNotification,
  ExtensionRequest,
} from "./extensions/extension.js";
import type { MethodDescriptor } from "../methods.js";

/**
 * Calls by method name, which every peer supports. Functions for methods that the peer did not
 * advertise are absent; a call by name then fails with a CapabilityError.
 */
export interface NamedCalls<Requests, Notifications> {
  /** Calls a method of the protocol. */
  request<Name extends keyof Requests & string>(
    method: Name,
    params: Requests[Name] extends { readonly params: infer Params } ? Params : never,
    options?: CallOptions,
  ): Promise<Requests[Name] extends { readonly result: infer Result } ? Result : never>;
  /** Calls an extension. Params and result are checked with its schemas. */
  request<Params, Result, SentParams, SentResult>(
    extension: ExtensionRequest<Params, Result, SentParams, SentResult>,
    params: SentParams,
    options?: CallOptions,
  ): Promise<Result>;
  /** Calls a method outside the protocol. Neither params nor result are checked. */
  request(method: ExtensionName, params: unknown, options?: CallOptions): Promise<unknown>;
  /** Sends a notification of the protocol; resolves when more can be sent. */
  notify<Name extends keyof Notifications & string>(
    method: Name,
    params: Notifications[Name],
    options?: NotifyOptions,
  ): Promise<void>;
  /** Sends a notification of an extension. */
  notify<Params, SentParams>(
    extension: ExtensionNotification<Params, SentParams>,
    params: SentParams,
    options?: NotifyOptions,
  ): Promise<void>;
  /** Sends a notification outside the protocol. */
  notify(method: ExtensionName, params: unknown): Promise<void>;
}

/** Everything that can be called by name: a method, or an extension with its types. */
export type Callee = string | AnyExtension;

/** The functions that a peer uses to reach the other side. */
export interface PeerCalls {
  readonly call: (
    method: MethodDescriptor,
    params: unknown,
    options?: CallOptions,
  ) => Promise<unknown>;
  readonly callByName: (
    kind: MethodDescriptor["kind"],
    callee: Callee,
    params: unknown,
    options?: CallOptions,
  ) => Promise<unknown>;
  /** Returns whether the other side has advertised what the method needs. */
  readonly isOpen: (method: MethodDescriptor) => boolean;
}

/**
 * Creates an object with nested functions for all methods of the other side. A function whose
 * method needs a capability of the other side is present only while that is advertised.
 *
 * @param methods the methods that the other side handles
 */
export function createPeer(methods: readonly MethodDescriptor[], calls: PeerCalls): object {
  const root = Object.assign(createGroup(), {
    request: (callee: Callee, params: unknown, options?: CallOptions) =>
      calls.callByName("request", callee, params, options),
    notify: (callee: Callee, params: unknown, options?: NotifyOptions) =>
      calls.callByName("notification", callee, params, options),
  });
  for (const method of methods) {
    let group: Record<string, unknown> = root;
    for (const name of method.handler.slice(0, -1)) {
      group = (group[name] ??= createGroup()) as Record<string, unknown>;
    }
    const name = method.handler.at(-1)!;
    const call = (params: unknown, options?: CallOptions): Promise<unknown> =>
      calls.call(method, params, options);
    if (!isGated(method)) group[name] = call;
    else {
      const get = (): unknown => (calls.isOpen(method) ? call : undefined);
      Object.defineProperty(group, name, { enumerable: true, get });
    }
  }
  return root;
}

/** Without a prototype, because names come from a schema and may be any string. */
function createGroup(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/**
 * Returns whether the side that handles a method must advertise a capability for it. A capability
 * of the caller does not make the function absent; without it, a call fails.
 */
function isGated({ gate, side }: MethodDescriptor): boolean {
  return (gate?.kind === "capability" || gate?.kind === "key") && gate.side === side;
}
