import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { openSite } from "../support/site.js";
import { readKeyWords } from "../../reference/reference.js";

/** What the official pages require, and the words by which a sentence of ours is found. */
interface Requirement {
  readonly page: string;
  readonly versions: readonly string[];
  readonly strength: string;
  readonly says: readonly string[];
}

/** A requirement of ours that no official page has: of the published schema, or with another reason. */
interface OtherRequirement extends Pick<Requirement, "page" | "strength" | "says"> {
  /** The published definition that states it. */
  readonly definition?: string;
  readonly reason?: string;
}

/** A requirement of the official pages that our guides do not state. */
interface Omitted extends Pick<Requirement, "versions" | "strength"> {
  readonly what: string;
  readonly reason: string;
}

const table = JSON.parse(readFileSync(join(ROOT, "test/fixtures/requirements.json"), "utf8")) as {
  readonly requirements: { readonly [page: string]: readonly Omit<Requirement, "page">[] };
  readonly others: readonly OtherRequirement[];
  readonly omitted: readonly Omitted[];
};
const { others, omitted } = table;
const requirements: readonly Requirement[] = Object.entries(table.requirements).flatMap(
  ([page, rows]) => rows.map((row) => ({ page, ...row })),
);
const { protocols, pages, page } = await openSite();
/** The pages of the guides that are not generated in part. */
const GUIDES = new Set(
  readdirSync(join(ROOT, "templates/site/guides"), { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?!tool\/).*\.md$/.test(file))
    .map((file) => basename(file).replace(/(\.v\d)?\.md$/, ".html")),
);
const keyWords = ["v1", "v2"].flatMap((version) => [...readKeyWords(version)]);

/** Sentences, rows of tables and items of lists, without links. */
function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/```[^]*?```/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .split(/\n|(?<=[.:]) (?=[A-Z`])/);
}

/** Whether a sentence states a requirement, as strongly. */
function states(sentence: string, { strength, says }: OtherRequirement): boolean {
  return (
    new RegExp(`\\b${strength}\\b(?! NOT)`).test(sentence) &&
    says.every((words) => sentence.toLowerCase().includes(words.toLowerCase()))
  );
}

test.each(protocols.map(({ profile, version }) => [profile, version] as const))(
  "the guides of %s state what the official pages require, with the same strength",
  (profile, version) => {
    const own = requirements.filter(({ versions }) => versions.includes(version));
    const missing = own.filter(
      (one) =>
        !sentencesOf(page(`${profile}/${one.page}.md`)).some((sentence) => states(sentence, one)),
    );
    expect(missing).toEqual([]);
    expect(own.length).toBeGreaterThan(60);
  },
);

test.each(protocols.map(({ profile, version }) => [profile, version] as const))(
  "what the guides of %s require is required officially, or has a reason",
  (profile, version) => {
    const own = requirements.filter(({ versions }) => versions.includes(version));
    const guides = pages.filter(
      ([path]) => GUIDES.has(path.slice(profile.length + 1)) && path.startsWith(`${profile}/`),
    );
    const required = guides.flatMap(([path]) => {
      const sentences = sentencesOf(page(`${path}.md`).split("\n---\n")[0]!);
      return sentences
        .filter((sentence) => /\b(MUST|SHOULD|MAY|OPTIONAL)\b/.test(sentence))
        .filter((sentence) => ![...own, ...others].some((one) => states(sentence, one)))
        .map((sentence) => `${path}: ${sentence}`);
    });
    expect(required).toEqual([]);
    expect(guides.length).toBeGreaterThan(10);
  },
);

test.each(protocols.map(({ profile, version }) => [profile, version] as const))(
  "what the descriptions of %s share with the guides, they state with the same strength",
  (profile, version) => {
    const own = requirements.filter(({ versions }) => versions.includes(version));
    const schema = readFileSync(join(ROOT, `out/schema/${profile}.schema.json`), "utf8");
    const sentences = descriptionsIn(JSON.parse(schema) as object).flatMap(sentencesOf);
    const weaker = sentences.filter((sentence) =>
      own.some(
        (one) =>
          !states(sentence, one) &&
          states(sentence, { ...one, strength: one.strength.toLowerCase() }),
      ),
    );
    expect(weaker).toEqual([]);
    expect(sentences.length).toBeGreaterThan(300);
  },
);

test("each requirement that is left out has a reason of its own", () => {
  const texts = omitted.flatMap(({ what, reason }) => [what, reason.length > 20 ? reason : ""]);
  expect(texts).not.toContain("");
  expect(new Set(omitted.map(({ what }) => what)).size).toBe(omitted.length);
});

test("the other requirements are those of the published schema, or have a reason", () => {
  const wrong = others.filter(({ definition, strength, reason }) => {
    if (definition === undefined) return reason === undefined;
    return !keyWords.some(
      ([place, words]) => place.split(/[./]/)[0] === definition && words.includes(strength),
    );
  });
  expect(wrong).toEqual([]);
  const used = others.filter((one) =>
    pages.some(
      ([path]) =>
        path.endsWith(`/${one.page}`) &&
        sentencesOf(page(`${path}.md`)).some((sentence) => states(sentence, one)),
    ),
  );
  expect(others.filter((one) => !used.includes(one))).toEqual([]);
});

function descriptionsIn(schema: object): readonly string[] {
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (key === "description" && typeof value === "string") return [value];
    return typeof value === "object" && value !== null ? descriptionsIn(value) : [];
  });
}
