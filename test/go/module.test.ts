import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { generate } from "../../generators/run/generate/generate.js";
import { goTest, temporaryFolder } from "./go-test.js";
import { buildProgram, MODULE, run, runGo } from "./toolchain.js";

const folder = temporaryFolder();

goTest("gofmt and vet leave the module as it is", () => {
  expect(runGo(["gofmt", "-l", "."])).toEqual({ code: 0, out: "", err: "" });
  expect(runGo(["vet", "./acp", "./internal/...", "./remote", "./acpv2full"])).toEqual({
    code: 0,
    out: "",
    err: "",
  });
});

goTest.each(["windows", "darwin", "freebsd"])("the module is compiled for %s", (GOOS) => {
  const { code, err } = runGo(["vet", "./acp"], { env: { GOOS } });
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

goTest(
  "the programs of the README are formatted, and print what it says",
  () => {
    const readme = readFileSync(join(MODULE, "README.md"), "utf8");
    const blocks = (language: string): string[] =>
      Array.from(
        readme.matchAll(RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm")),
        ([, text]) => text!,
      );
    const [agent, client, values, ...others] = blocks("go").filter((text) =>
      text.startsWith("package main"),
    );
    expect(others).toEqual([]);
    const build = (source: string, name: string): string => {
      expect(runGo(["gofmt"], { input: source }).out).toBe(source);
      return buildProgram(folder, { [`${name}/main.go`]: source }, name);
    };
    build(agent!, "agent");
    const printed = [build(client!, "client"), build(values!, "values")].map((program) =>
      run(program, [], { cwd: folder }),
    );
    expect(printed).toEqual(blocks("text").map((out) => ({ code: 0, out, err: "" })));
  },
  300_000,
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
