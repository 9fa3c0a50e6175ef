import { isInstance } from "../acp-error.js";
import { findInitialize, INITIALIZE } from "../find-method.js";
import { newestSupported, ProtocolVersionError, RpcError } from "../rpc/errors.js";
import { interceptCall } from "../rpc/intercept.js";
import { isRecord } from "../rpc/messages.js";
import { checkSettings } from "../rpc/require-argument.js";
import * as sentences from "../sentences.js";
import { onAbort } from "../rpc/on-abort.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import type { MessageStream, Transport } from "../rpc/transports/transport.js";
import { CancelledTurns } from "./cancelled-turns.js";
import { ClientRequests } from "./client-requests.js";
import { cancelGraceOf, RoleSession, type ClientLine, type ClientParts } from "./role-session.js";
import type { Role, RoleConnection } from "./role.js";
import { UpdateHandlers } from "./update-handlers.js";

/** How long a handshake may take. */
export interface ConnectOptions {
  /** Gives the handshake up when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** The time to wait for the answer to `initialize`, in milliseconds; unlimited by default. */
  readonly timeoutMs?: number | undefined;
}

/** A client's connection before the handshake. */
export interface OpenedRole extends RoleConnection {
  readonly protocolVersion: number;
  /** Sends `initialize` and returns the connection. */
  initialize(options?: CallOptions): Promise<RoleConnection>;
}

/**
 * Opens the connection of a client without the handshake.
 *
 * @throws Error when the transport already has a connection
 */
export function openClient<Peer>(
  role: Role<Peer>,
  transport: Transport | MessageStream,
): OpenedRole {
  const session = new RoleSession(role, transport, createParts);
  const connection: OpenedRole = Object.assign(session.handle, {
    protocolVersion: role.protocolVersion,
    initialize: async (options?: CallOptions) => {
      await initialize(session, options);
      return connection;
    },
  });
  return connection;
}

function createParts(role: Role<unknown>, line: ClientLine): ClientParts {
  const graceMs = cancelGraceOf(role);
  const updates = new UpdateHandlers(graceMs);
  return {
    turns: new CancelledTurns(role.protocolVersion, graceMs, line.tree),
    updates,
    requests: new ClientRequests(role, line, updates),
  };
}

/**
 * Runs the client's side of the handshake.
 *
 * @returns the agent's response
 * @throws ProtocolVersionError when the agent answers with another version or refuses that of the
 *   client; the connection is then closed
 */
export function initialize<Peer>(
  { contract, connection }: RoleSession<Peer>,
  options: CallOptions = {},
): Promise<unknown> {
  const { protocolVersion, advertised, intercept, methods } = contract.role;
  const method = findInitialize(methods)!;
  const params = { protocolVersion, ...advertised };
  const accept = (result: unknown): unknown => {
    // Another version may have another structure, so the version is checked before the rest.
    const offered = isRecord(result) ? result["protocolVersion"] : undefined;
    if (Number.isInteger(offered) && offered !== protocolVersion) {
      connection.close();
      throw new ProtocolVersionError(protocolVersion, offered);
    }
    const decoded = contract.decode(method, "result", result);
    contract.agree(params, decoded);
    return decoded;
  };
  const refused = (error: unknown): never => {
    const offered = isInstance(error, RpcError) ? newestSupported(error) : undefined;
    if (offered === undefined) throw error;
    connection.close();
    throw new ProtocolVersionError(protocolVersion, offered, error);
  };
  const send = (given: unknown): Promise<unknown> =>
    connection.request(INITIALIZE, given, options, { accept }).catch(refused);
  if (intercept === undefined) return send(params);
  return interceptCall(intercept, { kind: "request", method: INITIALIZE, params }, send);
}

/**
 * Connects a client and completes the handshake; closes the connection when that fails.
 *
 * @throws the reason why `initialize` failed; the signal's reason when it was aborted
 */
export async function connectClient<Peer>(
  role: Role<Peer>,
  transport: Transport | MessageStream,
  options: ConnectOptions = {},
): Promise<RoleConnection> {
  checkSettings("", options, { signal: undefined, timeoutMs: sentences.timeSetting });
  const { signal, timeoutMs } = options;
  const opened = openClient(role, transport);
  const forget = signal && onAbort(signal, () => opened.close());
  try {
    signal?.throwIfAborted();
    return await opened.initialize({ timeoutMs });
  } catch (error) {
    opened.close();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    forget?.();
  }
}
