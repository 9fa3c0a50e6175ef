/** A sentence that the runtimes of several languages print. */
export interface Sentence {
  /** Its name, in camel case. */
  readonly id: string;
  /** The names of its parameters, which are texts. */
  readonly holes: readonly string[];
  /** Its texts and its filled holes, in order. */
  readonly parts: readonly (string | FilledHole)[];
}

/** The place of a parameter in a sentence. */
export interface FilledHole {
  readonly hole: string;
  /** The texts around the value, which an empty value leaves out; absent without any. */
  readonly around?: readonly [before: string, after: string];
}

/** The module with the sentences, below the folder of the templates. */
export const SENTENCES_MODULE = "typescript/runtime/sentences.ts";

const COMMENT = /\/\*\*[^]*?\*\//g;
const DECLARATION =
  /export const (\w+) =\s+(?:"([^"\\]*)"|(?:\(([^)]*)\) =>\s+)?`((?:\$\{\w+ && `[^`]*`\}|\\`|[^`\\])*)`);/g;
const HOLE = /\$\{(\w+)(?: && `([^`]*)\$\{\1\}([^`]*)`)?\}/;

/**
 * Reads the sentences that the runtime of a language uses, as `sentences.<id>` or in the case of
 * the language. Their module consists of comments and such declarations:
 *
 *     export const closed = "the connection is closed";
 *     export const unknown = (name: string, place: string) => `${name}${place && ` at ${place}`} is unknown`;
 *
 * @param nameOf returns the name of a sentence in the language
 * @throws Error for other declarations
 */
export function readSentences(
  templates: ReadonlyMap<string, string>,
  folder: string,
  nameOf: (id: string) => string,
): readonly Sentence[] {
  const module = templates.get(SENTENCES_MODULE)!.replace(COMMENT, "");
  const rest = module.replace(DECLARATION, "").trim();
  if (rest !== "") throw new Error(`${SENTENCES_MODULE} has other declarations: ${rest}`);
  const own = [...templates].filter(([path]) => path.startsWith(folder));
  const used = new Set(own.flatMap(([, text]) => text.match(/(?<=\bsentences\.)\w+/g) ?? []));
  return [...module.matchAll(DECLARATION)]
    .map(([, id, text, params, template]) => readSentence(id!, params, text ?? template!))
    .filter(({ id }) => used.has(nameOf(id)));
}

function readSentence(id: string, params = "", text: string): Sentence {
  const holes = params.match(/\w+(?=: string)/g) ?? [];
  const pieces = text.replaceAll("\\`", "`").split(HOLE);
  const parts = pieces.flatMap((piece, index): Sentence["parts"] => {
    if (index % 4 === 0) return piece === "" ? [] : [piece];
    if (index % 4 > 1) return [];
    const [before, after = ""] = pieces.slice(index + 1, index + 3);
    return [before === undefined ? { hole: piece } : { hole: piece, around: [before, after] }];
  });
  return { id, holes, parts };
}
