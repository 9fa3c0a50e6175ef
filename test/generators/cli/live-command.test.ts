import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { agent, client, start } from "../../../templates/site/rules/transcript-builder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { listenTo } from "../../support/processes.js";
import { runCommand, startCommand } from "./run-command.js";

const folder = temporaryFolder();
const HEADER = { recording: 1 };
const EXIT = { from: "agent", kind: "exit", code: 0 };
const lines = (...records: readonly object[]): string =>
  records
    .map((record) => `${JSON.stringify({ time: "2026-01-01T00:00:00.000Z", ...record })}\n`)
    .join("");
const wrong = agent.notify("session/update", {
  sessionId: "s",
  update: { sessionUpdate: "plann" },
});

describe("acp-codegen inspect --live", () => {
  test("shows a finished recording with its findings in place", async () => {
    const file = join(folder, "finished.ndjson");
    const error = { from: "agent", kind: "stderr", text: "trouble\u001b[31m" };
    writeFileSync(
      file,
      lines(
        HEADER,
        ...start(1),
        wrong,
        error,
        client.ask(5, "session/prompt", { sessionId: "s", prompt: [] }),
        EXIT,
      ),
    );
    const { code, out, err } = await runCommand(["inspect", "--live", file]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const shown = out.split("\n").map((line) => line.trim());
    expect(shown[0]).toBe(file);
    expect(shown).toContainEqual(expect.stringMatching(/^0\.000 ← +initialize #\d+ ok {2}0 ms/));
    expect(shown).toContainEqual(expect.stringMatching(/^! unknown \/params\/update\S*: "plann"/));
    expect(shown).toContainEqual("0.000 ←   stderr  trouble\\u001b[31m");
    expect(shown).toContainEqual("0.000 ←   exit  code 0");
    expect(shown.filter((line) => line.includes("never answered"))).toHaveLength(1);
    const filtered = await runCommand(["inspect", "--live", "--filter", "kind:stderr", file]);
    expect(filtered.out.trim().split("\n")).toHaveLength(2);
  });

  test("follows a recording that begins later, while it is written", async () => {
    const recordings = join(folder, "all");
    const child = startCommand(["inspect", "--live"], {
      env: { ACP_CODEGEN_RECORDINGS: recordings },
    });
    const printed = listenTo(child);
    const until = async (text: string): Promise<void> => {
      for (let left = 500; !printed.out.includes(text) && left > 0; left--) await wait(20);
      expect(printed.out).toContain(text);
    };
    await until("waiting");
    for (const day of [1, 2]) {
      const file = join(recordings, `2026-01-0${day}T00-00-00-000Z-agent-1.ndjson`);
      rmSync(recordings, { recursive: true, force: true });
      mkdirSync(recordings);
      writeFileSync(file, lines(HEADER, ...start(1)));
      await until(`2026-01-0${day}T00`);
      await until("session/new");
      appendFileSync(file, lines({ from: "agent", kind: "stderr", text: `later ${day}` }, EXIT));
      await until(`later ${day}`);
    }
    child.kill();
  });

  test("shows what an agent says that does not answer initialize, by the clock of the whole recording", async () => {
    const file = join(folder, "silent.ndjson");
    const [ask] = start(2);
    const said = { from: "agent", kind: "stderr", text: "no key" };
    const at = (time: string, ...records: readonly object[]): string =>
      lines(...records).replaceAll("00:00:00.000Z", time);
    writeFileSync(file, lines(HEADER, ask!) + at("00:00:02.000Z", said));
    const printed = listenTo(startCommand(["inspect", "--live", "--filter", "from:agent", file]));
    await expect
      .poll(() => printed.out, { timeout: 10_000 })
      .toContain("    2.000 ←   stderr  no key\n");
    // The agent agrees to the other version, by whose rules the rest is checked.
    const [, answer] = start(1);
    appendFileSync(file, at("00:00:03.000Z", answer!, wrong, EXIT));
    const { code, out } = await printed.ended;
    expect({ code, last: out.trim().split("\n").slice(-5) }).toEqual({
      code: 0,
      last: [
        expect.stringMatching(/^ {4}3\.000 ← {3}initialize #\d ok/),
        expect.stringMatching(/^ {4}3\.000 ← {3}plann/),
        expect.stringContaining('! unknown /params/update/sessionUpdate: "plann"'),
        expect.stringContaining('✗ known-session /params/sessionId: the session "s"'),
        expect.stringContaining("exit  code 0"),
      ],
    });
  });

  test.each([
    [["-"], "standard input cannot be followed"],
    [["."], ". is a folder"],
    [["--filter", "is:x"], "the filter is:x has no meaning"],
    [["nothing.ndjson"], "nothing.ndjson does not exist"],
  ])("refuses %j", async (args, problem) => {
    const file = join(folder, "finished.ndjson");
    const { code, err } = await runCommand([
      "inspect",
      "--live",
      ...args,
      ...(args.length > 1 ? [file] : []),
    ]);
    expect(code).toBe(2);
    expect(err).toContain(problem);
  });
});
