import { AcpError } from "../../acp-error.js";
import type { Kinds } from "../../rpc/require-argument.js";
import * as sentences from "../../sentences.js";
import { render } from "../../validate/report-text.js";
import { CONNECTION_ID, EVENT_ORDER, LAST_EVENT_ID, MESSAGE_NUMBER, SESSION_ID } from "../wire.js";

/** Who may call a server. */
export interface AdmissionOptions {
  /**
   * Returns the principal of a request, which is the name of its caller; `undefined` or an empty
   * string to refuse it with 401, or a response that is sent in place of ours. Called for every
   * request; a connection belongs to the principal that opened it. Without it, whoever reaches the
   * server may call.
   */
  readonly authenticate?: (
    request: Request,
  ) => string | undefined | Response | Promise<string | undefined | Response>;
  /** The value of `WWW-Authenticate` in a refusal; `Bearer` by default. */
  readonly challenge?: string;
  /**
   * The values of `Host` that are accepted, with or without a port; `"*"` for any. By default the
   * names of this machine only: a page can give its own name the address of any machine.
   */
  readonly allowedHosts?: readonly string[] | "*";
  /**
   * The origins of pages that may call, besides those of the server itself, such as
   * `https://app.example`; `"*"` for any, `null` excepted, without cookies. By default none.
   */
  readonly allowedOrigins?: readonly string[] | "*";
}

/** The kinds of the options. */
export const ADMISSION: Kinds = {
  authenticate: "a function",
  challenge: "a string",
  allowedHosts: undefined,
  allowedOrigins: undefined,
};

/**
 * Checks the lists of what is allowed: a string in place of a list would allow its parts.
 *
 * @throws AcpError for what is neither a list nor `"*"`
 */
export function checkAllowed({ allowedHosts, allowedOrigins }: AdmissionOptions): void {
  for (const [name, allowed = "*"] of Object.entries({ allowedHosts, allowedOrigins })) {
    if (allowed === "*") continue;
    if (!Array.isArray(allowed)) throw new AcpError(sentences.wrongAllowed(name, render(allowed)));
    if (allowed.includes("*")) throw new AcpError(sentences.listedAny(name));
  }
}

/** A request that may be handled, with the headers of its response. */
export interface Admitted {
  readonly principal: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** A scheme and a host, without a user or a path. */
const ORIGIN = /^[^:/]+:\/\/[^/?#@]+$/;

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** The time for which browsers keep the answer to a preflight request, in seconds. */
const PREFLIGHT_AGE = "600";

/** Returns a response of text or without any. */
export function reply(
  status: number,
  text?: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text ?? null, { status, headers });
}

/**
 * Checks who sends a request, before anything of it is read.
 *
 * @returns a response that refuses it, or answers a preflight request
 */
export async function admit(
  request: Request,
  options: AdmissionOptions,
): Promise<Admitted | Response> {
  if (!isHostAllowed(request, options)) return reply(403, "Host not allowed");
  const headers = headersFor(request, options);
  if (headers === undefined) return reply(403, "Origin not allowed");
  if (request.method === "OPTIONS" && request.headers.has("Origin"))
    return reply(204, undefined, { ...headers, ...PREFLIGHT });
  if (options.authenticate === undefined) return { principal: undefined, headers };
  const principal = await options.authenticate(request);
  if (principal instanceof Response) return principal;
  if (typeof principal === "string" && principal !== "") return { principal, headers };
  return reply(401, "Unauthorized", {
    ...headers,
    "WWW-Authenticate": options.challenge ?? "Bearer",
  });
}

function isHostAllowed({ headers, url }: Request, options: AdmissionOptions): boolean {
  const { allowedHosts = LOOPBACK } = options;
  if (allowedHosts === "*") return true;
  const host = (headers.get("Host") ?? new URL(url).host).toLowerCase();
  const name = host.replace(/:\d*$/, "");
  return allowedHosts.some((allowed) => [host, name].includes(allowed.toLowerCase()));
}

/**
 * Returns the headers for the page that sends a request; those of programs need none.
 *
 * @returns undefined when the page may not call
 */
function headersFor(
  { headers, url }: Request,
  { allowedOrigins = [] }: AdmissionOptions,
): Readonly<Record<string, string>> | undefined {
  const origin = headers.get("Origin");
  if (origin === null) return { Vary: "Origin" };
  // Pages in sandboxes and files have the origin `null`.
  const host = ORIGIN.test(origin) && URL.canParse(origin) ? new URL(origin).host : "";
  if (host === "") return undefined;
  const isOwn = host === (headers.get("Host") ?? new URL(url).host).toLowerCase();
  const isAny = allowedOrigins === "*";
  const isListed = isOwn || (!isAny && allowedOrigins.includes(origin));
  if (!isListed && !isAny) return undefined;
  return {
    Vary: "Origin",
    "Access-Control-Allow-Origin": origin,
    // Under "*", any page could call in the name of its visitor.
    ...(isListed && { "Access-Control-Allow-Credentials": "true" }),
    "Access-Control-Expose-Headers": `${CONNECTION_ID}, ${EVENT_ORDER}, WWW-Authenticate, Retry-After`,
  };
}

const PREFLIGHT: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "GET, POST, DELETE",
  "Access-Control-Allow-Headers": [
    "Content-Type",
    "Authorization",
    CONNECTION_ID,
    SESSION_ID,
    MESSAGE_NUMBER,
    LAST_EVENT_ID,
  ].join(", "),
  "Access-Control-Max-Age": PREFLIGHT_AGE,
};
