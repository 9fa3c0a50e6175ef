// Where a test belongs follows from what it starts: `npm test` runs the first two parts, which are
// the quick tier, `npm run test:system` the third, `npm run test:deep` everything with more cases.

/** Folders and files of tests that run the sources in their own process: nothing is built for them. */
export const UNIT: readonly string[] = [
  "test/house",
  "test/generators/emit",
  "test/generators/golden",
  "test/generators/model",
  "test/generators/output",
  "test/generators/schema",
  "test/templates/typescript/gates",
  "test/templates/typescript/mocks",
  "test/templates/typescript/nes",
  "test/templates/typescript/remote",
  "test/templates/typescript/role",
  "test/templates/typescript/rpc",
  "test/templates/typescript/session",
  "test/templates/typescript/validate",
];

/**
 * Folders and files of tests that start another language, an installer, a bundler, a browser or a
 * compiler of programs, hold conversations with other SDKs, write whole packages and sites, or try
 * many hostile or foreign schemas, each of which is compiled.
 */
export const SYSTEM: readonly string[] = [
  "test/behavior/bridged.test.ts",
  "test/generators/emit/hostile.test.ts",
  "test/generators/output/untrusted-folder.test.ts",
  "test/generators/plugin",
  "test/generators/run",
  "test/generators/schema/following/releases.test.ts",
  "test/generators/schema/import/exporters",
  "test/generators/schema/import/published-schemas.test.ts",
  "test/generators/tools/conformance",
  "test/generators/tools/redact.test.ts",
  "test/go",
  "test/hostile",
  "test/interop",
  "test/languages",
  "test/programs",
  "test/publish",
  "test/python",
  "test/simulation/go.test.ts",
  "test/simulation/python.test.ts",
  "test/site",
  "test/use/flags",
  "test/use/projects",
];

/** Returns the patterns of the test files of a tier. */
export function testsOf(tier: readonly string[]): string[] {
  return tier.map((path) => (path.endsWith(".test.ts") ? path : `${path}/**/*.test.ts`));
}

/** Returns the tier of a file below `test`; helpers have that of their folder. */
export function tierOf(path: string): "unit" | "built" | "system" {
  const isIn = (tier: readonly string[]): boolean =>
    tier.some((part) => path === part || path.startsWith(`${part}/`));
  if (isIn(SYSTEM)) return "system";
  return isIn(UNIT) ? "unit" : "built";
}
