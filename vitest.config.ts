import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/**
 * Tests that run the sources in their own process: nothing is built for them. All others start, or
 * import, what `npm run build` compiles.
 */
const UNIT = [
  "test/{hostile,house}/**/*.test.ts",
  "test/programs/figures.test.ts",
  "test/generators/{emit,golden,model,output,schema}/**/*.test.ts",
  "test/templates/runtime/{gates,mocks,nes,remote,role,rpc,session,validate}/**/*.test.ts",
];

/** Files that replace modules of Node, which must not be loaded before. */
const ISOLATED = ["test/generators/output/write.test.ts"];

const SHARED = {
  setupFiles: "test/support/load-esbuild.ts",
  // A worker loads each module once for all its files, which saves a fifth of the time.
  isolate: false,
};

export default defineConfig({
  test: {
    // Tests leave the cache of the user alone.
    env: { ACP_CODEGEN_CACHE: join(import.meta.dirname, "node_modules/.cache/acp-codegen") },
    // The compiled bindings are loaded by Node, as a user loads them.
    server: { deps: { external: [/\/out\/typescript\/dist\//] } },
    // By default a run leaves one core to the watcher, which is half of two.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        extends: true,
        test: { name: "unit", include: UNIT, exclude: ISOLATED, ...SHARED },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: ["test/**/*.test.ts"],
          exclude: [...UNIT, ...ISOLATED],
          globalSetup: "test/support/build-once.ts",
          ...SHARED,
        },
      },
      { extends: true, test: { name: "isolated", include: ISOLATED } },
    ],
    // Machines that others share stop processes for seconds. A report names what passed the second time only.
    retry: process.env["CI"] === undefined ? 0 : 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
