import { CONNECTION_ID, EVENT_TYPE, JSON_TYPE } from "../wire.js";
import { KEPT_START } from "../parse-message.js";
import { HttpError } from "./http-error.js";
import { readPieces, untilAbort } from "./read-pieces.js";

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

/**
 * Reads the text of a response, up to a limit.
 *
 * @param most the limit, in UTF-16 units, which the last piece may exceed
 * @param limit how long the server may be silent, in milliseconds
 */
export async function readText(
  { body }: Response,
  most: number,
  limit: number,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  if (body !== null)
    for await (const piece of readPieces(body, limit, signal)) {
      text += decoder.decode(piece, { stream: true });
      if (text.length >= most) break;
    }
  return text;
}

/** Returns the time of `Retry-After` in milliseconds: seconds or a date (RFC 9110, 10.2.3); else 0. */
function readDelay(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  return Math.max(0, Date.parse(value) - Date.now()) || 0;
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

  /**
   * Sends a request and returns the expected response: a stream of events to a GET, 200 to the first
   * request, and 202 to others.
   *
   * @param limit how long the server may be silent, in milliseconds
   * @throws HttpError without it; whatever the functions of the options throw
   */
  async send(
    method: string,
    headers: Readonly<Record<string, string>>,
    limit: number,
    signal: AbortSignal,
    body?: string,
  ): Promise<Response> {
    const { onUnauthorized } = this.#options;
    for (let isSecond = false; ; isSecond = true) {
      const response = await this.#fetch(method, headers, limit, signal, body);
      const { status, ok, headers: answered } = response;
      const isExpected =
        method === "GET"
          ? ok && answered.get("Content-Type")?.toLowerCase().startsWith(EVENT_TYPE) === true
          : this.connectionId === undefined
            ? ok
            : status === 202;
      const isRepeated =
        status === 401 &&
        !isSecond &&
        ((await onUnauthorized?.(answered.get("WWW-Authenticate") ?? "")) ?? false);
      // Frees the connection of a body that nobody reads.
      if (isRepeated || status === 202) response.body?.cancel().catch(() => {});
      if (isExpected) return response;
      if (isRepeated) continue;
      // The status alone says enough.
      const text = await readText(response, KEPT_START, limit, signal).catch(() => "");
      const shown = answered.get("Location") ?? text;
      // Pages do not see the status of a redirect.
      const wait = readDelay(answered.get("Retry-After") ?? "");
      throw new HttpError(status || 302, shown.slice(0, KEPT_START).trim(), undefined, wait);
    }
  }

  async #fetch(
    method: string,
    headers: Readonly<Record<string, string>>,
    limit: number,
    signal: AbortSignal,
    body: string | undefined,
  ): Promise<Response> {
    const { fetch: send = fetch, headers: source } = this.#options;
    const given = typeof source === "function" ? await source() : source;
    signal.throwIfAborted();
    const aborter = new AbortController();
    const stop = untilAbort(signal, limit, () => aborter.abort());
    try {
      const response = await send(this.#url, {
        method,
        headers: {
          ...given,
          ...headers,
          ...(this.connectionId !== undefined && { [CONNECTION_ID]: this.connectionId }),
          ...(this.#cookies.size > 0 && { Cookie: [...this.#cookies.values()].join("; ") }),
          ...(body !== undefined && { "Content-Type": JSON_TYPE }),
        },
        ...(body !== undefined && { body }),
        signal: aborter.signal,
        // What follows a redirect would get the headers, too.
        redirect: "manual",
        // Only pages have credentials; some servers refuse the property.
        ...("location" in globalThis && { credentials: "include" }),
      });
      this.#keepCookies(response);
      return response;
    } catch (error) {
      throw new HttpError(0, "", error);
    } finally {
      stop();
    }
  }

  /** Keeps cookies, by which proxies find the process of a connection. Pages keep them by themselves. */
  #keepCookies({ headers }: Response): void {
    for (const cookie of (headers as { getSetCookie?(): string[] }).getSetCookie?.() ?? []) {
      const [pair, name] = /^([^=;]*)[^;]*/.exec(cookie)! as unknown as [string, string];
      const [, date = ""] = /;\s*expires=([^;]*)/i.exec(cookie) ?? [];
      if (/;\s*max-age=[0-]/i.test(cookie) || Date.parse(date) <= Date.now())
        this.#cookies.delete(name);
      else this.#cookies.set(name, pair);
    }
  }
}
