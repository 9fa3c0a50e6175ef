import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { errorMessage } from "../../run/messages.js";
import { hasEnded } from "./follow.js";
import { followLive, refuseOthers, type LiveListener, type LiveOptions } from "./live.js";
import { buildPage, dataElement, describePage, pageHtml, printEntry } from "./page.js";

/** The policy of the site: nothing but what this server sends is loaded or run. */
const HEADERS = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

export interface PageServer {
  /** The address of the page, with the token that nothing else answers without. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves a page that shows recordings while they are written, on the loopback interface only. A
 * request needs the token in its path and the host, and the origin if it has one, of this server.
 * Every reader follows the recording anew, so that the server keeps nothing.
 *
 * @throws InputError for a file that does not exist
 */
export async function servePage(options: LiveOptions): Promise<PageServer> {
  if (options.path !== undefined) refuseOthers(options.path);
  const { script, style, mark, rules } = await buildPage();
  const base = `/${randomBytes(16).toString("base64url")}/`;
  const files: { readonly [path: string]: readonly [type: string, text: string] } = {
    [base]: [
      "text/html; charset=utf-8",
      pageHtml({
        name: options.path === undefined ? "Waiting for a recording" : basename(options.path),
        about: describePage(options.redact === true),
        mark,
        head: `<link rel="stylesheet" href="page.css">\n<script src="page.js" defer></script>`,
        body: dataElement({ rules, events: "events" }),
      }),
    ],
    [`${base}page.js`]: ["text/javascript; charset=utf-8", script],
    [`${base}page.css`]: ["text/css; charset=utf-8", style],
  };
  const last = {};
  const server = createServer((request, response) => {
    const { url = "", method } = request;
    const file = Object.hasOwn(files, url) ? files[url] : undefined;
    if (!isOwn(request)) response.writeHead(403, HEADERS).end();
    else if (method !== "GET") response.writeHead(405, { ...HEADERS, allow: "GET" }).end();
    else if (file !== undefined)
      response.writeHead(200, { ...HEADERS, "content-type": file[0] }).end(file[1]);
    else if (url === `${base}events`) void sendEvents(options, response, last);
    else response.writeHead(404, HEADERS).end();
  });
  const isOwn = ({ headers: { host, origin } }: IncomingMessage): boolean => {
    const { port } = server.address() as AddressInfo;
    const isHost = host === `127.0.0.1:${port}` || host === `localhost:${port}`;
    return isHost && (origin === undefined || origin === `http://${host}`);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Follows recordings for one reader, as server-sent events, no faster than it reads.
 *
 * @param last the recording that was shown last, for a page that is loaded again
 */
async function sendEvents(
  options: LiveOptions,
  response: ServerResponse,
  last: { path?: string },
): Promise<void> {
  const closed = new AbortController();
  response.on("close", () => closed.abort());
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream" });
  const send = (event: string, data: string): boolean =>
    response.write(`event: ${event}\ndata: ${data}\n\n`);
  let entries: string[] = [];
  let isNew = false;
  const flush = async (): Promise<void> => {
    if (entries.length === 0) return;
    isNew = true;
    const text = `[${entries.join(",")}]`;
    entries = [];
    if (!send("entries", text) && !closed.signal.aborted)
      await Promise.race([once(response, "drain"), once(response, "close")]);
  };
  try {
    const listener: LiveListener = {
      recording: (path) => {
        last.path = path;
        // What the end of the recording before it has shown.
        void flush();
        send("recording", JSON.stringify(basename(path)));
      },
      line: (report, captured) => void entries.push(printEntry(report, captured)),
      read: flush,
      idle: () => {
        if (isNew) send("idle", "");
        isNew = false;
      },
    };
    const { path } = last;
    const { signal } = closed;
    if (options.path === undefined && path !== undefined && existsSync(path) && hasEnded(path))
      await followLive({ ...options, path, signal }, listener);
    await followLive({ ...options, signal }, listener);
    await flush();
    send("end", "");
  } catch (error) {
    send("failure", JSON.stringify(errorMessage(error)));
  }
  response.end();
}
