export { connect, type RemoteOptions, type RemoteTransport } from "./connect.js";
export { HttpError } from "./client/http-error.js";
export type { HeaderSource, HttpRequestOptions } from "./client/http-requests.js";
export { httpTransport, type HttpOptions } from "./client/http-transport.js";
export type { AdmissionOptions } from "./server/admit.js";
export {
  createHttpHandler,
  type AcceptedUpgrade,
  type HttpHandler,
} from "./server/http-handler.js";
export type { AgentConnection, Caller, HttpServerOptions } from "./server/options.js";
export {
  webSocketTransport,
  type WebSocketLike,
  type WebSocketOptions,
} from "./web-socket-transport.js";
