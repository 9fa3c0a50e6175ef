import { Connection } from "../../rpc/connection.js";
import { disposalOfConnection } from "../../rpc/transports/disposal.js";
import { ErrorCodes, RpcError } from "../../rpc/errors.js";
import { isRecord } from "../../rpc/messages.js";
import { toTransport, type MessageStream, type Transport } from "../../rpc/transports/transport.js";
import type { ProxyConnection } from "./connect-pair.js";
import type { ProxyDefinition } from "./proxy-role.js";
import { ProxyRelay, type RelayedMessage } from "./relay.js";

/**
 * Connects a proxy to the conductor that routes its messages (feature `proxy_chains`). Messages
 * to the agent are wrapped in `proxy/successor`; messages that arrive in `proxy/successor` are
 * for the client. A cancellation is passed on one hop at a time.
 *
 * @throws Error when the transport already has a connection
 */
export function connectConductor(
  definition: ProxyDefinition,
  transport: Transport | MessageStream,
): ProxyConnection {
  const { limits, protocolVersion, report } = definition.role;
  const names = definition.conductor;
  const connection: Connection = new Connection(
    toTransport(transport),
    {
      request: (message, { signal }) => {
        if (message.method === names.initialize) return relay.initialize(message.params, signal);
        if (!relay.isReady)
          throw new RpcError(ErrorCodes.InvalidRequest, `${names.initialize} comes first`);
        const respond = connection.respond.bind(connection);
        return relay.request({
          ...unwrap(message, names.request),
          id: message.id,
          signal,
          respond,
        });
      },
      notification: (message, signal) =>
        relay.notification(unwrap(message, names.notification), signal),
    },
    report,
    { limits, nullIds: protocolVersion === 1 },
  );
  const relay: ProxyRelay = new ProxyRelay(definition, {
    toClient: connection,
    toAgent: {
      request: (method, params, ...rest) =>
        connection.request(names.request, { method, params }, ...rest),
      notify: (method, params) => connection.notify(names.notification, { method, params }),
    },
  });
  connection.start();
  const own = { closed: connection.settled, close: () => connection.close() };
  return { ...own, ...disposalOfConnection(own, transport) };
}

/** Returns the direction and the inner message of a possibly wrapped message. */
function unwrap(
  { method, params }: { readonly method: string; readonly params?: unknown },
  wrapper: string,
): RelayedMessage {
  if (method !== wrapper) return { direction: "toAgent", method, params };
  if (!isRecord(params) || typeof params["method"] !== "string")
    throw RpcError.invalidParams(undefined, { pointer: "/method", rule: "type" });
  return { direction: "toClient", method: params["method"], params: params["params"] };
}
