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

/** Returns whether a thrown value, which may be a hostile proxy, is an instance of a class. */
export function isInstance<T>(thrown: unknown, type: new (...args: never[]) => T): thrown is T {
  try {
    return thrown instanceof type;
  } catch {
    return false;
  }
}
