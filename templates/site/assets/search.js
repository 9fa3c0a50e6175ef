// Searches the index of all profiles; loaded when somebody searches.
import MiniSearch from "./minisearch.js";

const { profiles, alike, columns, words, places } = globalThis.acpSearchIndex;
/** The words of each entry. */
const mentioned = columns[0].map(() => []);
const entries = columns[0].map((name, index) => {
  const [, path, kind, added, about, terms, mask] = columns.map((column) => column[index]);
  // A name is left out of its address, and the type of a value is in it.
  const address = path.replace("*", () => name);
  const line = kind === "value" ? `of ${/(\w+)\.html/.exec(address)[1]}` : about;
  return [name, address, kind, added, line, terms, mask];
});
unpackWords();

/** Each word shares a start with the one before, and each place is the distance from the one before. */
function unpackWords() {
  const placesOf = places.split(" ");
  let word = "";
  words.split(" ").forEach((packed, index) => {
    word = word.slice(0, parseInt(packed[0], 36)) + packed.slice(1);
    let place = 0;
    for (let at = 0; at < placesOf[index].length; at++)
      mentioned[(place += placesOf[index].charCodeAt(at) - 35)].push(word);
  });
}

/** Words, the parts of camelCase and snake_case names, and numbers, which may be negative. */
const TOKEN = /-?\d+|\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+/gu;

/** The words of a text, and names as a whole: people type `terminalid`. */
function tokensOf(text) {
  return text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => {
    const parts = word.match(TOKEN) || [];
    return parts.length > 1 ? [...parts, parts.join("")] : parts;
  });
}

const index = new MiniSearch({
  idField: "index",
  fields: ["name", "terms", "about", "words"],
  tokenize: tokensOf,
  // Without the end of a plural, as the index has most words.
  processTerm: (term) => term.toLowerCase().replace(/(?<=[a-z]{2}[^s])s$/, ""),
  searchOptions: {
    tokenize: (text) => text.match(TOKEN) || [],
    combineWith: "AND",
    prefix: (term) => term.length > 1,
    // One wrong letter in a short word, two in a long one.
    fuzzy: (term) => (/\d/.test(term) ? 0 : term.length > 7 ? 2 : term.length > 3 ? 1 : 0),
    boost: { name: 8, terms: 8, about: 2 },
    weights: { fuzzy: 0.1, prefix: 0.5 },
  },
});
index.addAll(
  entries.map(([name, , , , about, terms], index) => ({
    ...{ index, name, terms, about },
    words: mentioned[index].join(" "),
  })),
);

/** Fewer results with all words are completed by results with some of them. */
const FEW = 6;

/** The rank of an entry whose name does not have what was searched for. */
const UNNAMED = 6;

/** The words of questions that say nothing about the answer. */
const ASKING =
  /^(an?|and|any|are|be|can|do|does|examples?|for|from|have|how|i|if|in|is|it|me|mean|my|of|on|or|should|so|the|there|this|to|use|vs|want|what|when|where|which|who|why|with|you|your)$/i;

/** Returns a question without the words that only ask, unless it has no others. */
function askedFor(text) {
  const kept = text.split(/\s+/).filter((word) => !ASKING.test(word.replace(/\W+$/, "")));
  return kept.join(" ") || text;
}

/** The words of a name in any order, without the ends of plurals: `session/list` is "list sessions". */
function stemmed(text) {
  return (askedFor(text).match(TOKEN) || [])
    .map((word) => word.toLowerCase().replace(/(?<=sh|ch|x|ss)es$|s$/, ""))
    .filter((word) => word.length > 1)
    .sort();
}

const names = entries.map(([name, , kind, , , terms]) => ({
  isValue: kind === "value",
  stem: stemmed(name),
  terms: terms.split("|").map(stemmed),
}));

/** The lower, the better: names come before words about them, and values last among names. */
function rank(id, text) {
  const [given] = entries[id];
  const { isValue, stem, terms } = names[id];
  const [name, query, asked] = [given.toLowerCase(), text.toLowerCase(), stemmed(text)];
  const wanted = asked.join(" ");
  if (given === text && !isValue) return 0;
  if (wanted !== "" && terms.some((term) => term.join(" ") === wanted)) return 1;
  if (name === query || (stem.join(" ") === wanted && !isValue)) return isValue ? 3 : 2;
  // A term of several words, and more words around it.
  const isAsked = (all) => all.length > 1 && all.every((word) => asked.includes(word));
  if (terms.some(isAsked)) return 2;
  if (!isValue && isAsked(stem) && asked.length === stem.length + 1) return 2;
  if (name.split(/[/_\s$]+/).some((part) => part.indexOf(query) === 0)) return isValue ? 5 : 4;
  return name.indexOf(query) >= 0 ? 5 : UNNAMED;
}

function plain(word) {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether one text becomes the other by two changes of letters at most. */
function isAlike(one, other) {
  if (Math.abs(one.length - other.length) > 2) return false;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next.push(
        Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[other.length] <= 2;
}

/** The query of a question: each of its words, or at half the weight one that people use for it. */
function queryOf(text, combineWith) {
  const queries = (text.match(TOKEN) || []).map((word) => {
    const [stem] = stemmed(word);
    const others = alike.filter((line) => line.includes(stem)).flat();
    const boost = { name: 4, terms: 4, about: 1, words: 0.5 };
    const either = others.map((other) => ({
      queries: [other],
      boost,
      prefix: false,
      fuzzy: false,
    }));
    return { combineWith: "OR", queries: [word, ...either] };
  });
  return { combineWith, queries };
}

/** Methods, then types, then pages, then their sections, then values. */
function kindOrder(kind) {
  if (/^(request|notification)$/.test(kind)) return 0;
  return { type: 1, section: 3, value: 4 }[kind] ?? 2;
}

/** How much the score of a kind counts: what is searched for is mostly a method or type. */
const WEIGHTS = [1.5, 1, 1.5, 1.2, 0.3];

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
  const words = text.trim().split(/\s+/);
  // One version beside other words is where to look first.
  const versions = words.filter((word) => /^v\d$/i.test(word));
  const named = versions.length === 1 && words.length > 1 ? versions[0] : undefined;
  const given = words.filter((word) => word !== named).join(" ");
  const preferred = named?.toLowerCase() ?? current;
  const query = given.toLowerCase();
  if (query === "") return [];
  const asked = askedFor(given);
  const rankOf = (id) => Math.min(rank(id, given), named ? rank(id, text) : UNNAMED);
  const scored = new Map(index.search(queryOf(asked, "AND")).map((found) => [found.id, found]));
  // Where nothing has all of several words, they are no name: pages come before methods and types.
  const isProse = scored.size === 0 && asked.includes(" ");
  // What has some of the words comes after what has all.
  if (scored.size < FEW)
    for (const found of index.search(queryOf(asked, "OR")).slice(0, FEW))
      if (!scored.has(found.id)) scored.set(found.id, { ...found, score: found.score / 1000 });
  entries.forEach(([name], id) => {
    if (!scored.has(id) && (name.toLowerCase().indexOf(query) >= 0 || rankOf(id) < 3))
      scored.set(id, { id, score: 0, terms: [query], match: {} });
  });
  const isNamed = [...scored.keys()].some((id) => rankOf(id) < UNNAMED);
  return [...scored.values()]
    .map(({ id, score, terms, match }) => {
      const [name, path, kind, added, about, , mask] = entries[id];
      // A name that is nearly right, where no other has it.
      const isMisspelled = !isNamed && query.length > 4 && isAlike(name.toLowerCase(), query);
      const place = rankOf(id) - (isMisspelled ? 1 : 0);
      const profile = profileOf(mask, preferred);
      const isOwn = profiles[profile][0] === current;
      const shown = `${name} ${about}`.toLowerCase();
      return {
        ...{ name, kind, added, about, terms, score },
        url: `${profiles[profile][0]}/${path}`,
        // Where the text of the page has the word, and nothing that is shown.
        mentions: [
          ...new Set(
            terms
              .filter((term) => match[term] && shown.indexOf(term) < 0)
              .map((term) => mentioned[id].find((word) => plain(word).includes(term)))
              .filter(Boolean),
          ),
        ],
        profile: isOwn || path.startsWith("../") ? undefined : profiles[profile][1],
        order: [
          isProse && place > 2 && !/^(page|section)$/.test(kind) ? 1 : 0,
          place,
          preferred === undefined || profiles[profile][0] === preferred ? 0 : 1,
          // Among equal matches of the name, methods come first; other matches go by their score.
          place === UNNAMED ? 0 : kindOrder(kind),
          // Without a profile, the first one comes first.
          preferred === undefined ? profile : 0,
          -score * WEIGHTS[kindOrder(kind)],
          name.length,
          id,
        ],
      };
    })
    .sort((a, b) => a.order.reduce((sum, key, at) => sum || key - b.order[at], 0));
}
