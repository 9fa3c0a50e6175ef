import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import type { Protocol } from "../../../generators/model/protocol.js";
import { launchBrowser, pageOpener } from "../support/browser.js";
import { methodPage } from "../support/markup.js";
import { openSite } from "../support/site.js";
import { IS_DEEP } from "../../support/deep.js";

const { protocols, files, folder } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
const named = protocols.map((protocol) => [protocol.profile, protocol] as const);
const some = IS_DEEP ? named : named.filter(([profile]) => profile === "v1-full");

afterAll(() => browser.close());

describe("an example is tried in the validator", () => {
  /** Follows every "Try it" of a page, in a validator that is open already; gives the verdicts. */
  async function tryAll(page: Page, validator: Page, path: string): Promise<readonly string[]> {
    await page.goto(`file://${folder}/${path}`);
    const links = await page
      .locator(".bar[data-try] a.do")
      .evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href));
    const profile = path.split("/")[0]!;
    return (await validator.evaluate(
      `(${followAll})(${JSON.stringify(links)}, ${JSON.stringify(`file://${folder}/${profile}/validator.html`)})`,
    )) as readonly string[];
  }

  const followAll = `async (links, own) => {
    const verdicts = [];
    for (const link of links) {
      if (link.split("#")[0] !== own) throw new Error("leads to " + link);
      const arrived = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
      location.hash = "#";
      await arrived;
      const opened = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
      location.hash = link.split("#")[1];
      await opened;
      verdicts.push(document.querySelector("#verdict p").textContent);
    }
    return verdicts;
  }`;

  const pagesOf = ({ profile, methods, definitions }: Protocol): readonly string[] => [
    ...new Set(methods.map(({ name }) => `${profile}/${methodPage(name)}`)),
    ...definitions.map(({ name }) => `${profile}/types/${name}.html`),
    `${profile}/flows/prompt-turn.html`,
    `${profile}/sessions.html`,
    `${profile}/extending.html`,
  ];

  test.each(some)(
    "from its page in %s, and is valid",
    async (profile, protocol) => {
      const page = await open("index.html");
      const validator = await open(`${profile}/validator.html#text=0`);
      const all = pagesOf(protocol);
      // Without IS_DEEP one page of 24, and those that are no methods or types.
      const paths = IS_DEEP
        ? all
        : all.filter((_, index) => index % 24 === 0 || index > all.length - 3);
      let tried = 0;
      for (const path of paths) {
        const blocks = files.get(path)!.split("data-try=").length - 1;
        const verdicts = await tryAll(page, validator, path);
        expect(verdicts, path).toHaveLength(blocks);
        for (const verdict of verdicts) expect(verdict, path).toMatch(/^Valid(\.|:)/);
        tried += blocks;
      }
      expect(tried).toBeGreaterThan(IS_DEEP ? 60 : 20);
      await page.context().close();
      await validator.context().close();
    },
    900_000,
  );

  test("as the value of a type, where it is one", async () => {
    const page = await open("v1/types/TextContent.html");
    await page.locator(".bar[data-try] a.do").first().click();
    await page.waitForURL("**/v1/validator.html#*");
    expect(await page.locator("#type").inputValue()).toBe("TextContent");
    expect(await page.locator("#sender").isDisabled()).toBe(true);
    expect(await page.locator("#verdict p").first().textContent()).toBe("Valid: it may be sent.");
    await page.locator("#message").fill('{"text": 5}');
    await page.locator("form.validator button").click();
    expect(await page.locator("#verdict p").first().textContent()).toBe(
      "Invalid: it may not be sent.",
    );
    await page.context().close();
  });

  test("by a link that holds the text behind the #, and a hostile one stays text", async () => {
    const hostile = '<img src=x onerror="globalThis.pwned=1">';
    const given = new URLSearchParams({ text: hostile, type: hostile, from: hostile });
    const page = await open(`v1/validator.html#${given.toString()}`);
    expect(await page.locator("#message").inputValue()).toBe(hostile);
    expect(await page.locator("#type").inputValue()).toBe("");
    expect(await page.locator("#verdict p").first().textContent()).toMatch(/^Not JSON/);
    expect(
      await page.evaluate("[globalThis.pwned, document.querySelectorAll('main img').length]"),
    ).toEqual([undefined, 0]);
    // The next link on the same page is read as well.
    await page.evaluate("location.hash = '#text=%7B%7D'");
    await page.locator("#verdict", { hasText: 'must be "2.0"' }).waitFor();
    await page.context().close();
  });

  test("not without JavaScript", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`file://${folder}/v1/methods/session/prompt.html`);
    expect(await page.locator(".bar .do").count()).toBe(0);
    await context.close();
  });
});
