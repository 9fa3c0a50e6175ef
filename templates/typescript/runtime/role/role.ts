import { AcpError, isOfPeer } from "../acp-error.js";
import type { Disposal } from "../rpc/transports/disposal.js";
import { createExtensionTable, type ExtensionTable } from "./extensions/extension-table.js";
import { withMarks, type HandledExtension } from "./extensions/extension.js";
import { checkOptions, type UnknownValues } from "./options/check-options.js";
import { withDerivedCapabilities } from "./options/derive-capabilities.js";
import { checkHandlers, createHandlerTable, type HandlerTable } from "./options/handlers.js";
import type { ConnectionLimits } from "../rpc/limits.js";
import type { RequestId } from "../rpc/messages.js";
import type { Checks, MethodDescriptor } from "../methods.js";
import { guardReport, type Report } from "../rpc/inbound-requests.js";
import type { Note } from "../validate/decode-result.js";
import type { Intercept } from "../rpc/intercept.js";
import type { AuthRequiredError } from "../rpc/errors.js";
import type { RetryOptions } from "./prompt-retries.js";
import type { BusyOptions } from "./while-busy.js";
import type { CreateSessions } from "../session/link.js";
import { sessionMethods, type SessionMethods } from "../session/session-methods.js";

export type { UnknownValues } from "./options/check-options.js";

/** The context that every handler receives besides its params; generated code adds the other side. */
export interface HandlerContext<Handshake = unknown> {
  /** The method's name on the wire. */
  readonly method: string;
  /** Aborted when the peer cancels the request, `session/cancel` ends its turn, or the connection closes. */
  readonly signal: AbortSignal;
  /** The messages of the handshake. */
  readonly handshake: Handshake;
  /** The session that the params name, if any. */
  readonly sessionId?: string;
  /** The request's id; absent for notifications. */
  readonly requestId?: RequestId;
  /**
   * Returns whether the other side advertised a capability.
   *
   * @param path the path in the initialize message, e.g. `clientCapabilities.fs.readTextFile`
   * @throws TypeError when the other side cannot advertise such a capability
   */
  supports(path: string): boolean;
}

/** The messages of the handshake, as they were decoded or sent. */
export interface Handshake<Request, Response> {
  readonly request: Request;
  readonly response: Response;
}

/** An open connection; generated code adds the other side. */
export interface RoleConnection<Handshake = unknown> extends Disposal {
  /** The messages of the handshake; absent before it is complete. */
  readonly handshake: Handshake | undefined;
  /**
   * Resolves when the connection has ended, for whatever reason, and so have its handlers, or the
   * time of `limits.endGraceMs`: with the reason, such as an `AgentExitError` or an `HttpError`, and
   * with undefined after a regular end.
   */
  readonly closed: Promise<unknown>;
  readonly stats: ConnectionStats;
  /**
   * Ends the connection: pending calls are rejected, running handlers aborted. The process of
   * `spawnAgent` ends as well; to wait for that, dispose the connection.
   */
  close(): void;
}

export interface ConnectionStats {
  /** Calls of this side that are not answered yet. */
  readonly pending: number;
  /** Requests of the other side that are not answered yet. */
  readonly running: number;
  /** Responses that were malformed or that no call was waiting for. */
  readonly ignored: number;
  /** Lines and messages that were malformed, such as the output of a logger or a request without an id. */
  readonly malformed: number;
}

/** Options of both roles. */
export interface RoleOptions<Context> {
  /** Handlers of methods outside the protocol: `[review.handle((params, context) => …)]`. */
  readonly extensions?: readonly HandledExtension<Context>[];
  /** Runs around every call in both directions, e.g. for logs and traces. */
  readonly intercept?: Intercept;
  /**
   * Called for errors that cannot be answered: a failed notification handler, an unexpected
   * response, or the cause of an "internal error" that the peer receives. By default, the first
   * few are written to the console.
   */
  readonly onError?: Report;
  /**
   * Whether params and results are checked before they are sent; true by default. A program that
   * is well tested can disable it to save time.
   */
  readonly checkOutgoing?: boolean;
  /** Called with the repairs of an incoming message, and with the unknown values that were kept. */
  readonly onNotes?: (notes: readonly Note[], context: { readonly method: string }) => void;
  /**
   * The treatment of unknown tags and values in the params of requests, for all of them or by
   * method: `keep` (default) passes them on to the handler with a note, `reject` answers with
   * -32602.
   */
  readonly unknown?: UnknownValues | { readonly [method: string]: UnknownValues };
  readonly limits?: ConnectionLimits;
}

/** Options of a client whose agent requires authentication. */
export interface AuthenticationOptions<Agent> {
  /**
   * Called when a request fails because authentication is required; calls that fail in the
   * meantime wait for it. When it resolves with true, the request is sent once more. Its own calls
   * of `agent` are not: they fail with the error.
   */
  readonly onAuthRequired?: (
    error: AuthRequiredError,
    context: { readonly method: string; readonly agent: Agent },
  ) => boolean | Promise<boolean>;
}

/** The generated facts of a role, combined with the options of its author. */
export interface RoleDefinition<Peer, Context = never>
  extends RoleOptions<Context>, AuthenticationOptions<Peer>, BusyOptions, RetryOptions {
  readonly role: "agent" | "client";
  /** The names of the options that are required. */
  readonly required?: readonly string[];
  readonly protocolVersion: number;
  readonly methods: readonly MethodDescriptor[];
  readonly checks: Checks;
  /**
   * The fields of this side's initialize message, without the version and the capabilities that
   * follow from handlers.
   */
  readonly advertised: object;
  /** The property of each side's initialize message that holds its capabilities. */
  readonly capabilities: { readonly agent: string; readonly client: string };
  /** Nested by `MethodDescriptor.handler`. */
  readonly handlers: object;
  /** Creates the sessions of a connection. */
  readonly sessions?: CreateSessions;
  /** Adapts the agent's initialize response to the client's request. */
  readonly adapt?: (advertised: object, request: unknown) => object;
  /** Adapts params to what the peer has advertised before they are sent, by method. */
  readonly prepare?: {
    readonly [method: string]: (params: unknown, advertised: unknown) => unknown;
  };
}

/** A checked definition with resolved handlers. */
export interface Role<Peer> extends RoleDefinition<Peer> {
  readonly table: HandlerTable;
  readonly extensionTable: ExtensionTable;
  /** The names of the methods that sessions call. */
  readonly sessionMethods: SessionMethods;
  readonly report: Report;
}

/**
 * Checks a role and resolves its handlers, so that mistakes are reported when the role is
 * created.
 *
 * @throws Error as described for `createExtensionTable`, `checkOptions` and `checkHandlers`
 */
export function defineRole<Peer, Context = never>(
  definition: RoleDefinition<Peer, Context>,
): Role<Peer> {
  const {
    role,
    methods,
    handlers,
    extensions = [],
    capabilities,
    onError,
  } = definition as unknown as RoleDefinition<Peer>;
  const extensionTable = createExtensionTable(extensions, methods);
  const derived = withDerivedCapabilities(definition);
  const advertised = withMarks(derived, capabilities[role], extensions);
  const complete = { ...(definition as unknown as RoleDefinition<Peer>), advertised };
  checkOptions(complete);
  checkHandlers(complete);
  return {
    ...complete,
    table: createHandlerTable(
      methods.filter(({ side }) => side === role),
      handlers,
    ),
    extensionTable,
    sessionMethods: sessionMethods(methods),
    report: onError === undefined ? createConsoleReport() : guardReport(onError),
  };
}

/** The maximum number of errors that are written to the console when there is no `onError`. */
const CONSOLE_LIMIT = 20;

/**
 * Writes the first errors to the console. The number is limited since a hostile peer can cause
 * any number of errors, and a process would block when its standard error is not read.
 */
function createConsoleReport(): Report {
  let count = 0;
  return (error, { method }) => {
    if (++count > CONSOLE_LIMIT) return;
    // What the connection itself reports is a mistake of the peer as well.
    const hasNoStack = isOfPeer(error) || (method === undefined && error instanceof AcpError);
    console.error(`${method ?? "acp"}:`, hasNoStack ? error.message : error);
    if (count === CONSOLE_LIMIT) console.error("acp: further errors are not shown; see onError");
  };
}
