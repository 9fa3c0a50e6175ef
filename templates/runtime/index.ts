export {
  streamTransport,
  memoryTransports,
  type Transport,
  type TransportReceiver,
  type MessageStream,
  type StreamOptions,
} from "./rpc/transport.js";
export { portTransport, type MessagePortLike } from "./rpc/transports/port-transport.js";
export { createRecorder, tap, type TapDirection, type TapListener } from "./rpc/transports/tap.js";
export type { CallOptions } from "./rpc/outbound-requests.js";
export type { HandleOptions } from "./role/handle-message.js";
export { InvalidValueError } from "./validate/encode.js";
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
  type ExtensionMark,
  type ExtensionName,
  type ExtensionNotification,
  type ExtensionRequest,
  type HandledExtension,
} from "./role/extensions/extension.js";
export type { Intercept, InterceptedCall } from "./rpc/intercept.js";
export type { VariantHandlers } from "./role/options/handlers.js";
export type { ConnectionLimits } from "./rpc/limits.js";
export type {
  ErrorObject,
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
} from "./rpc/messages.js";
export type {
  CapabilityGate,
  GatedPlace,
  GateStrength,
  MethodDescriptor,
  MethodOf,
  MethodGate,
  PlaceStep,
  SessionFact,
} from "./methods.js";
export type { ProtocolFacts } from "./gates/protocol.js";
export type { NamedCalls } from "./role/peer.js";
export type {
  AuthenticationOptions,
  ConnectionStats,
  HandlerContext,
  Handshake,
  RoleConnection,
  RoleOptions,
} from "./role/role.js";
export type { Report } from "./rpc/inbound-requests.js";
export {
  connectVersions,
  serveVersions,
  type ServedConnection,
  type VersionedAgent,
  type VersionedClient,
} from "./role/versions.js";
export type { Decoded, DecodeOptions, Issue, Note, NoteRule } from "./validate/decode-result.js";
export type { Schema, SchemaProperties, UnknownSchema } from "./validate/schema.js";
export type {
  StandardIssue,
  StandardProperties,
  StandardResult,
  StandardSchema,
} from "./validate/standard-schema.js";
