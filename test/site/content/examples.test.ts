import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTree } from "../../../generators/run/installation.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import type { Shape } from "../../../generators/model/shape.js";
import {
  isObject,
  type Json,
  type JsonObject,
} from "../../../generators/schema/json-schema/json.js";
import { decodeHtml } from "../../generators/emit/markup-nodes.js";
import { ROOT } from "../../support/paths.js";
import { declaredFields, possibleShapes } from "../../support/possible-shapes.js";
import { createMessageCheck, checkMessages } from "../support/message-checks.js";
import { jsonBlocks, methodPage, methodSections } from "../support/markup.js";
import { openSite } from "../support/site.js";
import { sortedText } from "../support/structure.js";

const { protocols, pages, page } = await openSite();

/** The examples that somebody wrote in the modules: every `params` and `result`, as text. */
const written = new Set<string>();
for (const [path, text] of readTree(join(ROOT, "schema")))
  if (path.endsWith(".json")) collectExamples(JSON.parse(text) as Json);

const checks = new Map(
  await Promise.all(
    protocols.map(
      async (protocol) => [protocol.profile, await createMessageCheck(protocol)] as const,
    ),
  ),
);

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, protocol) => {
    const own = pages.filter(([path]) => path.startsWith(`${profile}/`));
    const fits = checks.get(profile)!;

    test("every example on the page of a type is valid, by ajv and by the validators", () => {
      let count = 0;
      for (const { name } of protocol.definitions) {
        const html = page(`${profile}/types/${name}.html`);
        const [head, examples] = split(html, '<h2 id="definition">');
        for (const value of jsonBlocks(examples)) {
          count++;
          expect(fits(name, value), `${name} ${JSON.stringify(value)}`).toBe(true);
        }
        // The only other JSON is the schema.
        expect(jsonBlocks(head)).toEqual([protocol.schema.$defs![name]]);
      }
      expect(count).toBeGreaterThan(150);
    });

    test("every other JSON on a page is a complete valid message, by ajv and by the validators", () => {
      let count = 0;
      for (const [path, html] of own) {
        if (/\/types\/|\/rules(\.html$|\/)/.test(path)) continue;
        const blocks = blocksOf(html).filter(({ caption, text }) => {
          // A file of the reader's own, or a part that says what it is a part of.
          const isWhole = !/^\S+\.json|\bpart of a message: |^Invalid: /i.test(caption);
          return isWhole && /^[[{]/.test(text);
        });
        for (const other of protocols) {
          const start = `${other.title}: `;
          const isOther = protocols.some(
            ({ profile: name, title }) => name !== profile && title === other.title,
          );
          const messages = blocks
            .filter(({ caption }) =>
              other === protocol
                ? !protocols.some(
                    ({ profile: name, title }) =>
                      name !== profile && caption.startsWith(`${title}: `),
                  )
                : isOther && caption.startsWith(start),
            )
            .map(({ text }) => JSON.parse(text) as JsonObject);
          for (const message of messages) expect(Object.keys(message)[0], path).toBe("jsonrpc");
          count += messages.length;
          const check = checks.get(other.profile)!;
          expect(checkMessages(messages, other, check), path).toEqual([]);
        }
      }
      expect(count).toBeGreaterThan(150);
    });

    test("a part of a message in a guide is valid for the type that it names", () => {
      let count = 0;
      for (const [path, html] of own)
        for (const { caption, text } of blocksOf(html)) {
          const [, title, name] = /^(?:(.*): p|P)art of a message: (\w+)$/.exec(caption) ?? [];
          if (name === undefined) continue;
          const other = protocols.find((item) => item.title === title) ?? protocol;
          expect(checks.get(other.profile)!(name, JSON.parse(text)), path).toBe(true);
          count++;
        }
      expect(count).toBeGreaterThan(3);
    });

    test("a common mistake is invalid, and the message after it is valid", () => {
      const before: JsonObject[] = [];
      let mistakes = 0;
      for (const { caption, text } of blocksOf(page(`${profile}/common-mistakes.html`))) {
        const message = JSON.parse(text) as JsonObject;
        const wrong = checkMessages([...before, message], protocol, fits);
        const isMistake = caption.startsWith("Invalid: ");
        expect(wrong.length, `${caption} ${text}`).toBe(isMistake ? 1 : 0);
        if (isMistake) mistakes++;
        else before.push(message);
      }
      expect(mistakes).toBeGreaterThan(9);
      expect(mistakes).toBeLessThan(16);
      expect(before.length).toBeGreaterThanOrEqual(mistakes);
    });

    const rulePages = pages.filter(([path]) => path.startsWith(`${profile}/rules/`));

    test("the examples of rules are valid or invalid as stated, by ajv and by the validators", () => {
      const blocks = rulePages.flatMap(([, html]) => blocksOf(html));
      const verdicts = blocks.flatMap(({ caption, text }) => {
        const shown = /^(Valid|Invalid), sent by the (\w+)/.exec(caption);
        if (shown === null) return [];
        const message = JSON.parse(text) as JsonObject;
        const method = protocol.methods.find(
          ({ name, side }) => name === message["method"] && side !== shown[2],
        );
        if ("jsonrpc" in message) expect(text).toMatch(/^\{\n  "jsonrpc"/);
        const isRight =
          message["jsonrpc"] === "2.0" &&
          (method === undefined || fits(method.params, message["params"] ?? {}));
        return [{ word: shown[1]!, isRight }];
      });
      expect(verdicts.filter(({ word, isRight }) => word === "Valid" && !isRight)).toEqual([]);
      const refused = verdicts.filter(({ word, isRight }) => word === "Invalid" && !isRight);
      expect(refused.length).toBeGreaterThan(1);
      expect(verdicts.length).toBeGreaterThan(10);
    });

    test("in a conversation that follows a rule, every message is valid", () => {
      let count = 0;
      for (const { caption, text } of rulePages.flatMap(([, html]) => blocksOf(html))) {
        if (caption !== "Passes") continue;
        const messages = text
          .trim()
          .split("\n")
          .map((line) => (JSON.parse(line) as { readonly message: JsonObject }).message);
        count += messages.length;
        expect(checkMessages(messages, protocol, fits), text).toEqual([]);
      }
      expect(count).toBeGreaterThan(50);
    });

    test("every method page has a hand-written example for each direction", () => {
      for (const { name, side, kind } of protocol.methods) {
        const place = `${side} ${kind} ${name}`;
        const section = sectionOf(page(`${profile}/${methodPage(name)}`), kind, side);
        const examples = section.slice(section.indexOf(">Examples</h2>")).split("<h2")[0]!;
        const messages = jsonBlocks(examples) as readonly JsonObject[];
        const calls = messages.filter((message) => message["method"] === name);
        // A message that both sides send has one of each.
        expect(calls.length, place).toBeGreaterThanOrEqual(side === "protocol" ? 2 : 1);
        const answers = messages.filter((message) => "result" in message);
        expect(answers.length > 0, place).toBe(kind === "request");
        for (const message of messages) {
          const value = (message["params"] ?? message["result"])!;
          expect(written.has(sortedText(value)), `${place} ${JSON.stringify(value)}`).toBe(true);
        }
      }
    });
  },
);

/** Collects what stands under `examples` of methods. */
function collectExamples(value: Json): void {
  if (Array.isArray(value)) value.forEach((item) => collectExamples(item as Json));
  else if (typeof value === "object" && value !== null)
    for (const [key, part] of Object.entries(value)) {
      if (key === "examples" && Array.isArray(part))
        for (const example of part as readonly JsonObject[])
          for (const field of ["params", "result"])
            if (example?.[field] !== undefined) written.add(sortedText(example[field]));
      collectExamples(part as Json);
    }
}

interface CodeText {
  readonly caption: string;
  readonly text: string;
}

/** Every block of code of a page with its caption, which begins with the version of its tab. */
function blocksOf(html: string): readonly CodeText[] {
  const block =
    /(?:data-label="(ACP [^"]*)">\n)?<div class="bar"[^>]*>([\s\S]*?)<\/div>\n<pre tabindex="0"><code>([\s\S]*?)<\/code>/g;
  return [...html.matchAll(block)].map(([, version, bar, text]) => ({
    caption: decodeHtml(
      `${version === undefined ? "" : `${version}: `}${bar!.replace(/<[^>]+>/g, "")}`,
    ),
    // Without the rows of a transcript, and their marks.
    text: decodeHtml(text!.replace(/<\/?mark>|<span class="row[^>]*>|(?<=\n)<\/span>/g, "")),
  }));
}

/** The part of a method's page that is about one kind and side. */
function sectionOf(html: string, kind: string, side: string): string {
  const to = {
    agent: "agent",
    client: "client",
    protocol: "the other",
    proxy: "proxy",
  };
  return methodSections(html).find(
    (part) => part.startsWith(`id="${kind}`) && part.includes(` → ${to[side as "agent"]}</span>`),
  )!;
}

function split(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at)];
}

/** The names of properties in a value of a definition that no shape declares. */
function undeclaredNames(
  example: Json | undefined,
  definition: string,
  { definitions }: Protocol,
): readonly string[] {
  const walk = (value: Json, shapes: readonly Shape[]): readonly string[] => {
    const all = shapes.flatMap((shape) => possibleShapes(shape, value, definitions));
    if (Array.isArray(value)) {
      const items = all.flatMap((shape) => (shape.kind === "list" ? [shape.items.shape] : []));
      return value.flatMap((item: Json) => walk(item, items));
    }
    if (!isObject(value)) return [];
    const values = all.flatMap((shape) => (shape.kind === "map" ? [shape.values.shape] : []));
    return Object.entries(value).flatMap(([name, inner]) => {
      const fields = declaredFields(name, all);
      if (fields !== undefined)
        return walk(
          inner,
          fields.map(({ shape }) => shape),
        );
      return [name, ...walk(inner, values)];
    });
  };
  return example === undefined ? [] : walk(example, [{ kind: "reference", name: definition }]);
}

test("every name of a property in the examples of methods links to its declaration", () => {
  const unlinked = new Set<string>();
  for (const [path, html] of pages.filter(([path]) => path.includes("/methods/"))) {
    for (const [figure] of html.matchAll(/data-try="(?:message|conversation)">[^]*?<\/figure>/g)) {
      expect(figure, path).toContain('<span class="n">&quot;jsonrpc&quot;</span>');
      for (const [, name] of figure.matchAll(/<span class="n">&quot;(.*?)&quot;/g))
        unlinked.add(name!);
    }
  }
  // In values that the protocol does not define.
  const undeclared = protocols.flatMap((protocol) =>
    protocol.methods.flatMap(({ params, result, examples }) =>
      examples.flatMap((example) => [
        ...(params === undefined ? [] : undeclaredNames(example.params, params, protocol)),
        ...(result === undefined ? [] : undeclaredNames(example.result, result, protocol)),
      ]),
    ),
  );
  const envelope = ["jsonrpc", "id", "method", "params", "result"];
  expect([...unlinked].sort()).toEqual([...new Set([...envelope, ...undeclared])].sort());
});
