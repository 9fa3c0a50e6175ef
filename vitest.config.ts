import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Files that replace modules of Node, which must not be loaded before. */
const ISOLATED = ["test/generators/output/write.test.ts"];

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
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: ISOLATED,
          globalSetup: "test/support/build-once.ts",
          setupFiles: "test/support/load-esbuild.ts",
          // A worker loads each module once for all its files, which saves a fifth of the time.
          isolate: false,
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
