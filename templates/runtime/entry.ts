/*
 * What the entry of every profile exports of the runtime, so that one import is enough.
 */
export {
  streamTransport,
  memoryTransports,
  type Transport,
  type TransportReceiver,
  type MessageStream,
  type StreamOptions,
} from "./rpc/transport.js";
export type { CallOptions } from "./rpc/outbound-requests.js";
export { AcpError } from "./rpc/acp-error.js";
export {
  AuthRequiredError,
  CapabilityError,
  ConnectionClosedError,
  ErrorCodes,
  NotInitializedError,
  ProtocolVersionError,
  RequestTimeoutError,
  RpcError,
} from "./rpc/errors.js";
export {
  defineNotification,
  defineRequest,
  handle,
  type Decoder,
  type ExtensionHandlers,
  type ExtensionNotification,
  type ExtensionRequest,
} from "./role/extension.js";
export type { VariantHandlers } from "./role/handlers.js";
export type { AuthenticationOptions, Handshake } from "./role/role.js";
export type { ConnectionLimits } from "./rpc/limits.js";
export {
  connectVersions,
  serveVersions,
  type ServedConnection,
  type VersionedAgent,
  type VersionedClient,
} from "./role/versions.js";
export { InvalidValueError } from "./validate/encode.js";
export type { Decoded, DecodeOptions, Issue, Note, NoteRule } from "./validate/decode-result.js";
export type { Schema, UnknownSchema } from "./validate/schema.js";
