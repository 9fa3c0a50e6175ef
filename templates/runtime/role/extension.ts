import { isRecord } from "../rpc/messages.js";
import type { Decoded } from "../validate/decode-result.js";

/** A method outside the protocol. Its name starts with `_` and the vendor's domain, e.g. `_acme.dev/review`. */
export type ExtensionName = `_${string}`;

/** Checks and repairs a received value, as the generated `decode<Name>` functions do. */
export type Decoder<T> = (value: unknown) => Decoded<T>;

/** Entries that advertise an extension in `_meta` of the capabilities of the side that handles it. */
export type ExtensionMark = { readonly [key: string]: unknown };

interface Extension<Params> {
  readonly method: ExtensionName;
  /** Checks the params before the handler runs. Without it, they are passed on unchecked. */
  readonly params?: Decoder<Params>;
  /**
   * Advertised by the side that handles the extension; calls to a peer that did not advertise it
   * fail locally. Without it, the extension is neither advertised nor gated.
   */
  readonly advertise?: ExtensionMark;
}

/** A request outside the protocol, with its types. */
export interface ExtensionRequest<Params, Result> extends Extension<Params> {
  readonly kind: "request";
  /** Checks the result before it is returned to the caller. */
  readonly result?: Decoder<Result>;
}

/** A notification outside the protocol, with its type. */
export interface ExtensionNotification<Params> extends Extension<Params> {
  readonly kind: "notification";
}

/** An extension together with its handler. */
export interface HandledExtension<Context> {
  readonly extension: ExtensionRequest<unknown, unknown> | ExtensionNotification<unknown>;
  readonly handler: (params: unknown, context: Context) => unknown;
}

/** Handlers for methods outside the protocol, by method. A plain function receives unchecked params. */
export interface ExtensionHandlers<Context> {
  readonly [method: ExtensionName]:
    HandledExtension<Context> | ((params: unknown, context: Context) => unknown);
}

/** Declares a request outside the protocol; both sides can use the declaration. */
export function defineRequest<Params, Result>(
  request: Omit<ExtensionRequest<Params, Result>, "kind">,
): ExtensionRequest<Params, Result> {
  return { ...request, kind: "request" };
}

/** Declares a notification outside the protocol; both sides can use the declaration. */
export function defineNotification<Params>(
  notification: Omit<ExtensionNotification<Params>, "kind">,
): ExtensionNotification<Params> {
  return { ...notification, kind: "notification" };
}

/**
 * Binds a handler to an extension: `extensions: { ...handle(review, (params) => …) }`.
 *
 * @param handler receives decoded params and the same context as every other handler
 */
export function handle<Params, Result, Context>(
  extension: ExtensionRequest<Params, Result> | ExtensionNotification<Params>,
  handler: (params: Params, context: Context) => Result | Promise<Result>,
): ExtensionHandlers<Context> {
  return { [extension.method]: { extension, handler } as HandledExtension<Context> };
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
  extensions: ExtensionHandlers<never> = {},
): object {
  const marks = Object.values(extensions).map((given) =>
    typeof given === "function" ? {} : (given.extension.advertise ?? {}),
  );
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
export function missingMark(
  extension: Extension<never>,
  capabilities: unknown,
): string | undefined {
  const meta: unknown = isRecord(capabilities) ? capabilities["_meta"] : undefined;
  const missing = Object.keys(extension.advertise ?? {}).find(
    (key) => !(isRecord(meta) && Object.hasOwn(meta, key)),
  );
  return missing === undefined ? undefined : `_meta[${JSON.stringify(missing)}]`;
}
