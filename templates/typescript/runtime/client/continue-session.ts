import { isInstance } from "../acp-error.js";
import { CapabilityError, ErrorCodes, RpcError } from "../rpc/errors.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import type { OpeningParams } from "./client-session.js";

/** The params that continue a session, or open a new one: those of a new session, and the earlier id. */
export type ContinuingParams<Params> = OpeningParams<Params> & {
  /** The session to continue; without an id, a new one is opened. */
  readonly sessionId?: string | null | undefined;
};

/** Options of `continueSession`. */
export interface ContinueOptions extends CallOptions {
  /**
   * Whether the client has the messages of the session (`known`, the default), so that resuming it is
   * tried first, or needs a replay (`replay`), so that loading it is.
   */
  readonly history?: "known" | "replay";
}

/** A session that was continued, or a new one in its place. */
export interface ContinuedSession<Session> {
  /**
   * `resume`: the session continues. `load`: it continues, and the agent has replayed its messages.
   * `new`: it could not be continued, and this session knows nothing of it.
   */
  readonly how: "resume" | "load" | "new";
  readonly session: Session;
  /**
   * Why other ways failed, in the order in which they were tried: what the agent did not advertise,
   * or its answer.
   */
  readonly reasons: readonly (CapabilityError | RpcError)[];
}

/** The calls that open a session. */
export interface Openings {
  readonly resume: Open;
  readonly load: Open;
  readonly new: Open;
}

type Open = (params: object, options: CallOptions) => Promise<unknown>;

/** Continues a session in one of the ways that the agent has, or opens a new one. */
export async function continueSession(
  openings: Openings,
  { sessionId, ...params }: { readonly sessionId?: string | null },
  { history, ...options }: ContinueOptions = {},
): Promise<ContinuedSession<unknown>> {
  const reasons: (CapabilityError | RpcError)[] = [];
  const ways = history === "replay" ? (["load", "resume"] as const) : (["resume", "load"] as const);
  if ((sessionId ?? null) !== null)
    for (const how of ways)
      try {
        return { how, session: await openings[how]({ ...params, sessionId }, options), reasons };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // It is not a fault, and is printed in one line.
        error.stack = `${error}`;
        reasons.push(error);
      }
  return { how: "new", session: await openings.new(params, options), reasons };
}

/** The codes of agents that do not know a session, a method or its params, or that failed. */
const REFUSALS: readonly number[] = [
  ErrorCodes.ResourceNotFound,
  ErrorCodes.MethodNotFound,
  ErrorCodes.InvalidParams,
  ErrorCodes.InternalError,
];

/**
 * Returns whether another way may succeed. The user has to sign in, or the connection is closed, for
 * every way.
 */
function isRefusal(error: unknown): error is CapabilityError | RpcError {
  if (isInstance(error, CapabilityError)) return true;
  return isInstance(error, RpcError) && REFUSALS.includes(error.code);
}
