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
