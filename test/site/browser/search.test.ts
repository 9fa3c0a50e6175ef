import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, pageOpener, searchFor } from "../support/browser.js";
import { openSite } from "../support/site.js";
import questioned from "../../fixtures/questions.json" with { type: "json" };
import { IS_DEEP } from "../../support/deep.js";

const { folder, files, protocols } = await openSite();
const browser = await launchBrowser();
const open = pageOpener(browser, `file://${folder}`);
afterAll(() => browser.close());

describe("search, from files and without a server,", () => {
  const profiles = IS_DEEP ? protocols : protocols.filter(({ profile }) => profile === "v2-full");

  test.each(profiles.map((protocol) => [protocol.profile, protocol] as const))(
    "of %s finds every method and type first, every value and every code",
    async (profile, protocol) => {
      const page = await open(`${profile}/methods/session/prompt.html`);
      await page.locator("#search").click();
      await expect.poll(() => page.evaluate("typeof globalThis.acpSearch")).toBe("function");
      const names = [
        ...new Set([...protocol.methods, ...protocol.definitions].map(({ name }) => name)),
      ];
      const first = (await page.evaluate(
        `(${typeAll})(${JSON.stringify(names)})`,
      )) as readonly (readonly string[])[];
      expect(names.filter((name, index) => first[index]![0] !== name)).toEqual([]);
      const values = protocol.definitions.flatMap(({ shape }) =>
        shape.kind === "tagged"
          ? shape.variants.map(({ value }) => value)
          : shape.kind === "enum"
            ? shape.values.map(({ value }) => String(value))
            : [],
      );
      expect(values.length).toBeGreaterThan(50);
      const found = (await page.evaluate(
        `(${typeAll})(${JSON.stringify(values)})`,
      )) as readonly (readonly string[])[];
      expect(values.filter((value, index) => !found[index]!.includes(value))).toEqual([]);
      await page.context().close();
    },
    120_000,
  );

  test("works from the keyboard alone: slash, words, arrows, enter", async () => {
    const page = await open("v1/types/SessionId.html");
    await page.keyboard.press("/");
    await page.locator("#search-window input[type=search]").waitFor();
    await page.keyboard.type("wait_for_exit");
    await page.locator("#found [data-href]").first().waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await page.locator("#found [aria-selected=true] code").textContent()).toBe(
      "terminal/wait_for_exit",
    );
    await page.keyboard.press("Enter");
    await page.waitForURL("**/v1/methods/terminal/wait_for_exit.html");
    await page.context().close();
  });

  test("has a shortcut of one key that can be turned off", async () => {
    const page = await open("v1/index.html");
    const dialog = page.locator("#search-window");
    await searchFor(page, "");
    await page.getByLabel("Press / to search").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    expect(await dialog.isVisible()).toBe(false);
    await page.locator("#search").click();
    await page.getByLabel("Press / to search").check();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    expect(await dialog.isVisible()).toBe(true);
    await page.context().close();
  });

  test("reports when nothing is found, and Escape closes it", async () => {
    const page = await open("v1/index.html");
    await searchFor(page, "qqqq");
    await page.locator("#found", { hasText: "Nothing found" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator("#found").isVisible()).toBe(false);
    await page.context().close();
  });
});

const found = async (page: Page, query: string): Promise<readonly string[]> => {
  await searchFor(page, query);
  await page.locator("#found [role=option]").first().waitFor();
  return page.locator("#found [role=option]").allTextContents();
};

describe("search finds", () => {
  test("names of every profile from the front page and from a profile that lacks them", async () => {
    for (const path of ["index.html", "v1/index.html"]) {
      const page = await open(path);
      expect((await found(page, "nes/suggest"))[0]).toMatch(
        /^nes\/suggest ACP v1 full request \+ /,
      );
      expect((await found(page, "session/fork"))[0]).toMatch(
        /^session\/fork ACP v1 unstable request \+ /,
      );
      await page.context().close();
    }
  });

  test.each([
    ["permision", "session/request_permission"],
    ["sesion/promt", "session/prompt"],
    ["ContetBlock", "ContentBlock"],
  ])("%s, one or two letters wrong, as %s", async (query, name) => {
    const page = await open("v1/index.html");
    const names = (await found(page, query)).map((text) => text.split(" ")[0]);
    expect(names).toContain(name);
    await page.context().close();
  });

  test("words of pages, and marks what matches: a whole word", async () => {
    const page = await open("v1/index.html");
    expect((await found(page, "newline")).join()).not.toContain("Nothing found");
    expect(await page.locator("#found mark").first().textContent()).toMatch(/^newline/i);
    await found(page, "terminalid");
    expect(await page.locator("#found .about mark").allTextContents()).toContain("terminalId");
    await page.context().close();
  });

  test("one version beside other words first", async () => {
    const page = await open("v1/index.html");
    expect((await shownPaths(page, "v2 prompt"))[0]).toBe("v2/methods/session/prompt.html");
    // With both there is none to prefer.
    const shown = await shownPaths(page, "v1 v2 losses");
    expect(shown.slice(0, 3)).toEqual([
      "tool/bridge.html#losses",
      "tool/bridge.html",
      "tool/losses.html",
    ]);
    await page.context().close();
  });
});

/** Types a text and returns the addresses of the shown results below the site, in their order. */
async function shownPaths(page: Page, text: string): Promise<readonly string[]> {
  await found(page, text);
  return page.evaluate(
    `[...document.querySelectorAll("#found [data-href]")].map(({ dataset }) => {
      const root = new URL("../", location.href);
      return new URL(dataset.href, location.href).href.slice(root.href.length);
    })`,
  );
}

describe("the results that are shown", () => {
  const { questions, long, short } = questioned;
  const below = (path: string): string => (/^(v\d|tool\/)/.test(path) ? path : `v1/${path}`);
  const asked = questions.map(({ question, answers }) => ({
    question,
    answers: answers.map(below),
  }));
  const answered = (all: { readonly [question: string]: string }): typeof asked =>
    Object.entries(all).map(([question, answers]) => ({
      question,
      answers: answers.split(" ").map(below),
    }));

  test.each([
    ["short", { all: asked, count: 150, atFirst: 129, inThree: 147 }],
    ["fresh short", { all: answered(short.fresh), count: 69, atFirst: 61, inThree: 68 }],
    ["long", { all: answered(long.known), count: 120, atFirst: 88, inThree: 108 }],
    ["fresh long", { all: answered(long.fresh), count: 80, atFirst: 61, inThree: 74 }],
  ] as const)(
    "answer %s questions as people type them",
    async (_, { all, count, atFirst, inThree }) => {
      const page = await open("v1/index.html");
      const missing = all.flatMap(({ answers }) =>
        answers.filter((path) => !files.has(path.split("#")[0]!)),
      );
      expect(missing).toEqual([]);
      const positions: { readonly question: string; readonly position: number }[] = [];
      for (const { question, answers } of all) {
        const paths = await shownPaths(page, question);
        const ranked = (await page.evaluate(
          `acpSearch(${JSON.stringify(question)}, "v1").map(({ url }) => url.replace(/^[^/]+\\/\\.\\.\\//, ""))`,
        )) as readonly string[];
        expect(paths, question).toEqual(ranked.slice(0, paths.length));
        const position = paths.findIndex((path) =>
          answers.some((one) => path === one || path.split("#")[0] === one),
        );
        positions.push({ question, position });
      }
      const late = positions.filter(({ position }) => position < 0 || position > 2);
      expect(count - late.length, JSON.stringify(late)).toBeGreaterThanOrEqual(inThree);
      expect(positions.filter(({ position }) => position === 0).length).toBeGreaterThanOrEqual(
        atFirst,
      );
      expect(all).toHaveLength(count);
      await page.context().close();
    },
  );

  test("are the best at first, and all on request", async () => {
    const page = await open("v1/index.html");
    expect(await found(page, "session")).toHaveLength(12);
    await page.getByRole("button", { name: /^Show all \d+ results$/ }).click();
    expect(await page.locator("#found [role=option]").count()).toBeGreaterThan(12);
    await page.context().close();
  });

  test("are pages first, where nothing has all of the words", async () => {
    const page = await open("v1/index.html");
    const [first] = await shownPaths(page, "zeppelin transports qwertz");
    expect(first).toMatch(/transports\.html/);
    await page.context().close();
  });

  test.each([360, 1280])("have names whose words are whole, %i pixels wide", async (width) => {
    const page = await open("v2-full/index.html", { width });
    const names = protocols.flatMap(({ definitions }) => definitions.map(({ name }) => name));
    const [longest = ""] = names.sort((a, b) => b.length - a.length);
    const broken: string[] = [];
    for (const question of [longest, ...asked.slice(0, 130).map((one) => one.question)]) {
      await found(page, question);
      broken.push(...((await page.evaluate(BROKEN_NAMES)) as readonly string[]));
    }
    expect([...new Set(broken)]).toEqual([]);
    await page.context().close();
  });
});

/** The shown names that break inside of a word, whose characters are at different heights then, or whose row is too wide. */
const BROKEN_NAMES = `[...document.querySelectorAll("#found .name")].filter((name) => {
  const row = name.parentElement.getBoundingClientRect();
  const cells = Array.from(name.parentElement.children, (cell) => cell.getBoundingClientRect());
  if (cells.some(({ left, right }) => left < row.left || right > row.right)) return true;
  const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let before;
  while (walker.nextNode())
    for (let at = 0; at < walker.currentNode.length; at++) {
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const isWord = /\\S/.test(range.toString());
      const { top } = range.getBoundingClientRect();
      if (isWord && before !== undefined && Math.abs(top - before) > 4) return true;
      before = isWord ? top : undefined;
    }
  return false;
}).map((name) => name.textContent)`;

/** Types each text into the search field and gives the names that are shown for it; runs in the page. */
const typeAll = `async (texts) => {
  const input = document.querySelector("#search-window input");
  const all = [];
  for (const text of texts) {
    input.value = text;
    input.dispatchEvent(new Event("input"));
    await new Promise((resolve) => setTimeout(resolve, 0));
    all.push([...document.querySelectorAll("#found code")].map((found) => found.textContent));
  }
  return all;
}`;
