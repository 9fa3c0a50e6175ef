import { requireArgument } from "../rpc/require-argument.js";

/** A source of chunks: an async iterable, e.g. a generator, or a stream of the web platform. */
export type Chunks<Chunk> = AsyncIterable<Chunk> | ReadableStreamLike<Chunk>;

/** A `ReadableStream`, which is not async-iterable in every browser. */
export interface ReadableStreamLike<Chunk> {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Chunk | undefined }>;
    cancel(reason?: unknown): Promise<unknown>;
  };
}

/**
 * Passes on every chunk of a source; the next one is read when the previous one was used.
 *
 * The source is closed when the signal is aborted or `use` fails, even while it is waited for.
 *
 * @throws the error of the source or of `use`; the signal's reason when it is aborted
 */
export async function readChunks<Chunk>(
  source: Chunks<Chunk>,
  signal: AbortSignal,
  use: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  const iterator = iterate(source);
  let fail: (reason: unknown) => void = () => {};
  const abort = (): void => fail(signal.reason);
  signal.addEventListener("abort", abort);
  const next = (): Promise<IteratorResult<Chunk, unknown>> =>
    new Promise((resolve, reject) => {
      fail = reject;
      iterator.next().then(resolve, reject);
    });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await next();
      if (done === true) return;
      signal.throwIfAborted();
      await use(value as Chunk);
    }
  } catch (error) {
    // Not awaited: a generator ends only after the chunk that it is producing.
    void Promise.resolve(iterator.return?.()).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function iterate<Chunk>(source: Chunks<Chunk>): AsyncIterator<Chunk> {
  requireArgument(
    "session.stream",
    source,
    "an async iterable",
    "session.stream(chunks()); session.text(…) sends a single text",
  );
  if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
  const reader = source.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Chunk>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
