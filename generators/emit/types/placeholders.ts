import { docComment, propertyName, type Code } from "../../output/code.js";

/**
 * Stands in for schema text while json-schema-to-typescript prints: the library
 * sees only names of ours, so nothing in a schema can be misread, renamed or
 * executed. `fill` puts the text back, as code or as a comment.
 */
export interface Placeholders {
  /** A type that is printed already. */
  readonly type: (type: Code) => string;
  /** A property name. */
  readonly key: (name: string) => string;
  /** A documentation comment; nothing for empty text. */
  readonly doc: (text: string) => { readonly description?: string };
  /** Replaces every placeholder in what the library printed. */
  readonly fill: (printed: string) => string;
}

export function createPlaceholders(): Placeholders {
  const types: Code[] = [];
  const keys: Code[] = [];
  const docs: Code[] = [];
  return {
    type: (type) => `TYPE_${types.push(type) - 1}_`,
    key: (name) => `KEY_${keys.push(propertyName(name)) - 1}_`,
    doc: (text) => (text === "" ? {} : { description: `DOC_${docs.push(docComment(text)) - 1}_` }),
    // One pass: what is put back is never searched again.
    fill: (printed) =>
      printed.replace(
        /\/\*\*\n \* DOC_(\d+)_\n \*\/|\bKEY_(\d+)_|\bTYPE_(\d+)_/g,
        (_, doc?: string, key?: string, type?: string) =>
          doc !== undefined ? docs[+doc]! : key !== undefined ? keys[+key]! : types[+type!]!,
      ),
  };
}
