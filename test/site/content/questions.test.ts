import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { openSite } from "../support/site.js";

interface Question {
  readonly question: string;
  /** Addresses below the site; those without a profile or the manual are of version 1. */
  readonly answers: readonly string[];
}

const { questions } = JSON.parse(
  readFileSync(join(ROOT, "test/fixtures/questions.json"), "utf8"),
) as { readonly questions: readonly Question[] };

const site = await openSite();
const scope = createContext({});
runInContext(site.page("search.js"), scope);

interface Found {
  readonly url: string;
  readonly mentions: readonly string[];
}

function search(text: string): readonly Found[] {
  return runInContext(`acpSearch(${JSON.stringify(text)}, "v1")`, scope) as readonly Found[];
}

/** The position of the first answer among the results; -1 without one. */
function positionOf({ question, answers }: Question): number {
  const wanted = answers.map((path) => (/^(v\d|tool\/)/.test(path) ? path : `v1/${path}`));
  return search(question).findIndex(({ url }) => {
    const path = url.replace(/^[^/]+\/\.\.\//, "");
    return wanted.some((one) => path === one || path.split("#")[0] === one);
  });
}

test("the search answers questions as people type them", () => {
  for (const { answers } of questions)
    for (const path of answers) {
      const file = /^(v\d|tool\/)/.test(path) ? path : `v1/${path}`;
      expect(site.files.has(file.split("#")[0]!), file).toBe(true);
    }
  const positions = questions.map((one) => ({ ...one, position: positionOf(one) }));
  const late = positions.filter(({ position }) => position < 0 || position > 2);
  expect(late.map(({ question }) => question).length, JSON.stringify(late)).toBeLessThanOrEqual(5);
  expect(positions.filter(({ position }) => position === 0).length).toBeGreaterThanOrEqual(48);
  expect(questions).toHaveLength(60);
});

test("what matches inside a page is a whole word", () => {
  const mentions = search("terminalid").flatMap((found) => found.mentions);
  expect(mentions).toContain("terminalId");
});

test("one version beside other words is where to look first", () => {
  const [first] = search("v2 prompt");
  expect(first!.url).toBe("v2/methods/session/prompt.html");
  // With both there is none to prefer.
  const [bridge, losses] = search("v1 v2 losses").map(({ url }) => url);
  expect([bridge, losses]).toEqual(["v1/../tool/bridge.html", "v1/../tool/losses.html"]);
});
