/*
 * The part of the runtime that the entry of every profile exports, so that one import is enough.
 */
export {
  streamTransport,
  memoryTransports,
  type Transport,
  type TransportReceiver,
  type MessageStream,
} from "./rpc/transports/transport.js";
export { portTransport, type MessagePortLike } from "./rpc/transports/port-transport.js";
export { createRecorder, tap, type TapDirection, type TapListener } from "./rpc/transports/tap.js";
export type { CallOptions, NotifyOptions } from "./rpc/outbound-requests.js";
export { AcpError } from "./acp-error.js";
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
export { defineNotification, defineRequest } from "./role/extensions/define-extension.js";
export type {
  ExtensionMark,
  ExtensionName,
  ForeignName,
  ExtensionNotification,
  ExtensionRequest,
  HandledExtension,
} from "./role/extensions/extension.js";
export { keyValueSessions, type KeyValueStore } from "./agent/key-value-sessions.js";
export { memorySessions } from "./agent/memory-sessions.js";
export {
  StaleSessionError,
  type LoadedSession,
  type SessionBackend,
  type SessionEntry,
  type SessionKey,
  type SessionPage,
  type SessionQuery,
  type StoredSession,
} from "./agent/session-backend.js";
export type { ContinuedSession, ContinueOptions } from "./client/continue-session.js";
export type { SessionFacts, SessionStoreOptions } from "./agent/session-store.js";
export type { Intercept, InterceptedCall } from "./rpc/intercept.js";
export type { RequestContext } from "./role/request-context.js";
export type { BusyOptions, WhileBusy } from "./role/while-busy.js";
export type { ConnectOptions } from "./role/open-client.js";
export type { VariantHandlers } from "./role/options/handlers.js";
export type {
  AuthenticationOptions,
  ConnectionStats,
  Handshake,
  UnknownValues,
} from "./role/role.js";
export type { ConnectionLimits } from "./rpc/limits.js";
export {
  connectVersions,
  serveVersions,
  type ServedConnection,
  type VersionedAgent,
  type VersionedClient,
} from "./role/versions.js";
export { InvalidValueError } from "./validate/encode.js";
export { asReceived } from "./validate/received.js";
export type { Decoded, DecodeOptions, Issue, Note, NoteRule } from "./validate/decode-result.js";
export type { Schema, UnknownSchema } from "./validate/schema.js";
