import { AcpError } from "../../acp-error.js";

/** The server has refused a request, or could not be reached. */
export class HttpError extends AcpError {
  override readonly name = "HttpError";
  /** The status of the response; 0 without a whole response. */
  readonly status: number;
  /** The beginning of its text. */
  readonly body: string;

  /** How long the server asks to wait before the next request, in milliseconds; 0 if it does not. */
  readonly retryAfterMs: number;

  constructor(status: number, body: string, cause?: unknown, retryAfterMs = 0) {
    const what =
      status === 0
        ? "the server cannot be reached"
        : `the server of the agent has answered ${status}`;
    super(body === "" ? what : `${what}: ${body}`, undefined, { cause });
    this.status = status;
    this.body = body;
    this.retryAfterMs = retryAfterMs;
  }
}
