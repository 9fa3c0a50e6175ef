import { describe, test } from "vitest";

/** Whether this is a deep run (`npm run test:deep`), which has everything. */
export const IS_DEEP = process.env["DEEP"] === "1";

/** The seed of random values: `SEED`, or else a new one for each deep run, and 1 for others. */
export const SEED = process.env["SEED"] ?? (IS_DEEP ? String(Date.now() % 2 ** 31) : "1");

/** How many random values a test of a profile tries in each language: `FUZZ`, for a run whose figures one needs. */
export const FUZZ = process.env["FUZZ"];

/** A test that only a deep run has: it packs, installs, kills or repeats, and a quick one stands for it. */
export const deepTest = test.runIf(IS_DEEP);

/** A suite that only a deep run has. */
export const deepDescribe = describe.runIf(IS_DEEP);
