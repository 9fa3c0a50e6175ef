// Searches the index of all profiles; loaded when somebody searches.
import MiniSearch from "./minisearch.js";

const { profiles, entries } = globalThis.acpSearchIndex;

/** Words, the parts of camelCase and snake_case names, and numbers, which may be negative. */
const TOKEN = /-?\d+|\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+/gu;

const index = new MiniSearch({
  idField: "index",
  fields: ["name", "about", "words"],
  tokenize: (text) => text.match(TOKEN) || [],
  searchOptions: {
    combineWith: "AND",
    prefix: (term) => term.length > 1,
    // One wrong letter in a short word, two in a long one.
    fuzzy: (term) => (/\d/.test(term) ? 0 : term.length > 7 ? 2 : term.length > 3 ? 1 : 0),
    boost: { name: 8, about: 2 },
    weights: { fuzzy: 0.1, prefix: 0.5 },
  },
});
index.addAll(entries.map(([name, , , , about, words], index) => ({ index, name, about, words })));

/** Fewer results with all words are completed by results with some of them. */
const FEW = 6;

/** The rank of an entry whose name does not have what was searched for. */
const UNNAMED = 4;

/** The lower, the better: names come before words about them. */
function rank(given, text) {
  const [name, query] = [given.toLowerCase(), text.toLowerCase()];
  if (given === text) return 0;
  if (name === query) return 1;
  if (name.split(/[/_\s$]+/).some((part) => part.indexOf(query) === 0)) return 2;
  return name.indexOf(query) >= 0 ? 3 : UNNAMED;
}

/** Methods, then types, then pages, then their sections. */
function kindOrder(kind) {
  if (/^(request|notification)$/.test(kind)) return 0;
  return kind === "type" ? 1 : kind === "section" ? 3 : 2;
}

/** How much the score of a kind counts: what is searched for is mostly a method or type. */
const WEIGHTS = [2, 1.5, 1, 1];

/** A current profile that has the entry comes first, then the first that has it. */
function profileOf(mask, current) {
  const own = profiles.findIndex(([name]) => name === current);
  if (own >= 0 && mask & (1 << own)) return own;
  return profiles.findIndex((_, bit) => mask & (1 << bit));
}

/**
 * Finds entries, the best first.
 *
 * @param current the name of the profile to prefer; may be undefined
 * @returns the address below the site, the profile's title where it is another one, the words that match
 */
export function search(text, current) {
  const given = text.trim();
  const query = given.toLowerCase();
  if (query === "") return [];
  const scored = new Map(index.search(given).map((found) => [found.id, found]));
  // What has some of the words comes after what has all.
  if (scored.size < FEW)
    for (const found of index.search(given, { combineWith: "OR" }).slice(0, FEW))
      if (!scored.has(found.id)) scored.set(found.id, { ...found, score: found.score / 1000 });
  entries.forEach(([name], id) => {
    if (!scored.has(id) && name.toLowerCase().indexOf(query) >= 0)
      scored.set(id, { id, score: 0, terms: [query], match: {} });
  });
  return [...scored.values()]
    .map(({ id, score, terms, match }) => {
      const [name, path, kind, added, about, , mask] = entries[id];
      const profile = profileOf(mask, current);
      const isOwn = profiles[profile][0] === current;
      const shown = `${name} ${about}`.toLowerCase();
      return {
        ...{ name, kind, added, about, terms, score },
        url: `${profiles[profile][0]}/${path}`,
        // Where the text of the page has the word, and nothing that is shown.
        mentions: terms.filter((term) => match[term] && shown.indexOf(term) < 0),
        profile: isOwn ? undefined : profiles[profile][1],
        order: [
          rank(name, given),
          isOwn || current === undefined ? 0 : 1,
          // Among equal matches of the name, methods come first; other matches go by their score.
          rank(name, given) === UNNAMED ? 0 : kindOrder(kind),
          // Without a profile, the first one comes first.
          current === undefined ? profile : 0,
          -score * WEIGHTS[kindOrder(kind)],
          name.length,
          id,
        ],
      };
    })
    .sort((a, b) => a.order.reduce((sum, key, at) => sum || key - b.order[at], 0));
}

globalThis.acpSearch = search;
