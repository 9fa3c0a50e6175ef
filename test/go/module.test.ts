import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { generate } from "../../generators/run/generate/generate.js";
import { KEPT, playSessions } from "../support/play-sessions.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { goTest } from "./go-test.js";
import { buildProgram, MODULE, run, runGo } from "./toolchain.js";

const folder = temporaryFolder();

/** The output of the editor with everything. */
const EVERYTHING = `sign in with Token
command sort
allow Edit notes.txt Always allow
user_message Buy milk
agent_thought A line is missing.
agent_message I add "Buy milk", says large${" "}
tool Edit notes.txt completed
tool Sort completed
agent_message Buy bread
Buy milk

plan Edit completed
plan Sort completed
mode code
Model large
command sort
the other turn: cancelled
session/prompt failed: the connection is closed: the agent exited with code 3
sign in with Token
continued by load
command sort
user_message Buy milk
agent_message I add "Buy milk", says large
user_message /sort
tool Sort completed
agent_message Buy bread
Buy milk

mode code
Model large
`;

goTest("gofmt and vet leave the module as it is", () => {
  expect(runGo(["gofmt", "-l", "."])).toEqual({ code: 0, out: "", err: "" });
  expect(
    runGo(["vet", "./acp", "./internal/...", "./remote", "./sessions", "./acpv2full"]),
  ).toEqual({
    code: 0,
    out: "",
    err: "",
  });
});

goTest.each(["windows", "darwin", "freebsd"])("the module is compiled for %s", (GOOS) => {
  const { code, err } = runGo(["build", "./acp", "./sessions"], { env: { GOOS } });
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

goTest(
  "the programs of the README are formatted, and print what it says",
  async () => {
    const readme = readFileSync(join(MODULE, "README.md"), "utf8");
    const blocks = (language: string): string[] =>
      Array.from(
        readme.matchAll(RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm")),
        ([, text]) => text!,
      );
    const [agent, client, notes, editor, adapter, values, ...others] = blocks("go").filter((text) =>
      text.startsWith("package main"),
    );
    expect(others).toEqual([]);
    const build = (source: string, name: string): string => {
      expect(runGo(["gofmt"], { input: source }).out).toBe(source);
      return buildProgram(folder, { [`${name}/main.go`]: source }, name);
    };
    expect(await playSessions([build(agent!, "agent")])).toEqual(KEPT);
    // It needs the other module: adapter.test.ts builds it.
    expect(runGo(["gofmt"], { input: adapter! }).out).toBe(adapter);
    const printed = [build(client!, "client"), build(values!, "values")].map((program) =>
      run(program, [], { cwd: folder }),
    );
    expect(printed).toEqual(blocks("text").map((out) => ({ code: 0, out, err: "" })));
    // The editor starts the other agent by the same name.
    build(notes!, "agent");
    writeFileSync(join(folder, "notes.txt"), "Buy bread\n");
    const env = { NOTES_HOME: join(folder, "sessions") };
    const drawn = run(build(editor!, "editor"), [], { cwd: folder, env });
    expect(drawn).toEqual({ code: 0, out: EVERYTHING, err: "" });
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("Buy bread\nBuy milk\n");
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
