/** The base of all errors that this package creates, so that one `instanceof` recognizes them. */
export class AcpError extends Error {
  override readonly name: string = "AcpError";
  /** The method that the error is about; absent when it is about no single call. */
  declare readonly method?: string;

  constructor(message: string, method?: string, options?: ErrorOptions) {
    super(message, options);
    if (method !== undefined) this.method = method;
  }
}

/** Errors about messages of the other side. */
const OF_PEER = new WeakSet<object>();

/**
 * Marks an error about a message of the other side: the stack of such an error says nothing about the
 * mistake, so that it is not printed.
 *
 * @returns the error
 */
export function ofPeer<E extends AcpError>(error: E): E {
  OF_PEER.add(error);
  return error;
}

/** Returns whether an error is about a message of the other side. */
export function isOfPeer(error: unknown): error is AcpError {
  return typeof error === "object" && error !== null && OF_PEER.has(error);
}

/** Returns whether a thrown value, which may be a hostile proxy, is an instance of a class. */
export function isInstance<T>(thrown: unknown, type: new (...args: never[]) => T): thrown is T {
  try {
    return thrown instanceof type;
  } catch {
    return false;
  }
}
