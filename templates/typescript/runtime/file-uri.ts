import { AcpError } from "./acp-error.js";
import * as sentences from "./sentences.js";

/** The beginning of an absolute path of Windows: a drive, or a server. */
const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\[^\\/])/;

/** Characters that `encodeURIComponent` encodes and a path need not (RFC 3986 section 3.3). */
const ALLOWED = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/**
 * Returns the URI of a file (RFC 8089). The path decides which system it is of, since an agent may
 * run on another one than its client.
 *
 * @param path absolute: `/home/ana/a b.ts`, `C:\Users\ana\a.ts` or `\\server\share\a.ts`
 * @throws AcpError when the path is not absolute
 */
export function fileUri(path: string): string {
  const isWindows = WINDOWS.test(path);
  if (!isWindows && !path.startsWith("/"))
    throw new AcpError(sentences.needsAbsolutePath(JSON.stringify(path)));
  const parts = (isWindows ? path.replaceAll("\\", "/") : path).split("/");
  const encoded = parts
    .map((part) => encodeURIComponent(part).replace(ALLOWED, decodeURIComponent))
    .join("/");
  if (encoded.startsWith("//") && isWindows) return `file:${encoded}`;
  return `file://${isWindows ? "/" : ""}${encoded}`;
}

/**
 * Returns the path of a file URI, in the form of the system that the URI is of.
 *
 * @throws AcpError when it is not a file URI, or encodes a separator or a null character
 */
export function filePath(uri: string): string {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol !== "file:")
    throw new AcpError(`${JSON.stringify(uri)} is not a file URI, such as file:///home/ana/a.ts`);
  const isOfServer = url.host !== "" && url.host !== "localhost";
  const path = decode(url.pathname, uri);
  const isWindows = isOfServer || /^\/[A-Za-z]:(?:\/|$)/.test(path);
  // A backslash is part of a name, except on Windows.
  if (/%2f|%00/i.test(url.pathname) || (isWindows && /%5c/i.test(url.pathname)))
    throw new AcpError(sentences.separatorInUri(JSON.stringify(uri)));
  if (isOfServer) return `\\\\${url.host}${path.replaceAll("/", "\\")}`;
  return isWindows ? path.slice(1).replaceAll("/", "\\") : path;
}

function decode(text: string, uri: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AcpError(sentences.notUtf8(JSON.stringify(uri)));
  }
}
