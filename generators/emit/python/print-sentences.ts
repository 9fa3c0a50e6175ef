import { snakeCase } from "../../model/identifiers.js";
import { readSentences, type FilledHole, type Sentence } from "../../model/sentences.js";
import { identifier, joinPython, literal, py, type Python } from "./code.js";

/** Prints the module with the sentences that the runtime uses. */
export function printSentences(templates: ReadonlyMap<string, string>, folder: string): Python {
  const sentences = readSentences(templates, folder, snakeCase).map(printSentence);
  return py`"""The texts of errors and reports, which are the same in every language."""

# fmt: off
${joinPython(sentences, "\n")}`;
}

function printSentence({ id, holes, parts }: Sentence): Python {
  const name = identifier(snakeCase(id));
  const text = joinPython(parts.map(printPart), " + ");
  if (holes.length === 0) return py`${name} = ${text}\n`;
  const params = holes.map((hole) => py`${identifier(snakeCase(hole))}: str`);
  return py`\ndef ${name}(${joinPython(params, ", ")}) -> str:\n    return ${text}\n`;
}

function printPart(part: string | FilledHole): Python {
  if (typeof part === "string") return literal(part);
  const value = identifier(snakeCase(part.hole));
  if (part.around !== undefined) {
    const [before, after] = part.around;
    const texts = [literal(before), value, ...(after === "" ? [] : [literal(after)])];
    return py`(${value} and ${joinPython(texts, " + ")})`;
  }
  return value;
}
