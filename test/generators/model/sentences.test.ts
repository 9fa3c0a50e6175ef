import { expect, test } from "vitest";
import { printSentences as printGo } from "../../../generators/emit/go/print-sentences.js";
import { printSentences as printPython } from "../../../generators/emit/python/print-sentences.js";
import {
  readSentences,
  SENTENCES_MODULE,
  type Sentence,
} from "../../../generators/model/sentences.js";
import { readTemplates } from "../../../generators/run/installation.js";
import * as SENTENCES from "../../../templates/typescript/runtime/sentences.js";

const templates = readTemplates();
const printed = new Map<string, unknown>(Object.entries(SENTENCES));

/** Reads the sentences that a folder of the templates uses, by names in lower case. */
function usedIn(folder: string): Set<string> {
  const own = [...templates].filter(
    ([path]) => path.startsWith(folder) && path !== SENTENCES_MODULE,
  );
  const names = own.flatMap(([, text]) => text.match(/(?<=\bsentences\.)\w+/g) ?? []);
  return new Set(names.map((name) => name.replaceAll("_", "").toLowerCase()));
}

test("each sentence is printed by two languages at least", () => {
  const languages = ["typescript/runtime/", "python/", "go/"].map(usedIn);
  const uses = (id: string) => languages.filter((used) => used.has(id.toLowerCase())).length;
  expect(Object.keys(SENTENCES).filter((id) => uses(id) < 2)).toEqual([]);
});

function fill({ holes, parts }: Sentence, values: readonly string[]): string {
  const texts = parts.map((part) => {
    if (typeof part === "string") return part;
    const value = values[holes.indexOf(part.hole)]!;
    return value === "" || part.around === undefined ? value : part.around.join(value);
  });
  return texts.join("");
}

test("a sentence is read as TypeScript prints it, with empty values and others", () => {
  const uses = Object.keys(SENTENCES).map((id) => `sentences.${id}`);
  const all = new Map([...templates, ["all/uses", uses.join("\n")]]);
  const sentences = readSentences(all, "all/", (id) => id);
  expect(sentences.map(({ id }) => id).sort()).toEqual(Object.keys(SENTENCES).sort());
  for (const sentence of sentences) {
    const own = printed.get(sentence.id);
    for (const values of [sentence.holes.map(() => ""), sentence.holes.map((hole) => `<${hole}>`)])
      expect(fill(sentence, values)).toBe(
        typeof own === "function" ? (own as (...given: string[]) => string)(...values) : own,
      );
  }
});

const MODULE = `
/** Not printed. */
export const isLost = "it is lost";

export const notFound = (fileName: string, place: string) =>
  \`no "\${fileName}"\${place && \` (in \${place})\`}\`;

export const unused = "unused";
`;

function mini(module: string): ReadonlyMap<string, string> {
  const uses = "sentences.isLost sentences.IsLost sentences.is_lost";
  const others = "sentences.NotFound(x) sentences.not_found(x)";
  return new Map([
    [SENTENCES_MODULE, module],
    ["x/uses", `${uses} ${others}`],
  ]);
}

test("Go and Python print the sentences that they use, with their names", () => {
  expect(printGo(mini(MODULE), "x/")).toContain(`package sentences

const IsLost = "it is lost"

func NotFound(fileName, place string) string {
	return "no \\"" + fileName + "\\"" + around(" (in ", place, ")")
}

func around`);
  expect(printPython(mini(MODULE), "x/")).toContain(`
is_lost = "it is lost"


def not_found(file_name: str, place: str) -> str:
    return "no \\"" + file_name + "\\"" + (place and " (in " + place + ")")
`);
});

test("other code in the module of the sentences is an error", () => {
  const module = "export const lost = [1];";
  expect(() => printGo(mini(module), "x/")).toThrow(`other declarations: ${module}`);
});
