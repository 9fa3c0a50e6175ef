import { join } from "node:path";
import { expect } from "vitest";
import { init } from "../../generators/run/init/init.js";
import { goTest, temporaryFolder } from "./go-test.js";
import { runGo } from "./toolchain.js";

const folder = temporaryFolder();

goTest(
  "the starter is formatted, passes its own test and has the name of its folder",
  async () => {
    const project = join(folder, "My Agent");
    await init(project, { starter: "agent", language: "go" });
    expect(runGo(["gofmt", "-l", "."], { cwd: project }).out).toBe("");
    expect(runGo(["vet", "."], { cwd: project })).toEqual({ code: 0, out: "", err: "" });
    expect(runGo(["test", "."], { cwd: project }).out).toMatch(/^ok\s+my_agent/);
    expect(runGo(["list"], { cwd: project }).out).toBe("my_agent\n");
  },
  180_000,
);
