import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { Writable } from "node:stream";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { printAnnotations } from "../../../generators/cli/annotations.js";
import { commandLine, toolCommand } from "../../../generators/cli/command-line.js";
import { generate } from "../../../generators/run/generate/generate.js";
import { createTextReporter } from "../../../generators/cli/print/report.js";
import { createTerminal } from "../../../generators/cli/terminal.js";
import { printFileDiff } from "../../../generators/cli/print/file-diff.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand } from "./run-command.js";

const folder = temporaryFolder();
const out = join(folder, "out");
const stale = join(folder, "stale");
const narrow = ["--profile", "v1", "--target", "schema"];
const paths = { manifest: "acp-codegen.manifest.json", schema: "schema/v1.schema.json" };
beforeAll(async () => {
  await generate({ out, profiles: ["v1"], targets: ["schema"] });
  cpSync(out, stale, { recursive: true });
  const file = join(stale, paths.schema);
  writeFileSync(file, readFileSync(file, "utf8").replace('"anyOf"', '"oneOf"'));
  rmSync(join(stale, "schema/v1.meta.json"));
});

describe("generate", () => {
  test("--check shows the changes in a file and the command to run, and exits 1", async () => {
    const { code, err } = await runCommand(["generate", "--check", ...narrow, "--out", stale]);
    expect(code).toBe(1);
    expect(err).toContain("missing  schema/v1.meta.json");
    expect(err).toMatch(/^-\s+"oneOf": \[$/m);
    expect(err).toMatch(/^\+\s+"anyOf": \[$/m);
    expect(err).toContain(
      `then run npx acp-codegen generate --profile v1 --target schema --out ${stale} --force and commit`,
    );
    expect(err).not.toContain("\u001b[");
  });

  test.each([
    ["missing", (file: string) => rmSync(file)],
    ["changed", (file: string) => writeFileSync(file, "{")],
  ])("--check says that the manifest is %s, as verify needs it", async (word, disturb) => {
    const copy = join(folder, `manifest-${word}`);
    cpSync(out, copy, { recursive: true });
    disturb(join(copy, paths.manifest));
    const { code, err } = await runCommand(["generate", "--check", ...narrow, "--out", copy]);
    expect(code).toBe(1);
    expect(err).toContain(`${word}  ${paths.manifest}`);
    expect(err).not.toContain(`  ${paths.schema}`);
  });

  test("--check --json prints one document for programs, and nothing else", async () => {
    const args = ["generate", "--check", "--json", ...narrow, "--out", stale];
    const { code, out: printed, err } = await runCommand(args);
    expect(code).toBe(1);
    expect(err).toBe("");
    expect(JSON.parse(printed)).toMatchObject({
      outputs: [
        {
          upToDate: false,
          missing: ["schema/v1.meta.json"],
          changed: ["schema/v1.schema.json"],
          extra: [],
        },
      ],
    });
  });

  test("--json prints errors as JSON, with the same exit code", async () => {
    const { code, out: printed, err } = await runCommand(["generate", "--json", "--profile", "v9"]);
    expect(code).toBe(2);
    expect(err).toBe("");
    expect(JSON.parse(printed)).toMatchObject({
      error: { kind: "usage", problems: [{ message: 'unknown profile "v9"' }] },
    });
  });

  test("--dry-run lists what would change, writes nothing and exits 0", async () => {
    const before = readFileSync(join(stale, paths.manifest), "utf8");
    const { code, out: printed } = await runCommand([
      "generate",
      "--dry-run",
      ...narrow,
      "-o",
      stale,
    ]);
    expect(code).toBe(0);
    expect(printed).toContain("  changed  schema/v1.schema.json\n");
    expect(printed).toContain("  missing  schema/v1.meta.json\n");
    expect(readFileSync(join(stale, paths.manifest), "utf8")).toBe(before);
  });

  test("--quiet prints only stale files", async () => {
    const well = await runCommand(["generate", "--quiet", ...narrow, "--out", out]);
    expect(well).toEqual({ code: 0, out: "", err: "" });
    const bad = await runCommand(["generate", "--quiet", "--check", ...narrow, "--out", stale]);
    expect(bad.err).toContain("missing  schema/v1.meta.json");
  });

  test("on GitHub, stale files and problems become annotations", async () => {
    const env = { GITHUB_ACTIONS: "true" };
    const { out: printed } = await runCommand(
      ["generate", "--check", ...narrow, "--out", "stale"],
      {
        cwd: folder,
        env,
      },
    );
    expect(printed).toContain(
      "::error file=stale/schema/v1.meta.json,title=stale output::schema/v1.meta.json is missing.",
    );
    const wrong = await runCommand(["generate", "--profile", "v9"], { env });
    expect(wrong.out).toContain('::error title=acp-codegen::unknown profile "v9"');
  });

  test("modes that exclude each other are refused", async () => {
    const { code, err } = await runCommand(["generate", "--check", "--watch", "--out", out]);
    expect(code).toBe(2);
    expect(err).toContain("--check and --watch exclude each other");
  });
});

describe("a long step", () => {
  const report = (isTTY: boolean, quiet = false): string[] => {
    const written: string[] = [];
    const stream = (): Writable & { isTTY?: boolean } =>
      new Writable({ write: (text, _, done) => (written.push(String(text)), done()) });
    const streams = { stdin: process.stdin, stdout: stream(), stderr: stream() };
    streams.stderr.isTTY = isTTY;
    vi.useFakeTimers();
    const reporter = createTextReporter(createTerminal(streams), quiet);
    for (let done = 0; done < 12; done++) {
      vi.advanceTimersByTime(1000);
      reporter.step({ kind: "running", what: "pages of v1", done, total: 12 });
    }
    reporter.step({ kind: "compiled", files: 24 });
    vi.useRealTimers();
    return written;
  };

  test("is a line from time to time, or the last line of a terminal", () => {
    expect(report(false)).toEqual([
      ...["pages of v1: 4 of 12\n", "pages of v1: 9 of 12\n"],
      "24 files compiled\n",
    ]);
    expect(report(true).slice(-3)).toEqual([
      ...["\r\x1b[Kpages of v1: 11 of 12", "\r\x1b[K"],
      "24 files compiled\n",
    ]);
    expect(report(false, true)).toEqual([]);
  });

  test("of docs and of writing has its number of files", async () => {
    const seen = new Map<string, number>();
    await generate({
      ...{ out: join(folder, "site"), profiles: ["v1"], targets: ["docs"] },
      onProgress: (step) => step.kind === "running" && seen.set(step.what, step.total - step.done),
    });
    expect([...seen]).toEqual([
      ["pages of v1", 1],
      ["files written", 1],
    ]);
  });
});

describe("a printed diff", () => {
  test("is short, and has no control characters", () => {
    const lines = (change: string): string =>
      Array.from({ length: 200 }, (_, line) => (line % 4 === 0 ? `${line}${change}` : line)).join(
        "\n",
      );
    const printed = printFileDiff("a.ts", lines("\u001b[2J"), lines("x".repeat(500)));
    expect(printed).not.toContain("\u001b[2J");
    expect(printed).toContain("\\u001b[2J");
    expect(printed.split("\n").length).toBeLessThan(30);
    expect(printed).toMatch(/… \d+ more lines/);
    expect(Math.max(...printed.split("\n").map((line) => line.length))).toBeLessThan(200);
  });

  test("is omitted for files that have nothing in common", () => {
    const many = (word: string): string =>
      Array.from({ length: 3000 }, (_, n) => word + n).join("\n");
    expect(printFileDiff("a.ts", many("a"), many("b"))).toContain("too large to show");
  });
});

describe("the printed command", () => {
  test("is the command that was run without the flags that prevented writing, quoted for a shell", () => {
    expect(commandLine(["generate", "--check", "-o", "my out", "--name", "it's"])).toBe(
      "npx acp-codegen generate -o 'my out' --name 'it'\\''s'",
    );
  });

  test("names the tool by its path where npx would ask a registry for an unpublished name", () => {
    const path = relative(tmpdir(), join(ROOT, "bin/acp-codegen.js")).replaceAll("\\", "/");
    expect(toolCommand(tmpdir(), false)).toBe(`node ${path}`);
    expect(toolCommand(tmpdir(), true)).toBe("npx acp-codegen");
    expect(toolCommand(resolve(ROOT), false)).toBe("npx acp-codegen");
  });
});

describe("annotations", () => {
  test("are escaped as GitHub requires, at most ten", () => {
    const one = { file: "a,b:c", title: "x", message: "100%\nsure" };
    expect(printAnnotations([one], String)).toEqual([
      "::error file=a%2Cb%3Ac,title=x::100%25%0Asure",
    ]);
    expect(
      printAnnotations(
        Array.from({ length: 20 }, () => one),
        String,
      ),
    ).toHaveLength(10);
  });
});
