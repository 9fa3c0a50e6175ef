import { toTransport, type Transport, type MessageStream } from "../rpc/transports/transport.js";
import { Connection } from "../rpc/connection.js";
import { interceptReceiver } from "../rpc/intercept.js";
import { PeerContract } from "./peer-contract.js";
import { Dispatcher, type DispatcherConnection } from "./dispatcher.js";
import { disposalOfConnection } from "../rpc/transports/disposal.js";
import { isRecord } from "../rpc/messages.js";
import { PeerClient, type PeerConnection, type RequestSender } from "./peer-client.js";
import type { SignalSource } from "./context.js";
import type { Role, RoleConnection } from "./role.js";
import type { CancelledTurns } from "./cancelled-turns.js";
import type { UpdateHandlers } from "./update-handlers.js";
import { endedByCancel } from "./prompt-cancellation.js";
import { DEFAULT_LIMITS } from "../rpc/limits.js";
import type {
  ConnectionSessions,
  HandledUpdates,
  NamedPeer,
  ResumedSessions,
} from "../session/link.js";
import { SessionTree } from "../session/session-tree.js";

/** The connection as its two sides, the dispatcher and the peer client, see it. */
type Line = Pick<DispatcherConnection, keyof DispatcherConnection & keyof PeerConnection> &
  ClientLine & {
    sessions: ConnectionSessions | undefined;
    resumptions: ResumedSessions | undefined;
  };

/** A connection as the parts of a client see it. */
export interface ClientLine extends PeerConnection {
  /** Returns what resolves when the connection has ended. */
  readonly whenClosed: () => Promise<void>;
}

/** The parts of a connection that only clients have, so that bundles of agents leave them out. */
export interface ClientParts {
  readonly turns: CancelledTurns;
  readonly updates: UpdateHandlers;
  readonly requests: RequestSender;
}

/** One connection in one role: the checks and the calls. */
export class RoleSession<Peer> {
  readonly connection: Connection;
  readonly peer: Peer;
  readonly contract: PeerContract;
  readonly #transport: Transport | MessageStream;
  readonly #sessions: ConnectionSessions | undefined;

  /**
   * @param createParts creates the parts of a client
   * @throws Error when the transport already has a connection
   */
  constructor(
    role: Role<Peer>,
    transport: Transport | MessageStream,
    createParts?: (role: Role<unknown>, line: ClientLine) => ClientParts,
  ) {
    this.#transport = transport;
    this.contract = new PeerContract(role as Role<unknown>);
    const isClient = role.role === "client";
    const tree = new SessionTree();
    const cancelPrompt = (params: unknown, isClosing = false): void => {
      const { sessionId } = params as { readonly sessionId: string };
      const isReached = (id: string): boolean => tree.path(id, isClosing).includes(sessionId);
      // The agent withdraws its questions; those of listed background work continue.
      if (!isClient)
        this.connection.withdraw((name, given) => {
          const id = isRecord(given) ? given["sessionId"] : undefined;
          const isEnded = typeof id === "string" && isReached(id);
          if (!isEnded || (!isClosing && tree.background(id).length > 0)) return undefined;
          return this.contract.find(name, "request", "client")?.cancelledResult;
        });
      this.connection.cancelRequests(endedByCancel(isReached, role.table.request));
    };
    const line: Line = {
      request: (...call) => this.connection.request(...call),
      notify: (...call) => this.connection.notify(...call),
      cancelPrompt,
      whenClosed: () => this.connection.closed,
      tree,
      sessions: undefined,
      resumptions: undefined,
    };
    const parts = createParts?.(role as Role<unknown>, line);
    Object.assign(line, parts);
    const client = new PeerClient(this.contract, line);
    this.peer = client.peer as Peer;
    const dispatcher = new Dispatcher(
      this.contract,
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
      parts?.updates,
    );
    line.resumptions = this.#sessions?.resumptions;
    this.connection.start();
  }

  /** The public interface of the connection, with the other side under its name. */
  get handle(): RoleConnection {
    const { connection, peer } = this;
    const contract = this.contract;
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
    store: role.sessionStore,
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

/** Returns the time that cancelled work has to end, in milliseconds. */
export function cancelGraceOf<Peer>({ limits }: Role<Peer>): number {
  return limits?.cancelGraceMs ?? DEFAULT_LIMITS.cancelGraceMs;
}
