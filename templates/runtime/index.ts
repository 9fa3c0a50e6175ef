export {
  fromStream,
  memoryPair,
  type Channel,
  type ChannelReceiver,
  type MessageStream,
} from "./channel.js";
export type { CallContext, CallOptions, Report } from "./connection.js";
export { EncodeError } from "./encode.js";
export {
  CapabilityError,
  ConnectionClosedError,
  ErrorCodes,
  ProtocolVersionError,
  RpcError,
} from "./errors.js";
export type {
  ErrorObject,
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
} from "./messages.js";
export type { MethodDescriptor, MethodGate } from "./methods.js";
export type { ProtocolFacts } from "./protocol.js";
export type {
  ExtensiblePeer,
  ExtensionHandler,
  ExtensionHandlers,
  HandlerContext,
  RoleConnection,
  RoleOptions,
} from "./role.js";
export type {
  Decoded,
  DecodeOptions,
  Dropped,
  DropRule,
  ValidationError,
  Validator,
} from "./verdict.js";
