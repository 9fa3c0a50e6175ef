// Searches the index of all profiles; loaded when somebody searches.

const { profiles, alike, columns, words, places } = globalThis.acpSearchIndex;

const entries = columns[0].map((name, index) => {
  const [, path, kind, added, about, former, mask] = columns.map((column) => column[index]);
  // A name is left out of its address.
  const address = path.replace("*", () => name);
  return { name, path: address, kind, added, about, former: former.split(" "), mask };
});
const ids = new Map();
entries.forEach(({ path }, id) => ids.set(path, [...(ids.get(path) ?? []), id]));
/** The id of the page that a value or section is in, in a profile that has both. */
const pageOf = ({ path, mask }) =>
  ids.get(path.split("#")[0]).find((id) => entries[id].mask & mask);
for (const entry of entries)
  if (/^(value|section)$/.test(entry.kind)) entry.about = `of ${entries[pageOf(entry)].name}`;
/** The words of the text of each entry, and those of the questions that it answers. */
const [mentioned, answered] = [entries.map(() => []), entries.map(() => [])];
unpackWords();

/** Each word shares a start with the one before, and each place is the distance from the one before. */
function unpackWords() {
  const placesOf = places.split(" ");
  let word = "";
  words.split(" ").forEach((packed, index) => {
    word = word.slice(0, parseInt(packed[0], 36)) + packed.slice(1);
    const [mentioning, asking = ""] = placesOf[index].split("!");
    addAt(mentioned, mentioning, word);
    addAt(answered, asking, word);
  });
}

function addAt(all, distances, word) {
  let place = 0;
  for (let at = 0; at < distances.length; at++)
    all[(place += distances.charCodeAt(at) - 35)].push(word);
}

/** Words, the parts of camelCase and snake_case names, and numbers, which may be negative. */
const TOKEN = /-?\d+|\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+/gu;

/** The words of a text, and names as a whole: people type `terminalid`. */
function tokensOf(text) {
  return text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => {
    const parts = word.match(TOKEN) || [];
    return parts.length > 1 && !word.includes("-") ? [...parts, parts.join("")] : parts;
  });
}

/** What the forms of a word have in common: `generate`, `generated` and `generator`. */
function stemOf(word) {
  return word
    .toLowerCase()
    .replace(/(?<=..(?:sh|ch|x|ss))es$|(?<=[a-z]{2}[^s])s$/, "")
    .replace(/(?<=[aeiouy].+|..[aeiouy])(?:ing|ed|ion|er|or|e|ly)$/, "")
    .replace(/(?<=..)([b-df-hj-np-tv-z])\1$/, "$1")
    .replace(/(?<=..)y$/, "i");
}

/** The words of questions that say nothing about the answer. */
const ASKING =
  /^(all|already|an?|am|and|another|any|are|as|at|be|but|by|can|could|did|do|does|examples?|first|for|from|get|happens?|has|have|here|how|i|if|in|is|its?|know|last|let|make|me|mean|my|need|not?|of|on|one|or|other|our|own|same|should|so|some|such|than|that|the|their|them|there|these|they|this|to|us|use|vs|want|was|we|what|when|where|which|while|who|why|will|with|would|you|your)$/i;

/** Returns a question without the words that only ask, unless it has no others. */
function askedFor(text) {
  const kept = text.split(/\s+/).filter((word) => !ASKING.test(word.replace(/\W+$/, "")));
  return kept.join(" ") || text;
}

/** How much a word counts by its place in an entry; that of a name by how much of it the word is. */
const WEIGHTS = { name: 11, question: 3, about: 1.5, page: 2, text: 0.6 };

/** The entries that have a word, by its stem, each with the weight of the word there. */
const having = new Map();
/** The stem of every word. */
const stems = new Map();

function addWords(id, text, weight) {
  for (const word of tokensOf(text)) {
    const lower = word.toLowerCase();
    if (!stems.has(lower)) stems.set(lower, stemOf(lower));
    const stem = stems.get(lower);
    if (!having.has(stem)) having.set(stem, new Map());
    const found = having.get(stem);
    found.set(id, Math.max(found.get(id) ?? 0, weight));
  }
}

entries.forEach((entry, id) => {
  const { name, kind, about, former } = entry;
  for (const one of [name, ...former])
    addWords(id, one, WEIGHTS.name / Math.sqrt(tokensOf(one).length));
  addWords(id, about, WEIGHTS.about);
  addWords(id, mentioned[id].join(" "), WEIGHTS.text);
  addWords(id, answered[id].join(" "), WEIGHTS.question);
  if (kind === "section") addWords(id, entries[pageOf(entry)].name, WEIGHTS.page);
});

/** Whether one text becomes the other by so many changes of letters at most. */
function isNear(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return false;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next.push(
        Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[other.length] <= most;
}

/** The stems that people use for each other. */
const alikeStems = alike.map((line) => line.map(stemOf));

/**
 * The stems that a word of a question may mean, with how likely that is: its own, those of words
 * that people use for it, and those of longer words, or of misspelled ones.
 */
function meantBy(word, mayGoOn) {
  const [lower, stem] = [word.toLowerCase(), stemOf(word)];
  const meant = new Map();
  const add = (other, weight) => {
    if (having.has(other) && !meant.has(other)) meant.set(other, weight);
  };
  add(stem, 1);
  const isKnown = meant.size > 0;
  for (const line of alikeStems) if (line.includes(stem)) line.forEach((one) => add(one, 0.5));
  if (lower.length > 1 && (mayGoOn || !isKnown))
    for (const [other, its] of stems) if (other.startsWith(lower)) add(its, 0.5);
  // One wrong letter in a short word, two in a long one.
  const most = /\d/.test(word) || lower.length < 4 ? 0 : lower.length < 8 ? 1 : 2;
  if (meant.size === 0 && most > 0)
    for (const [other, its] of stems) if (isNear(other, lower, most)) add(its, 0.2);
  return meant;
}

/**
 * Returns a score for each entry that has some of the words, by its id: rare words count more, and
 * so do entries with more of the words. Returns the stems that the words may mean as well.
 */
function findWords(asked, isLong) {
  const found = new Map();
  const matched = new Set();
  let total = 0;
  for (const word of new Set(tokensOf(asked))) {
    const best = new Map();
    let most = 0;
    for (const [stem, weight] of meantBy(word, !isLong)) {
      const rarity = weight * Math.log(1 + entries.length / having.get(stem).size);
      most = Math.max(most, rarity);
      for (const [id, place] of having.get(stem))
        best.set(id, Math.max(best.get(id) ?? 0, rarity * place));
      matched.add(stem);
    }
    total += most;
    for (const [id, score] of best) {
      const [sum, share] = found.get(id) ?? [0, 0];
      found.set(id, [sum + score, share + most]);
    }
  }
  for (const [id, [sum, share]] of found) found.set(id, (sum * share) / total);
  // A page is as good as its best section, and what it says itself: words far from each other answer little.
  const best = new Map();
  for (const [id, score] of found) {
    if (entries[id].kind !== "section") continue;
    const page = pageOf(entries[id]);
    best.set(page, Math.max(best.get(page) ?? 0, score));
  }
  for (const [id, score] of best) found.set(id, (found.get(id) ?? 0) + score / 2);
  return { found, matched };
}

/** The least part of the best score that is worth to be shown. */
const WORTH = 0.1;

/** The rank of an entry whose name does not have what was searched for. */
const UNNAMED = 6;

/** Questions of more words are prose. */
const LONG = 3;

/** The words of a name in any order, without the ends of plurals: `session/list` is "list sessions". */
function stemmed(text) {
  return (askedFor(text).match(TOKEN) || [])
    .map((word) => word.toLowerCase().replace(/(?<=sh|ch|x|ss)es$|s$/, ""))
    .filter((word) => word.length > 1)
    .sort();
}

const names = entries.map(({ name, kind }) => ({ isValue: kind === "value", stem: stemmed(name) }));

/** The lower, the better: names come before words about them, and values last among names. */
function rank(id, text) {
  const { isValue, stem } = names[id];
  const [name, query] = [entries[id].name.toLowerCase(), text.toLowerCase()];
  const asked = stemmed(text);
  const wanted = asked.join(" ");
  if (entries[id].name === text && !isValue) return 0;
  if (entries[id].former.includes(text)) return 1;
  if (name === query || (stem.join(" ") === wanted && !isValue)) return isValue ? 3 : 2;
  // A name of several words, and one word more.
  const isAsked = stem.length > 1 && stem.every((word) => asked.includes(word));
  if (!isValue && isAsked && asked.length === stem.length + 1) return 2;
  if (name.split(/[/_\s$]+/).some((part) => part.indexOf(query) === 0)) return isValue ? 5 : 4;
  return name.indexOf(query) >= 0 ? 5 : UNNAMED;
}

/** Methods, then types, then pages, then their sections, then values. */
function kindOrder(kind) {
  if (/^(request|notification)$/.test(kind)) return 0;
  return { type: 1, section: 3, rule: 3, value: 4 }[kind] ?? 2;
}

/** How much the score of a kind counts: a few words are mostly about a method or type, a question is not. */
const FOR_WORDS = [1.5, 1, 1.5, 1.2, 0.3];
const FOR_QUESTIONS = [1, 0.6, 1.5, 1.2, 0.2];

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
  const isLong = asked.split(/\s+/).length > LONG;
  const rankOf = (id) => Math.min(rank(id, given), named ? rank(id, text) : UNNAMED);
  const { found, matched } = findWords(asked, isLong);
  const least = WORTH * Math.max(0, ...found.values());
  const scored = new Map([...found].filter(([, score]) => score >= least));
  entries.forEach(({ name }, id) => {
    if (!scored.has(id) && (name.toLowerCase().indexOf(query) >= 0 || rankOf(id) < 3))
      scored.set(id, 0);
  });
  const isNamed = [...scored.keys()].some((id) => rankOf(id) < UNNAMED);
  const ranked = [...scored]
    .map(([id, score]) => {
      const { name, path, kind, added, about, mask } = entries[id];
      // A name that is nearly right, where no other has it.
      const isMisspelled = !isNamed && query.length > 4 && isNear(name.toLowerCase(), query, 2);
      const place = rankOf(id) - (isMisspelled ? 1 : 0);
      const profile = profileOf(mask, preferred);
      const isOwn = profiles[profile][0] === current;
      const isPreferred = preferred === undefined || profiles[profile][0] === preferred;
      const weight = (isLong ? FOR_QUESTIONS : FOR_WORDS)[kindOrder(kind)];
      return {
        ...{ id, name, kind, added, about },
        url: `${profiles[profile][0]}/${path}`,
        profile: isOwn || path.startsWith("../") ? undefined : profiles[profile][1],
        order: [
          place,
          (isLong || isPreferred ? 0 : 1) + (place < UNNAMED && kind === "section" ? 1 : 0),
          // Among equal matches of the name, methods come first; other matches go by their score.
          place === UNNAMED ? 0 : kindOrder(kind),
          // Without a profile, the first one comes first.
          preferred === undefined ? profile : 0,
          -score * weight * (isPreferred ? 1 : 0.5),
          name.length,
          id,
        ],
      };
    })
    .sort((a, b) => a.order.reduce((sum, key, at) => sum || key - b.order[at], 0));
  return (isLong ? pagesOnce(ranked) : ranked).map((entry) => withMatches(entry, matched));
}

/** Moves what else a page has behind the first results: a question is rarely about the page of the first result only. */
function pagesOnce(ranked) {
  const seen = new Set();
  const [first, later] = [[], []];
  for (const entry of ranked) {
    const [page] = entry.url.split("#");
    (seen.has(page) ? later : first).push(entry);
    seen.add(page);
  }
  first.splice(12, 0, ...later);
  return first;
}

/** Adds the words of an entry that match: those that are shown, and those of its text that are not. */
function withMatches(entry, matched) {
  const matching = (word) =>
    tokensOf(word).some((one) => matched.has(stems.get(one.toLowerCase())));
  const shown = `${entry.name} ${entry.about}`;
  const terms = tokensOf(shown).filter(matching);
  const isShown = (word) => shown.toLowerCase().includes(word.toLowerCase());
  const mentions = mentioned[entry.id].filter((word) => matching(word) && !isShown(word));
  return { ...entry, terms, mentions };
}
