import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { generate } from "../../generators/run/generate/generate.js";
import { goTest, temporaryFolder } from "./go-test.js";
import { buildProgram, MODULE, run, runGo } from "./toolchain.js";

const folder = temporaryFolder();

goTest("gofmt and vet leave the module as it is", () => {
  expect(runGo(["gofmt", "-l", "."])).toEqual({ code: 0, out: "", err: "" });
  expect(runGo(["vet", "./acp", "./internal/...", "./acpv2full"])).toEqual({
    code: 0,
    out: "",
    err: "",
  });
});

goTest(
  "the program of the README is formatted, and prints what it says",
  () => {
    const readme = readFileSync(join(MODULE, "README.md"), "utf8");
    const [, source = ""] = /^```go\n([^]*?)^```$/m.exec(readme) ?? [];
    const [, printed] = /^```text\n([^]*?)^```$/m.exec(readme) ?? [];
    expect(runGo(["gofmt"], { input: source }).out).toBe(source);
    const program = buildProgram(folder, { "readme/main.go": source }, "readme");
    expect(run(program, [])).toEqual({ code: 0, out: printed, err: "" });
  },
  180_000,
);

goTest(
  "the flat layout is a part of the user's module, under the path of its folder",
  async () => {
    const out = join(folder, "mine/acp");
    await generate({
      out,
      profiles: ["v1"],
      targets: ["go"],
      layout: "flat",
      go: { name: "example.com/mine/acp" },
    });
    writeFileSync(join(folder, "mine/go.mod"), "module example.com/mine\n\ngo 1.22\n");
    expect(runGo(["vet", "./..."], { cwd: join(folder, "mine") })).toEqual({
      code: 0,
      out: "",
      err: "",
    });
  },
  180_000,
);
