import { AcpError } from "./acp-error.js";
import * as sentences from "./sentences.js";

/** The beginning of an absolute path of Windows: a drive, or a server and a share. */
const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\[^\0- #%/:<>?@[\\\]^|]+[\\/])/;

/** Characters that `encodeURIComponent` encodes and a path need not (RFC 3986 section 3.3). */
const ALLOWED = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/** The beginning of a URI with a drive, in the forms that the URL standard reads. */
const DRIVE = /^file:\/{1,3}([a-z])(?:[:|]|%3a)([/?#]|$)/i;
const URI = /^file:(?:\/\/([^/?#]*))?(\/[^?#]*)?/i;
const NOT_IN_URI = /[\0-\x1f\x7f\p{Surrogate}]/u;
const NOT_IN_HOST = /[\0- #%/:<>?@[\\\]^|]/;

/**
 * Returns the URI of a file (RFC 8089). The path decides which system it is of, since an agent may
 * run on another one than its client.
 *
 * @param path absolute: `/home/ana/a b.ts`, `C:\Users\ana\a.ts` or `\\server\share\a.ts`
 * @throws AcpError when the path is not absolute, or not Unicode
 */
export function fileUri(path: string): string {
  const isWindows = WINDOWS.test(path);
  if (!isWindows && !path.startsWith("/"))
    throw new AcpError(sentences.needsAbsolutePath(JSON.stringify(path)));
  if (/\p{Surrogate}/u.test(path)) throw new AcpError(sentences.notUtf8(JSON.stringify(path)));
  const parts = (isWindows ? path.replaceAll("\\", "/") : path).split("/");
  const encoded = parts
    .map((part) => encodeURIComponent(part).replace(ALLOWED, decodeURIComponent))
    .join("/");
  if (encoded.startsWith("//") && isWindows) return `file:${encoded}`;
  return `file://${isWindows ? "/" : ""}${encoded}`;
}

/**
 * Returns the path of a file URI, in the form of the system that the URI is of. A backslash in the
 * URI is a slash, as in the URL standard.
 *
 * @throws AcpError when it is not a file URI, or encodes a separator or a null character
 */
export function filePath(uri: string): string {
  const shown = JSON.stringify(uri);
  const text = uri.replaceAll("\\", "/").replace(DRIVE, "file:///$1:$2");
  const [, authority = "", encoded] = URI.exec(text) ?? [];
  if (encoded === undefined || NOT_IN_URI.test(uri))
    throw new AcpError(sentences.notFileUri(shown));
  const server = decode(authority, shown);
  // It removes the segments . and .., and would read a bar as that of a drive.
  const { pathname } = new URL(`file://${encoded.replaceAll("|", "%7C")}?`);
  const path = decode(pathname, shown);
  if (NOT_IN_HOST.test(server)) throw new AcpError(sentences.notFileUri(shown));
  const isOfServer = server !== "" && server.toLowerCase() !== "localhost";
  const isWindows = isOfServer || /^\/[A-Za-z]:(?:\/|$)/.test(path);
  // A backslash is part of a name, except on Windows.
  if (/%2f|%00/i.test(encoded) || (isWindows && /%5c/i.test(encoded)))
    throw new AcpError(sentences.separatorInUri(shown));
  if (isOfServer) return `\\\\${server}${path.replaceAll("/", "\\")}`;
  return isWindows ? path.slice(1).replaceAll("/", "\\") : path;
}

function decode(text: string, shown: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AcpError(sentences.notUtf8(shown));
  }
}
