import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { Progress } from "./test/support/progress.js";
import { SYSTEM, testsOf, UNIT } from "./test/support/tiers.js";
import { TestOrder } from "./test/support/test-order.js";

/** Files that replace modules of Node, which must not be loaded before. */
const ISOLATED = ["test/generators/output/write.test.ts"];

const SHARED = {
  setupFiles: ["test/support/load-esbuild.ts", "test/support/cpu-time.ts"],
  // A worker loads each module once for all its files, which saves a fifth of the time.
  isolate: false,
};

export default defineConfig({
  test: {
    // Tests leave the cache of the user alone.
    env: { ACP_CODEGEN_CACHE: join(import.meta.dirname, "node_modules/.cache/acp-codegen") },
    // The compiled bindings, and programs that use them, are loaded by Node, as a user loads them.
    server: { deps: { external: [/\/out\/typescript\/dist\//, /\/behavior\/testees\//] } },
    // One worker more than cores: tests also wait, for processes, timers and pages.
    maxWorkers: availableParallelism() + 1,
    reporters: ["default", new Progress()],
    sequence: { sequencer: TestOrder },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: testsOf(UNIT),
          exclude: [...ISOLATED, ...testsOf(SYSTEM)],
          ...SHARED,
        },
      },
      { extends: true, test: { name: "isolated", include: ISOLATED } },
      {
        extends: true,
        test: {
          name: "built",
          include: ["test/**/*.test.ts"],
          exclude: [...testsOf(UNIT), ...ISOLATED, ...testsOf(SYSTEM)],
          globalSetup: "test/support/build-once.ts",
          ...SHARED,
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: testsOf(SYSTEM),
          globalSetup: ["test/support/build-once.ts", "test/support/install-tools.ts"],
          ...SHARED,
        },
      },
    ],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
