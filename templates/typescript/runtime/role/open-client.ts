import { onAbort } from "../rpc/on-abort.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import type { MessageStream, Transport } from "../rpc/transports/transport.js";
import { RoleSession } from "./role-session.js";
import type { Role, RoleConnection } from "./role.js";

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
  const session = new RoleSession(role, transport);
  const connection: OpenedRole = Object.assign(session.handle, {
    protocolVersion: role.protocolVersion,
    initialize: async (options?: CallOptions) => {
      await session.initialize(options);
      return connection;
    },
  });
  return connection;
}

/**
 * Connects a client and completes the handshake; closes the connection when that fails.
 *
 * @throws the reason why `initialize` failed; the signal's reason when it was aborted
 */
export async function connectClient<Peer>(
  role: Role<Peer>,
  transport: Transport | MessageStream,
  { signal, timeoutMs }: ConnectOptions = {},
): Promise<RoleConnection> {
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
