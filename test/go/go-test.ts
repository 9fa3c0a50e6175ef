import { test } from "vitest";
import { HAS_GO } from "./toolchain.js";

/** Whether tests of Go are skipped. Continuous integration has it: without it, these tests fail instead. */
export const isSkipped = !HAS_GO && process.env["CI"] !== "true";
if (isSkipped) console.log("go is not here: skipped the tests of the Go module");

/** A test that needs Go. */
export const goTest = test.skipIf(isSkipped);
