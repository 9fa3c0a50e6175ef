import { isRecord } from "../../rpc/messages.js";
import type { MethodDescriptor } from "../../methods.js";
import { CODE, type HandledExtension } from "./extension.js";
import { AcpError } from "../../acp-error.js";

/** The extensions that a side handles, by kind and name. */
export interface ExtensionTable {
  readonly request: ReadonlyMap<string, HandledExtension<never>>;
  readonly notification: ReadonlyMap<string, HandledExtension<never>>;
}

/**
 * Resolves the option `extensions` of a role.
 *
 * @param methods the methods of the protocol, whose names extensions cannot have
 * @throws AcpError for an extension without a handler, for a name that it cannot have, and for a
 *   second handler of the same extension
 */
export function createExtensionTable(
  extensions: readonly HandledExtension<never>[],
  methods: readonly MethodDescriptor[],
): ExtensionTable {
  if (!Array.isArray(extensions))
    throw new AcpError("extensions must be an array: extensions: [review.handle((params) => …)]");
  const table = {
    request: new Map<string, HandledExtension<never>>(),
    notification: new Map<string, HandledExtension<never>>(),
  };
  for (const [index, given] of extensions.entries()) {
    const at = `extensions[${index}]`;
    const { extension, handler } = (given ?? {}) as Partial<HandledExtension<never>>;
    if (!isRecord(extension) || !(CODE in extension) || typeof handler !== "function")
      throw new AcpError(
        `${at} has no handler: make it with handle, as in review.handle((params) => …)`,
      );
    const { kind, method } = extension;
    extension[CODE].checkName(extension, at, methods);
    if (table[kind].has(method)) throw new AcpError(`${at}: ${method} already has a handler`);
    table[kind].set(method, given);
  }
  return table;
}
