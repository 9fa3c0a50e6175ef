import { callExtension } from "./call-extension.js";
import { checkExtension, checkName, decodeExtension } from "./check-extension.js";
import {
  CODE,
  type ExtensionNotification,
  type ExtensionRequest,
  type NotificationOptions,
  type RequestOptions,
} from "./extension.js";

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

function withHandle<Extension>(given: Omit<Extension, "handle" | typeof CODE>): Extension {
  const extension = {
    ...given,
    [CODE]: { decode: decodeExtension, check: checkExtension, checkName, call: callExtension },
    handle: (handler: unknown) => ({ extension, handler }),
  };
  return extension as Extension;
}
