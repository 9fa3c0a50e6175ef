import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, pageOpener } from "../support/browser.js";
import { openSite } from "../support/site.js";

const { folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(() => browser.close());

describe("the validator", () => {
  const check = async (
    page: Page,
    text: string,
  ): Promise<{ readonly verdict: string; readonly items: readonly string[] }> => {
    await page.locator("#message").fill(text);
    await page.locator("form.validator button").click();
    return {
      verdict: (await page.locator("#verdict p").first().textContent())!,
      items: await page.locator("#verdict li").allTextContents(),
    };
  };
  const message = (method: string, params: unknown): string =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

  test("reports the place of a mistake in a message, and marks it", async () => {
    const page = await open("v1/validator.html");
    const { verdict, items } = await check(
      page,
      message("session/prompt", { sessionId: "s", prompt: [{ type: "text", text: 5 }] }),
    );
    expect(verdict).toMatch(/^Invalid/);
    expect(items.join()).toContain("/params/prompt/0/text");
    expect(await page.locator("#verdict mark").textContent()).toContain('"text": 5');
    await page.context().close();
  });

  test("reports what may not be sent, and what a lenient receiver repairs", async () => {
    const page = await open("v1/validator.html");
    const update = { sessionUpdate: "plan", entries: [{ content: 5 }] };
    const { verdict, items } = await check(
      page,
      JSON.stringify({
        jsonrpc: "2.0",
        method: "session/update",
        params: { sessionId: "s", update },
      }),
    );
    expect(verdict).toBe("Invalid: it may not be sent.");
    expect(await page.locator("#verdict p.lenient").textContent()).toBe(
      "A lenient receiver accepts it after repairs.",
    );
    expect(items.join()).toContain(
      "/params/update/entries/0 repaired by a lenient receiver (skip-invalid-items)",
    );
    await page.context().close();
  });

  test("says what it did not check, and where to check it", async () => {
    const page = await open("v1/validator.html");
    const answer = await check(page, '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"done"}}');
    expect(answer.verdict).toMatch(/^Not checked: the request is not here/);
    const cwd = await check(page, message("session/new", { cwd: "src", mcpServers: [] }));
    expect(cwd.verdict).toBe("Broken rule: it fits the schema, but violates a rule.");
    expect(cwd.items.join()).toContain("is not an absolute path (absolute-paths)");
    const info = { name: "a", version: "1" };
    const result = { protocolVersion: 2, info };
    const lines = [
      message("initialize", result),
      JSON.stringify({ jsonrpc: "2.0", id: 1, result }),
    ].join("\n");
    const other = await check(page, lines);
    expect(other.verdict).toContain("this conversation negotiated version 2");
    await page.locator("#verdict a").click();
    await page.waitForURL(/v2\/validator\.html/);
    expect(await page.locator("#message").inputValue()).toBe(lines);
    expect(await page.locator("#verdict p").first().textContent()).toContain("Valid");
    await page.context().close();
  });

  test("checks with Ctrl+Enter, and keeps the text in another profile", async () => {
    const page = await open("v1/validator.html");
    const text = message("session/fork", { sessionId: "s", cwd: "/", mcpServers: [] });
    await page.locator("#message").fill(text);
    await page.locator("#message").press("Control+Enter");
    expect(await page.locator("#verdict").textContent()).toContain("It exists in ACP v1 unstable.");
    await page.locator(".switch summary").click();
    await page.locator(".switch a", { hasText: /^ACP v1 unstable/ }).click();
    await page.waitForURL(/v1-unstable\/validator\.html/);
    expect(await page.locator("#message").inputValue()).toBe(text);
    expect(await page.locator("#verdict p").first().textContent()).toBe("Valid: it may be sent.");
    await page.context().close();
  });

  test("survives hostile messages and shows them as text", async () => {
    const page = await open("v1/validator.html");
    const hostile = [
      '{"jsonrpc":"2.0","id":1,"method":"<img src=x onerror=globalThis.pwned=1>","params":{}}',
      '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"__proto__":{"pwned":1},"cwd":"<script>globalThis.pwned=1</script>","mcpServers":5}}',
      `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":${'{"a":'.repeat(9000)}1${"}".repeat(9000)}}`,
      "[".repeat(100_000),
      "null",
      "[]",
      "not json",
    ];
    for (const text of hostile) {
      const { verdict } = await check(page, text);
      expect(verdict.length, text.slice(0, 40)).toBeGreaterThan(5);
    }
    expect(
      await page.evaluate(
        "[globalThis.pwned, ({}).pwned, document.querySelectorAll('main img, main script').length]",
      ),
    ).toEqual([undefined, undefined, 0]);
    await page.context().close();
  });
});
