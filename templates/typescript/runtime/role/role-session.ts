import { findInitialize, INITIALIZE } from "../find-method.js";
import { toTransport, type Transport, type MessageStream } from "../rpc/transports/transport.js";
import { Connection } from "../rpc/connection.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import { isInstance } from "../acp-error.js";
import { newestSupported, ProtocolVersionError, RpcError } from "../rpc/errors.js";
import { interceptCall, interceptReceiver } from "../rpc/intercept.js";
import { PeerContract } from "./peer-contract.js";
import { Dispatcher, type DispatcherConnection } from "./dispatcher.js";
import { disposalOfConnection } from "../rpc/transports/disposal.js";
import { isRecord } from "../rpc/messages.js";
import { PeerClient, type PeerConnection } from "./peer-client.js";
import type { SignalSource } from "./context.js";
import type { Role, RoleConnection } from "./role.js";
import { CancelledTurns } from "./cancelled-turns.js";
import type { Resumptions } from "./resumptions.js";
import { UpdateHandlers } from "./update-handlers.js";
import { endedByCancel } from "./prompt-cancellation.js";
import { DEFAULT_LIMITS } from "../rpc/limits.js";
import type { ConnectionSessions, HandledUpdates, NamedPeer } from "../session/link.js";
import { SessionTree } from "../session/session-tree.js";

/** The connection as its two sides, the dispatcher and the peer client, see it. */
type Line = Pick<DispatcherConnection, keyof DispatcherConnection & keyof PeerConnection> &
  PeerConnection & {
    sessions: ConnectionSessions | undefined;
    resumptions: Resumptions | undefined;
  };

/** One connection in one role: the handshake, the checks and the calls. */
export class RoleSession<Peer> {
  readonly connection: Connection;
  readonly peer: Peer;
  readonly #contract: PeerContract;
  readonly #transport: Transport | MessageStream;
  readonly #sessions: ConnectionSessions | undefined;

  /** @throws Error when the transport already has a connection */
  constructor(role: Role<Peer>, transport: Transport | MessageStream) {
    this.#transport = transport;
    this.#contract = new PeerContract(role as Role<unknown>);
    const isClient = role.role === "client";
    const tree = new SessionTree();
    const turns = isClient ? cancelledTurns(role, tree) : undefined;
    const updates = isClient ? new UpdateHandlers(cancelGraceOf(role)) : undefined;
    const cancelPrompt = (params: unknown, isClosing = false): void => {
      const { sessionId } = params as { readonly sessionId: string };
      const isReached = (id: string): boolean => tree.path(id, isClosing).includes(sessionId);
      // The agent withdraws its questions; those of listed background work continue.
      if (!isClient)
        this.connection.withdraw((name, given) => {
          const id = isRecord(given) ? given["sessionId"] : undefined;
          const isEnded = typeof id === "string" && isReached(id);
          if (!isEnded || (!isClosing && tree.background(id).length > 0)) return undefined;
          return this.#contract.find(name, "request", "client")?.cancelledResult;
        });
      this.connection.cancelRequests(endedByCancel(isReached, role.table.request));
    };
    const line: Line = {
      request: (...call) => this.connection.request(...call),
      notify: (...call) => this.connection.notify(...call),
      cancelPrompt,
      tree,
      turns,
      updates,
      sessions: undefined,
      resumptions: undefined,
    };
    const client = new PeerClient(this.#contract, line);
    this.peer = client.peer as Peer;
    const dispatcher = new Dispatcher(
      this.#contract,
      Object.assign(line, {
        peer: this.peer,
        inheriting: (source: SignalSource) => client.inheriting(source),
      }),
    );
    this.connection = new Connection(
      toTransport(transport),
      role.intercept === undefined ? dispatcher : interceptReceiver(dispatcher, role.intercept),
      role.report,
      // Version 2 forbids null ids (definition RequestId).
      {
        limits: role.limits,
        nullIds: role.protocolVersion === 1,
        answersNoise: role.role === "agent",
      },
    );
    this.#sessions = line.sessions = createSessions(
      role,
      this.peer,
      this.connection,
      tree,
      updates,
    );
    line.resumptions = this.#sessions?.resumptions as Resumptions | undefined;
    this.connection.start();
  }

  /** The public interface of the connection, with the other side under its name. */
  get handle(): RoleConnection {
    const { connection, peer } = this;
    const contract = this.#contract;
    const { settled } = connection;
    const close = (): void => connection.close();
    return {
      ...(contract.role.role === "agent" ? { client: peer } : { agent: peer }),
      get handshake() {
        return contract.handshake;
      },
      closed: settled,
      get stats() {
        const { pending, running, ignored, malformed } = connection;
        return { pending, running, ignored, malformed };
      },
      close,
      ...disposalOfConnection({ closed: settled, close }, this.#transport),
      ...this.#sessions?.members,
    };
  }

  /** @throws ProtocolVersionError when an agent refuses the version; other errors unchanged */
  #refused(error: unknown): never {
    const offered = isInstance(error, RpcError) ? newestSupported(error) : undefined;
    if (offered === undefined) throw error;
    this.connection.close();
    throw new ProtocolVersionError(this.#contract.role.protocolVersion, offered, error);
  }

  /**
   * Runs the client's side of the handshake.
   *
   * @returns the agent's response
   * @throws ProtocolVersionError when the agent answers with another version or refuses that of the
   *   client; the connection is then closed
   */
  initialize(options: CallOptions = {}): Promise<unknown> {
    const { protocolVersion, advertised } = this.#contract.role;
    const method = findInitialize(this.#contract.role.methods)!;
    const params = { protocolVersion, ...advertised };
    const accept = (result: unknown): unknown => {
      // Another version may have another structure, so the version is checked before the rest.
      const offered = isRecord(result) ? result["protocolVersion"] : undefined;
      if (Number.isInteger(offered) && offered !== protocolVersion) {
        this.connection.close();
        throw new ProtocolVersionError(protocolVersion, offered);
      }
      const decoded = this.#contract.decode(method, "result", result);
      this.#contract.agree(params, decoded);
      return decoded;
    };
    const send = (given: unknown): Promise<unknown> =>
      this.connection
        .request(INITIALIZE, given, options, { accept })
        .catch((error: unknown) => this.#refused(error));
    const { intercept } = this.#contract.role;
    if (intercept === undefined) return send(params);
    return interceptCall(intercept, { kind: "request", method: INITIALIZE, params }, send);
  }
}

/** Creates the sessions of a connection. */
export function createSessions<Peer>(
  role: Role<Peer>,
  peer: unknown,
  connection: Pick<Connection, "closed" | "endReason" | "handlers">,
  tree: SessionTree,
  updates?: HandledUpdates,
): ConnectionSessions | undefined {
  const other = role.role === "agent" ? "client" : "agent";
  return role.sessions?.({
    methods: role.methods.filter(({ side }) => side === other),
    names: role.sessionMethods,
    peer: peer as NamedPeer,
    checks: role.checks,
    report: role.report,
    cancelGraceMs: cancelGraceOf(role),
    tree,
    updates,
    closed: connection.closed,
    handlers: connection.handlers,
    get endReason() {
      return connection.endReason;
    },
  });
}

function cancelledTurns<Peer>(role: Role<Peer>, tree: SessionTree): CancelledTurns {
  return new CancelledTurns(role.protocolVersion, cancelGraceOf(role), tree);
}

function cancelGraceOf<Peer>({ limits }: Role<Peer>): number {
  return limits?.cancelGraceMs ?? DEFAULT_LIMITS.cancelGraceMs;
}
