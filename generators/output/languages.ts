/** The languages besides TypeScript: each has a target of its name, which writes a package. */
export const LANGUAGES = ["python"] as const;

export type Language = (typeof LANGUAGES)[number];
