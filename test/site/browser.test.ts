import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { readTemplates } from "../../generators/cli/tool.js";
import { compile } from "../../generators/compile.js";
import { buildProtocol } from "../../generators/model/build.js";
import { compose } from "../../generators/schema/compose.js";
import { TARGETS } from "../../generators/targets.js";
import { notificationOf, protocolOf } from "../schema/sources.js";
import { launchBrowser, writeSite } from "./browser.js";
import { compileSite, methodPage } from "./compile-site.js";

const DEEP = process.env["DEEP"] !== undefined;
const { protocols, files } = await compileSite();
const folder = writeSite(files);
const browser = await launchBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Options {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  readonly script?: boolean;
}

/** Opens a page of the site as a file; whatever it asks elsewhere for fails the test. */
async function open(
  path: string,
  { width = 1280, scheme = "light", script = true }: Options = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    javaScriptEnabled: script,
  });
  const page = await context.newPage();
  page.on("request", (request) => {
    if (!request.url().startsWith(`file://${folder}/`))
      throw new Error(`${path} asks for ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    // A page that is left, or closed, gives up what it was loading.
    if (request.failure()?.errorText === "net::ERR_ABORTED") return;
    throw new Error(`${path} lacks ${request.url()}`);
  });
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(`file://${folder}/${path}`);
  return page;
}

/** One page of every kind. */
const KINDS = [
  "index.html",
  "about.html",
  "404.html",
  "v1-full/index.html",
  "v1-full/methods/session/prompt.html",
  "v1-full/methods/mcp/message.html",
  "v1-full/types/SessionUpdate.html",
  "v1-full/types/ToolKind.html",
  "v1-full/capabilities.html",
  "v1-full/flows.html",
  "v1-full/errors.html",
  "v1-full/rules.html",
  "v1-full/features.html",
  "v1-full/changes.html",
  "v1-full/checklist.html",
  "v1-full/validator.html",
  "v1-full/a-z.html",
  "v1-full/getting-started.html",
  "v2/methods/session/prompt.html",
  "v2/types/StateUpdate.html",
];

describe("check 1: accessibility", () => {
  const audit = async (page: Page): Promise<readonly string[]> => {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as {
          axe: {
            run: (options: object) => Promise<{
              violations: readonly { id: string; nodes: readonly { html: string }[] }[];
            }>;
          };
        }
      ).axe.run({
        // It would read stylesheets by request, which files do not answer.
        preload: false,
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 120)}`);
    });
  };

  test.each(KINDS)(
    "axe has nothing to object to on %s, light on a desktop and dark on a phone",
    async (path) => {
      const light = await open(path);
      expect(await audit(light)).toEqual([]);
      await light.context().close();
      const dark = await open(path, { width: 360, scheme: "dark" });
      expect(await audit(dark)).toEqual([]);
      await dark.context().close();
    },
  );

  test("axe does object to a page that is not accessible", async () => {
    const page = await open("index.html");
    await page.evaluate(
      "document.querySelector('main').innerHTML = '<img src=\"data:,\"><button></button>'",
    );
    expect((await audit(page)).join()).toMatch(/button-name/);
    await page.context().close();
  });
});

describe("check 15: without JavaScript", () => {
  test("text, navigation, profile switch and A to Z work, and nothing dead is shown", async () => {
    const page = await open("v1/methods/session/prompt.html", { script: false });
    expect(await page.locator("h1").textContent()).toBe("session/prompt");
    expect(await page.locator("#search").isVisible()).toBe(false);
    expect(await page.locator("button:visible").count()).toBe(0);
    await page.locator("nav.side a", { hasText: "Capabilities" }).click();
    expect(await page.locator("h1").textContent()).toBe("Capabilities");
    await page.locator(".switch summary").click();
    await page.locator(".switch a", { hasText: "ACP v2 full" }).click();
    expect(page.url()).toBe(`file://${folder}/v2-full/capabilities.html`);
    await page.locator("header a", { hasText: "A to Z" }).click();
    await page.locator("main a", { hasText: "session/prompt" }).first().click();
    expect(page.url()).toContain("/v2-full/methods/session/prompt.html");
    await page.context().close();
  });
});

describe("check 16: narrow windows", () => {
  const paths = DEEP ? [...files.keys()].filter((path) => path.endsWith(".html")) : KINDS;
  test.each([320, 360])(
    "at %i pixels no page scrolls sideways",
    async (width) => {
      const page = await open("index.html", { width });
      const wide: string[] = [];
      for (const path of paths) {
        await page.goto(`file://${folder}/${path}`);
        if (((await page.evaluate("document.documentElement.scrollWidth")) as number) > width)
          wide.push(path);
      }
      expect(wide).toEqual([]);
      await page.context().close();
    },
    600_000,
  );

  test("on a phone the menu opens and closes without a script", async () => {
    const page = await open("v1/index.html", { width: 360, script: false });
    expect(await page.locator("nav.side").isVisible()).toBe(false);
    await page.locator("a.menu").click();
    expect(await page.locator("nav.side").isVisible()).toBe(true);
    await page.locator("nav.side .close").click();
    expect(await page.locator("nav.side").isVisible()).toBe(false);
    await page.context().close();
  });
});

describe("check 7, 8: search", () => {
  const profiles = DEEP
    ? protocols
    : protocols.filter(({ profile }) => profile === "v1-full" || profile === "v2");

  test.each(profiles.map((protocol) => [protocol.profile, protocol] as const))(
    "of %s finds every method and type first, every value and every code",
    async (profile, protocol) => {
      const page = await open(`${profile}/methods/session/prompt.html`);
      await page.locator("#search input").focus();
      await page.waitForFunction("globalThis.acpSearch");
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
    await page.keyboard.type("wait_for_exit");
    await page.locator("#found a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await page.locator("#found li[aria-selected=true] code").textContent()).toBe(
      "terminal/wait_for_exit",
    );
    await page.keyboard.press("Enter");
    await page.waitForURL("**/v1/methods/terminal/wait_for_exit.html");
    await page.context().close();
  });

  test("says so when nothing is found, and escape closes it", async () => {
    const page = await open("v1/index.html");
    await page.locator("#search input").fill("qqqq");
    await page.locator("#found", { hasText: "Nothing found" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator("#found").isVisible()).toBe(false);
    await page.context().close();
  });
});

/** Types each text into the search field and gives the names that are shown for it; runs in the page. */
const typeAll = `async (texts) => {
  const input = document.querySelector("#search input");
  const all = [];
  for (const text of texts) {
    input.value = text;
    input.dispatchEvent(new Event("input"));
    await new Promise((resolve) => setTimeout(resolve, 0));
    all.push([...document.querySelectorAll("#found code")].map((found) => found.textContent));
  }
  return all;
}`;

test("the profile switch keeps the page where the other profile has it", async () => {
  const page = await open("v1-full/types/ToolCallUpdate.html");
  await page.locator(".switch summary").click();
  await page.locator(".switch a", { hasText: /^ACP v2$/ }).click();
  await page.waitForURL(`file://${folder}/v2/types/ToolCallUpdate.html`);
  await page.goto(`file://${folder}/v1/${methodPage("session/load")}`);
  await page.locator(".switch summary").click();
  await page.locator(".switch a", { hasText: /^ACP v2$/ }).click();
  await page.waitForURL(`file://${folder}/v2/index.html`);
  await page.context().close();
});

test("copy buttons copy the block that they stand on", async () => {
  const page = await open("v1/methods/session/prompt.html");
  const block = page.locator("figure.code").first();
  await page.evaluate(
    "navigator.clipboard.writeText = (text) => { globalThis.copied = text; return Promise.resolve(); }",
  );
  await block.locator("button.copy").click();
  expect(await page.evaluate("globalThis.copied")).toBe(await block.locator("pre").textContent());
  expect(await block.locator("button.copy").textContent()).toBe("Copied");
  await page.context().close();
});

test("printed pages have the text and no navigation", async () => {
  const page = await open("v1/methods/session/prompt.html");
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("nav.side").isVisible()).toBe(false);
  expect(await page.locator("header.site").isVisible()).toBe(false);
  expect(await page.locator("h1").isVisible()).toBe(true);
  await page.context().close();
});

describe("check 23: the validator", () => {
  const judge = async (
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

  test.each(DEEP ? protocols.map(({ profile }) => profile) : ["v1-full", "v2-full"])(
    "finds every sample of %s valid",
    async (profile) => {
      const page = await open(`${profile}/validator.html`);
      const count = await page.locator("#sample option").count();
      expect(count).toBeGreaterThan(30);
      for (let index = 0; index < count - 1; index++) {
        await page.locator("#sample").selectOption(String(index));
        const verdict = await page.locator("#verdict p").first().textContent();
        expect(
          verdict,
          (await page.locator(`#sample option[value="${index}"]`).textContent()) ?? "",
        ).toMatch(/^Valid(\.|:)/);
      }
      await page.context().close();
    },
  );

  test("tells where a message is wrong, and marks the place", async () => {
    const page = await open("v1/validator.html");
    const { verdict, items } = await judge(
      page,
      message("session/prompt", { sessionId: "s", prompt: [{ type: "text", text: 5 }] }),
    );
    expect(verdict).toMatch(/^Invalid/);
    expect(items.join()).toContain("/params/prompt/0/text");
    expect(await page.locator("#verdict mark").textContent()).toContain('"text": 5');
    await page.context().close();
  });

  test("finds each of a number of faults at its place", async () => {
    const page = await open("v1/validator.html");
    const faults: readonly (readonly [string, unknown, string])[] = [
      ["session/new", { mcpServers: [] }, "/params/cwd"],
      ["session/new", { cwd: 1, mcpServers: [] }, "/params/cwd"],
      ["session/prompt", { sessionId: 1, prompt: [] }, "/params/sessionId"],
      ["session/prompt", { sessionId: "s", prompt: "text" }, "/params/prompt"],
      ["authenticate", {}, "/params/methodId"],
      ["session/load", { sessionId: "s", cwd: "/" }, "/params/mcpServers"],
      ["initialize", { protocolVersion: "1" }, "/params/protocolVersion"],
      ["session/set_mode", { sessionId: "s", mode: "x" }, "/params/modeId"],
      ["fs/read_text_file", { sessionId: "s" }, "/params/path"],
      ["terminal/create", { sessionId: "s", command: ["ls"] }, "/params/command"],
      ["session/nonsense", {}, "/method"],
    ];
    for (const [method, params, path] of faults) {
      const { verdict, items } = await judge(page, message(method, params));
      expect(verdict, method).toMatch(/^Invalid/);
      expect(items.join(), method).toContain(path);
    }
    await page.context().close();
  });

  test("tells what a lenient receiver drops", async () => {
    const page = await open("v1/validator.html");
    const update = { sessionUpdate: "plan", entries: [{ content: 5 }] };
    const { verdict, items } = await judge(
      page,
      JSON.stringify({
        jsonrpc: "2.0",
        method: "session/update",
        params: { sessionId: "s", update },
      }),
    );
    expect(verdict).toMatch(/^Valid for a lenient receiver/);
    expect(items.join()).toContain("/params/update/entries/0 skip-invalid-items");
    await page.context().close();
  });

  test("finds the wrong line of a transcript, and what is against the rules", async () => {
    const page = await open("v1/validator.html");
    const lines = [
      message("initialize", { protocolVersion: 1 }),
      JSON.stringify({ jsonrpc: "2.0", id: 1, result: { protocolVersion: "one" } }),
      JSON.stringify({
        jsonrpc: "2.0",
        id: 2,
        method: "session/load",
        params: { sessionId: "s", cwd: "/", mcpServers: [] },
      }),
    ];
    const { verdict } = await judge(page, lines.join("\n"));
    expect(verdict).toContain("3 messages, 1 invalid");
    const text = (await page.locator("#verdict").textContent())!;
    expect(text).toContain("Line 2, answer to initialize");
    expect(text).toContain("/result/protocolVersion");
    expect(await page.locator("#rules + ul li").count()).toBeGreaterThan(0);
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
      const { verdict } = await judge(page, text);
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

test("check 20: a schema full of markup and script leaves no trace of it in the browser", async () => {
  const texts = [
    "<script>globalThis.pwned=1</script>",
    '"><img src=x onerror=globalThis.pwned=1>',
    "javascript:globalThis.pwned=1",
    "</script><svg onload=globalThis.pwned=1>",
    "{{constructor.constructor('globalThis.pwned=1')()}}",
  ];
  const definitions = Object.fromEntries(
    texts.map((text, index) => [
      `T${index}`,
      {
        description: text,
        type: "object" as const,
        properties: { [text]: { description: text, type: "string" as const, default: text } },
        examples: [{ [text]: text }],
      },
    ]),
  );
  const methods = texts.map((text, index) => ({
    ...notificationOf(text, "agent", `T${index}`),
    summary: text,
    description: text,
    examples: [{ title: text, params: { [text]: text } }],
  }));
  const protocol = buildProtocol(compose(protocolOf(definitions, methods), []), {
    name: "test",
    title: texts[0]!,
    description: texts[1]!,
  });
  const compiled = await compile(
    [protocol],
    TARGETS.filter(({ name }) => name === "docs"),
    { templates: readTemplates(), version: "0.0.0" },
  );
  const hostile = writeSite(
    new Map(compiled.map(({ path, text }) => [path.slice("site/".length), text])),
  );
  const page = await browser.newPage();
  try {
    for (const { path } of compiled.filter((file) => file.path.endsWith(".html"))) {
      await page.goto(`file://${hostile}/${path.slice("site/".length)}`);
      if (await page.locator("#search input").count()) {
        await page.locator("#search input").fill("script");
        await page.locator("#found li").first().waitFor();
      }
      expect(
        await page.evaluate(
          "[globalThis.pwned, document.querySelectorAll('img, [onload], [onerror], a[href^=\"javascript:\"]').length]",
        ),
        path,
      ).toEqual([undefined, 0]);
    }
  } finally {
    await page.close();
    rmSync(hostile, { recursive: true, force: true });
  }
});
