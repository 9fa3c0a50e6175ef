import { INITIALIZE } from "../find-method.js";
import { disposalOf } from "../rpc/transports/disposal.js";
import {
  startTransport,
  toTransport,
  type Transport,
  type TransportReceiver,
  type MessageStream,
} from "../rpc/transports/transport.js";
import { Connection } from "../rpc/connection.js";
import { AcpError } from "../acp-error.js";
import { ErrorCodes, ProtocolVersionError, RpcError } from "../rpc/errors.js";
import { isRecord, type RequestMessage } from "../rpc/messages.js";
import * as sentences from "../sentences.js";
import { requireArgument } from "../rpc/require-argument.js";
import type { Receiver } from "../rpc/inbound-requests.js";
import type { ConnectOptions } from "./open-client.js";

/** An agent of one version of the protocol, as the generated `createAgent` returns it. */
export interface VersionedAgent {
  readonly protocolVersion: number;
  connect(transport: Transport): { readonly closed: Promise<unknown>; close(): void };
}

/** A client of one version of the protocol, as the generated `createClient` returns it. */
export interface VersionedClient {
  readonly protocolVersion: number;
  connect(transport: Transport, options?: ConnectOptions): Promise<unknown>;
}

/** A connection that is served in the version its client requests. */
export interface ServedConnection {
  /** Resolves when the connection and its handlers have ended, as that of the chosen agent. */
  readonly closed: Promise<unknown>;
  close(): void;
}

/**
 * Serves one client with agents of several versions: the agent with the highest version that does
 * not exceed the requested one answers (version 2, `initialize`). When there is none,
 * `initialize` fails with -32022 and the supported versions; an agent of version 1, when it is
 * the only one, answers every request with its own version, as version 1 requires.
 *
 * Requests before `initialize` are refused, and notifications are ignored and reported by the agent
 * that is chosen. A repeated `initialize` goes to the agent that was chosen first.
 */
export function serveVersions(
  agents: readonly VersionedAgent[],
  given: Transport | MessageStream,
): ServedConnection {
  requireVersions(
    "serveVersions",
    agents,
    "serveVersions([agentOfVersion1, agentOfVersion2], stdio())",
  );
  const transport = toTransport(given);
  const newestFirst = [...agents].sort((a, b) => b.protocolVersion - a.protocolVersion);
  const early: string[] = [];
  let resolveClosed = (_: unknown): void => {};
  const closed = new Promise<unknown>((resolve) => (resolveClosed = resolve));
  let close = (): void => {};
  const serve = (relay: Relay, message: RequestMessage): Promise<never> => {
    const connection = chooseFor(message, newestFirst).connect(
      relay.lease(() => transport.close()),
    );
    close = () => connection.close();
    void connection.closed.then(resolveClosed);
    // The agent reports them, as on any connection.
    for (const method of early) relay.receiver.message({ jsonrpc: "2.0", method });
    relay.receiver.message(message);
    return new Promise(() => {});
  };
  startRelay(transport, (relay) => {
    const receiver: Receiver = {
      request: (message) => serve(relay, message),
      notification: ({ method }) => void (early.length < MOST_EARLY && early.push(method)),
    };
    const first = new Connection(
      relay.lease(() => transport.close()),
      receiver,
      () => {},
    );
    first.start();
    close = () => first.close();
    void first.settled.then(resolveClosed);
  });
  return { closed, close: () => close() };
}

/**
 * Checks the agents or clients of several versions.
 *
 * @throws AcpError when there is none, when one is not an agent or a client, and when two have the
 *   same version
 */
function requireVersions(
  name: string,
  roles: readonly (VersionedAgent | VersionedClient)[],
  example: string,
): void {
  requireArgument(name, roles, "an array", example);
  if (roles.length === 0) throw new AcpError(`${name} needs at least one: ${example}`);
  const versions = new Set<number>();
  for (const role of roles) {
    if (typeof (role as Partial<VersionedAgent> | null)?.connect !== "function")
      throw new AcpError(`${name} needs what createAgent or createClient returns: ${example}`);
    const { protocolVersion } = role;
    if (versions.has(protocolVersion))
      throw new AcpError(
        `${name} was given version ${protocolVersion} twice: pass one for each version`,
      );
    versions.add(protocolVersion);
  }
}

/** The number of notifications before `initialize` that are reported. */
const MOST_EARLY = 100;

/**
 * Returns the agent that answers the first request.
 *
 * @throws RpcError when there is none, or when the request is not `initialize`
 */
function chooseFor(
  { method, params }: RequestMessage,
  newestFirst: readonly VersionedAgent[],
): VersionedAgent {
  if (method !== INITIALIZE)
    throw new RpcError(ErrorCodes.InvalidRequest, sentences.initializeFirst);
  const requested = isRecord(params) ? params["protocolVersion"] : undefined;
  const agent = choose(newestFirst, requested);
  if (agent !== undefined) return agent;
  const supported = newestFirst.map(({ protocolVersion }) => protocolVersion);
  const code = ErrorCodes.UnsupportedProtocolVersion;
  throw new RpcError(code, sentences.unsupportedVersion, { requested, supported });
}

/**
 * Returns the agent for a requested version; a malformed version goes to the newest agent, which
 * rejects it.
 */
function choose(
  newestFirst: readonly VersionedAgent[],
  requested: unknown,
): VersionedAgent | undefined {
  if (!Number.isInteger(requested)) return newestFirst[0];
  const served = newestFirst.find(
    ({ protocolVersion }) => protocolVersion <= (requested as number),
  );
  return served ?? (newestFirst[0]?.protocolVersion === 1 ? newestFirst[0] : undefined);
}

/**
 * Connects to an agent in the newest version that both sides support, and completes the
 * handshake.
 *
 * The newest client initializes first. When the agent answers with an older version or refuses,
 * the client of the next older version initializes, with its own form of the message.
 *
 * @param clients clients of different versions
 * @param options limits of each handshake
 * @returns the connection of the client that succeeded; its `protocolVersion` is the agreed
 *   version
 * @throws ProtocolVersionError when there is no common version; the connection is then closed
 */
export async function connectVersions<Client extends VersionedClient>(
  clients: readonly Client[],
  given: Transport | MessageStream,
  options?: ConnectOptions,
): Promise<Awaited<ReturnType<Client["connect"]>>> {
  requireVersions(
    "connectVersions",
    clients,
    "connectVersions([clientOfVersion1, clientOfVersion2], transport)",
  );
  const transport = toTransport(given);
  try {
    return await connectNewest(clients, transport, options);
  } catch (error) {
    transport.close();
    throw error;
  }
}

async function connectNewest<Client extends VersionedClient>(
  clients: readonly Client[],
  transport: Transport,
  options?: ConnectOptions,
): Promise<Awaited<ReturnType<Client["connect"]>>> {
  const relay = startRelay(transport);
  const newestFirst = [...clients].sort((a, b) => b.protocolVersion - a.protocolVersion);
  let reason: unknown;
  let newest = Infinity;
  for (const client of newestFirst) {
    if (client.protocolVersion > newest) continue;
    let isChosen = false;
    try {
      const own = relay.lease(() => isChosen && transport.close());
      const connection = await client.connect(own, options);
      isChosen = true;
      return connection as Awaited<ReturnType<Client["connect"]>>;
    } catch (error) {
      reason = error;
      if (!(error instanceof ProtocolVersionError) && !(error instanceof RpcError)) break;
      const { offered } = error as Partial<ProtocolVersionError>;
      newest = typeof offered === "number" ? offered : client.protocolVersion - 1;
    }
  }
  throw reason;
}

interface Relay {
  /** The current receiver of incoming messages. */
  readonly receiver: TransportReceiver;
  /** Returns a transport that becomes the receiver when it is started. */
  lease(close: () => void): Transport;
}

/**
 * Starts a transport whose receiver can be replaced.
 *
 * @param begin called before messages are received
 */
function startRelay(transport: Transport, begin?: (relay: Relay) => void): Relay {
  let receiver: TransportReceiver = { message: () => {}, invalid: () => {}, close: () => {} };
  const relay: Relay = {
    get receiver() {
      return receiver;
    },
    lease: (close) => ({
      start: (next) => void (receiver = next),
      send: (message) => transport.send(message),
      unsent: () => transport.unsent?.() ?? 0,
      close,
      ...disposalOf(transport),
    }),
  };
  begin?.(relay);
  startTransport(transport, {
    message: (value) => receiver.message(value),
    invalid: (...input) => receiver.invalid(...input),
    close: (...end) => receiver.close(...end),
  });
  return relay;
}
