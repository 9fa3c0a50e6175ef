import { AcpError } from "../../rpc/acp-error.js";
import { CONNECTION_ID } from "../wire.js";

/** Headers, or a function that returns those of the next request, e.g. with a fresh token. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

export interface HttpRequestOptions {
  /** Sends requests in place of the global `fetch`. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  /** Headers of every request; a function is called for each. */
  readonly headers?: HeaderSource;
  /**
   * Called when the server answers 401, with the value of `WWW-Authenticate`; `true` sends the
   * request again, once, with the headers that `headers` gives then.
   */
  readonly onUnauthorized?: (challenge: string) => boolean | Promise<boolean>;
}

/** The server has refused a request. */
export class HttpError extends AcpError {
  override readonly name = "HttpError";
  /** The status of the response. */
  readonly status: number;
  /** The beginning of its text. */
  readonly body: string;

  constructor(status: number, body: string) {
    super(`the server of the agent has answered ${status}${body === "" ? "" : `: ${body}`}`);
    this.status = status;
    this.body = body;
  }
}

/** The most of a refusal's text that is read, in characters. */
const MOST_SHOWN = 500;

/** Reads the refusal of a request. */
export async function readError(response: Response): Promise<HttpError> {
  // The status alone says enough.
  const text = await readText(response, MOST_SHOWN).catch(() => "");
  return new HttpError(response.status, text.slice(0, MOST_SHOWN).trim());
}

/**
 * Reads the text of a response, up to a limit.
 *
 * @param most the limit, in UTF-16 units, which the last piece may exceed
 */
export async function readText({ body }: Response, most: number): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (reader !== undefined && text.length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  reader?.cancel().catch(() => {});
  return text;
}

/** Frees the connection of a response, if there is one, whose body nobody reads. */
export function discard(response: Response | undefined): void {
  response?.body?.cancel().catch(() => {});
}

/** Sends the requests of a connection, with its id, its headers and its cookies. */
export class HttpRequests {
  /** The id of the connection; undefined before the answer to `initialize`. */
  connectionId: string | undefined;
  readonly #url: URL;
  readonly #options: HttpRequestOptions;
  readonly #cookies = new Map<string, string>();

  constructor(url: URL, options: HttpRequestOptions) {
    this.#url = url;
    this.#options = options;
  }

  /** @throws whatever `fetch` and the functions of the options throw */
  async send(
    method: string,
    headers: Readonly<Record<string, string>>,
    { body, signal }: { readonly body?: string; readonly signal: AbortSignal },
  ): Promise<Response> {
    const { fetch: send = fetch, headers: source, onUnauthorized } = this.#options;
    for (let isSecond = false; ; isSecond = true) {
      const given = typeof source === "function" ? await source() : source;
      const response = await send(this.#url, {
        method,
        signal,
        // What follows a redirect would get the headers, too.
        redirect: "error",
        headers: { ...given, ...headers, ...this.#ownHeaders() },
        ...(body !== undefined && { body }),
        // Only pages have credentials; some servers refuse the property.
        ...("location" in globalThis && { credentials: "include" }),
      });
      this.#keepCookies(response);
      if (response.status !== 401 || isSecond || onUnauthorized === undefined) return response;
      if (!(await onUnauthorized(response.headers.get("WWW-Authenticate") ?? ""))) return response;
      discard(response);
    }
  }

  #ownHeaders(): Record<string, string> {
    return {
      ...(this.connectionId !== undefined && { [CONNECTION_ID]: this.connectionId }),
      ...(this.#cookies.size > 0 && {
        Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      }),
    };
  }

  /** Keeps cookies, by which proxies find the process of a connection. Pages keep them by themselves. */
  #keepCookies({ headers }: Response): void {
    for (const cookie of (headers as { getSetCookie?(): string[] }).getSetCookie?.() ?? []) {
      const [, name, value] = /^\s*([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      if (name === undefined) continue;
      if (/;\s*max-age\s*=\s*(0|-)/i.test(cookie)) this.#cookies.delete(name);
      else this.#cookies.set(name, value!);
    }
  }
}
