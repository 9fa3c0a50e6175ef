import type { Transport } from "../../rpc/transports/transport.js";
import type { WebSocketOptions } from "../web-socket-transport.js";
import type { AdmissionOptions } from "./admit.js";

/** Who has opened a connection. */
export interface Caller {
  /** The request that opened it, whose body was read. */
  readonly request: Request;
  /** The name that `authenticate` has returned. */
  readonly principal: string | undefined;
  readonly connectionId: string;
}

/** A connection of an agent, as `agent.connect(transport)` returns it. */
export interface AgentConnection {
  readonly closed: Promise<unknown>;
  /** Its number of running requests is what `drain` waits for. */
  readonly stats?: { readonly running: number };
  close?(): void;
}

/** Options of a server of agents. */
export interface HttpServerOptions extends AdmissionOptions {
  /** Connects an agent, e.g. `(transport) => agent.connect(transport)`; called for each connection. */
  readonly serve: (
    transport: Transport,
    caller: Caller,
  ) => AgentConnection | Promise<AgentConnection>;
  /** The most connections at a time; 1,000 by default. */
  readonly maxConnections?: number;
  /** The longest accepted message, in bytes; 32 MiB by default. */
  readonly maxMessageBytes?: number;
  /**
   * An agent waits while more characters than this are unread by its client; 16 Mi by default. The
   * connection ends when its client then reads nothing for `idleMs`.
   */
  readonly maxBufferedLength?: number;
  /** The length of sent messages that are kept for clients that lose a stream; 1 Mi by default. */
  readonly replayLength?: number;
  /** A connection ends that has no open stream for this time; 60,000 ms by default. */
  readonly idleMs?: number;
  /** The time between two signs of life on an open stream; 15,000 ms by default. */
  readonly keepAliveMs?: number;
  /** Options of connections over WebSocket. */
  readonly webSocket?: WebSocketOptions;
  /** Creates the id of a connection, e.g. with the name of this machine; a random UUID by default. */
  readonly connectionId?: () => string;
  /**
   * Called for exceptions of `serve` and `authenticate`, which callers see as status 500 without a
   * text. By default, the first few are written to the console.
   */
  readonly onError?: (error: unknown) => void;
}
