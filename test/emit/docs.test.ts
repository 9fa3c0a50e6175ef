import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, posix } from "node:path";
import Handlebars from "handlebars";
import { describe, expect, test } from "vitest";
import { generate } from "../../generators/run/generate/generate.js";
import { readTemplates } from "../../generators/run/installation.js";
import { docs } from "../../generators/emit/docs/docs.js";
import { buildProtocol } from "../../generators/model/build/build.js";
import type { Protocol } from "../../generators/model/protocol.js";
import { compose } from "../../generators/schema/compose/compose.js";
import type { JsonSchema } from "../../generators/schema/json-schema/json.js";
import { loadDocs } from "../../generators/schema/source/load-docs.js";
import { loadSources } from "../../generators/schema/source/load-sources.js";
import { InputError, jsonPointer } from "../../generators/schema/problem.js";
import type { RuleSource } from "../../generators/schema/source/rule-source.js";
import type { MethodSource, ProtocolSource } from "../../generators/schema/source/sources.js";
import { walk } from "../../generators/schema/json-schema/walk.js";
import { ROOT } from "../paths.js";
import { featureOf, notificationOf, protocolOf, requestOf } from "../schema/sources.js";
import { HOSTILE_TEXTS } from "./hostile-texts.js";
import { decodeHtml, htmlNodes, markdownNodes } from "./markup-nodes.js";

const templates = readTemplates();
const texts = loadDocs(join(ROOT, "schema"));

/** The files of a site by their path below the profile's folder. */
async function emitSite(protocol: Protocol): Promise<ReadonlyMap<string, string>> {
  const files = await docs.emit(protocol, {
    templates,
    version: "0.0.0",
    // Small protocols have none of what the texts speak of.
    ...(protocol.profile !== "test" && { docs: texts }),
  });
  const prefix = `site/${protocol.profile}/`;
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  return new Map(files.map(({ path, text }) => [path.slice(prefix.length), text]));
}

function protocolFrom(source: ProtocolSource, features: readonly string[] = []): Protocol {
  const profile = { name: "test", title: "Test", description: "A profile for tests." };
  return buildProtocol(compose(source, features), profile);
}

/** A site of a few definitions and methods. */
function smallSite(
  definitions: { readonly [name: string]: JsonSchema },
  methods: readonly MethodSource[] = [],
): Promise<ReadonlyMap<string, string>> {
  return emitSite(protocolFrom(protocolOf(definitions, methods)));
}

const RULE: RuleSource = {
  id: "first",
  area: "Tests",
  source: "The test.",
  level: "error",
  versions: [1],
  title: "The first message is `initialize`.",
  rationale: "",
  features: [],
  examples: [],
};

const sources = loadSources(join(ROOT, "schema"));

function loadProfile(name: string): Protocol {
  const profile = sources.profiles.get(name)!;
  const protocol = sources.protocols.get(profile.protocol)!;
  return buildProtocol(compose(protocol, profile.features), profile);
}

const EMPTY: JsonSchema = { description: "Nothing.", type: "object" };
const v1 = loadProfile("v1");

function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map((match) => match[1]!);
}

/** Links that lead nowhere: to a file or an id that the site does not have. */
async function deadLinks(files: ReadonlyMap<string, string>): Promise<string[]> {
  const ids = new Map(
    [...files].map(([path, text]) => [path, new Set(attributes(text, "id"))] as const),
  );
  const dead: string[] = [];
  for (const [path, text] of files) {
    const links = path.endsWith(".md")
      ? (await markdownNodes(text)).flatMap(({ url }) => url ?? [])
      : attributes(text, "href");
    for (const link of links) {
      const [file, id] = link.split("#") as [string, string?];
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      // The front page, which is made when all profiles are.
      if (target === "../index.html") continue;
      if (!files.has(target) || (id !== undefined && !ids.get(target)!.has(id)))
        dead.push(`${path}: ${link}`);
    }
  }
  return dead;
}

describe.each(["v1", "v1-full", "v2-full"])("the site of %s", async (profile) => {
  const protocol = loadProfile(profile);
  const site = await emitSite(protocol);
  const pages = [...site].filter(([path]) => path.endsWith(".html"));

  test("every internal link and anchor leads somewhere", async () => {
    const links = pages.reduce((count, [, html]) => count + attributes(html, "href").length, 0);
    expect(links).toBeGreaterThan(3000);
    expect(await deadLinks(site)).toEqual([]);
  });

  test("every link is relative and ends in .html, but for the stylesheet, the twin and downloads", () => {
    const others = pages.flatMap(([path, html]) =>
      attributes(html, "href")
        .filter((link) => !/^[\w./$-]*(\.html)?(#[\w.$-]+)?$/.test(link))
        .map((link) => `${path}: ${link}`),
    );
    expect(others.filter((link) => !/(json|txt|\.md)$/.test(link))).toEqual([]);
    for (const [path, html] of pages) {
      const odd = attributes(html, "href").filter((link) => !/(\.html|#[\w.$-]+)$/.test(link));
      const files = odd.map((link) => posix.join(posix.dirname(path), link));
      expect(files.slice(0, 2)).toEqual(["assets/style.css", `${path}.md`]);
      expect(files.at(-1)).toBe(`${path}.md`);
      for (const file of files.slice(2, -1)) expect(file).toMatch(/^\w[\w-]*\.(json|txt)$/);
    }
  });

  test("no page has an id twice", () => {
    const doubled = pages.filter(([, html]) => {
      const ids = attributes(html, "id");
      return new Set(ids).size !== ids.length;
    });
    expect(doubled.map(([path]) => path)).toEqual([]);
  });

  test("every method and every type has a page and a Markdown twin", () => {
    const wanted = new Set([
      "index.html",
      ...protocol.methods.map(({ name }) => `methods/${name.replace("$/", "-/")}.html`),
      ...protocol.definitions.map(({ name }) => `types/${name}.html`),
    ]);
    expect([...wanted].filter((path) => !site.has(path))).toEqual([]);
    expect(pages.map(([path]) => path).filter((path) => !site.has(`${path}.md`))).toEqual([]);
    const others = pages.map(([path]) => path).filter((path) => !wanted.has(path));
    expect(others.length).toBeGreaterThan(10);
    for (const path of others) expect(path).toMatch(/^[a-z-]+\.html$/);
  });

  test("every page says what it is in one heading, a title and a description of limited length", () => {
    for (const [path, html] of pages) {
      expect(html, path).toMatch(/^<!doctype html>\n/);
      expect(html, path).toContain('<html lang="en">');
      expect(html, path).toContain('<meta name="viewport" content="width=device-width');
      expect(html.match(/<h1>/g), path).toHaveLength(1);
      const title = /<title>(.+)<\/title>/.exec(html)?.[1] ?? "";
      const description = /<meta name="description" content="([^"]+)">/.exec(html)?.[1] ?? "";
      expect([title.length > 0, title.length <= 70], path).toEqual([true, true]);
      expect([description.length > 0, decodeHtml(description).length <= 160], path).toEqual([
        true,
        true,
      ]);
    }
  });

  test("no page has a script or style written in it, or anything from elsewhere", () => {
    for (const [path, html] of pages) {
      expect(html, path).not.toMatch(/<(style|img|iframe|object|base|form)\b/);
      expect(html, path).not.toMatch(/\s(style|on\w+)=/);
      const scripts = html.match(/<script\b.*/g)!;
      expect(scripts, path).toHaveLength(1);
      expect(scripts[0]).toMatch(
        /^<script src="(\.\.\/)*assets\/site\.js" data-search="(\.\.\/)*assets\/search\.js" defer><\/script>$/,
      );
      expect(attributes(html, "href").join(" "), path).not.toContain(":");
    }
  });

  test("a twin has the headings of its page", () => {
    for (const [path, html] of pages) {
      const headings = [...html.matchAll(/<h\d[^>]*>(.*?)<\/h\d>/g)].map((match) =>
        decodeHtml(match[1]!.replace(/<[^>]+>/g, "")),
      );
      const twin = [...site.get(`${path}.md`)!.matchAll(/^#+ (.*)$/gm)].map((match) =>
        match[1]!.replace(/[\\`]/g, ""),
      );
      expect(twin, path).toEqual(headings);
    }
  });

  test("every reference of the schema is linked back from its target", () => {
    let references = 0;
    for (const [owner, schema] of Object.entries(protocol.schema.$defs!)) {
      walk(schema, ({ $ref }) => {
        if ($ref === undefined) return;
        references++;
        const target = $ref.slice("#/$defs/".length);
        const page = site.get(`types/${target}.html`)!;
        const usedBy = page.slice(page.indexOf('<h2 id="used-by">'));
        expect(usedBy, `${target} used by ${owner}`).toMatch(
          new RegExp(`href="${owner}\\.html[#"]`),
        );
      });
    }
    expect(references).toBeGreaterThan(200);
  });

  test("every property and every value of the schema stands on the page of its definition", () => {
    for (const [name, schema] of Object.entries(protocol.schema.$defs!)) {
      const page = site.get(`types/${name}.html`)!;
      const shown = decodeHtml(page.slice(0, page.indexOf('<h2 id="used-by">')));
      walk(schema, (part, path) => {
        if (path.includes("not")) return;
        for (const property of Object.keys(part.properties ?? {})) {
          expect(shown, `${name}.${property}`).toMatch(new RegExp(`<code>${property}\\b`));
        }
        if (part.const !== undefined) expect(shown, name).toContain(JSON.stringify(part.const));
      });
    }
  });

  test("every example is on its method's page as whole JSON-RPC messages", () => {
    for (const { name, kind, examples } of protocol.methods) {
      const page = decodeHtml(site.get(`methods/${name.replace("$/", "-/")}.html`)!);
      examples.forEach(({ params, result }, index) => {
        const id = kind === "request" ? { id: index + 1 } : {};
        const messages = [
          { jsonrpc: "2.0", ...id, method: name, params },
          ...(result === undefined ? [] : [{ jsonrpc: "2.0", ...id, result }]),
        ];
        for (const message of messages) expect(page).toContain(JSON.stringify(message, null, 2));
      });
    }
  });

  test("files are tidy: no blanks at line ends, no two empty lines in a row", () => {
    for (const [path, text] of site) {
      expect(text, path).not.toMatch(/[ \t]\n|\n\n\n|\n\n$/);
      expect(text.endsWith("\n"), path).toBe(true);
    }
  });

  test("the same protocol gives the same bytes", async () => {
    expect([...(await emitSite(loadProfile(profile)))]).toEqual([...site]);
  });
});

describe("method pages", () => {
  const definitions = {
    InitializeRequest: EMPTY,
    InitializeResponse: {
      type: "object",
      properties: { capabilities: { $ref: "#/$defs/Capabilities" } },
    },
    Capabilities: {
      type: "object",
      properties: {
        fly: { type: "boolean" },
        roots: { type: "array", items: { type: "string" } },
        swim: { anyOf: [{ $ref: "#/$defs/P" }, { type: "null" }] },
      },
    },
    P: EMPTY,
    R: EMPTY,
  } satisfies { [name: string]: JsonSchema };
  const initialize = requestOf("initialize", "agent", "InitializeRequest", "InitializeResponse");

  test("show who sends what to whom", async () => {
    const files = await smallSite(definitions, [
      requestOf("a", "agent", "P", "R"),
      notificationOf("c", "client", "P"),
      notificationOf("$/p", "protocol", "P"),
    ]);
    expect(badges(files.get("methods/a.html")!)).toContain("client → agent");
    expect(badges(files.get("methods/a.html")!)).toContain("request");
    expect(badges(files.get("methods/c.html")!)).toContain("agent → client");
    expect(badges(files.get("methods/c.html")!)).toContain("notification");
    expect(badges(files.get("methods/-/p.html")!)).toContain("either side → the other");
  });

  test("show the gate: the path of a capability, why there is none, or that it is unknown", async () => {
    const gated = (name: string, gate: MethodSource["gate"]): MethodSource => ({
      ...requestOf(name, "agent", "P", "R"),
      gate,
    });
    const protocol = protocolFrom(
      protocolOf(definitions, [
        initialize,
        gated("flag", { agent: "capabilities.fly" }),
        gated("present", { agent: "capabilities.swim", strength: "should" }),
        gated("filled", { agent: "capabilities.roots" }),
        gated("live", { session: "editing" }),
        gated("always", { always: "ungated" }),
        gated("entry", { session: "modes", entry: { id: "params.id" }, except: { type: "old" } }),
        gated("key", { agent: "capabilities", key: "params.mode", strength: "implicit" }),
        gated("unknown", { always: "baseline" }),
      ]),
    );
    const methods = protocol.methods.map((method) => {
      const { gate: _, ...rest } = method;
      return method.name === "unknown" ? rest : method;
    });
    const files = await emitSite({ ...protocol, methods });
    const facts = (name: string): readonly [string[], string] => {
      const html = files.get(`methods/${name}.html`)!;
      return [badges(html), plain(/<p class="gate">(.*?)<\/p>/.exec(html)![1]!)];
    };
    expect(facts("flag")).toEqual([
      ["request", "client → agent", "stable", "needs capabilities.fly"],
      "Gate. Requires the agent's capability capabilities.fly set to true.",
    ]);
    expect(facts("present")[1]).toBe(
      "Gate. Should only be used with the agent's capability capabilities.swim (any value but null).",
    );
    expect(facts("filled")[1]).toBe(
      "Gate. Requires the agent's capability capabilities.roots with at least one entry.",
    );
    expect(facts("live")[1]).toBe(
      "Gate. Requires editing in the state of the session (any value but null).",
    );
    expect(facts("always")[0]).toContain("always (ungated)");
    expect(facts("always")[1]).toContain("the protocol has no capability for it");
    expect(facts("entry")[1]).toBe(
      "Gate. Requires an entry of the session's modes whose id equals params.id; entries whose type is old do not count.",
    );
    expect(facts("key")[1]).toBe(
      "Gate. Implicitly requires the member of the agent's capabilities that params.mode names.",
    );
    // A schema that states no gates does not say either how settled its methods are.
    expect(facts("unknown")[0]).toEqual(["request", "client → agent", "gate: unknown"]);
    expect(facts("unknown")[1]).toContain("Unknown");
    expect(files.get("methods/flag.html")).toContain('href="../types/Capabilities.html#field-fly"');
    expect(files.get("index.html")).toContain("gate: unknown");
    expect(files.get("methods/flag.html.md")).toContain("needs `capabilities.fly`");
  });

  test("show a request and a notification of the same name both, with ids of their own", async () => {
    const files = await smallSite(
      { ...definitions, N: { type: "object", properties: { x: { type: "string" } } } },
      [
        { ...notificationOf("mcp/message", "agent", "N"), summary: "Tells the agent." },
        { ...requestOf("mcp/message", "client", "P", "R"), summary: "Asks the client." },
      ],
    );
    expect([...files.keys()].filter((path) => path.startsWith("methods/"))).toEqual([
      "methods/mcp/message.html",
      "methods/mcp/message.html.md",
    ]);
    const html = files.get("methods/mcp/message.html")!;
    for (const shown of [
      "Asks the client.",
      "Tells the agent.",
      "Request, agent to client",
      "Notification, client to agent",
    ]) {
      expect(html).toContain(shown);
      expect(files.get("methods/mcp/message.html.md")).toContain(shown);
    }
    const ids = attributes(html, "id");
    for (const id of [
      "request",
      "params",
      "result",
      "errors",
      "examples",
      "notification",
      "notification-params",
      "notification-params-field-x",
      "notification-examples",
    ]) {
      expect(ids.filter((other) => other === id)).toEqual([id]);
    }
  });

  test("name the params, the result and the place of the handler in TypeScript", async () => {
    const files = await smallSite(definitions, [requestOf("a/set_mode", "agent", "P", "R")]);
    const html = decodeHtml(files.get("methods/a/set_mode.html")!);
    expect(html).toContain('import type { P, R } from "acp-bindings/test";');
    expect(html).toContain("handlers: { a: { setMode: (params: P) => { … } } }");
    expect(html).toContain("const result: R = await peer.a.setMode(params);");
  });

  test("list the error codes, those that the description names first", async () => {
    const site = await emitSite(v1);
    const html = site.get("methods/session/new.html")!;
    const rows = [...html.matchAll(/<a href="[^"]*#value-(-\d+)">/g)].map((match) => match[1]);
    expect(rows[0]).toBe("-32000");
    expect([...rows].sort()).toEqual(
      ["-32000", "-32002", "-32600", "-32601", "-32602", "-32603", "-32700", "-32800"].sort(),
    );
    expect(site.get("methods/session/cancel.html")).toContain("A notification has no response");
  });
});

test("programs on the pages import from the package by the name that its owner gave it", async () => {
  const files = await docs.emit(v1, {
    templates,
    version: "0.0.0",
    docs: texts,
    rules: { rules: [RULE] },
    package: { name: "@me/acp" },
  });
  const named = new Map(files.map(({ path, text }) => [path.slice("site/v1/".length), text]));
  for (const path of ["methods/session/new.html", "types/SessionId.html"])
    expect(decodeHtml(named.get(path)!), path).toMatch(/import type { .* } from "@me\/acp\/v1";/);
  expect(named.get("types/SessionId.html.md")).toContain('from "@me/acp/v1";');
  const guide = decodeHtml(named.get("getting-started.html")!);
  expect(guide).toContain('import { createAgent } from "@me/acp/v1";');
  expect(guide).toContain('import { stdio } from "@me/acp/stdio";');
  expect(named.get("rules.html")).toContain("<code>@me/acp/conformance</code>");
  const old = [...named].filter(([, text]) => text.includes("acp-bindings"));
  expect(old.map(([path]) => path)).toEqual([]);
});

describe("properties", () => {
  const property = async (schema: JsonSchema, required = false): Promise<string> => {
    const files = await smallSite({
      T: { type: "object", properties: { x: schema }, ...(required && { required: ["x"] }) },
      Other: { type: "string" },
    });
    const row = /<tr id="field-x">([\s\S]*?)<\/tr>/.exec(files.get("types/T.html")!)![1]!;
    return plain(row);
  };

  test("show type, presence, null and default", async () => {
    expect(await property({ type: "string" }, true)).toBe("x string required");
    expect(await property({ type: ["string", "null"] })).toBe(
      "x string | null optional, may be null",
    );
    expect(await property({ type: "array", items: { $ref: "#/$defs/Other" } })).toBe(
      "x Other[] optional",
    );
    expect(await property({ type: "array", items: { type: ["integer", "null"] } })).toBe(
      "x (integer | null)[] optional",
    );
    expect(await property({ type: "object", additionalProperties: { type: "number" } })).toBe(
      "x { [key]: number } optional",
    );
    expect(await property({ enum: ["a", "b"] })).toBe('x "a" | "b" optional');
    expect(await property({ type: "boolean", default: false })).toBe(
      "x boolean optional Default: false.",
    );
  });

  test("show what restricts a value, and which words are only annotations", async () => {
    expect(await property({ type: "integer", minimum: 0, maximum: 9, format: "uint16" })).toBe(
      "x integer optional Minimum: 0. Maximum: 9. Format: uint16 (not checked).",
    );
    expect(
      await property({
        type: "array",
        items: { type: "string", minLength: 1, pattern: "^a-b$" },
        minItems: 2,
      }),
    ).toBe(
      "x string[] optional At least 2 items. Each item: At least 1 character. Each item: Pattern: ^a-b$.",
    );
  });

  test("explain what a lenient receiver does with them", async () => {
    const onError = { "x-deserialize-default-on-error": true } as const;
    const onNull = { "x-deserialize-default-on-null": true } as const;
    const skip = { "x-deserialize-skip-invalid-items": true } as const;
    const list = { type: "array", items: { type: "string" } } as const;
    const rule = async (schema: JsonSchema): Promise<string | undefined> =>
      /Decoding: a lenient receiver (.*)\.$/.exec(await property(schema))?.[1];
    expect(await rule({ type: "string", ...onError })).toBe("treats an invalid value as absent");
    expect(await rule({ type: "boolean", default: true, ...onError })).toBe(
      "takes the default for an invalid value",
    );
    expect(await rule({ ...list, ...onError, ...skip })).toBe(
      "drops invalid items and keeps the others, and takes the empty list for anything that is no list",
    );
    expect(await rule({ ...list, type: ["array", "null"], ...onError })).toBe(
      "treats a list with any invalid item as absent",
    );
    expect(await rule({ ...list, ...onNull })).toBe("reads null as the empty list");
    expect(
      await rule({ type: "object", additionalProperties: { type: "string" }, ...onNull }),
    ).toBe("reads null as the empty map");
    expect(await rule({ description: "Anything.", ...onError })).toBeUndefined();
  });

  test("that are written in place are shown inside the page", async () => {
    const files = await smallSite({
      T: {
        type: "object",
        properties: {
          x: {
            type: "array",
            items: { type: "object", properties: { deep: { $ref: "#/$defs/Other" } } },
          },
        },
      },
      Other: { type: "string" },
    });
    expect(attributes(files.get("types/T.html")!, "id")).toContain("field-x.field-deep");
    expect(files.get("types/Other.html")).toContain(
      '<code><a href="T.html#field-x.field-deep">T.x.deep</a></code>',
    );
  });

  test("that are required come first, and _meta last", async () => {
    const files = await smallSite({
      T: {
        type: "object",
        properties: { _meta: { type: "object" }, a: { type: "string" }, b: { type: "string" } },
        required: ["_meta", "b"],
      },
    });
    const ids = attributes(files.get("types/T.html")!, "id").filter((id) =>
      id.startsWith("field-"),
    );
    expect(ids).toEqual(["field-b", "field-a", "field-_meta"]);
  });
});

describe("type pages", () => {
  test("show every variant of a union with its tag, its gate and its body", async () => {
    const gate = { agent: "capabilities.fly" };
    const tagged = (value: string, rest: JsonSchema): JsonSchema => ({
      ...rest,
      type: "object",
      properties: { ...rest.properties, type: { type: "string", const: value } },
      required: ["type"],
    });
    const files = await smallSite(
      {
        InitializeRequest: EMPTY,
        InitializeResponse: {
          type: "object",
          properties: { capabilities: { $ref: "#/$defs/Capabilities" } },
        },
        Capabilities: { type: "object", properties: { fly: { type: "boolean" } } },
        Body: EMPTY,
        U: {
          anyOf: [
            tagged("named", {
              allOf: [{ $ref: "#/$defs/Body" }],
              description: "By name.",
              "x-gate": gate,
            }),
            tagged("inline", { properties: { size: { type: "integer" } } }),
            {
              title: "rest",
              description: "All others.",
              type: "object",
              properties: { type: { type: "string" } },
              required: ["type"],
            },
          ],
        },
      },
      [requestOf("initialize", "agent", "InitializeRequest", "InitializeResponse")],
    );
    const html = files.get("types/U.html")!;
    expect(badges(html)).toEqual(["open tagged union"]);
    const variants = [
      ...html.matchAll(/<dt id="([^"]*)">([\s\S]*?)<\/dt>\n<dd>([\s\S]*?)<\/dd>/g),
    ].map((match) => [match[1], plain(match[2]!), plain(match[3]!)]);
    expect(variants).toEqual([
      [
        "variant-named",
        'type: "named" Body',
        "By name. Gate: Requires the agent's capability capabilities.fly set to true.",
      ],
      ["variant-inline", 'type: "inline"', expect.stringContaining("size integer optional")],
      ["variant-rest", "any other type (rest)", "All others."],
    ]);
    expect(files.get("types/U.html.md")).toContain(
      "By name.\n\n- Gate: Requires the agent's capability [`capabilities.fly`]",
    );
    expect(files.get("types/Body.html")).toContain('<a href="U.html#variant-named">U » named</a>');
  });

  test("show the values of an enumeration and whether others are allowed", async () => {
    const files = await smallSite({
      Closed: {
        oneOf: [
          { const: "on", description: "Lit." },
          { const: "off", description: "Dark." },
        ],
      },
      Open: { anyOf: [{ const: "on" }, { title: "other", description: "Any.", type: "string" }] },
    });
    expect(plain(files.get("types/Closed.html")!)).toContain(
      'One of these values; any other is invalid. Values Value Description "on" Lit. "off" Dark.',
    );
    expect(plain(files.get("types/Open.html")!)).toContain('"on" any other string other Any.');
    expect(attributes(files.get("types/Closed.html")!, "id")).toContain("value-on");
  });

  test("carry the fragment of the published schema", async () => {
    const site = await emitSite(v1);
    const html = decodeHtml(site.get("types/StopReason.html")!);
    expect(html).toContain(JSON.stringify(v1.schema.$defs!["StopReason"], null, 2));
  });
});

test("what a feature adds is marked with the feature and its status", async () => {
  const protocol = protocolFrom(
    protocolOf(
      {
        T: { type: "object", properties: {} },
        E: { oneOf: [{ const: "a" }] },
        U: { anyOf: [{ title: "one", type: "string" }] },
        P: EMPTY,
      },
      [],
      [
        featureOf("extra", {
          title: "Extra things",
          status: "proposed",
          proposal: "https://example.org/extra",
          definitions: { Added: EMPTY },
          methods: [notificationOf("extra/go", "agent", "Added")],
          add: {
            T: { properties: { x: { type: "string", description: "X." } } },
            E: { oneOf: [{ const: "b" }] },
            U: { anyOf: [{ title: "two", type: "integer" }] },
          },
        }),
      ],
    ),
    ["extra"],
  );
  const files = await emitSite(protocol);
  const badge = "Extra things (proposed)";
  for (const page of ["methods/extra/go", "types/Added", "types/T", "types/E", "types/U"]) {
    expect(badges(files.get(`${page}.html`)!), page).toContain(badge);
    expect(files.get(`${page}.html`), page).toContain("features.html#feature-extra");
    expect(files.get(`${page}.html.md`), page).toContain("[Extra things]");
  }
  expect(badges(files.get("types/P.html")!)).toEqual(["object"]);
  expect(badges(files.get("index.html")!)).toContain(badge);
  expect(await deadLinks(files)).toEqual([]);
});

test("in prose, the names of types and methods are links and other code is code", async () => {
  const files = await smallSite(
    {
      Place: { description: "A `Place` of `do/it`, not `Nowhere` or Other.", type: "string" },
      Other: { ...EMPTY, description: "See `Place`." },
    },
    [notificationOf("do/it", "agent", "Other")],
  );
  expect(files.get("types/Place.html")).toContain(
    '<p>A <code>Place</code> of <code><a href="../methods/do/it.html">do/it</a></code>, not <code>Nowhere</code> or Other.</p>',
  );
  expect(files.get("types/Other.html.md")).toContain("See [`Place`](Place.html).");
});

describe("unusual names", () => {
  test("A11: of methods give safe paths that stay apart on every file system", async () => {
    const names = [
      "$/x",
      "-/x",
      "../../up",
      "a b",
      "a$20b",
      "A/B",
      "a/b",
      "_ext/con",
      "x".repeat(300),
      "é",
      "a//b",
      "a/b.html",
      "/".repeat(400),
    ];
    const files = await smallSite(
      { P: EMPTY },
      names.map((name) => notificationOf(name, "agent", "P")),
    );
    const paths = [...files.keys()].filter((path) => /^methods\/.*\.html$/.test(path));
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length);
    expect(paths).toContain("methods/-/x.html");
    for (const path of paths) {
      expect(path).toMatch(/^methods(\/[A-Za-z0-9$-][A-Za-z0-9$_-]*)+\.html$/);
      expect(path.toLowerCase()).not.toMatch(/\/con[./]/);
      expect(path.split("/").every((segment) => segment.length < 100)).toBe(true);
    }
    expect(await deadLinks(files)).toEqual([]);
  });

  test("check 3: of types, when they are no words or differ only in case, are one error with their places", async () => {
    const file = "schema/v9/base/things.json";
    const named = "Name the type with at most 80 letters and digits, a letter first.";
    const bad = ["", "a b", "../up", "Zwölf", "$x", "1st", "_hidden", "x".repeat(81)];
    const names = [...bad, "URL", "Url", "url", "Fine", "x".repeat(80)];
    const error = await smallSite(Object.fromEntries(names.map((name) => [name, EMPTY]))).then(
      () => undefined,
      (thrown: unknown) => thrown as InputError,
    );
    expect(error).toBeInstanceOf(InputError);
    const problems = [...error!.problems].sort((x, y) => (x.pointer! < y.pointer! ? -1 : 1));
    const expected = [
      ...bad.map((name) => ({
        file,
        pointer: jsonPointer(["$defs", name]),
        message: `${JSON.stringify(name)} cannot be the address of a page`,
        hint: named,
      })),
      ...["Url", "url"].map((name) => ({
        file,
        pointer: `/$defs/${name}`,
        message: `the types "URL" and "${name}" would have the same page where capitals do not count`,
        hint: "Rename one of them.",
      })),
    ].sort((x, y) => (x.pointer < y.pointer ? -1 : 1));
    expect(problems).toEqual(expected);
  });

  test("check 3: of types in an imported schema are told with its file, and only for the site", async () => {
    const folder = mkdtempSync(join(tmpdir(), "acp-names-"));
    try {
      const schemaFile = join(folder, "own.json");
      writeFileSync(schemaFile, JSON.stringify({ $defs: { Note: EMPTY, NOTE: EMPTY } }));
      const options = { schema: schemaFile, protocol: "v1", out: join(folder, "out"), name: "own" };
      await expect(generate({ ...options, targets: ["docs"] })).rejects.toThrow(
        /own\.json#\/\$defs\/Note: the types "NOTE" and "Note" would have the same page/,
      );
      const { write } = await generate({ ...options, targets: ["schema"] });
      expect(write.length).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("of properties, tags and values give ids that stay apart", async () => {
    const names = ["a b", "a$20b", "a.b", "A", "a", "field-a", "", "#", "é", "__proto__"];
    const files = await smallSite({
      T: {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { $ref: "#/$defs/E" }])),
      },
      E: { enum: [...names, "other-values"] },
      U: { anyOf: names.map((title) => ({ title, $ref: "#/$defs/E" })) },
      Twice: {
        anyOf: [
          { title: "same", type: "string" },
          { title: "same", type: "integer" },
        ],
      },
    });
    for (const [path, html] of files) {
      if (!path.endsWith(".html")) continue;
      const ids = attributes(html, "id");
      expect(new Set(ids).size, path).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[\w.$-]+$/);
    }
    expect(
      attributes(files.get("types/T.html")!, "id").filter((id) => id.startsWith("field-")),
    ).toHaveLength(names.length);
    expect(attributes(files.get("types/T.html")!, "id")).toContain("field-a$20b");
    expect(await deadLinks(files)).toEqual([]);
  });
});

test("every text of a protocol stands on a page and in a twin", async () => {
  let places = 0;
  const files = await emitSite(protocolOfTexts(() => `place ${places++} of many`));
  const all = (suffix: string, end: string): string =>
    [...files]
      .filter(([path]) => path.endsWith(suffix))
      .map(([, text]) => text.split(end)[0])
      .join("");
  // The fragment of the schema holds most texts once more.
  const html = plain(all(".html", '<h2 id="schema">'));
  const markdown = all(".md", "## JSON Schema");
  const lost = [...Array(places).keys()].filter((place) => {
    const text = `place ${place} of many`;
    return !html.includes(text) || !markdown.includes(text);
  });
  expect(places).toBeGreaterThan(40);
  expect(lost).toEqual([]);
});

describe("hostile text", () => {
  /** How often a text stands on the pages and in the twins, and what the twins are made of. */
  async function anatomy(text: string): Promise<{
    readonly files: ReadonlyMap<string, string>;
    readonly inHtml: number;
    readonly inMarkdown: number;
    readonly blocks: { readonly [type: string]: number };
  }> {
    const files = await emitSite(protocolOfTexts(() => text));
    const count = (shown: string): number => visibleText(shown).split(visibleText(text)).length - 1;
    const blocks: { [type: string]: number } = {};
    let [inHtml, inMarkdown] = [0, 0];
    for (const [path, content] of files) {
      if (path.endsWith(".html")) {
        const { elements, words } = await htmlNodes(content);
        for (const { name, attributes: given } of elements) {
          expect(ELEMENTS, `${path} <${name}>`).toContain(name);
          for (const [key, value] of given) {
            expect(ATTRIBUTES, `${path} ${key}`).toContain(key);
            if (key === "href") expect(value, path).toMatch(/^[\w.$/-]*(#[\w.$-]+)?$/);
          }
        }
        expect(elements.filter(({ name }) => name === "h1")).toHaveLength(1);
        inHtml += count(words);
      } else if (path.endsWith(".md")) {
        for (const { type, value = "", url, ordered } of await markdownNodes(content)) {
          if (type === "html") expect(value, path).toMatch(/^<!-- Generated by [^<>]* -->$/);
          else if (type !== "code") inMarkdown += count(value);
          if (url !== undefined) expect(url, path).toMatch(/^[\w.$/-]+(#[\w.$-]+)?$/);
          // The overview has as many lists as the names have initials.
          if (!/^(index|a-z)\.html\.md$/.test(path) && !INLINE.includes(type)) {
            const block = ordered ? "ordered list" : type;
            blocks[block] = (blocks[block] ?? 0) + 1;
          }
        }
      }
    }
    return { files, inHtml, inMarkdown, blocks };
  }

  // No identifier, no plain pattern and no plain handler either, so that it is rewritten as often.
  const harmless = anatomy("x?/y_z".padEnd(60, "z"));

  test.each(HOSTILE_TEXTS)("A9: %j appears only as text, wherever it stands", async (text) => {
    const hostile = await anatomy(text);
    expect(await deadLinks(hostile.files)).toEqual([]);
    const { blocks, inHtml, inMarkdown } = await harmless;
    if (!text.includes("\n")) expect(hostile.blocks).toEqual(blocks);
    // Backticks make code of a part, JSON has escapes, and an empty line makes two paragraphs.
    const whole = /[`"\\\n]/.test(text) ? 0.5 : 1;
    expect(hostile.inHtml).toBeGreaterThanOrEqual(whole * inHtml);
    expect(hostile.inMarkdown).toBeGreaterThanOrEqual(whole * inMarkdown);
  });

  test("double braces in the prose of a twin are entities, since tools that read it evaluate them", async () => {
    const files = await smallSite({ T: { description: "A {{x}} or {y}.", type: "string" } });
    expect(files.get("types/T.html.md")).toContain("\nA &#123;&#123;x}} or {y}.\n");
  });

  test("control characters are replaced by a visible sign", async () => {
    const files = await smallSite({
      T: { description: "a\u0000b\u001b[31m\u2028c", type: "string" },
    });
    expect(files.get("types/T.html")).toContain("<p>a\uFFFDb\uFFFD[31m\uFFFDc</p>");
    // eslint-disable-next-line no-control-regex
    for (const [path, text] of files)
      expect(text, path).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u2028]/);
  });
});

describe("the templates", () => {
  const hbs = [...templates].filter(([path]) => path.endsWith(".hbs"));

  test.each(hbs)("%s has no logic and escapes everything", (_, text) => {
    expect(text).not.toMatch(/\{\{(\{|&|~?&)/);
    const { body } = Handlebars.parse(text) as unknown as { body: readonly TemplateNode[] };
    expect(logicOf(body)).toEqual([]);
  });

  test("are all there, or the missing one is named", async () => {
    for (const missing of [
      "docs/assets/style.css",
      "docs/pages/type.html.hbs",
      "docs/pages/type.md.hbs",
    ]) {
      const rest = new Map([...templates].filter(([path]) => path !== missing));
      await expect(async () =>
        docs.emit(v1, { templates: rest, version: "0.0.0" }),
      ).rejects.toThrow(`${basename(missing)} is missing`);
    }
  });
});

interface TemplateNode {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number } };
  readonly escaped?: boolean;
  readonly params?: readonly unknown[];
  readonly hash?: unknown;
  readonly path?: { readonly original: string };
  readonly program?: { readonly body: readonly TemplateNode[] };
  readonly inverse?: { readonly body: readonly TemplateNode[] };
}

/** The lines on which a template does more than print fields, `each`, `if`, `with` and partials. */
function logicOf(body: readonly TemplateNode[]): readonly number[] {
  return body.flatMap((node) => {
    const inside = [node.program, node.inverse].flatMap((part) => logicOf(part?.body ?? []));
    const plainNode =
      node.type === "ContentStatement" ||
      node.type === "PartialStatement" ||
      node.type === "PartialBlockStatement" ||
      (node.type === "MustacheStatement" &&
        node.escaped &&
        node.params?.length === 0 &&
        node.hash === undefined) ||
      (node.type === "BlockStatement" && ["each", "if", "with"].includes(node.path!.original));
    return plainNode ? inside : [node.loc.start.line, ...inside];
  });
}

/**
 * A protocol with a text in every place where one can stand.
 *
 * @param text gives the text of a place
 */
function protocolOfTexts(text: () => string): Protocol {
  // Composition refuses what is no regular expression.
  const pattern = (): string => text().replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const described = (): JsonSchema => ({ description: text() });
  // Other names of types are refused.
  const name = "Named";
  const tag = text();
  const source = protocolOf(
    {
      InitializeRequest: EMPTY,
      InitializeResponse: {
        type: "object",
        properties: { list: { type: "array", items: { type: "object" } } },
      },
      [name]: {
        ...described(),
        examples: [text(), { [text()]: text() }],
        type: "object",
        properties: {
          [text()]: { ...described(), type: "string", default: text(), pattern: pattern() },
          nested: {
            ...described(),
            type: "object",
            properties: { [text()]: { ...described(), $ref: `#/$defs/${name}` } },
          },
        },
      },
      Scalar: { description: `\`${text()}\` and ${text()}`, type: "string", pattern: pattern() },
      Values: {
        anyOf: [
          { ...described(), const: text(), title: text() },
          { ...described(), title: text(), type: "string" },
        ],
      },
      Tagged: {
        anyOf: [
          {
            ...described(),
            type: "object",
            properties: { [tag]: { type: "string", const: text() } },
            required: [tag],
          },
          {
            ...described(),
            title: text(),
            type: "object",
            properties: { [tag]: { type: "string" }, [text()]: { ...described(), type: "string" } },
            required: [tag],
          },
        ],
      },
      Union: { anyOf: [{ ...described(), title: text(), $ref: `#/$defs/${name}` }] },
    },
    [
      requestOf("initialize", "agent", "InitializeRequest", "InitializeResponse"),
      {
        ...requestOf(text(), "agent", name, "Tagged"),
        gate: { agent: "list", entry: { [text()]: text() }, except: { [text()]: text() } },
        summary: text(),
        description: text(),
        examples: [{ title: text(), params: { [text()]: text() }, result: text() }],
      },
    ],
    [
      featureOf("extra", {
        title: text(),
        description: text(),
        proposal: text(),
        definitions: { Added: EMPTY },
      }),
    ],
  );
  const composed = compose(
    {
      ...source,
      upstream: { package: text(), release: text(), digests: {} },
      modules: source.modules.map((module) => ({
        ...module,
        title: text(),
        description: text(),
      })),
    },
    ["extra"],
  );
  return buildProtocol(composed, { name: "test", title: text(), description: text() });
}

const ELEMENTS =
  "script abbr svg title line polygon text ol html head meta title link body a header nav ul li main h1 h2 h3 p span code pre strong section div table caption thead tbody tr th td dl dt dd figure figcaption details summary footer".split(
    " ",
  );
const ATTRIBUTES =
  "src data-search data-column data-try data-type open defer viewBox aria-labelledby aria-current x y x1 x2 y1 y2 points lang charset name content rel type href class aria-label id tabindex role scope colspan".split(
    " ",
  );
const INLINE = "paragraph text inlineCode link strong".split(" ");

/** Text as it reads: white space does not count, control characters are replaced. */
function visibleText(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function badges(html: string): string[] {
  return [...html.matchAll(/<span class="badge [a-z]+">([\s\S]*?)<\/span>/g)].map((match) =>
    plain(match[1]!),
  );
}

/** The words of a piece of HTML. */
function plain(html: string): string {
  return visibleText(
    decodeHtml(html.replace(/<\/(p|li|td|th|dt|caption|span)>/g, " ").replace(/<[^>]+>/g, "")),
  );
}
