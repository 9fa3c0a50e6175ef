export {
  webSocketTransport,
  type WebSocketLike,
  type WebSocketOptions,
} from "./web-socket-transport.js";
