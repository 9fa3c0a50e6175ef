import { attributes } from "../support/markup.js";

/** The ids of each page, by its address. */
export type Addresses = ReadonlyMap<string, readonly string[]>;

/** In place of profiles, for a page above them. */
const ABOVE = ".";

/** Returns whether a page only tells where its content has moved. */
export function isMovedPage(html: string): boolean {
  return html.includes("<h1>This page has moved</h1>");
}

/**
 * Returns the addresses of a site, and their ids.
 *
 * @param before addresses that stay, whatever the site has
 */
export function addressesOf(
  files: ReadonlyMap<string, string>,
  before: Addresses = new Map(),
): Addresses {
  const addresses = new Map(before);
  for (const [path, text] of files) {
    if (!path.endsWith(".html")) continue;
    // The differences from another profile change with every release.
    const ids = path.endsWith("/changes.html")
      ? []
      : [...(addresses.get(path) ?? []), ...attributes(text, "id")];
    addresses.set(path, [...new Set(ids)]);
  }
  return addresses;
}

/** Reads lines that have profiles, a page that each of them has, and the ids of the page. */
export function parseAddresses(text: string): Addresses {
  const lines = text.trim().split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [profiles, page, ...ids] = line.split(" ") as [string, string, ...string[]];
      return profiles
        .split(",")
        .map((profile) => [profile === ABOVE ? page : `${profile}/${page}`, ids] as const);
    }),
  );
}

/** The reverse of `parseAddresses`. */
export function formatAddresses(addresses: Addresses): string {
  const profiles = new Map<string, string[]>();
  for (const [path, ids] of [...addresses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [profile, page] = path.includes("/") ? splitPath(path) : [ABOVE, path];
    const rest = [page, ...ids].join(" ");
    profiles.set(rest, [...(profiles.get(rest) ?? []), profile]);
  }
  const lines = [...profiles].sort(([a], [b]) => (a < b ? -1 : 1));
  return lines.map(([rest, names]) => `${names.join(",")} ${rest}\n`).join("");
}

/** Returns the published addresses and ids that are missing, each with the entry to add. */
export function findLost(
  published: Addresses,
  files: ReadonlyMap<string, string>,
): readonly string[] {
  return [...published].flatMap(([path, ids]) => {
    const [profile, page] = splitPath(path);
    const entry = (id?: string): string =>
      page === ""
        ? "pages above the profiles stay"
        : `add { "page": "${page}", ${id === undefined ? "" : `"id": "${id}", `}"only": ["${profile.split("-")[0]}"], "to": …, "text": … } to "moved" in schema/docs/moved.json`;
    const html = files.get(path);
    if (html === undefined) return [`${path} was published and is missing: ${entry()}`];
    if (isMovedPage(html)) return [];
    const known = new Set(attributes(html, "id"));
    return ids
      .filter((id) => !known.has(id))
      .map((id) => `${path}#${id} was published and is missing: ${entry(id)}`);
  });
}

/** Returns the profile of an address and its page; the page of an address above the profiles is empty. */
function splitPath(path: string): [profile: string, page: string] {
  const [profile = "", ...page] = path.split("/");
  return [profile, page.join("/")];
}
