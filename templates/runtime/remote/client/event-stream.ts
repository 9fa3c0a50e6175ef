import { AcpError } from "../../rpc/acp-error.js";
import { announcesOrder, EVENT_TYPE, LAST_EVENT_ID, NO_EVENT, SESSION_ID } from "../wire.js";
import { readError, type HttpError, type HttpRequests } from "./http-requests.js";
import { readEvents, type ServerEvent } from "./read-events.js";
import { createRetry } from "./retry.js";

/** The connection that a stream belongs to. */
export interface StreamOwner {
  readonly requests: HttpRequests;
  readonly signal: AbortSignal;
  readonly maxMessageBytes: number;
  readonly reconnectMs: number;
  readonly maxSilenceMs: number;
  /** Whether the server numbers the messages of the connection. */
  isOrdered: boolean;
  /** Resolves when more may be read; undefined when it may now. */
  readonly canRead: Promise<void> | undefined;
  /** @param isOrdered whether the id of the event is the number of its message */
  receive(event: ServerEvent, session: string | undefined, isOrdered: boolean): void;
  /** Called when a stream has ended and cannot be resumed; the error is absent for a regular end. */
  lost(session: string | undefined, error?: unknown): void;
}

/**
 * Opens the stream of a session, or that of the connection, and opens it again when it was lost:
 * from the last event on, where the events have ids.
 *
 * @returns resolves when the server has accepted the stream, rejects when it refuses it
 */
export function openEventStream(owner: StreamOwner, session?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    void followStream(owner, session, resolve, reject);
  });
}

async function followStream(
  owner: StreamOwner,
  session: string | undefined,
  opened: () => void,
  refused: (error: unknown) => void,
): Promise<void> {
  const { requests, signal, maxMessageBytes, maxSilenceMs } = owner;
  const retry = createRetry(owner.reconnectMs, signal);
  let lastId: string | undefined;
  let wasOpen = false;
  let isRegular = false;
  for (let isFirst = true; ; isFirst = false) {
    let problem: unknown;
    try {
      const isOrdered = owner.isOrdered;
      const response = await requests.send(
        "GET",
        {
          Accept: EVENT_TYPE,
          ...(session !== undefined && { [SESSION_ID]: session }),
          ...(!isFirst && { [LAST_EVENT_ID]: lastId ?? NO_EVENT }),
        },
        { signal },
      );
      if (!response.ok || response.body === null) throw await readError(response);
      const announced = announcesOrder(response);
      owner.isOrdered ||= announced;
      wasOpen = true;
      isRegular = false;
      retry.succeeded();
      opened();
      for await (const events of readEvents(
        response.body,
        maxMessageBytes,
        announced ? maxSilenceMs : Infinity,
      )) {
        if (owner.canRead !== undefined) await owner.canRead;
        if (signal.aborted) return;
        retry.progressed();
        for (const event of events) {
          lastId = event.id ?? lastId;
          owner.receive(event, session, announced || isOrdered);
        }
      }
      isRegular = true;
    } catch (error) {
      problem = error;
    }
    if (signal.aborted) return refused(problem);
    const isFinal = problem instanceof AcpError && !((problem as HttpError).status >= 500);
    // The server may have ended the connection, and then knows it no longer.
    if (isFinal && wasOpen) return owner.lost(session, isRegular ? undefined : problem);
    if (isFinal || (!wasOpen && !owner.isOrdered)) return refused(problem);
    if (!owner.isOrdered && lastId === undefined)
      return owner.lost(session, isRegular ? undefined : problem);
    if (!(await retry.wait())) {
      const error = new AcpError("the server cannot be reached any more", undefined, {
        cause: problem,
      });
      return wasOpen ? owner.lost(session, error) : refused(error);
    }
  }
}
