export {
  fromStream,
  memoryPair,
  type Channel,
  type ChannelReceiver,
  type MessageStream,
  type StreamOptions,
} from "./channel.js";
export type { CallOptions } from "./calls.js";
export type { DispatchOptions } from "./dispatch-message.js";
export { EncodeError } from "./encode.js";
export {
  AuthRequiredError,
  CapabilityError,
  ConnectionClosedError,
  ErrorCodes,
  NotInitializedError,
  ProtocolVersionError,
  RequestTimeoutError,
  RpcError,
} from "./errors.js";
export {
  defineNotification,
  defineRequest,
  handle,
  type Decoder,
  type ExtensionHandlers,
  type ExtensionMark,
  type ExtensionName,
  type ExtensionNotification,
  type ExtensionRequest,
  type HandledExtension,
} from "./extension.js";
export type { VariantHandlers } from "./handlers.js";
export type { ConnectionLimits } from "./limits.js";
export type {
  ErrorObject,
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
} from "./messages.js";
export { Gates } from "./gates.js";
export type {
  CapabilityGate,
  GatedPlace,
  GateStrength,
  MethodDescriptor,
  MethodGate,
  PlaceStep,
  SessionFact,
} from "./methods.js";
export type { ClosedPlace } from "./places.js";
export type { ProtocolFacts } from "./protocol.js";
export type { NamedCalls } from "./peer.js";
export type {
  AuthenticationOptions,
  ConnectionCounts,
  HandlerContext,
  Handshake,
  RoleConnection,
  RoleOptions,
} from "./role.js";
export type { Report } from "./serving.js";
export {
  connectVersions,
  serveVersions,
  type ServedConnection,
  type VersionedAgent,
  type VersionedClient,
} from "./versions.js";
export type {
  Decoded,
  DecodeOptions,
  Dropped,
  DropRule,
  ValidationError,
  Validator,
} from "./verdict.js";
