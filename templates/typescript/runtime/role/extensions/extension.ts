import type { MethodDescriptor } from "../../methods.js";
import type { CallOptions } from "../../rpc/outbound-requests.js";
import type { RequestContext } from "../request-context.js";
import type { Decoded, Note } from "../../validate/decode-result.js";
import type { StandardSchema } from "../../validate/standard-schema.js";

/** A method outside the protocol. Its name starts with `_` and the vendor's domain, e.g. `_acme.dev/review`. */
export type ExtensionName = `_${string}`;

/**
 * A method that a peer has although neither the protocol nor the rule for extensions gives it this
 * name, e.g. `session/set_model` of older agents.
 */
export type ForeignName = string & {};

/** Entries that advertise an extension in `_meta` of the capabilities of the side that handles it. */
export type ExtensionMark = { readonly [key: string]: unknown };

/** Properties of all extensions. */
interface ExtensionOptions<SentParams, Params> {
  readonly method: ExtensionName | ForeignName;
  /**
   * Checks the params: before they are sent, and when they are received, where the handler gets
   * its output. Without it, they are not checked.
   */
  readonly params?: StandardSchema<SentParams, Params>;
  /**
   * Advertised by the side that handles the extension; calls to a peer that did not advertise it
   * fail locally. Without it, the extension is neither advertised nor gated.
   */
  readonly advertise?: ExtensionMark;
}

/** The declaration of a request outside the protocol. */
export interface RequestOptions<
  Params,
  Result,
  SentParams = Params,
  SentResult = Result,
> extends ExtensionOptions<SentParams, Params> {
  /** Checks the result: before it is sent, and when it is received, where the caller gets its output. */
  readonly result?: StandardSchema<SentResult, Result>;
}

/** The declaration of a notification outside the protocol. */
export type NotificationOptions<Params, SentParams = Params> = ExtensionOptions<SentParams, Params>;

/** A request outside the protocol, with its types. */
export interface ExtensionRequest<
  Params,
  Result,
  SentParams = Params,
  SentResult = Result,
> extends RequestOptions<Params, Result, SentParams, SentResult> {
  readonly kind: "request";
  readonly [CODE]: ExtensionCode;
  /** Returns the extension with its handler, for the option `extensions`. */
  readonly handle: <Context>(
    handler: (
      params: Params,
      context: Context & RequestContext,
    ) => SentResult | Promise<SentResult>,
  ) => HandledExtension<Context>;
}

/** A notification outside the protocol, with its type. */
export interface ExtensionNotification<Params, SentParams = Params> extends NotificationOptions<
  Params,
  SentParams
> {
  readonly kind: "notification";
  readonly [CODE]: ExtensionCode;
  /** Returns the extension with its handler, for the option `extensions`. */
  readonly handle: <Context>(
    handler: (params: Params, context: Context) => void | Promise<void>,
  ) => HandledExtension<Context>;
}

/** The property of an extension that holds its code; the same for all copies of this package. */
export const CODE: unique symbol = Symbol.for("acp-bindings.extension");

/** The code of all extensions, which only a program that declares one contains. */
export interface ExtensionCode {
  /**
   * Decodes received params or a received result.
   *
   * @returns the output of its schema, or the issues; the value itself when there is no schema
   * @throws TypeError when the schema validates asynchronously
   */
  decode(extension: AnyExtension, part: "params" | "result", value: unknown): Decoded<unknown>;
  /**
   * Checks that params or a result may be sent.
   *
   * @throws InvalidValueError when its schema refuses the value; TypeError when the schema
   *   validates asynchronously
   */
  check(extension: AnyExtension, part: "params" | "result", value: unknown): void;
  /**
   * Checks the name of an extension that is handled.
   *
   * @param at its place in the options
   * @throws AcpError for an empty or reserved name (`$/…`, and `rpc.…` of JSON-RPC), and for a
   *   method of the protocol
   */
  checkName(extension: AnyExtension, at: string, methods: readonly MethodDescriptor[]): void;
  /** Sends a call; rejects when the other side did not advertise the extension. */
  call(
    extension: AnyExtension,
    caller: ExtensionCaller,
    params: unknown,
    options?: CallOptions,
  ): Promise<unknown>;
}

/** The parts of a connection that calls of extensions need. */
export interface ExtensionCaller {
  readonly contract: {
    readonly handshake: { readonly request: unknown; readonly response: unknown } | undefined;
    readonly role: {
      readonly role: "agent" | "client";
      readonly methods: readonly MethodDescriptor[];
      readonly capabilities: { readonly agent: string; readonly client: string };
      readonly checkOutgoing?: boolean;
    };
    note(notes: readonly Note[], method: string): void;
  };
  /** Sends a message whose params were checked. */
  send(
    kind: "request" | "notification",
    method: string,
    params: unknown,
    options?: CallOptions,
    accept?: (result: unknown) => unknown,
  ): Promise<unknown>;
}

/** Any extension, without its types. */
export interface AnyExtension {
  readonly [CODE]: ExtensionCode;
  readonly method: string;
  readonly kind: "request" | "notification";
  readonly params?: StandardSchema<never, unknown>;
  readonly result?: StandardSchema<never, unknown>;
  readonly advertise?: ExtensionMark;
}

/** An extension together with its handler. */
export interface HandledExtension<Context> {
  readonly extension: AnyExtension;
  readonly handler: (params: unknown, context: Context) => unknown;
}

/**
 * Returns the fields of a side's initialize message, with the marks of its extensions added to
 * `_meta` of its capabilities.
 *
 * @param capabilities the name of the property that holds the capabilities
 */
export function withMarks(
  advertised: object,
  capabilities: string,
  extensions: readonly HandledExtension<never>[],
): object {
  const marks = extensions.map(({ extension }) => extension.advertise ?? {});
  const all: object = Object.assign({}, ...marks) as object;
  if (Object.keys(all).length === 0) return advertised;
  const given = (advertised as Record<string, unknown>)[capabilities] as
    { readonly _meta?: object | null } | undefined;
  return { ...advertised, [capabilities]: { ...given, _meta: { ...given?._meta, ...all } } };
}
