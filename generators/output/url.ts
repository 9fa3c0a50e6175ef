/** An address, relative inside a generated site. Only the functions of this file make one. */
export interface Url {
  readonly markup: "url";
  readonly url: string;
}

/** The allowed form of an address; it never needs escaping in HTML or Markdown. */
const GRAMMAR =
  /^(?:(?:\.\.\/)*[A-Za-z0-9$-][A-Za-z0-9$_.-]*(?:\/[A-Za-z0-9$-][A-Za-z0-9$_.-]*)*)?(?:#[A-Za-z0-9$_.-]+)?$/;

/**
 * The address of one file of a site as seen from another.
 *
 * @param from the path of the page that holds the link, below the site's root, with `/`
 * @param to the path of the page it leads to
 * @param id the element to go to, made of `urlToken`s
 * @throws Error when the address is outside the grammar: a path or id was not made of tokens
 */
export function relativeUrl(from: string, to: string, id?: string): Url {
  const fragment = id === undefined ? "" : `#${id}`;
  return checked(`${relativePath(from, to)}${fragment}`);
}

/**
 * The address of a part of the page that holds the link. A Markdown twin has
 * no ids, so what both forms of a page show uses `relativeUrl`.
 *
 * @throws Error when the id is outside the grammar
 */
export function fragmentUrl(id: string): Url {
  return checked(`#${id}`);
}

/** The allowed form of an address outside the site; it has no quotes, brackets or backslashes. */
const EXTERNAL =
  /^(?:https?:\/\/[A-Za-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9._~%@:+,=-]*)*(?:\?[A-Za-z0-9._~%@:+,=&/-]*)?(?:#[A-Za-z0-9$_.~%:/-]*)?|mailto:[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+)$/;

/** Returns whether `externalUrl` accepts an address. */
export function isExternal(url: string): boolean {
  return EXTERNAL.test(url);
}

/**
 * An address outside the site.
 *
 * @throws Error when it is not a plain `https`, `http` or `mailto` address
 */
export function externalUrl(url: string): Url {
  if (!isExternal(url)) throw new Error(`not an external address: ${JSON.stringify(url)}`);
  return { markup: "url", url };
}

/** The allowed form of a link that the user gives; the dialect of configurations has the same. */
const USER_LINK =
  /^(?:https?:\/\/|mailto:|\/(?!\/)|(?![^/?#]*:|\/))[A-Za-z0-9._~!$&()*+,;=:@%/?#{}-]*$/;

/**
 * Returns a link of the user as seen from a page: an address stays, a path is relative to the
 * folder of the site.
 *
 * @param page the path of the page, below the site's root
 * @throws Error for an address of another scheme than `https`, `http` or `mailto`, or with
 *   characters that need escaping
 */
export function userUrl(page: string, target: string): Url {
  if (!USER_LINK.test(target)) throw new Error(`not a link: ${JSON.stringify(target)}`);
  const isRelative = !/^(?:https?:|mailto:|\/)/.test(target);
  const up = isRelative ? "../".repeat(page.split("/").length - 1) : "";
  return { markup: "url", url: up + target };
}

function checked(url: string): Url {
  if (url === "" || !GRAMMAR.test(url))
    throw new Error(`not an address of ours: ${JSON.stringify(url)}`);
  return { markup: "url", url };
}

function relativePath(from: string, to: string): string {
  // Up to the last slash before which both are the same.
  let common = 0;
  for (let at = 0; at < from.length && from[at] === to[at]; at++)
    if (from[at] === "/") common = at + 1;
  let up = "";
  for (let at = from.indexOf("/", common); at >= 0; at = from.indexOf("/", at + 1)) up += "../";
  return up + to.slice(common);
}

/**
 * Text as a part of an address, an id or a file name: letters, digits, `_` and
 * `-` stay, every other byte of its UTF-8 form becomes `$` and two hexadecimal
 * digits. Different texts give different tokens (lone surrogates aside, which
 * have no UTF-8 form).
 */
export function urlToken(text: string): string {
  if (text === "") return "$";
  if (/^[\w-]+$/.test(text)) return text;
  return [...new TextEncoder().encode(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9_-]/.test(character) ? character : hex(byte);
    })
    .join("");
}

/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Text as the name of a file or folder: a token that is safe on every file
 * system and not hidden from static hosts, which skip what starts with `_`.
 */
export function fileToken(text: string): string {
  const token = urlToken(text).slice(0, 80);
  if (!token.startsWith("_") && !DEVICE.test(token)) return token;
  return `${hex(token.charCodeAt(0))}${token.slice(1)}`;
}

function hex(byte: number): string {
  return `$${byte.toString(16).padStart(2, "0")}`;
}

/**
 * Keeps names apart: the first request for a name gets it, the next one gets it with a number.
 *
 * @param separator text before the number
 * @param compare `ignore-case` where names that differ only in case are the same, as on many file systems
 */
export function createUniqueNames(
  separator: string,
  compare: "exact" | "ignore-case",
): (wanted: string) => string {
  const taken = new Set<string>();
  const key = (name: string): string => (compare === "exact" ? name : name.toLowerCase());
  return (wanted) => {
    let name = wanted;
    for (let count = 2; taken.has(key(name)); count++) name = `${wanted}${separator}${count}`;
    taken.add(key(name));
    return name;
  };
}
