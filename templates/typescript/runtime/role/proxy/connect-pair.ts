import { INITIALIZE } from "../../find-method.js";
import { Connection } from "../../rpc/connection.js";
import { disposalOfConnection, type Disposal } from "../../rpc/transports/disposal.js";
import { ErrorCodes, RpcError } from "../../rpc/errors.js";
import type { Receiver } from "../../rpc/inbound-requests.js";
import { toTransport, type MessageStream, type Transport } from "../../rpc/transports/transport.js";
import * as sentences from "../../sentences.js";
import type { ProxyDefinition } from "./proxy-role.js";
import { ProxyRelay, type Direction } from "./relay.js";

/** The connection of a proxy. */
export interface ProxyConnection extends Disposal {
  /** Resolves when the connection has ended on all sides, for whatever reason. */
  readonly closed: Promise<unknown>;
  /** Ends the connection on all sides. */
  close(): void;
}

/**
 * Connects a proxy to a client and an agent. When one of them closes, the connection of the other
 * one is closed as well, for the same reason, which is reported. A cancellation is passed on with the id of the next hop.
 *
 * @param client the transport to the client
 * @param agent the transport to the agent
 * @throws Error when a transport already has a connection
 */
export function connectPair(
  definition: ProxyDefinition,
  client: Transport | MessageStream,
  agent: Transport | MessageStream,
): ProxyConnection {
  const { limits, protocolVersion, report } = definition.role;
  const options = { limits, nullIds: protocolVersion === 1 };
  const receive = (direction: Direction): Receiver => ({
    request: (message, cancellation) => {
      const { id, method, params } = message;
      const { signal } = cancellation;
      if (direction === "toAgent" && method === INITIALIZE) return relay.initialize(params, signal);
      if (!relay.isReady) throw new RpcError(ErrorCodes.InvalidRequest, sentences.initializeFirst);
      const { respond } = sides[direction];
      return relay.request({ direction, method, params, id, signal, respond });
    },
    notification: ({ method, params }, signal) =>
      relay.notification({ direction, method, params }, signal),
  });
  const near = new Connection(toTransport(client), receive("toAgent"), report, options);
  const far = new Connection(toTransport(agent), receive("toClient"), report, {
    ...options,
    answersNoise: false,
  });
  const relay: ProxyRelay = new ProxyRelay(definition, { toAgent: far, toClient: near });
  const sides = {
    toAgent: { respond: near.respond.bind(near) },
    toClient: { respond: far.respond.bind(far) },
  };
  far.start();
  try {
    near.start();
  } catch (error) {
    far.close();
    throw error;
  }
  const follow = (ended: Connection, other: Connection): void =>
    void ended.closed.then(() => {
      if (ended.endReason !== undefined && other.isOpen) report(ended.endReason, {});
      other.close(ended.endReason);
    });
  follow(near, far);
  follow(far, near);
  const connection = {
    closed: Promise.all([near.settled, far.settled]).then(([reason]) => reason),
    close: () => near.close(),
  };
  return { ...connection, ...disposalOfConnection(connection, client, agent) };
}
