/** A part of a sentence: text, or code that may be the path of a capability. */
export type TextPart =
  | string
  | {
      readonly code: string;
      /** The capability that the code names, for a link to it. */
      readonly capability?: {
        readonly side: "agent" | "client";
        readonly path: readonly string[];
      };
    };

/** Joins parts to a text with code in backticks. */
export function plainText(parts: readonly TextPart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : `\`${part.code}\``)).join("");
}
