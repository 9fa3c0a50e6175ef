import { readSentences, type FilledHole, type Sentence } from "../../model/sentences.js";
import { go, identifier, joinGo, literal, type Go } from "./code.js";
import { exported } from "./names.js";

/** Prints the package with the sentences that the runtime uses. */
export function printSentences(templates: ReadonlyMap<string, string>, folder: string): Go {
  const sentences = readSentences(templates, folder, nameOf);
  return go`// Package sentences has the texts of errors and reports, which are the same in every language.
package sentences

${joinGo(sentences.map(printSentence), "\n")}
func around(before, text, after string) string {
	if text == "" {
		return ""
	}
	return before + text + after
}
`;
}

function nameOf(id: string): string {
  return exported(id, "");
}

function printSentence({ id, holes, parts }: Sentence): Go {
  const name = identifier(nameOf(id));
  const text = joinGo(parts.map(printPart), " + ");
  if (holes.length === 0) return go`const ${name} = ${text}\n`;
  const params = joinGo(holes.map(identifier), ", ");
  return go`func ${name}(${params} string) string {\n\treturn ${text}\n}\n`;
}

function printPart(part: string | FilledHole): Go {
  if (typeof part === "string") return literal(part);
  const value = identifier(part.hole);
  if (part.around !== undefined) {
    const [before, after] = part.around;
    return go`around(${literal(before)}, ${value}, ${literal(after)})`;
  }
  return value;
}
