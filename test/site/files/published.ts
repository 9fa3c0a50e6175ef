import { attributes } from "../support/markup.js";

/** A page that only says where something went. */
export function isMovedPage(html: string): boolean {
  return html.includes("<h1>This page has moved</h1>");
}

/**
 * The lines of `published.txt` for a site: the address of each page and its ids.
 *
 * @param before lines that stay, whatever the site has
 */
export function publishedLines(
  files: ReadonlyMap<string, string>,
  before: readonly string[] = [],
): readonly string[] {
  const lines = new Map<string, Set<string>>();
  const add = (path: string, ids: readonly string[]): void => {
    lines.set(path, new Set([...(lines.get(path) ?? []), ...ids]));
  };
  for (const line of before) {
    const [path, ...ids] = line.split(" ") as [string, ...string[]];
    add(path, ids);
  }
  for (const [path, text] of files) {
    // The differences from another profile change with every release.
    if (path.endsWith("/changes.html")) lines.set(path, new Set());
    else if (path.endsWith(".html")) add(path, attributes(text, "id"));
  }
  return [...lines]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, ids]) => [path, ...ids].join(" "));
}

/** Returns the published addresses and ids that are missing, each with the entry to add. */
export function findLost(
  published: readonly string[],
  files: ReadonlyMap<string, string>,
): readonly string[] {
  return published.flatMap((line) => {
    const [path, ...ids] = line.split(" ") as [string, ...string[]];
    const [profile, ...rest] = path.split("/") as [string, ...string[]];
    const entry = (id?: string): string =>
      rest.length === 0
        ? "pages above the profiles stay"
        : `add { "page": "${rest.join("/")}", ${id === undefined ? "" : `"id": "${id}", `}"only": ["${profile.split("-")[0]}"], "to": …, "text": … } to "moved" in schema/docs/moved.json`;
    const html = files.get(path);
    if (html === undefined) return [`${path} was published and is missing: ${entry()}`];
    if (isMovedPage(html)) return [];
    const known = new Set(attributes(html, "id"));
    return ids
      .filter((id) => !known.has(id))
      .map((id) => `${path}#${id} was published and is missing: ${entry(id)}`);
  });
}
