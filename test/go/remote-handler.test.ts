import { expect } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { librariesTest, remoteText, testRemote } from "./libraries.js";

const folder = temporaryFolder();

librariesTest(
  "the client and the handler of Go keep their promises in Go, and leave no goroutines",
  () => {
    const files = {
      "worker.go": remoteText("worker.go"),
      "remote_test.go": remoteText("remote_test.go"),
    };
    const { code, out, err } = testRemote(folder, files);
    expect(out, err).toMatch(/^ok /);
    expect(code).toBe(0);
  },
  300_000,
);
