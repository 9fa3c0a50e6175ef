import { expect } from "vitest";
import { remoteTest, remoteText, testRemote, writeRemote } from "./build-remote.js";
import { temporaryFolder } from "./go-test.js";

const folder = temporaryFolder();

remoteTest(
  "the client and the handler of Go keep their promises in Go, and leave no goroutines",
  () => {
    const files = {
      "worker.go": remoteText("worker.go"),
      "remote_test.go": remoteText("remote_test.go"),
    };
    const { code, out, err } = testRemote(writeRemote(folder, "tests", files));
    expect(out, err).toMatch(/^ok /);
    expect(code).toBe(0);
  },
  300_000,
);
