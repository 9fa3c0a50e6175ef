import { expect } from "vitest";
import { pythonTest, runPython } from "../run-python.js";

const PATTERNS = String.raw`
  ^.$ ^\s+$ ^\S$ ^[\s]$ ^[^\S]$ ^\d$ ^\D$ ^[\D]$ ^\w$ ^\W$ ^[\W\d]$ \b ^\B. \ba a$ ^$ ^[^]$ []
  ^[\b]$ ^[a&&b|~[]$ ^(?<x>a|b)+$ ^(?:ab|[c-e])*$ ^(?!a) ^a(?=b) ^\u{1F600}$ ^\uD83D\uDE00$
  ^\u0041$ ^\x41$ ^\cJ$ ^\t$ ^\v$ ^[\]\-a\\]$ ^\$\.\/$ ^\p{L}$ ^\P{Lu}$ ^[\p{Nd}_]$ ^a{2,}?$
  ^(a|)+$ ^\0$
`
  .trim()
  .split(/\s+/);

const TEXTS = [
  ..."abA _-1\u0661éß\u00a0\u0085\n\r\t\v\f",
  ..."\u001c\u2028\ufeff\u200b😀\ud800\b&|~[]\\\u0000",
  ...["", "ab", "aa", "cd", "a b", "a\n", "$./", "aé", "éa"],
];

pythonTest("ECMAScript patterns match in Python what they match in ECMAScript", () => {
  const program = `
import json, sys
sys.path.insert(0, "templates/python")
from acp_bindings._runtime.patterns import matches
patterns, texts = json.load(sys.stdin)
print(json.dumps([[matches(pattern, text) for text in texts] for pattern in patterns]))`;
  const { out, err } = runPython(["-c", program], JSON.stringify([PATTERNS, TEXTS]));
  expect(err).toBe("");
  const found = JSON.parse(out) as boolean[][];
  const wrong = PATTERNS.flatMap((pattern, index) =>
    TEXTS.filter((text, at) => new RegExp(pattern, "u").test(text) !== found[index]![at]).map(
      (text) => [pattern, text],
    ),
  );
  expect(wrong).toEqual([]);
});
