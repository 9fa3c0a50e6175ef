import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: { readonly [ending: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
};

export interface StaticServer {
  /** The address of the folder, without a slash at its end. */
  readonly address: string;
  /** Requested addresses that do not exist. */
  readonly failed: readonly string[];
  readonly close: () => void;
}

/**
 * Serves the files of a folder below a path, and nothing else, under the
 * strictest policy: what a page loads or runs must come from its own host. For
 * other addresses it sends the page `404.html`.
 *
 * @param base begins with a slash and ends without one
 */
export async function serveFolder(folder: string, base: string): Promise<StaticServer> {
  const failed: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    const path = decoded(url.split(/[?#]/)[0]!);
    const file = join(folder, normalize(path.slice(base.length)));
    const isFile =
      path.startsWith(`${base}/`) &&
      file.startsWith(folder) &&
      statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    if (!isFile) {
      failed.push(path);
      // As hosts of static sites do.
      const page = path.endsWith(".html") ? readFileSync(join(folder, "404.html")) : "";
      response.writeHead(404, { "content-type": "text/html; charset=utf-8" }).end(page);
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-security-policy": "default-src 'self'",
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}${base}`,
    failed,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns a path without its escapes, unless they mean nothing. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
