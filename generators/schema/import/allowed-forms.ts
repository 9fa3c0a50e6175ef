/**
 * Forms that the canonical schema never has, which an import may have on request. Closed objects are
 * checked, or read as if they were open; tuples are read as lists, keywords as if the type that they are
 * about stood there, those beside a `$ref` of draft-07 as later drafts read them, and references to other
 * documents as any value.
 */
export const ALLOWED_FORMS = [
  "closed-objects",
  "opened-objects",
  "opened-tuples",
  "patterns",
  "implied-types",
  "ref-siblings",
  "unread-refs",
] as const;
export type AllowedForm = (typeof ALLOWED_FORMS)[number];

export function isAllowedForm(name: unknown): name is AllowedForm {
  return (ALLOWED_FORMS as readonly unknown[]).includes(name);
}
