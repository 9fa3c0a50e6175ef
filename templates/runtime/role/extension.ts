import { isRecord } from "../rpc/messages.js";
import type { Decoded } from "../validate/decode-result.js";

/** A method outside the protocol; its name starts with `_` and the vendor's domain, e.g. `_acme.dev/review`. */
export type ExtensionName = `_${string}`;

/** Checks and repairs what came in, as the generated `decode<Name>` functions do. */
export type Decoder<T> = (value: unknown) => Decoded<T>;

/** What is advertised for an extension: entries of `_meta` in the capabilities of the side that handles it. */
export type ExtensionMark = { readonly [key: string]: unknown };

interface Extension<Params> {
  readonly method: ExtensionName;
  /** Checks the params before the handler runs; without it they are passed on as they came. */
  readonly params?: Decoder<Params>;
  /**
   * The handling side advertises this, and calling a peer that did not fails locally.
   * Without it nothing is advertised or asked.
   */
  readonly advertise?: ExtensionMark;
}

/** A request outside the protocol, with its types. */
export interface ExtensionRequest<Params, Result> extends Extension<Params> {
  readonly kind: "request";
  /** Checks the result before the caller sees it. */
  readonly result?: Decoder<Result>;
}

/** A notification outside the protocol, with its type. */
export interface ExtensionNotification<Params> extends Extension<Params> {
  readonly kind: "notification";
}

/** An extension together with what handles it. */
export interface HandledExtension<Context> {
  readonly extension: ExtensionRequest<unknown, unknown> | ExtensionNotification<unknown>;
  readonly handler: (params: unknown, context: Context) => unknown;
}

/** What a side handles outside the protocol, by method. A plain function is given params as they came. */
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
 * @param handler is given decoded params and the context of every handler
 */
export function handle<Params, Result, Context>(
  extension: ExtensionRequest<Params, Result> | ExtensionNotification<Params>,
  handler: (params: Params, context: Context) => Result | Promise<Result>,
): ExtensionHandlers<Context> {
  return { [extension.method]: { extension, handler } as HandledExtension<Context> };
}

/**
 * What a side says of itself, with the marks of its extensions in the `_meta` of its
 * capabilities.
 *
 * @param capabilities the name of the property that holds its capabilities
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
 * The first mark of an extension that a side did not advertise, as a path in its
 * capabilities; nothing when it advertised all.
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
