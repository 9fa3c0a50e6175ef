import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { openSite } from "../support/site.js";

/** What the official pages require, and the words by which a sentence of ours is found. */
interface Requirement {
  readonly page: string;
  readonly versions: readonly string[];
  readonly strength: string;
  readonly says: readonly string[];
}

const { requirements } = JSON.parse(
  readFileSync(join(ROOT, "test/fixtures/requirements.json"), "utf8"),
) as { readonly requirements: readonly Requirement[] };
const { protocols, page } = await openSite();

/** Sentences, rows of tables and items of lists, without links. */
function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/```[^]*?```/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .split(/\n|(?<=[.:]) (?=[A-Z`])/);
}

test.each(protocols.map(({ profile, version }) => [profile, version] as const))(
  "the guides of %s state what the official pages require, with the same strength",
  (profile, version) => {
    const own = requirements.filter(({ versions }) => versions.includes(version));
    const missing = own.filter(({ page: path, strength, says }) => {
      const keyword = new RegExp(`\\b${strength}\\b(?! NOT)`);
      return !sentencesOf(page(`${profile}/${path}.md`)).some(
        (sentence) =>
          keyword.test(sentence) &&
          says.every((words) => sentence.toLowerCase().includes(words.toLowerCase())),
      );
    });
    expect(missing).toEqual([]);
    expect(own.length).toBeGreaterThan(60);
  },
);
