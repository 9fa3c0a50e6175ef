import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // By default one core is left free, which is half of a machine of two.
    maxWorkers: "100%",
  },
});
