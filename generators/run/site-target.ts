/** The documentation target. Only the command `docs` runs it, and its site has its own manifest. */
export const SITE_TARGET = "docs";
