import type { Diagnostic } from "../rule.js";
import { placeName, schemaParts, pointerTo, type SourceIndex } from "../source-index.js";

/** Texts of a version say what holds in it; `x-descriptions` has a text for each version. */
const HEDGES: readonly RegExp[] = [
  /\bdepends? on the (?:protocol )?version\b/i,
  /\bwhere (?:the|a) protocol version\b/i,
  /\bin some (?:protocol )?versions\b/i,
];

/** Returns the hedges between protocol versions in a text. */
export function hedgesIn(text: string): string[] {
  return HEDGES.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
}

/** Finds descriptions that state a rule for some version instead of this one. */
export function* findHedges(index: SourceIndex): Generator<Diagnostic> {
  for (const { text, ...place } of textsOf(index))
    for (const hedge of hedgesIn(text)) {
      const message = `the text of ${place.subject} says "${hedge}"`;
      yield { ...place, message, hint: "Use the rule of this version." };
    }
}

type Text = Pick<Diagnostic, "file" | "pointer" | "subject"> & { readonly text: string };

/** Yields every text of the sources that readers see. */
export function* textsOf(index: SourceIndex): Generator<Text> {
  const { modules, features } = index.protocol;
  for (const { file, title, description } of [...modules, ...features.values()])
    yield { file, pointer: "/description", subject: title, text: description };
  for (const { of, schema, path } of schemaParts(index))
    for (const keyword of ["description", "x-meta"] as const) {
      const text = schema[keyword];
      const pointer = pointerTo(of, [...path, keyword]);
      if (typeof text === "string")
        yield { file: of.file, pointer, subject: placeName(of, path), text };
    }
  for (const { file, path, method } of index.methods)
    for (const keyword of ["summary", "description"] as const)
      yield {
        file,
        pointer: pointerTo({ path }, [keyword]),
        subject: method.name,
        text: method[keyword],
      };
}
