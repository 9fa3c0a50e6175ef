import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readGuideChunks } from "../../../generators/emit/site/articles/guides/guide-chunks.js";
import { readTemplates, readTree } from "../../../generators/run/installation.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand, withoutProgress } from "../cli/run-command.js";
import { deadLinks } from "../emit/site/small-site.js";

const folder = temporaryFolder();
const templates = readTemplates();
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>';

/** The files that a guide or a page of the manual shows. */
function shownFiles(text: string): readonly (readonly [path: string, text: string])[] {
  return readGuideChunks(text).flatMap((chunk) => {
    const path = chunk.kind === "fence" && /^file (.*)$/.exec(chunk.use)?.[1];
    return path ? [[path, `${chunk.text}\n`] as const] : [];
  });
}

/** A folder with a feature, a logo, a page and a configuration: those of the manual, or others. */
function project(name: string, files: { readonly [path: string]: string | Buffer } = {}): string {
  const place = join(folder, name);
  const [, feature = ""] = /```json\n([^]*?)```/.exec(
    templates.get("site/guides/tool/features.md")!,
  )!;
  const all = {
    "session-pin.json": feature,
    "docs/logo.svg": LOGO,
    ...Object.fromEntries(shownFiles(templates.get("site/guides/tool/site.md")!)),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return place;
}

async function buildSite(cwd: string): Promise<void> {
  const { code, err } = await runCommand(["docs"], { cwd });
  expect([code, withoutProgress(err)]).toEqual([0, ""]);
}

/** A configuration with the site of the manual and other options. */
function config(site: object, output: object = {}): string {
  const [, text] = shownFiles(templates.get("site/guides/tool/site.md")!)[0]!;
  const { outputs } = JSON.parse(text) as {
    readonly outputs: readonly [{ readonly site: object }];
  };
  const [first] = outputs;
  return JSON.stringify({ outputs: [{ ...first, ...output, site: { ...first.site, ...site } }] });
}

describe("the site of the manual's configuration", () => {
  let place: string;
  let files: ReadonlyMap<string, string>;
  const pages = (): readonly (readonly [string, string])[] =>
    [...files].filter(([path]) => path.endsWith(".html"));
  const page = (path: string): string => files.get(path)!;
  beforeAll(async () => {
    place = project("manual");
    await buildSite(place);
    files = readTree(join(place, "generated/site"));
  });

  test("has its title on every page, and nothing of ours", () => {
    expect(pages().length).toBeGreaterThan(200);
    for (const [path, html] of pages()) {
      expect(/<title>(.*)<\/title>/.exec(html)![1], path).toContain("Acme Agent API");
      expect(html, path).toContain('<meta property="og:site_name" content="Acme Agent API">');
      expect(html, path).toContain('<a href="https://acme.example/imprint">Imprint</a>');
      expect(html, path).toContain(
        '<meta property="og:image" content="https://acme.example/preview.png">',
      );
      expect(html, path).toMatch(/<a class="home" href="https:\/\/acme\.example"><img [^>]*>Acme/);
      const moved = html.includes('http-equiv="refresh"');
      if (!moved) expect(html, path).toContain("Content-Security-Policy");
      expect(html.match(/<img /g), path).toHaveLength(1);
      expect(html, path).not.toMatch(/own selection|acp-codegen\/issues|href="[^"]*tool\//);
      expect(html, path).not.toMatch(/acp[-_]bindings|\bPython\b|\bGo\b(?! there| to )/);
    }
    expect([...files.keys()].filter((path) => path.startsWith("tool/"))).toEqual([]);
    expect(page("acme/assets/favicon.svg")).toBe(LOGO);
    expect(page("acme/assets/style.css")).toContain("--link: light-dark(#7a1fa2, #d9a6ec);");
  });

  test("says that it is not the official documentation", () => {
    const note = /not the official documentation of the Agent Client Protocol/;
    for (const path of ["index.html", "index.html.md", "llms.txt", "acme/llms.txt"]) {
      expect(page(path), path).toMatch(note);
      expect(page(path), path).toContain("https://agentclientprotocol.com");
    }
    for (const path of ["llms.txt", "acme/llms.txt"])
      expect(page(path)).toMatch(/^# Acme Agent API\n/);
  });

  test("has the page in the navigation, the search, the sitemap, llms.txt, and at its method and feature", () => {
    expect(page("acme/index.html")).toContain(
      '<a href="pinned.html">'.replace("pinned", "pinning"),
    );
    expect(page("search.js")).toContain('"pinning.html"');
    expect(page("sitemap.xml")).toContain("https://docs.acme.example/acp/acme/pinning.html<");
    expect(page("acme/llms.txt")).toContain("(pinning.html.md)");
    expect(page("acme/methods/session/pin.html")).toContain('href="../../pinning.html"');
    expect(page("acme/methods/session/pin.html.md")).toContain("](../../pinning.html)");
    expect(page("acme/pinning.html")).toContain("types/PinSessionRequest.html#field-sessionId");
  });

  test("links to its releases, and to the report of each page", () => {
    expect(page("index.html")).toContain('<a href="r/1.0/index.html">1.0</a>');
    expect(page("acme/types/Plan.html")).toContain(
      'href="https://acme.example/issues/new?title=Docs:+acme/types/Plan.html"',
    );
  });

  test("shows commands that work for its readers", () => {
    const start = page("acme/getting-started.html.md");
    expect(start).toContain("npm install @acme/acp\n");
    expect(page("index.html")).toContain("npm install @acme/acp");
    for (const text of [start, page("acme/downloads.html.md")])
      expect(text).not.toMatch(/npx acp-codegen (init|docs|generate --profile)|git clone/);
  });

  test("has no dead link", async () => {
    const dead = await deadLinks(files);
    expect(dead.filter((link) => !link.endsWith(": r/1.0/index.html"))).toEqual([]);
  });

  test("is built again when a page or the logo changes, and only then", async () => {
    const again = async (): Promise<string> => (await runCommand(["docs"], { cwd: place })).out;
    expect(await again()).toMatch(/ 0 written, 0 removed/);
    writeFileSync(join(place, "docs/logo.svg"), LOGO.replace("rect", "rect id='a'"));
    expect(await again()).toMatch(/ 1 written, 0 removed/);
  });
});

describe("the configuration", () => {
  /** Lists what a run of `docs` would write. */
  async function planned(place: string, args: readonly string[] = []): Promise<string> {
    const { out, err } = await runCommand(["docs", "--dry-run", ...args], { cwd: place });
    return err + out;
  }

  test("is replaced by flags that select the output, and its address by --site-url", async () => {
    const place = project("flags", { "acp-codegen.config.json": config({ url: undefined }) });
    const own = await planned(place);
    expect(own).toContain("site/acme/pinning.html");
    expect(own).not.toContain("site/sitemap.xml");
    const elsewhere = await planned(place, ["--site-url", "https://other.example"]);
    expect(elsewhere).toContain("site/acme/pinning.html");
    expect(elsewhere).toContain("site/sitemap.xml");
    const flags = await planned(place, ["--profile", "v2"]);
    expect(flags).toContain("site/v2/index.html");
    expect(flags).not.toContain("site/acme");
  });

  test("has to say which of several outputs is the site", async () => {
    const outputs = [{ profiles: ["v1"] }, { profiles: ["v2"], out: "two" }];
    const several = JSON.stringify({ outputs });
    const place = project("several", { "acp-codegen.config.json": several });
    expect(await planned(place)).toContain("several outputs, none of which is a site");
    const named = JSON.stringify({ outputs: [outputs[0], { ...outputs[1], targets: ["docs"] }] });
    writeFileSync(join(place, "acp-codegen.config.json"), named);
    const plan = await planned(place);
    expect(plan).toContain("site/v2/index.html");
    expect(plan).not.toContain("site/v1/index.html");
  });

  test.each<readonly [site: object, message: string]>([
    [{ titel: "x" }, '#/outputs/0/site/titel: unknown keyword "titel". Did you mean "title"?'],
    [{ title: "a\nb" }, '/title: "a\\nb" is not a text of one line'],
    [
      { url: "http://x" },
      '/url: "http://x" is not an https address. Examples: https://example.org/acp.',
    ],
    [{ home: "javascript:alert(1)" }, '/home: "javascript:alert(1)" is not a link'],
    [{ home: "//evil.example" }, '/home: "//evil.example" is not a link'],
    [{ home: 'https://x/"><script>' }, "is not a link"],
    [{ report: "data:text/html,x" }, '/report: "data:text/html,x" is not a link'],
    [
      { releases: [{ title: "1", url: "vbscript:x" }] },
      '/releases/0/url: "vbscript:x" is not a link',
    ],
    [{ colors: { link: "bluu" } }, '/colors/link: "bluu" is not a CSS color. Examples: #0b5bb5,'],
    [{ colors: { link: "red;} body{display:none" } }, "is not a CSS color"],
    [{ colors: { link: "url(https://x)" } }, "is not a CSS color"],
    [
      { colors: { link: { light: "#fff", dark: "#ff" } } },
      '/colors/link/dark: "#ff" is not a CSS color',
    ],
    [{ colors: { link: { light: "#fff" } } }, '/colors/link: "dark" is missing'],
    [{ colors: { lnk: "red" } }, 'unknown keyword "lnk". Did you mean "link"?'],
    [{ logo: "none.svg" }, "none.svg does not exist"],
    [{ logo: "text.svg" }, "text.svg: is not an SVG image"],
    [{ logo: "script.svg" }, "script.svg: has a script"],
    [{ logo: "handler.svg" }, "handler.svg: has a script"],
    [{ logo: "logo.png" }, "logo.png: is not a PNG image"],
    [{ logo: "large.svg" }, "large.svg: has 140"],
    [{ pages: "none" }, "none is not a folder"],
  ])("with the site %j is refused at its place", async (site, message) => {
    const place = project("wrong", {
      ...{ "text.svg": "<p>", "logo.png": LOGO },
      "script.svg": LOGO.replace("<rect", "<script>x</script><rect"),
      "handler.svg": LOGO.replace("<rect", "<rect onload='x'"),
      "large.svg": `${LOGO}<!--${"x".repeat(140_000)}-->`,
      "acp-codegen.config.json": config(site),
    });
    const { code, out, err } = await runCommand(["docs"], { cwd: place });
    expect([code, out]).toEqual([2, expect.not.stringContaining("written")]);
    expect(err).toContain(message);
    expect(err.match(/error/g)).toHaveLength(1);
  });
});

/** Returns a page with more lines at its beginning. */
const page = (text: string, more = ""): string => `title: T\nsummary: x\n${more}\n${text}`;

const MISTAKES = Object.entries<readonly [page: string, message: string, name?: string]>({
  "no title": ["summary: x\n\nText.", "has no title"],
  "an unknown group": [
    page("Text.", "group: mine\n"),
    'has the unknown group "mine". Groups are learn, concepts, reference.',
  ],
  "an unknown method": [
    page("Text.", "about: session/pinn\n"),
    'is about "session/pinn", which no profile',
  ],
  "a dead link": [page("See [it](nowhere.html)."), "links to nowhere.html, which is not a page"],
  "a dead part": [
    page("See [it](sessions.html#no)."),
    "links to sessions.html#no, which is not a part",
  ],
  "a dead part of itself": [page("See [it](#no)."), "#no, which is not a part"],
  "the manual that is left out": [
    page("See [it](../tool/index.html)."),
    "links to ../tool/index.html",
  ],
  "a script as a link": [page("[it](javascript:alert)"), 'has the link "javascript:alert"'],
  "an image": [page("![it](x.png)"), "has an image"],
  HTML: [page("<script>x</script>"), "has HTML"],
  emphasis: [page("This is *one* word."), "has emphasis"],
  "an open fence": [page("```ts\nx"), "has a fence without an end"],
  "a made table": [page("::: table from-version-before\n\n:::"), "has the table"],
  "a message that does not fit": [
    page('```acp\nclient session/pin { "sessionId": 1, "pinned": true }\n```'),
    "is not a valid message: /sessionId should be string",
  ],
  "a message without a property": [
    page('```acp\nclient session/pin { "sessionId": "s" }\n```'),
    'is not a valid message: it should be an object with the property "pinned"',
  ],
  "a message of no method": [
    page("```acp\nclient session/pinn {}\n```"),
    'is not a valid message: the client sends no "session/pinn"',
  ],
  "a misspelled line at the beginning": [
    "titel: T\nsummary: x\n\nText.",
    'begins with the unknown line "titel:". Did you mean "title"?',
  ],
  "a message that is not JSON": [page("```acp\nclient session/pin {,}\n```"), "is not JSON"],
  "a value that is not JSON": [page("```json type Plan\n{,}\n```"), "is not JSON"],
  "a version that the site does not have": [
    page("Text.", "only: v2\n"),
    "is for a version that the site does not have",
  ],
  "the address of another": [page("Text."), "has the address of docs/pages/", "more/pinning.md"],
  "a name with a space": [page("Text."), '"Two words" cannot be the address', "Two words.md"],
  "a name of a device": [page("Text."), '"con" cannot be the address', "con.md"],
  "a message on the front page": [
    page("```acp\nclient session/pin {}\n```"),
    'has the message "client session/pin"',
    "index.md",
  ],
});

test("pages with mistakes are refused, each with its file", async () => {
  let left = MISTAKES.map(([, [text, message, name]], index) => ({
    ...{ text, message, file: `docs/pages/${name ?? `mistake-${index}.md`}` },
  }));
  // A run that cannot read all pages does not look at their links and messages.
  for (let round = 0; left.length > 0 && round < 6; round++) {
    const pages = left.map(({ file, text }) => [file, text]);
    const place = project(`mistakes-${round}`, Object.fromEntries(pages));
    const { code, err } = await runCommand(["docs"], { cwd: place });
    expect(code).toBe(1);
    const lines = err.split("\n");
    left = left.filter(
      ({ file, message }) => !lines.some((line) => line.includes(file) && line.includes(message)),
    );
  }
  expect(left).toEqual([]);
});

test("pages replace guides, begin generated pages and the front page, and may be for one profile", async () => {
  const head = "title: Mine\nsummary: Mine too.\n";
  const place = project("places", {
    "docs/pages/permission.md": `${head}\nMy permissions.`,
    "docs/pages/more/errors.md": `${head}\nMy errors, & [more](https://x.example/?a=1&b=2).`,
    "docs/pages/index.md": `${head}\nMy front page leads to [pins](pinning.md).`,
    "docs/pages/second.md": `${head}only: v2\n\nOnly [here](migration.html).`,
    "docs/pages/terminals.md": 'title: "Mine: terminals"\nsummary: `code`\nonly: v2\n\nText.',
    "acp-codegen.config.json": config(
      { manual: true, report: false, title: '"A" <b> & co' },
      {
        ...{ protocol: undefined, with: undefined, name: undefined, profiles: ["v1", "v2"] },
        ...{ targets: ["python", "go"], go: { name: "acme.example/acp" } },
      },
    ),
    "docs/pages/pinning.md": `${head}\nPins.`,
  });
  await buildSite(place);
  const read = (path: string): string => readFileSync(join(place, "generated/site", path), "utf8");
  expect(read("v1/permission.html")).toMatch(/<h1>Mine<\/h1>[^]*My permissions/);
  expect(read("v1/errors.html")).toMatch(
    /My errors, &amp; <a href="https:\/\/x\.example\/\?a=1&amp;b=2">[^]*-32601/,
  );
  expect(read("index.html")).toMatch(
    /Mine too[^]*<a href="v1\/pinning\.html">pins<\/a>[^]*tool\/index\.html/,
  );
  expect(read("index.html")).toContain('content="&quot;A&quot; &lt;b&gt; &amp; co"');
  expect(read("v1/permission.html")).toContain(
    "<title>Mine - ACP v1 - &quot;A&quot; &lt;b&gt; &amp; co</title>",
  );
  expect(read("v1/permission.html")).not.toContain("Report a mistake");
  expect(read("v2/second.html")).toContain('<a href="migration.html">here</a>');
  // Its languages are those of the targets, and its names those of the packages.
  const start = read("v1/getting-started.html.md");
  expect(start).toContain("pip install acme-acp\n");
  expect(start).toContain("go get acme.example/acp\n");
  for (const [path, text] of readTree(join(place, "generated/site")))
    if (/^v[12]\/.*\.(md|txt)$/.test(path))
      expect(text, path).not.toMatch(/acp[-_]bindings|(?<!SDKs for )TypeScript|@acme|npm install/);
  expect(() => read("tool/agent.html")).toThrow("ENOENT");
  expect(() => read("tool/python-package.html")).toThrow("ENOENT");
  // Another profile keeps the guide.
  expect(read("v2/terminals.html")).toContain("<h1>Mine: terminals</h1>");
  expect(read("v2/terminals.html")).toContain('<p class="lead">code</p>');
  expect(read("v1/terminals.html")).toContain("<h1>Terminals</h1>");
  expect(() => read("v1/second.html")).toThrow("ENOENT");
  expect(await deadLinks(readTree(join(place, "generated/site")))).toEqual([
    "index.html: r/1.0/index.html",
    "index.html.md: r/1.0/index.html",
  ]);
});
