/** The usual options of a permission request, and the client's answers to it. */

export const ALLOW_ONCE = { optionId: "allow_once", name: "Allow", kind: "allow_once" } as const;

export const ALLOW_ALWAYS = {
  optionId: "allow_always",
  name: "Always allow",
  kind: "allow_always",
} as const;

export const REJECT_ONCE = {
  optionId: "reject_once",
  name: "Reject",
  kind: "reject_once",
} as const;

export const REJECT_ALWAYS = {
  optionId: "reject_always",
  name: "Always reject",
  kind: "reject_always",
} as const;

/** The answer to a permission request that the user did not decide. */
export const CANCELLED = { outcome: { outcome: "cancelled" } } as const;

/** Returns the answer to a permission request that selects an option. */
export function select(option: string | { readonly optionId: string }): {
  readonly outcome: { readonly outcome: "selected"; readonly optionId: string };
} {
  const optionId = typeof option === "string" ? option : option.optionId;
  return { outcome: { outcome: "selected", optionId } };
}
