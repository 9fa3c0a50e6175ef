import { withMarks, type ExtensionHandlers } from "./extension.js";
import { checkOptions } from "./check-options.js";
import { checkHandlers, createHandlerTable, type HandlerTable } from "./handlers.js";
import type { ConnectionLimits } from "../rpc/limits.js";
import type { RequestId } from "../rpc/messages.js";
import type { Checks, MethodDescriptor } from "../methods.js";
import type { DeclaredFields } from "../validate/outgoing-check.js";
import type { Report } from "../rpc/inbound-requests.js";
import type { Dropped } from "../validate/decode-result.js";
import type { AuthRequiredError } from "../rpc/errors.js";

/** What a handler is given besides its params. */
export interface HandlerContext<Peer, Handshake = unknown> {
  /** The other side, to call it back. */
  readonly peer: Peer;
  /** The method's name on the wire. */
  readonly method: string;
  /** Aborted when the peer cancels the request, its turn ends by `session/cancel`, or the connection closes. */
  readonly signal: AbortSignal;
  /** What both sides have said of themselves. */
  readonly handshake: Handshake;
  /** The session that the params name; absent when they name none. */
  readonly sessionId?: string;
  /** The request's id; absent for notifications. */
  readonly requestId?: RequestId;
}

/** The messages of the handshake, as they were decoded or sent. */
export interface Handshake<Request, Response> {
  readonly request: Request;
  readonly response: Response;
}

/** A live connection to the other side. */
export interface RoleConnection<Peer, Handshake = unknown> {
  readonly peer: Peer;
  /** What both sides have said of themselves; absent before the handshake is complete. */
  readonly handshake: Handshake | undefined;
  /** Resolves when the connection has ended, however it ended. */
  readonly closed: Promise<void>;
  /** How many requests of either side are unanswered, and how many responses nobody waited for. */
  readonly counts: ConnectionCounts;
  /** Ends the connection: pending calls are rejected, running handlers aborted. */
  close(): void;
}

export interface ConnectionCounts {
  readonly pending: number;
  readonly running: number;
  readonly ignored: number;
}

/** What both roles take. */
export interface RoleOptions<Context> {
  /** Methods outside the protocol. */
  readonly extensions?: ExtensionHandlers<Context>;
  /**
   * Told what cannot be answered: a failed notification handler, an unexpected response, the
   * error that the peer sees as "internal error". The first are written to the console when absent.
   */
  readonly onError?: Report;
  /**
   * Whether params and results are checked before they are sent; true when absent.
   * A program that is tested can save the time.
   */
  readonly checkOutgoing?: boolean;
  /** Told what was repaired in an incoming message, or kept without being known. */
  readonly onDropped?: (dropped: readonly Dropped[], context: { readonly method: string }) => void;
  readonly limits?: ConnectionLimits;
}

/** What a client can do when the agent wants the user to be known. */
export interface AuthenticationOptions<Peer> {
  /**
   * Called when a request fails because authentication is required; calls that fail in the
   * meantime wait for it. When it resolves with true, the request is sent once more.
   */
  readonly onAuthRequired?: (
    error: AuthRequiredError,
    context: { readonly method: string; readonly peer: Peer },
  ) => boolean | Promise<boolean>;
}

/** The generated facts of a role, and what its author gave. */
export interface RoleDefinition<Peer, Context = never>
  extends RoleOptions<Context>, AuthenticationOptions<Peer> {
  readonly role: "agent" | "client";
  /** The options that must be given, by name. */
  readonly required?: readonly string[];
  readonly protocolVersion: number;
  readonly methods: readonly MethodDescriptor[];
  readonly checks: Checks;
  /** The table of the outgoing check's fast path; without it, every message takes the slow path. */
  readonly declaredFields?: DeclaredFields;
  /** What this side says of itself in its initialize message. */
  readonly advertised: object;
  /** The property of each side's initialize message that holds its capabilities. */
  readonly capabilities: { readonly agent: string; readonly client: string };
  /** Nested by `MethodDescriptor.handler`. */
  readonly handlers: object;
  /** Adapts what an agent advertises to what the client has said. */
  readonly adapt?: (advertised: object, request: unknown) => object;
  /** Adapts params to what the peer has advertised before they are sent, by method. */
  readonly prepare?: {
    readonly [method: string]: (params: unknown, advertised: unknown) => unknown;
  };
}

/** A definition that was checked, with its handlers looked up. */
export interface Role<Peer> extends RoleDefinition<Peer> {
  readonly table: HandlerTable;
  readonly report: Report;
}

/**
 * Makes sure that a role is complete; a mistake shows when it is made, not when it is called.
 *
 * @throws Error as `checkOptions` and `checkHandlers` say
 */
export function defineRole<Peer, Context = never>(
  definition: RoleDefinition<Peer, Context>,
): Role<Peer> {
  const { role, methods, handlers, extensions, capabilities, onError } =
    definition as unknown as RoleDefinition<Peer>;
  const advertised = withMarks(definition.advertised, capabilities[role], extensions);
  const complete = { ...(definition as unknown as RoleDefinition<Peer>), advertised };
  checkOptions(complete);
  checkHandlers(complete);
  return {
    ...complete,
    table: createHandlerTable(
      methods.filter(({ side }) => side === role),
      handlers,
    ),
    report: onError ?? createConsoleReport(),
  };
}

/** How many errors are written to the console when nobody else is told of them. */
const CONSOLE_LIMIT = 20;

/**
 * Errors on the console, the first of them only: a hostile peer can cause any number, and
 * a process whose standard error nobody reads would stop at some.
 */
function createConsoleReport(): Report {
  let count = 0;
  return (error, { method = "acp" }) => {
    if (++count > CONSOLE_LIMIT) return;
    console.error(`${method}:`, error);
    if (count === CONSOLE_LIMIT) console.error("acp: further errors are not shown; see onError");
  };
}
