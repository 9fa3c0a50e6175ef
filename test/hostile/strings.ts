import { readFileSync } from "node:fs";
import { join } from "node:path";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { createRandom } from "../use/samples/random.js";

/** The public list of naughty strings. */
export const NAUGHTY = JSON.parse(
  readFileSync(join(ROOT, "test/fixtures/naughty-strings.json"), "utf8"),
) as readonly string[];

/** The effect that any of these would have if it ran. */
const ACT = "globalThis.PWNED=1";

/** Ours aim at TypeScript, JSDoc, JSON, HTML, templates and the placeholders of our own printer. */
export const OWN: readonly string[] = [
  "*/",
  "*\\/",
  "**//",
  "*/ /*",
  "/* */",
  "//",
  "/**",
  "\\",
  "\\\\",
  "'",
  '"',
  "`",
  "\\`",
  `\${${ACT}}`,
  `\`;${ACT};\``,
  `";${ACT};"`,
  `';${ACT};'`,
  `*/${ACT};/*`,
  `\n*/\n${ACT};\n/*`,
  `"]:1};${ACT};export const x={["`,
  `"}${ACT};{"`,
  `\\";${ACT};//`,
  `\\u0022;${ACT};//`,
  `\u2028${ACT}`,
  `\u2029${ACT}`,
  `\r${ACT}`,
  `\r\n${ACT};\n`,
  `/;${ACT};/`,
  `[${ACT}]`,
  `);${ACT};(`,
  `require("node:fs").writeFileSync("PWNED","")`,
  `*/import("node:fs").then((fs)=>fs.writeFileSync("PWNED",""));/*`,
  `*/fetch(process.env.CANARY);/*`,
  `const x = require("ajv/dist/runtime/equal").default;`,
  "\u2028export const x = y;",
  "KEY_0_",
  "TYPE_0_",
  "DOC_0_",
  "/**\n * DOC_0_\n */",
  "Root",
  "export interface Root",
  "@deprecated",
  "{@link x}",
  "@default 1",
  "\uE000default 1",
  "\uE000link\uE001x",
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "valueOf",
  "__defineGetter__",
  "then",
  "new",
  "class",
  "default",
  "delete",
  "</script>",
  `</script><script>${ACT}</script>`,
  `"><img src=x onerror=${ACT}>`,
  "<!--",
  "-->",
  "]]>",
  "<!--@include: ../../package.json-->",
  "<<< ../../package.json",
  "```\n</code></pre>",
  "{{x}}",
  "{{{x}}}",
  "<%= x %>",
  "#{x}",
  "#/$defs/Thing",
  "~0~1/",
  "\u2028",
  "\u2029",
  "\r",
  "\r\n",
  "\n",
  "\0",
  "\ufeff",
  "\u200b",
  "\u202e*/",
  "--->",
  "---!>",
  "\u2066 \u2069",
];

/** Every one of them. */
export const ALL: readonly string[] = [...NAUGHTY, ...OWN];

/** Returns all of them in a deep run, otherwise a twentieth of both lists. */
export function stringsFor(seed: string): readonly string[] {
  if (IS_DEEP) return ALL;
  const random = createRandom(seed);
  const sample = [NAUGHTY, OWN].flatMap((list) =>
    Array.from({ length: Math.ceil(list.length / 60) }, () => random.pick(list)),
  );
  return [...new Set(sample)];
}
