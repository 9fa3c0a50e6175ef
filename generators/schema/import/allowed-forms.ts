/**
 * Forms that the canonical schema never has, which an import may have on request. Closed objects are
 * checked, or read as if they were open; tuples are read as lists.
 */
export const ALLOWED_FORMS = [
  "closed-objects",
  "opened-objects",
  "opened-tuples",
  "patterns",
] as const;
export type AllowedForm = (typeof ALLOWED_FORMS)[number];

export function isAllowedForm(name: unknown): name is AllowedForm {
  return (ALLOWED_FORMS as readonly unknown[]).includes(name);
}
