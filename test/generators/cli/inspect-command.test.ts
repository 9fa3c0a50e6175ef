import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { agent, client, start } from "../../../templates/site/rules/transcript-builder.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand, startCommand } from "./run-command.js";
import { IS_DEEP, deepTest } from "../../support/deep.js";

/** How long the transcript is whose memory is measured. */
const MEGABYTES = 700;

const folder = temporaryFolder();

/** Writes a transcript, and gives its path. */
function transcript(name: string, ...entries: readonly unknown[]): string {
  const file = join(folder, name);
  writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return file;
}

transcript("good.ndjson", ...start(1));
const update = { sessionUpdate: "plan", entries: [{ content: 5 }] };
const repaired = agent.notify("session/update", { sessionId: "s", update });
const unknown = agent.notify("session/update", {
  ...{ sessionId: "s", update: { sessionUpdate: "weather" } },
});
const wrong = client.notify("session/cancel", { sessionId: "s\u001b[31m", _meta: 5 });
transcript("bad.ndjson", ...start(1), repaired, unknown, wrong);
const inspect = (...args: readonly string[]) => runCommand(["inspect", ...args], { cwd: folder });

describe("acp-codegen inspect", () => {
  test.each([
    ["utf-16le", 0],
    ["compressed", 2],
  ] as const)(
    "reads %s as Windows and loggers write it, or says what to do",
    async (form, expected) => {
      const text = readFileSync(join(folder, "good.ndjson"), "utf8");
      const bytes =
        form === "compressed" ? gzipSync(text) : Buffer.from(`\ufeff${text}`, "utf16le");
      writeFileSync(join(folder, form), bytes);
      const { code, out, err } = await inspect(form);
      expect(code).toBe(expected);
      expect(out + err).toContain(
        expected === 0 ? "4 messages in 4 lines" : "compressed is compressed. Pipe it in",
      );
    },
  );

  test.each([[], ["--redact"]])(
    "writes a page for its user, without what is nested too deeply: %j",
    async (...flags) => {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      const message = `{"jsonrpc":"2.0","method":"_deep","params":{"value":${deep}}}`;
      const good = readFileSync(join(folder, "good.ndjson"), "utf8");
      writeFileSync(join(folder, "deep.ndjson"), `${good}${message}\n`);
      const page = `deep${flags.length}.html`;
      const { err } = await inspect("deep.ndjson", "--html", page, ...flags);
      expect(err).toBe("");
      expect(readFileSync(join(folder, page), "utf8")).toContain("nested too deeply");
      if (process.platform !== "win32")
        expect(statSync(join(folder, page)).mode & 0o777).toBe(0o600);
    },
  );

  test("refuses a page in the place of the recording", async () => {
    const { code, err } = await inspect("good.ndjson", "--html", "./good.ndjson");
    expect(code).toBe(2);
    expect(err).toContain("is the recording itself");
  });

  test("exits 0 without findings and prints the summary", async () => {
    const { code, out, err } = await inspect("good.ndjson");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n").map((line) => line.trim())).toEqual([
      "v1-full: 1 conversation, with the rules of behavior",
      "4 messages in 4 lines, 0.0 MB: 4 valid, 0 repaired, 0 invalid",
      expect.stringMatching(/^from +kind +method +messages +valid +repaired +invalid +findings$/),
      expect.stringMatching(/^client +request +initialize +1 +1 +0 +0 +0$/),
      expect.stringMatching(/^agent +response +initialize +1 +1 +0 +0 +0$/),
      expect.stringMatching(/^client +request +session\/new +1 +1 +0 +0 +0$/),
      expect.stringMatching(/^agent +response +session\/new +1 +1 +0 +0 +0$/),
      "0 errors, 0 warnings, 0 notes",
      "",
    ]);
  });

  test("prints each line with findings, with place, rule and reason, and exits 1", async () => {
    const { code, out } = await inspect("bad.ndjson");
    expect(code).toBe(1);
    expect(out.split("\n").slice(0, 4)).toEqual([
      "bad.ndjson:5: agent -> client session/update notification (repaired)",
      expect.stringMatching(/^ {2}warning skip-invalid-items \/params\/update\/entries\/0: \S/),
      "bad.ndjson:7: client -> agent session/cancel notification (repaired)",
      expect.stringMatching(/^ {2}warning default-on-error \/params\/_meta: \S/),
    ]);
    expect(out).toContain(
      'error known-session /params/sessionId: the session "s\\u001b[31m" does not exist',
    );
    expect(out).toContain("1 error, 2 warnings, 1 note\n");
    expect(out).not.toContain("\u001b");
  });

  test("refuses a file without messages, which is no recording", async () => {
    transcript("empty.ndjson");
    transcript("package.ndjson", { type: "module" });
    for (const name of ["empty.ndjson", "package.ndjson"])
      expect(await inspect(name)).toEqual({
        code: 2,
        out: "",
        err: `error: there is no message in ${name}. Give a recording, or a log with the messages.\n`,
      });
  });

  test("prints one JSON object per line, and the summary last", async () => {
    const lines = (await inspect("bad.ndjson", "--json")).out.trimEnd().split("\n");
    const [first, , summary] = lines.map((line) => JSON.parse(line) as object);
    expect(lines).toHaveLength(3);
    expect(first).toEqual({
      ...{ type: "message", line: 5, from: "agent", kind: "notification" },
      ...{ method: "session/update", definition: "SessionNotification", verdict: "repaired" },
      findings: [expect.objectContaining({ level: "warning", rule: "skip-invalid-items" })],
    });
    expect(summary).toMatchObject({ type: "summary", profiles: ["v1-full"], errors: 1, lines: 7 });
    const all = (await inspect("bad.ndjson", "--json", "--all")).out.trimEnd().split("\n");
    expect(all).toHaveLength(8);
    expect(JSON.parse(all[0]!)).toMatchObject({ line: 1, verdict: "valid", findings: [] });
  });

  test("prints only the summary with --quiet", async () => {
    expect((await inspect("bad.ndjson", "--quiet")).out).toMatch(/^v1-full: /);
    const { code, out } = await inspect("bad.ndjson", "-q", "--json");
    expect(JSON.parse(out)).toMatchObject({ type: "summary", warnings: 2 });
    expect(code).toBe(1);
  });

  test("prints at most the requested number of findings and counts all", async () => {
    const { out } = await inspect("bad.ndjson", "--max-findings", "2");
    expect(out.match(/^ {2}(warning|error) \S+ \//gm)).toHaveLength(2);
    expect(out).toContain("More findings are counted, but not shown.\n");
    expect(out).toContain("1 error, 2 warnings, 1 note\n");
    expect((await inspect("bad.ndjson", "--max-findings", "3")).out).not.toContain("More findings");
  });

  test("prints a note that is repeated once, and how often it came", async () => {
    const odd = agent.notify("session/update", {
      ...{ sessionId: "s", update: { sessionUpdate: "mood_update" } },
    });
    const file = transcript("notes.ndjson", ...start(1), odd, odd, unknown, odd);
    const { out } = await inspect(file, "--fail-on", "note");
    expect(out.match(/^ {2}note unknown \S+ .*$/gm)).toEqual([
      expect.stringContaining('"mood_update" is not known'),
      expect.stringContaining('"weather" is not known'),
    ]);
    expect(out).toMatch(/^ {2}note unknown: 4$/m);
    const lines = (await inspect(file, "--fail-on", "note", "--json")).out.trimEnd().split("\n");
    expect(lines).toHaveLength(5);
  });

  test("does not name the mask of an unknown value", async () => {
    const file = transcript("masks.ndjson", ...start(1), unknown);
    const masked = transcript(
      "masked.ndjson",
      ...start(1),
      agent.notify("session/update", { sessionId: "s", update: { sessionUpdate: "xxxxxxx" } }),
    );
    for (const args of [[file, "--redact"], [masked]] as const) {
      const { out } = await inspect(...args, "--fail-on", "note");
      expect(out).toMatch(/note unknown \S+: a masked value is not known$/m);
    }
  });

  test("fails on warnings unless only errors count", async () => {
    const file = transcript("repaired.ndjson", ...start(1), repaired);
    expect((await inspect(file)).code).toBe(1);
    expect((await inspect(file, "--fail-on", "error")).code).toBe(0);
    expect((await inspect("bad.ndjson", "--fail-on", "error")).code).toBe(1);
  });

  test("annotates the line on GitHub", async () => {
    const env = { GITHUB_ACTIONS: "true" };
    const { out } = await runCommand(["inspect", "bad.ndjson"], { cwd: folder, env });
    expect(out).toContain("::warning file=bad.ndjson,line=5,title=skip-invalid-items::");
    expect(out).toContain("::error file=bad.ndjson,line=7,title=known-session::");
  });

  test.each([
    [["nowhere.ndjson"], 2, "nowhere.ndjson does not exist"],
    [["."], 2, ". is a folder"],
    [["good.ndjson", "--profile", "v11"], 2, 'unknown profile "v11". Did you mean "v1"?'],
    [["good.ndjson", "--max-findings", "few"], 2, "Expected a whole number."],
    [["good.ndjson", "--fail-on", "hint"], 2, "Allowed choices are error, warning, note."],
    [["good.ndjson", "--recorded-by", "me"], 2, "Allowed choices are client, agent."],
  ])("refuses %j", async (args, code, message) => {
    const ended = await inspect(...args);
    expect(ended.err).toContain(message);
    expect(ended.code).toBe(code);
  });
});

describe("standard input", () => {
  test.each([[["-"]], [[]]].slice(0, IS_DEEP ? undefined : 1))("is read for %j", async (args) => {
    const child = startCommand(["inspect", ...args, "--json"]);
    const out: Buffer[] = [];
    child.stdout!.on("data", (chunk: Buffer) => out.push(chunk));
    // In pieces that cut lines, with time between them.
    const text = start(1)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join("");
    for (let at = 0; at < text.length; at += 100) child.stdin!.write(text.slice(at, at + 100));
    child.stdin!.end("nonsense");
    const [code] = (await once(child, "close")) as [number];
    const lines = Buffer.concat(out).toString().trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      ...["line", "summary"],
    ]);
    expect(code).toBe(1);
  });

  deepTest("is read to its end when the reader of the output has closed", async () => {
    const child = startCommand(["inspect", "-", "--all"]);
    child.stdout!.once("data", () => child.stdout!.destroy());
    const line = `${JSON.stringify(client.notify("_acme/do", { text: "x".repeat(2000) }))}\n`;
    child.stdin!.on("error", () => {});
    for (let count = 0; count < 2000; count++)
      if (!child.stdin!.write(line)) await once(child.stdin!, "drain");
    child.stdin!.end();
    expect(await once(child, "close")).toEqual([0, null]);
  });
});

deepTest(
  `inspecting a transcript of ${MEGABYTES} MB takes no more memory than a small one`,
  () => {
    // The kept part of a transcript of that length would not fit into the heap.
    const heap = ["--max-old-space-size=48", "--max-semi-space-size=8"];
    const { stdout, status, stderr } = spawnSync(
      process.execPath,
      [...heap, "--import", "tsx", "test/generators/cli/measure-inspect.ts", String(MEGABYTES)],
      { cwd: ROOT, encoding: "utf8" },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { bytes, errors, early, most } = JSON.parse(stdout) as { [name: string]: number };
    expect(errors).toBe(0);
    expect(bytes).toBeGreaterThan(MEGABYTES * 1e6);
    expect(most! - early!).toBeLessThan(48e6);
  },
  600_000,
);

test("progress is a line of a terminal, and elsewhere plain lines from time to time", async () => {
  const { createProgress } = await import("../../../generators/cli/print/progress.js");
  const written: string[] = [];
  const terminal = (isTTY: boolean) => {
    return { isTTY, write: (text: string) => (written.push(text), true) };
  };
  let now = 0;
  const file = createProgress(1e6, terminal(false), () => (now += 2000));
  for (const bytes of [1e5, 2e5, 5e5, 6e5]) file.show(bytes, 10);
  file.clear();
  expect(written.splice(0)).toEqual(["50 %, 0.5 MB, 10 lines\n"]);
  const shown = createProgress(1e6, terminal(true), () => (now += 60));
  for (const bytes of [1e5, 2e5, 5e5]) shown.show(bytes, 10);
  shown.clear();
  shown.clear();
  expect(written).toEqual(["\r\x1b[K20 %, 0.2 MB, 10 lines", "\r\x1b[K"]);
});
