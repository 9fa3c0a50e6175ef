import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { servePage } from "../../../generators/tools/live/page-server.js";
import { agent, client, start } from "../../../templates/site/rules/transcript-builder.js";
import { runCommand } from "../../generators/cli/run-command.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { audit } from "../support/audit.js";
import { launchBrowser, pageOpener } from "../support/browser.js";

const folder = temporaryFolder();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(async () => {
  await browser.close();
});

const lines = (records: readonly object[]): string =>
  records
    .map((record, index) => {
      const time = new Date(Date.UTC(2026, 0, 1) + index * 10).toISOString();
      return `${JSON.stringify({ time, ...record })}\n`;
    })
    .join("");
const chunk = (text: string): object =>
  agent.notify("session/update", {
    sessionId: "s",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  });
const chunks = [chunk("one "), chunk("two")];
const HOSTILE = `</script><script>globalThis.pwned = 1</script><img src=x onerror=pwned=1>`;
const RECORDS = [
  { recording: 1 },
  ...start(1),
  client.ask(5, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: HOSTILE }] }),
  ...chunks,
  agent.ask(9, "fs/read_text_file", { sessionId: "s", path: "/secret/notes.txt" }),
  client.error(9, -32601),
  { from: "agent", kind: "stderr", text: "trouble" },
  agent.result(5, { stopReason: "end_turn" }),
  client.ask(6, "session/prompt", { sessionId: "s", prompt: [] }),
];

/** Writes a page for records, as the command does. */
async function writePage(name: string, records: readonly object[], flags: readonly string[] = []) {
  writeFileSync(join(folder, "recording.ndjson"), lines(records));
  const args = ["inspect", join(folder, "recording.ndjson"), "-q", "--html", join(folder, name)];
  return runCommand([...args, ...flags]);
}

const rows = (page: Page): Promise<string[]> => page.locator(".lane").allTextContents();

/** The number of rows that the buttons take. */
const BUTTON_ROWS = `new Set([...document.querySelectorAll(".tools-line button")]
  .map((button) => button.getBoundingClientRect().top)).size`;

describe("acp-codegen inspect --html", () => {
  test("writes one page with the rows, the open calls and the findings in place", async () => {
    expect((await writePage("one.html", RECORDS)).code).toBe(1);
    const page = await open("one.html");
    const shown = await rows(page);
    expect(shown).toContain("← agent_message_chunk × 2 one two");
    const index = shown.findIndex((text) => text.includes("fs/read_text_file #9 /secret"));
    expect(shown[index + 1]).toBe(
      "fs-capability /method: the client did not advertise fs.readTextFile",
    );
    expect(await page.locator(".item.agent .bars .begin").count()).toBe(1);
    // The first finding is explained before a message is selected.
    expect(await page.locator("section").textContent()).toContain(
      "The agent reads and writes files only through a client",
    );
    expect(await page.locator("header").textContent()).toContain("acp-codegen");
    expect(await page.locator("header svg rect").count()).toBe(1);
    expect(await page.locator(".status").textContent()).toMatch(
      /^1 session · \d calls · 1 unanswered for 0 s · \d findings$/,
    );
    expect(await page.locator("nav li").allTextContents()).toEqual([
      expect.stringMatching(/<\/script>.* · end_turn$/),
      "prompt · running",
    ]);
    expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
    await page.context().close();
  });

  test("is used with the keyboard, and copies a report", async () => {
    await writePage("keys.html", RECORDS);
    const page = await open("keys.html");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const list = page.locator(".list");
    await list.focus();
    await page.keyboard.press("n");
    expect(await list.getAttribute("aria-activedescendant")).toMatch(/^item-\d+$/);
    const detail = (await page.locator("section").textContent())!;
    expect(detail).toContain("The agent reads and writes files only through a client");
    expect(await page.locator("mark").textContent()).toBe('  "method": "fs/read_text_file"');
    await page.keyboard.press("c");
    await page.locator("[role=alert]", { hasText: "Copied." }).waitFor();
    const report = (await page.evaluate("navigator.clipboard.readText()")) as string;
    expect(report).toMatch(/^\*\*fs\/read_text_file #9\*\* \(line \d+, sent by the agent\)/);
    expect(report).toContain("- error `fs-capability` at `/method`: the client did not advertise");
    expect(report).toContain('```json\n{\n  "jsonrpc": "2.0"');
    await page.keyboard.press("Home");
    expect(await list.getAttribute("aria-activedescendant")).toBe("item-0");
    await page.keyboard.press("/");
    await page.keyboard.type("is:finding method:fs");
    await expect.poll(() => rows(page)).toHaveLength(2);
    await page.keyboard.type(" slow:x");
    await page.locator("[role=alert]", { hasText: "slow:x has no meaning" }).waitFor();
    await page.context().close();
  });

  test.each([
    [1280, "light"],
    [1280, "dark"],
    [360, "light"],
    [360, "dark"],
  ] as const)("axe has no findings, %i pixels wide and %s", async (width, scheme) => {
    await writePage("axe.html", RECORDS);
    const page = await open("axe.html", { width, scheme });
    await page.locator("button", { hasText: "Next finding" }).click();
    expect(await audit(page)).toEqual([]);
    expect(await page.evaluate(BUTTON_ROWS)).toBe(1);
    const overflow = "document.documentElement.scrollWidth - innerWidth";
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    await page.context().close();
  });

  test("masks texts, also those that findings quote", async () => {
    const wrong = client.ask(7, "session/prompt", { sessionId: "s", prompt: "my secret" });
    const broken = { from: "agent", text: "secret noise" };
    await writePage("masked.html", [...RECORDS, wrong, broken], ["--redact"]);
    const text = readFileSync(join(folder, "masked.html"), "utf8");
    expect(text).toContain("Texts are masked");
    expect(text).not.toMatch(/secret(?!,? such as| which)|trouble|pwned/);
    expect(text).toContain("fs-capability");
  });

  test("shows few of 50,000 messages at a time, and weighs little without them", async () => {
    const many = Array.from({ length: 25_000 }, (_, id) => [
      client.ask(id + 10, "session/list", {}),
      agent.result(id + 10, { sessions: [] }),
    ]);
    await writePage("many.html", [...start(1), ...many.flat()]);
    const page = await open("many.html");
    await page.locator(".item").first().waitFor();
    const most = (await page.evaluate(`(async () => {
      const list = document.querySelector(".list");
      let most = 0;
      for (let step = 0; step < 40; step++) {
        list.scrollTop = (step * list.scrollHeight) / 40;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        most = Math.max(most, document.querySelectorAll(".item").length);
      }
      return most;
    })()`)) as number;
    expect(most).toBeLessThan(100);
    await page.context().close();
    await writePage("none.html", start(1));
    expect(readFileSync(join(folder, "none.html")).length).toBeLessThan(100_000);
  });
});

describe("acp-codegen inspect --live --page", () => {
  const path = join(folder, "live.ndjson");

  test("shows what is written", async () => {
    const half = RECORDS.indexOf(chunks[0]!);
    writeFileSync(path, lines(RECORDS.slice(0, half)));
    const server = await servePage({ path });
    const { origin } = new URL(server.url);
    try {
      const page = await pageOpener(browser, origin)(new URL(server.url).pathname.slice(1));
      await page.locator(".item", { hasText: "session/prompt #5" }).waitFor();
      expect(await page.locator("#name").textContent()).toBe("live.ndjson");
      appendFileSync(path, lines(RECORDS.slice(half)));
      await page.locator(".item.finding", { hasText: "fs-capability" }).waitFor();
      expect(await page.locator(".status").textContent()).toContain("1 unanswered for");
      appendFileSync(path, lines([{ from: "agent", kind: "exit", code: 0 }]));
      await page.locator("p", { hasText: "The recording has ended." }).waitFor();
      expect(await audit(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 640 });
      expect(await page.evaluate(BUTTON_ROWS)).toBe(1);
      await page.context().close();
    } finally {
      await server.close();
    }
  });
});
