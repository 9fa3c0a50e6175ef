import { findMethod, hasAnyTrait, hasTrait, REOPENING } from "../find-method.js";
import { AcpError, isInstance } from "../acp-error.js";
import type { MethodDescriptor, MethodTrait } from "../methods.js";
import {
  AuthRequiredError,
  CapabilityError,
  RequestTimeoutError,
  type RpcError,
} from "../rpc/errors.js";
import { isRecord } from "../rpc/messages.js";
import { onAbort } from "../rpc/on-abort.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import { startTimer } from "../rpc/timer.js";
import { closedInTurn } from "../sentences.js";
import type { AnsweredOptions, HandledUpdates } from "../session/link.js";
import type { CheckedRequest, PeerClient, RequestSender } from "./peer-client.js";
import type { ClientLine } from "./role-session.js";
import type { Role } from "./role.js";

/** The methods whose results name a session that did not exist before. */
const CREATING: readonly MethodTrait[] = ["creates-session", "forks-session"];

/** The traits of requests whose responses come after updates that belong to them. */
const FOLLOWING_UPDATES: readonly MethodTrait[] = ["starts-turn", ...REOPENING];

/** Sends the requests of a client: with their turns, and again once the client has authenticated. */
export class ClientRequests implements RequestSender {
  readonly #role: Role<unknown>;
  readonly #connection: ClientLine;
  readonly #updates: HandledUpdates;
  /** The authentication that is in progress. */
  #authentication: Promise<boolean> | undefined;
  /** The times that the client has authenticated. */
  #authentications = 0;

  constructor(role: Role<unknown>, connection: ClientLine, updates: HandledUpdates) {
    this.#role = role;
    this.#connection = connection;
    this.#updates = updates;
  }

  send(client: PeerClient, { method, params, options, accept }: CheckedRequest): Promise<unknown> {
    const role = this.#role;
    const abort = this.#abortOf(client, method, params);
    const { turns, sessions } = this.#connection;
    const given = (options ?? {}) as AnsweredOptions;
    const { onResult, onRefused } = given;
    let mayRepeat =
      role.onAuthRequired !== undefined &&
      given.mayRepeat !== false &&
      !hasTrait(method, "changes-authentication");
    const send = (): Promise<unknown> => {
      const isPrompt = hasTrait(method, "starts-turn") && !options?.signal?.aborted;
      const answered = isPrompt ? turns?.prompt(params) : undefined;
      const refuse = (error: RpcError): unknown => {
        if (!mayRepeat || !(error instanceof AuthRequiredError)) onRefused?.();
        const wasCancelled = answered?.(false) ?? false;
        const { cancelledResult } = method;
        if (!wasCancelled || cancelledResult === undefined) return undefined;
        // Some agents answer a cancelled prompt with an error.
        role.report(error, { method: method.name });
        onResult?.(cancelledResult);
        return cancelledResult;
      };
      const call = this.#connection.request(method.name, params, options, {
        ...(abort && { abort }),
        ...((answered ?? onRefused) && { refuse }),
        ...(hasAnyTrait(method, CREATING) && { late: (result) => this.#release(client, result) }),
        accept: (result) => {
          answered?.(true);
          const decoded = accept(result);
          turns?.answered(method, params);
          sessions?.answered?.(method, params, decoded);
          onResult?.(decoded);
          return decoded;
        },
      });
      if (answered === undefined) return call;
      // A call may also end without an answer.
      return call.catch((error: unknown) => {
        answered(false);
        throw error;
      });
    };
    // A turn waits for the handlers of its updates itself.
    const call =
      onResult === undefined && hasAnyTrait(method, FOLLOWING_UPDATES)
        ? afterUpdates(send, this.#updates, params)
        : send;
    if (!mayRepeat) return call();
    const before = this.#authentications;
    const start = performance.now();
    return call().catch(async (error: unknown) => {
      if (!(error instanceof AuthRequiredError)) throw error;
      // The client may have authenticated for another call meanwhile.
      if (this.#authentications === before) {
        const answer = this.#authenticate(client, error, method.name);
        const cancelled = hasTrait(method, "starts-turn") ? turns : undefined;
        const isAllowed = await unlessStopped(answer, {
          signal: options?.signal,
          onEnd: (run) =>
            cancelled?.onEnd(params, (isClosed) =>
              run(isClosed ? new AcpError(closedInTurn, method.name) : undefined),
            ),
          closed: this.#connection.whenClosed(),
          onTimeout: (run) => {
            const { timeoutMs } = options ?? {};
            if (timeoutMs === undefined) return undefined;
            const expire = (): void => run(new RequestTimeoutError(method.name, timeoutMs));
            return startTimer(timeoutMs - (performance.now() - start), expire, true);
          },
        });
        if (!isAllowed) throw error;
      }
      mayRepeat = false;
      return call();
    });
  }

  /** Closes a session whose creator has gone before the answer. */
  #release(client: PeerClient, result: unknown): void {
    // The method that deletes sessions takes closed ones as well.
    const close = client.methods.find(
      (method) =>
        method.kind === "request" &&
        hasTrait(method, "ends-session") &&
        !hasTrait(method, "accepts-closed-session"),
    );
    if (close === undefined || !isRecord(result)) return;
    client.call(close, { sessionId: result["sessionId"] }).catch((error: unknown) => {
      // Many agents cannot close sessions.
      if (!isInstance(error, CapabilityError)) this.#role.report(error, { method: close.name });
    });
  }

  /** Returns what an aborted signal does to a prompt: it sends `session/cancel`. */
  #abortOf(
    client: PeerClient,
    method: MethodDescriptor,
    params: unknown,
  ): (() => void) | undefined {
    const cancel = hasTrait(method, "starts-turn")
      ? findMethod(client.methods, "cancels-turn", "notification")
      : undefined;
    if (cancel === undefined || !isRecord(params)) return undefined;
    const report = (error: unknown): void => this.#role.report(error, { method: cancel.name });
    const given = { sessionId: params["sessionId"] };
    return () =>
      void client
        .run(cancel.kind, cancel.name, given, (sent) => client.call(cancel, sent))
        .catch(report);
  }

  /** Runs `onAuthRequired` once for all calls that fail while it runs. */
  #authenticate(client: PeerClient, error: AuthRequiredError, method: string): Promise<boolean> {
    // A call of the login that waited for the login would wait for ever.
    const agent = client.createPeer((options) => ({ ...options, mayRepeat: false }) as CallOptions);
    const ask = async (): Promise<boolean> => {
      const hasAuthenticated = await this.#role.onAuthRequired!(error, { method, agent });
      if (hasAuthenticated) this.#authentications++;
      return hasAuthenticated;
    };
    return (this.#authentication ??= ask().finally(() => (this.#authentication = undefined)));
  }
}

/** What ends a call that waits for a login. */
interface Ends {
  readonly signal: AbortSignal | null | undefined;
  readonly onEnd: (run: (error?: Error) => void) => (() => void) | undefined;
  readonly onTimeout: (run: (error: Error) => void) => (() => void) | undefined;
  /** Resolves when the connection has ended, whose reason the call that is sent again has. */
  readonly closed: Promise<void>;
}

/**
 * Returns what a login gives, or false when the turn of the call is cancelled before.
 *
 * @throws the reason of the signal when it is aborted before; RequestTimeoutError; AcpError when the
 *   session is closed before
 */
async function unlessStopped(
  answer: Promise<boolean>,
  { signal, onEnd, onTimeout, closed }: Ends,
): Promise<boolean> {
  const ends: ((() => void) | undefined)[] = [];
  const stopped = new Promise<boolean>((resolve, reject) => {
    ends.push(
      onEnd((error) => (error === undefined ? resolve(false) : reject(error))),
      onTimeout(reject),
    );
    void closed.then(() => resolve(true));
    if (signal?.aborted) reject(signal.reason);
    else ends.push(signal ? onAbort(signal, () => reject(signal.reason)) : undefined);
  });
  try {
    return await Promise.race([answer, stopped]);
  } finally {
    for (const end of ends) end?.();
  }
}

/** Makes a call return after the handlers of the updates that it has caused. */
function afterUpdates(
  send: () => Promise<unknown>,
  updates: HandledUpdates,
  params: unknown,
): () => Promise<unknown> {
  const { sessionId } = params as { readonly sessionId: string };
  return async () => {
    const { mark } = updates;
    try {
      return await send();
    } finally {
      await updates.ended(sessionId, mark);
    }
  };
}
