import type { MessageStream, Transport } from "../rpc/transport.js";
import { RoleSession } from "./role-session.js";
import type { Role, RoleConnection } from "./role.js";

/** A client's connection before the handshake. */
export interface OpenedRole extends RoleConnection {
  readonly protocolVersion: number;
  /** Sends `initialize` and returns the connection. */
  initialize(): Promise<RoleConnection>;
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
    initialize: async () => {
      await session.initialize();
      return connection;
    },
  });
  return connection;
}

/**
 * Connects a client and completes the handshake; closes the connection when that fails.
 *
 * @throws the reason why `initialize` failed
 */
export async function connectClient<Peer>(
  role: Role<Peer>,
  transport: Transport | MessageStream,
): Promise<RoleConnection> {
  const opened = openClient(role, transport);
  try {
    return await opened.initialize();
  } catch (error) {
    opened.close();
    throw error;
  }
}
