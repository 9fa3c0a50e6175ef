import { isRecord } from "../../rpc/messages.js";
import type { RequestContext } from "../request-context.js";
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
  /** Returns the extension with its handler, for the option `extensions`. */
  readonly handle: <Context>(
    handler: (params: Params, context: Context) => void | Promise<void>,
  ) => HandledExtension<Context>;
}

/** Any extension, without its types. */
export interface AnyExtension {
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
 * Declares a request outside the protocol; both sides can use the declaration. Its types follow
 * from its schemas: those of `acp-bindings`, or of any library that implements Standard Schema.
 */
export function defineRequest<
  Params = unknown,
  Result = unknown,
  SentParams = Params,
  SentResult = Result,
>(
  request: RequestOptions<Params, Result, SentParams, SentResult>,
): ExtensionRequest<Params, Result, SentParams, SentResult> {
  return withHandle({ ...request, kind: "request" });
}

/**
 * Declares a notification outside the protocol; both sides can use the declaration. Its types
 * follow from its schema: one of `acp-bindings`, or of any library that implements Standard
 * Schema.
 */
export function defineNotification<Params = unknown, SentParams = Params>(
  notification: NotificationOptions<Params, SentParams>,
): ExtensionNotification<Params, SentParams> {
  return withHandle({ ...notification, kind: "notification" });
}

function withHandle<Extension>(given: Omit<Extension, "handle">): Extension {
  const extension = {
    ...given,
    handle: (handler: unknown) => ({ extension, handler }),
  };
  return extension as Extension;
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

/**
 * Returns the path, within the capabilities, of the first mark of an extension that a side did
 * not advertise; undefined when it advertised all of them.
 */
export function missingMark(extension: AnyExtension, capabilities: unknown): string | undefined {
  const meta: unknown = isRecord(capabilities) ? capabilities["_meta"] : undefined;
  const missing = Object.keys(extension.advertise ?? {}).find(
    (key) => !(isRecord(meta) && Object.hasOwn(meta, key)),
  );
  return missing === undefined ? undefined : `_meta[${JSON.stringify(missing)}]`;
}
