import { onAbort } from "../../rpc/on-abort.js";
import { startTimer } from "../../rpc/timer.js";
import { HttpError } from "./http-error.js";

/**
 * Runs a function when a signal is aborted, or a time is over.
 *
 * @param time in milliseconds
 * @returns a function that prevents it
 */
export function untilAbort(signal: AbortSignal, time: number, run: () => void): () => void {
  const once = (): void => {
    stop();
    run();
  };
  const stopTimer = startTimer(time, once, true);
  const remove = onAbort(signal, once);
  const stop = (): void => {
    stopTimer();
    remove();
  };
  return stop;
}

/**
 * Reads the pieces of a body.
 *
 * @param limit how long nothing may arrive, in milliseconds
 * @param signal ends the body. That of a request does not do: `fetch` leaves it to the garbage
 *   collector once there is a response.
 * @throws HttpError when the body fails or is silent
 */
export async function* readPieces(
  body: ReadableStream<Uint8Array>,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  try {
    while (!signal.aborted) {
      let isOver = false;
      const stop = untilAbort(signal, limit, () => {
        isOver = true;
        cancel();
      });
      const { done, value } = await reader
        .read()
        .catch((error: unknown) => {
          throw new HttpError(0, "", error);
        })
        .finally(stop);
      if (isOver) throw new HttpError(0, "it is silent");
      if (done) return;
      yield value;
    }
  } finally {
    cancel();
  }
}
