import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { diffSchemas } from "../../generators/schema/diff.js";
import type { Json, JsonObject, JsonSchema } from "../../generators/schema/json.js";
import { walk } from "../../generators/schema/walk.js";
import { decodeHtml } from "../emit/markup-nodes.js";
import { attributes, compileSite, methodPage } from "./compile-site.js";

const { protocols, files } = await compileSite();
const pages = [...files].filter(([path]) => path.endsWith(".html"));
const byName = new Map(protocols.map((protocol) => [protocol.profile, protocol]));
const page = (path: string): string => files.get(path)!;

function bytes(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

/** The JSON of every block of code in a page that is JSON. */
function jsonBlocks(html: string): readonly Json[] {
  return [...html.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code>/g)].flatMap((match) => {
    const text = decodeHtml(match[1]!);
    return /^[[{]/.test(text) ? [JSON.parse(text) as Json] : [];
  });
}

describe("check 2, 3: addresses", () => {
  test("no link of any page is dead, and no anchor", () => {
    const ids = new Map(pages.map(([path, html]) => [path, new Set(attributes(html, "id"))]));
    const dead: string[] = [];
    let count = 0;
    for (const [path, html] of pages) {
      for (const link of [...attributes(html, "href"), ...attributes(html, "src")]) {
        count++;
        const [file, id] = link.split("#") as [string, string?];
        const target = file === "" ? path : posix.join(posix.dirname(path), file);
        if (!files.has(target) || (id !== undefined && !ids.get(target)?.has(id)))
          dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
    expect(count).toBeGreaterThan(100_000);
  });

  test("every page can be reached from the front page", () => {
    const reached = new Set(["index.html", "404.html"]);
    for (const path of reached) {
      for (const link of attributes(page(path), "href")) {
        const target = posix.join(posix.dirname(path), link.split("#")[0] || posix.basename(path));
        if (target.endsWith(".html")) reached.add(target);
      }
    }
    expect(pages.map(([path]) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  test("no page has an id twice, no two paths differ only in case, none is hidden", () => {
    for (const [path, html] of pages) {
      const ids = attributes(html, "id");
      expect(new Set(ids).size, path).toBe(ids.length);
    }
    const paths = [...files.keys()];
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    expect(paths.filter((path) => /(^|\/)[_.]/.test(path))).toEqual([]);
  });

  test("pages of methods and types have the same address in every profile", () => {
    for (const { profile, methods, definitions } of protocols) {
      for (const { name } of methods)
        expect(files.has(`${profile}/${methodPage(name)}`)).toBe(true);
      for (const { name } of definitions)
        expect(files.has(`${profile}/types/${name}.html`)).toBe(true);
    }
  });
});

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, protocol) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(protocol.schema, "bundle");
    const own = pages.filter(([path]) => path.startsWith(`${profile}/`));
    const calls = (from: string): ReadonlyMap<string, (typeof protocol.methods)[number]> =>
      new Map(
        protocol.methods.filter(({ side }) => side !== from).map((method) => [method.name, method]),
      );

    test("check 4, 6: every JSON-RPC message on a page fits the schema, but for those said to be invalid", () => {
      let checked = 0;
      for (const [path, html] of own) {
        if (path.endsWith("rules.html")) continue;
        // Both sides number their requests, so that an id can be open twice.
        const asked: { readonly id: string; readonly result: string }[] = [];
        for (const value of jsonBlocks(html) as readonly JsonObject[]) {
          if (value["jsonrpc"] !== "2.0") continue;
          const { method, params, result, id } = value;
          const type =
            typeof method === "string"
              ? protocol.methods.filter(
                  (item) => item.name === method && (item.kind === "request") === "id" in value,
                )
              : [];
          if (typeof method === "string") {
            checked++;
            expect(
              type.some((item) => ajv.validate(`bundle#/$defs/${item.params}`, params)),
              `${path} ${method}`,
            ).toBe(true);
            for (const item of type)
              if (item.result !== undefined)
                asked.push({ id: JSON.stringify(id), result: item.result });
          } else if (result !== undefined) {
            const at = asked.findLastIndex((item) => item.id === JSON.stringify(id));
            const name = asked.splice(at, at < 0 ? 0 : 1)[0]?.result;
            if (name === undefined) continue;
            checked++;
            expect(
              ajv.validate(`bundle#/$defs/${name}`, result),
              `${path} ${name}: ${ajv.errorsText()}`,
            ).toBe(true);
          }
        }
      }
      expect(checked).toBeGreaterThan(60);
    });

    test("check 4: the examples of rules are valid or invalid as they say, by ajv", () => {
      const html = page(`${profile}/rules.html`);
      const shown = [
        ...html.matchAll(
          /<figcaption>(Valid|Invalid), sent by the (\w+)([\s\S]*?)<\/figcaption>\s*<pre tabindex="0"><code>([\s\S]*?)<\/code>/g,
        ),
      ];
      const verdicts = shown.map(([, word, from, , text]) => {
        const message = JSON.parse(decodeHtml(text!)) as {
          method?: string;
          params?: Json;
          jsonrpc?: string;
        };
        const method = calls(from!).get(message.method ?? "");
        const fits =
          message.jsonrpc === "2.0" &&
          (method === undefined ||
            ajv.validate(`bundle#/$defs/${method.params}`, message.params ?? {}));
        return { word, fits };
      });
      expect(verdicts.filter(({ word }) => word === "Valid").every(({ fits }) => fits)).toBe(true);
      expect(
        verdicts.filter(({ word, fits }) => word === "Invalid" && !fits).length,
      ).toBeGreaterThan(3);
      expect(verdicts.length).toBeGreaterThan(15);
    });

    test("check 5: every method has an example that somebody wrote, for every direction", () => {
      for (const { name, side, kind, examples } of protocol.methods)
        expect(examples.length, `${side} ${kind} ${name}`).toBeGreaterThan(0);
    });

    test("check 10: pages of drafts say so, and only those", () => {
      for (const [path, html] of own)
        expect(html.includes('<p class="draft">'), path).toBe(protocol.version === "v2");
    });

    test("check 11: every method shows direction, kind and gate", () => {
      for (const { name, side, kind, gate } of protocol.methods) {
        const html = page(`${profile}/${methodPage(name)}`);
        expect(gate, name).toBeDefined();
        expect(html, name).toContain(`<span class="badge kind">${kind}</span>`);
        expect(html, name).toMatch(
          /<p class="gate"><strong>Gate\.<\/strong> (Always|Allowed|Recommended|Useful)/,
        );
        const from = {
          agent: "client",
          client: "agent",
          protocol: "either side",
          proxy: "conductor",
        }[side];
        expect(html, name).toContain(`<span class="badge kind">${from} → `);
      }
    });

    test("check 12: every gate leads to its capability, and the capability back", () => {
      const matrix = page(`${profile}/capabilities.html`);
      const gated = protocol.methods.filter(
        ({ gate }) => gate?.kind === "capability" && gate.side !== "session",
      );
      expect(gated.length).toBeGreaterThan(5);
      for (const { name, gate } of gated) {
        if (gate?.kind !== "capability") continue;
        const html = page(`${profile}/${methodPage(name)}`);
        expect(html, name).toMatch(
          new RegExp(`<p class="gate">.*href="[^"]*types/\\w+\\.html#field-${gate.path.at(-1)}"`),
        );
        const id = `${gate.side}-${gate.path.join(".")}`;
        const row = matrix.slice(matrix.indexOf(`<tr id="${id}">`)).split("</tr>")[0]!;
        expect(row, id).toContain(`href="${methodPage(name)}"`);
      }
    });

    test("check 13, 14: every reference has its link back, every alternative its place", () => {
      let alternatives = 0;
      for (const [owner, schema] of Object.entries(protocol.schema.$defs!)) {
        const html = page(`${profile}/types/${owner}.html`);
        const shown = decodeHtml(html.slice(0, html.indexOf('<h2 id="used-by">')));
        walk(schema, (part, path) => {
          if (path.includes("not")) return;
          if (part.$ref !== undefined) {
            const target = page(`${profile}/types/${part.$ref.slice("#/$defs/".length)}.html`);
            expect(target.slice(target.indexOf('<h2 id="used-by">'))).toMatch(
              new RegExp(`href="${owner}\\.html[#"]`),
            );
          }
          for (const branch of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) {
            const name = alternativeName(branch);
            if (name === undefined) continue;
            alternatives++;
            expect(shown, `${owner}: ${name}`).toContain(name);
          }
        });
      }
      expect(alternatives).toBeGreaterThan(100);
    });

    test("check 17: pages are light: 40 KB with everything for a method or type, 60 KB for any other", () => {
      const base = `${profile}/assets/`;
      const script = bytes(page(`${base}site.js`));
      const shared = script + bytes(page(`${base}style.css`));
      expect(script).toBeLessThanOrEqual(5 * 1024);
      for (const [path, html] of own) {
        const limit = /\/(methods|types)\//.test(path) ? 40 : 60;
        if (bytes(html) + shared > limit * 1024) expect.fail(`${path} is too heavy`);
      }
      expect(bytes(page(`${base}search.js`))).toBeLessThanOrEqual(30 * 1024);
      expect(bytes(page(`${base}checker.js`))).toBeLessThanOrEqual(60 * 1024);
    });

    test("check 24: llms.txt lists every page, and every page has a twin with its headings", () => {
      const index = page(`${profile}/llms.txt`);
      for (const [path, html] of own) {
        expect(index, path).toContain(`(${path.slice(profile.length + 1)}.md)`);
        const headings = [...html.matchAll(/<h\d[^>]*>(.*?)<\/h\d>/g)].map((match) =>
          decodeHtml(match[1]!.replace(/<[^>]+>/g, "")),
        );
        const twin = [...page(`${path}.md`).matchAll(/^#+ (.*)$/gm)].map((match) =>
          match[1]!.replace(/[\\`]/g, ""),
        );
        expect(twin, path).toEqual(headings);
      }
    });

    test("check 25: everything has prose, nothing of another language's documentation is left in it", () => {
      for (const { name, description, shape } of protocol.definitions) {
        expect(description.length, name).toBeGreaterThan(0);
        if (shape.kind === "object")
          for (const field of shape.fields)
            expect(field.description.length, `${name}.${field.name}`).toBeGreaterThan(0);
      }
      for (const [path, html] of own) {
        expect(html, path).not.toMatch(/\b[A-Z]\w+::[A-Z]\w+/);
        expect(html.match(/<h1>/g), path).toHaveLength(1);
        const title = decodeHtml(/<title>(.*?)<\/title>/.exec(html)![1]!);
        const about = decodeHtml(/<meta name="description" content="([^"]*)"/.exec(html)![1]!);
        expect([[...title].length <= 70, [...about].length <= 160, about.length > 0], path).toEqual(
          [true, true, true],
        );
      }
    });
  },
);

/** What a branch of a union is called on a page; nothing for a plain `null` or a reference, which is a link. */
function alternativeName(branch: JsonSchema): string | undefined {
  if (branch.const !== undefined) return JSON.stringify(branch.const);
  const tag = Object.values(branch.properties ?? {}).find(
    (property) => property.const !== undefined,
  );
  if (tag !== undefined) return JSON.stringify(tag.const);
  return branch.title;
}

describe("check 9: what only the unstable schemas have", () => {
  test.each([
    ["v1", "v1-unstable"],
    ["v2", "v2-unstable"],
  ])("carries a badge wherever it is described (%s, %s)", (stable, unstable) => {
    const before = byName.get(stable)!.schema.$defs!;
    const after = byName.get(unstable)!.schema.$defs!;
    const missing: string[] = [];
    const counts = { types: 0, fields: 0, variants: 0 };
    for (const [name, schema] of Object.entries(after)) {
      const html = page(`${unstable}/types/${name}.html`);
      const head = html.slice(html.indexOf("<h1>"), html.indexOf('<h2 id="definition">'));
      const isEnvelope = byName
        .get(unstable)!
        .definitions.find((item) => item.name === name)!.envelope;
      if (!(name in before)) {
        counts.types++;
        if (!head.includes("(unstable)")) missing.push(name);
        continue;
      }
      if (isEnvelope) continue;
      for (const field of Object.keys(schema.properties ?? {})) {
        if (field in (before[name]!.properties ?? {})) continue;
        counts.fields++;
        if (!place(html, `field-${field}`, "</tr>").includes("(unstable)"))
          missing.push(`${name}.${field}`);
      }
      const tags = (part: JsonSchema): readonly string[] =>
        [...(part.anyOf ?? []), ...(part.oneOf ?? [])].flatMap((branch) => {
          const value =
            branch.const ??
            Object.values(branch.properties ?? {}).find((item) => item.const !== undefined)?.const;
          return typeof value === "string" ? [value] : [];
        });
      for (const tag of tags(schema)) {
        if (tags(before[name]!).includes(tag)) continue;
        counts.variants++;
        const text = html.includes(`id="variant-${tag}"`)
          ? place(html, `variant-${tag}`, "</dd>")
          : place(html, `value-${tag}`, "</tr>");
        if (!text.includes("(unstable)")) missing.push(`${name} ${tag}`);
      }
    }
    expect(missing).toEqual([]);
    expect(counts.types).toBeGreaterThan(50);
    expect(counts.fields).toBeGreaterThan(4);
    expect(counts.variants).toBeGreaterThan(3);
  });

  test("is marked in the lists of methods too, and in the navigation", () => {
    const protocol = byName.get("v1-unstable")!;
    const html = page("v1-unstable/index.html");
    for (const { name, feature } of protocol.methods) {
      const link = `href="${methodPage(name)}"`;
      const row = html.split("<tr>").find((part) => part.includes(link) && part.includes("<td>"))!;
      expect(row.includes("(unstable)"), name).toBe(feature !== undefined);
      const entry = html
        .split("<li>")
        .find((part) => part.includes(link) && part.includes("<code>"))!;
      expect(entry.includes("added by a feature"), name).toBe(feature !== undefined);
    }
  });

  /** The part of a page that begins with an id. */
  function place(html: string, id: string, end: string): string {
    const start = html.indexOf(`id="${id}"`);
    expect(start, id).toBeGreaterThan(-1);
    return html.slice(start, html.indexOf(end, start));
  }
});

describe("check 22: changes", () => {
  test.each(protocols.filter(({ profile }) => profile !== "v1").map(({ profile }) => profile))(
    "changes.json of %s is what a comparison of the schemas finds, and the page names every type in it",
    (profile) => {
      const { comparisons } = JSON.parse(page(`${profile}/changes.json`)) as {
        readonly comparisons: readonly {
          readonly from: string;
          readonly to: string;
          readonly differences: readonly { readonly pointer: string }[];
          readonly methods: {
            readonly added: readonly string[];
            readonly removed: readonly string[];
          };
        }[];
      };
      expect(comparisons.length).toBeGreaterThan(0);
      for (const { from, to, differences, methods } of comparisons) {
        const [before, after] = [byName.get(from)!, byName.get(to)!];
        expect(differences).toEqual(diffSchemas(before.schema, after.schema));
        const keys = (of: typeof before): string[] =>
          of.methods.map(({ side, kind, name }) => `${side} ${kind} ${name}`);
        const kept = keys(before).filter((key) => !methods.removed.includes(key));
        expect([...kept, ...methods.added].sort()).toEqual(keys(after).sort());
        const html = page(`${profile}/changes.html`);
        for (const { pointer } of differences) {
          const [, root, name] = pointer.split("/");
          if (root === "$defs") expect(html, name).toContain(`>${name}<`);
        }
      }
    },
  );
});

test("check 21: every address and id that was ever published still leads somewhere", async () => {
  const { readFileSync } = await import("node:fs");
  const published = readFileSync(new URL("published.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  expect(published.length).toBeGreaterThan(1500);
  const lost = published.flatMap((line) => {
    const [path, ...ids] = line.split(" ") as [string, ...string[]];
    const html = files.get(path);
    if (html === undefined) return [path];
    if (html.includes("This page has moved")) return [];
    const known = new Set(attributes(html, "id"));
    return ids.filter((id) => !known.has(id)).map((id) => `${path}#${id}`);
  });
  expect(lost).toEqual([]);
});

test("check 24: no page has a script in it or asks another host for anything, so that a strict policy can be set", () => {
  for (const [path, html] of pages) {
    expect(html, path).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html, path).not.toMatch(/\s(style|on[a-z]+)="/);
    for (const link of [...attributes(html, "href"), ...attributes(html, "src")])
      expect(link, path).not.toMatch(/^([a-z]+:|\/)/i);
  }
  for (const [path, text] of files)
    if (path.endsWith(".css")) expect(text, path).not.toMatch(/url\(|@import|@font-face/);
});
