import { join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "../support/paths.js";
import { remoteTest, remoteText, testRemote, writeRemote } from "./build-remote.js";
import { temporaryFolder } from "./go-test.js";

const folder = temporaryFolder();

remoteTest(
  "the handler of Go admits, limits and ends what strangers send, and leaves no goroutines",
  () => {
    const files = {
      "worker.go": remoteText("worker.go"),
      "remote_test.go": remoteText("remote_test.go"),
    };
    const requests = join(ROOT, "test/fixtures/remote-requests.json");
    const { code, out, err } = testRemote(writeRemote(folder, "tests", files), {
      REQUESTS: requests,
    });
    expect(out, err).toMatch(/^ok /);
    expect(code).toBe(0);
  },
  300_000,
);
