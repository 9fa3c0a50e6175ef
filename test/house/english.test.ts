import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "../../generators/run/installation.js";
import { ROOT } from "../support/paths.js";

/** Phrases that a native writer would not use, with what to write instead. */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bof (?:your|its|their|our) own\b/, "your …, custom …, its …"],
  [/\bvariables? of the environment\b/, "environment variables"],
  [/\b[Vv]ersion \d does not (?:know|say|name)\b/, "Version 1 does not define …"],
  [/\b(?:is|are) (?:left out|made up|found out|taken back)\b/, "the bridge drops …"],
  [/\bas (?:it is|it was|they are|they were)\b/, "unchanged"],
  [/\b(?:one|a) \w+ a (?:definition|profile|line|method|type|file|language)\b/, "one … per …"],
  [/\bin the way\b/, "the actual obstacle"],
  [/\b(?:is|are) answered with (?!-32700 and)/, "who answers: the agent returns …"],
  [/\ball the same\b/, "still …"],
  [/\b(?:as well|too)[.;:]/, "also …"],
  [/\b[Ss]chemas? of others\b|\bof other systems\b/, "third-party …, on other platforms"],
  [/\bthat keeps? it and that breaks? it\b/, "passing and failing"],
  [
    /\bin succession\b|\b(?:from|From) \d[\d.]* on\b|\b[Mm]eanwhile\b/,
    "in a row, since …, until then",
  ],
  [/\bwhat is not (?:listed|named|there)\b/i, "everything else"],
];

/** Our texts for readers: guides, the manual, the texts of the schema, and the READMEs. */
function texts(): readonly (readonly [path: string, text: string])[] {
  const below = (folder: string, name: RegExp): (readonly [string, string])[] =>
    [...readTree(join(ROOT, folder))]
      .filter(([path]) => name.test(path))
      .map(([path, text]) => [`${folder}/${path}`, text]);
  return [
    ...below("templates/site/guides", /\.md$/),
    ...below("schema/docs", /\.json$/),
    ...below("schema/bridge", /\.json$/),
    ["README.md", readFileSync(join(ROOT, "README.md"), "utf8")],
  ];
}

test("our texts have none of the phrases that give a translation away", () => {
  const all = texts();
  expect(all.length).toBeGreaterThan(50);
  const found = all.flatMap(([path, text]) =>
    text
      .split("\n")
      // The ids of headings are addresses, which stay.
      .filter((line) => !/^#+ /.test(line))
      .flatMap((line) =>
        PHRASES.filter(([phrase]) => phrase.test(line)).map(
          ([phrase, instead]) => `${path}: ${phrase.exec(line)![0]} (${instead})`,
        ),
      ),
  );
  expect(found).toEqual([]);
});
