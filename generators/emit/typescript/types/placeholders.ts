import { docComment, propertyName, type Code } from "../../../output/code.js";

/**
 * Replaces schema text while json-schema-to-typescript prints: the library sees only generated
 * names, so no text of a schema can be misread, renamed or executed. `fill` inserts the text
 * again, as code or as a comment.
 */
export interface Placeholders {
  /** Returns the placeholder of a printed type. */
  readonly type: (type: Code) => string;
  /** Returns the placeholder of a property name. */
  readonly key: (name: string) => string;
  /** Returns the placeholder of a documentation comment; empty for empty text. */
  readonly doc: (text: string) => { readonly description?: string };
  /** Replaces every placeholder in the output of the library. */
  readonly fill: (printed: string) => string;
}

/** The member of an intersection with an array that makes it readonly: the library has no such type. */
export const READONLY = "READONLY_";

export function createPlaceholders(): Placeholders {
  const types: Code[] = [];
  const keys: Code[] = [];
  const docs: Code[] = [];
  return {
    type: (type) => `TYPE_${types.push(type) - 1}_`,
    key: (name) => `KEY_${keys.push(propertyName(name)) - 1}_`,
    doc: (text) => (text === "" ? {} : { description: `DOC_${docs.push(docComment(text)) - 1}_` }),
    // A single pass, so that inserted text is never searched.
    fill: (printed) =>
      printed
        .replaceAll(`${READONLY} & `, "readonly ")
        .replace(
          /\/\*\*\n \* DOC_(\d+)_\n \*\/|\bKEY_(\d+)_|\bTYPE_(\d+)_/g,
          (_, doc?: string, key?: string, type?: string) =>
            doc !== undefined ? docs[+doc]! : key !== undefined ? keys[+key]! : types[+type!]!,
        ),
  };
}
