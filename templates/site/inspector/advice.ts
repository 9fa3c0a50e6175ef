/** What people have in place of JSON, and what to do about it. */
const MISTAKES: readonly (readonly [mistake: RegExp, advice: string])[] = [
  [
    /[{[,(:]\s*(True|False|None)\b|^\s*[{[]\s*'/,
    "This is a printed dict: print json.dumps(message) instead.",
  ],
  [/'/, "JSON has double quotes only."],
  [/,\s*[}\]]/, "There is a comma before a closing bracket."],
  [/\b(NaN|Infinity|undefined)\b/, "JSON has no NaN, Infinity or undefined: use null."],
  [/\/\/|\/\*/, "JSON has no comments."],
  [/^Content-Length:/i, "Headers belong to LSP: in ACP every message is one line."],
];

/** How much of a text is searched, in UTF-16 code units. */
const SEARCHED = 10_000;

/** Returns a reason with a sentence about the likely mistake in a text that is not JSON, if there is one. */
export function withAdvice(reason: string, text: string): string {
  const plain = text.slice(0, SEARCHED).replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const advice = MISTAKES.find(([mistake]) => mistake.test(plain))?.[1];
  return advice === undefined || !/[{[]|^Content-/i.test(plain) ? reason : `${reason}. ${advice}`;
}
