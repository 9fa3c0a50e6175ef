import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, pageOpener } from "../support/browser.js";
import { faultsOf } from "../support/faults.js";
import { attributes } from "../support/markup.js";
import { openSite } from "../support/site.js";
import { IS_DEEP } from "../../support/deep.js";

const { protocols, files, folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
const named = protocols.map((protocol) => [protocol.profile, protocol] as const);
const some = IS_DEEP ? named : named.filter(([profile]) => profile === "v2-full");

afterAll(() => browser.close());

interface Finding {
  readonly level: string;
  readonly path: string;
  readonly url?: string;
}

/** The findings of the page's scripts, one list a message. */
async function findingsOf(page: Page, messages: readonly unknown[]): Promise<readonly Finding[][]> {
  return (await page.evaluate(`(${inspectAllSource})(${JSON.stringify(messages)})`)) as Finding[][];
}

const inspectAllSource = `(messages) => messages.map((value) => {
  const message = { line: 1, value, from: "" };
  acpTranscript.inspectAll([message]);
  return message.findings.map(({ level, path, url }) => ({ level, path, url }));
})`;

describe("a fault", () => {
  test.each(some)("leads to the description of its place in %s", async (profile, protocol) => {
    const page = await open(`${profile}/validator.html`);
    const faults = faultsOf(protocol);
    const found = await findingsOf(
      page,
      faults.map(({ message }) => message),
    );
    expect(faults.length).toBeGreaterThan(150);
    const dead = new Set<string>();
    let precise = 0;
    for (const [index, { path }] of faults.entries()) {
      const url = found[index]!.find((item) => item.path === path)!.url;
      const [file = "", id] = (url ?? "").split("#");
      const html = files.get(`${profile}/${file}`);
      if (html === undefined || (id !== undefined && !attributes(html, "id").includes(id)))
        dead.add(`${path}: ${url}`);
      const last = path.split("/").findLast((token) => !/^\d+$/.test(token))!;
      if (id?.endsWith(`field-${last}`)) precise++;
    }
    expect([...dead]).toEqual([]);
    // The rest are tags and items, whose description is that of the union or the list.
    expect(precise / faults.length).toBeGreaterThan(0.95);
    await page.context().close();
  });

  test("is shown as a link, in the page of the profile", async () => {
    const page = await open("v1/validator.html");
    const params = { sessionId: "s", prompt: [{ type: "text", text: 5 }] };
    const message = { jsonrpc: "2.0", id: 1, method: "session/prompt", params };
    await page.locator("#message").fill(JSON.stringify(message));
    await page.locator("form.validator button").click();
    await page.locator("#verdict li a").click();
    await page.waitForURL(`file://${folder}/v1/types/TextContent.html#field-text`);
    expect(await page.locator("#field-text").isVisible()).toBe(true);
    await page.context().close();
  });

  test("of a missing part highlights the part around it", async () => {
    const page = await open("v1/validator.html");
    const message = { jsonrpc: "2.0", id: 1, method: "session/new", params: { mcpServers: [] } };
    await page.locator("#message").fill(JSON.stringify(message));
    await page.locator("form.validator button").click();
    expect(await page.locator("#verdict li code").textContent()).toBe("/params/cwd");
    expect(await page.locator("#verdict mark").textContent()).toContain('"params": {');
    await page.context().close();
  });
});

describe("a transcript", () => {
  test.each(some)("of %s with one faulty line is invalid in that line", async (profile) => {
    const page = await open(`${profile}/validator.html`);
    const samples = (await page.evaluate("globalThis.acpSamples")) as readonly {
      readonly title: string;
      readonly value: readonly object[];
    }[];
    const flows = samples.filter(({ title }) => title.startsWith("Transcript: "));
    expect(flows.length).toBeGreaterThan(4);
    let tried = 0;
    for (const { title, value } of flows) {
      const lines = value.map((line) => JSON.stringify(line));
      for (const [index, line] of lines.entries()) {
        const entry = JSON.parse(line) as { message: { params?: unknown; result?: unknown } };
        const part = entry.message.params === undefined ? "result" : "params";
        if (entry.message[part] === undefined) continue;
        entry.message[part] = 5;
        const broken = lines.with(index, JSON.stringify(entry)).join("\n");
        const bad = (await page.evaluate(`(${badLines})(${JSON.stringify(broken)})`)) as number[];
        expect(bad, `${title}, line ${index + 1}`).toEqual([index + 1]);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(30);
    await page.context().close();
  });

  test("shows broken rules with a link to each", async () => {
    const page = await open("v1/rules/messages.html");
    await page.locator("#check-one-response ~ figure.code a.do").nth(1).click();
    await page.waitForURL("**/v1/validator.html#text=*");
    expect(await page.locator("#verdict p").first().textContent()).toBe(
      "Valid messages, broken rules: 6 of 7 messages may be sent; 1 not checked; 1 violation of rules.",
    );
    await page.locator("#conversation button", { hasText: "Next finding" }).click();
    await page.locator("#conversation section li a", { hasText: "one-response" }).click();
    await page.waitForURL(`file://${folder}/v1/rules.html#check-one-response`);
    await page.context().close();
  });
});

const badLines = `(text) => {
  const { messages } = acpTranscript.read(text, "");
  acpTranscript.inspectAll(messages);
  return messages.flatMap(({ line, findings }) => findings.some(({ level }) => level === "error") ? [line] : []);
}`;
