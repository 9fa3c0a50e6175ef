import { NotInitializedError } from "../../rpc/errors.js";
import { isRecord } from "../../rpc/messages.js";
import type { CallOptions } from "../../rpc/outbound-requests.js";
import { callByName, notAnExtension } from "../../sentences.js";
import { notSent } from "../capability-errors.js";
import { receivedResultError } from "../peer-contract.js";
import { checkExtension, decodeExtension } from "./check-extension.js";
import type { AnyExtension, ExtensionCaller } from "./extension.js";

/** Sends a call of an extension; rejects when the other side did not advertise it. */
export function callExtension(
  extension: AnyExtension,
  caller: ExtensionCaller,
  params: unknown,
  options?: CallOptions,
): Promise<unknown> {
  const { handshake, role } = caller.contract;
  const { method, kind } = extension;
  if (handshake === undefined) return Promise.reject(new NotInitializedError(method));
  if (role.methods.some(({ name }) => name === method))
    return Promise.reject(new TypeError(notAnExtension(method, callByName)));
  const theirs = role.role === "agent" ? handshake.request : handshake.response;
  const side = role.role === "agent" ? "client" : "agent";
  const field = role.capabilities[side];
  const missing = missingMark(extension, isRecord(theirs) ? theirs[field] : undefined);
  if (missing !== undefined && options?.ignoreCapabilities !== true)
    return Promise.reject(notSent(method, `${field}.${missing}`, side));
  try {
    if (role.checkOutgoing !== false) checkExtension(extension, "params", params);
  } catch (error) {
    return Promise.reject(error);
  }
  if (kind === "notification") return caller.send(kind, method, params);
  return caller.send(kind, method, params, options, (result) => {
    const decoded = decodeExtension(extension, "result", result);
    if (decoded.ok) {
      caller.contract.note(decoded.notes, method);
      return decoded.value;
    }
    throw receivedResultError(method, decoded.issues);
  });
}

/**
 * Returns the path, within the capabilities, of the first mark of an extension that a side did
 * not advertise; undefined when it advertised all of them.
 */
function missingMark(extension: AnyExtension, capabilities: unknown): string | undefined {
  const meta: unknown = isRecord(capabilities) ? capabilities["_meta"] : undefined;
  const missing = Object.keys(extension.advertise ?? {}).find(
    (key) => !(isRecord(meta) && Object.hasOwn(meta, key)),
  );
  return missing === undefined ? undefined : `_meta[${JSON.stringify(missing)}]`;
}
