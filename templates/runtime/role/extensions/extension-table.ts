import { isRecord } from "../../rpc/messages.js";
import type { HandledExtension } from "./extension.js";

/** The extensions that a side handles, by kind and name. */
export interface ExtensionTable {
  readonly request: ReadonlyMap<string, HandledExtension<never>>;
  readonly notification: ReadonlyMap<string, HandledExtension<never>>;
}

/**
 * Resolves the option `extensions` of a role.
 *
 * @throws Error for an extension without a handler, for a name that does not start with `_`, and
 *   for a second handler of the same extension
 */
export function createExtensionTable(
  extensions: readonly HandledExtension<never>[] = [],
): ExtensionTable {
  if (!Array.isArray(extensions))
    throw new Error("extensions must be an array: extensions: [review.handle((params) => …)]");
  const table = {
    request: new Map<string, HandledExtension<never>>(),
    notification: new Map<string, HandledExtension<never>>(),
  };
  for (const [index, given] of extensions.entries()) {
    const at = `extensions[${index}]`;
    const { extension, handler } = (given ?? {}) as Partial<HandledExtension<never>>;
    if (!isRecord(extension) || typeof handler !== "function")
      throw new Error(
        `${at} has no handler: make it with handle, as in review.handle((params) => …)`,
      );
    const { kind, method } = extension;
    if (typeof method !== "string" || !/^_./.test(method))
      throw new Error(
        `${at}: the name ${JSON.stringify(method)} must start with _ and the vendor's domain, e.g. "_acme.dev/review"`,
      );
    if (table[kind].has(method)) throw new Error(`${at}: ${method} already has a handler`);
    table[kind].set(method, given);
  }
  return table;
}
