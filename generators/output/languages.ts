/** The languages besides TypeScript: each has a target of its name, which writes a package. */
export const LANGUAGES = ["python", "go"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The folder of the sources in each package: one with a name that users choose, or the package's own. */
export const SOURCE_FOLDERS: { readonly [language in Language]: "module" | "package" } = {
  python: "module",
  go: "package",
};
