import { describe, expect, test } from "vitest";
import { docsData } from "../../templates/conformance/docs-data.js";
import { words } from "./markup.js";
import { openSite } from "./site.js";

const { protocols, files } = await openSite();
const { rules, corrections } = docsData();

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "the rules of %s",
  (profile, { versionNumber, features }) => {
    const html = files.get(`${profile}/rules.html`)!;
    const text = words(html);

    test("say of everything that older lists get wrong what was said and what holds", () => {
      expect(corrections.length).toBeGreaterThan(15);
      for (const { statement, instead, source } of corrections) {
        const said = text.indexOf(statement.replaceAll("`", ""));
        expect(said, statement).toBeGreaterThan(-1);
        expect(text.indexOf(instead.replaceAll("`", ""), said), instead).toBeGreaterThan(said);
        expect(text, source).toContain(`Source: ${source}.`);
      }
    });

    test("lead from each correction to what shows it", () => {
      const table = html.slice(html.indexOf('id="corrections"'), html.indexOf('id="checked"'));
      const rows = table.split("<tr").slice(2);
      expect(rows).toHaveLength(corrections.length);
      for (const row of rows) {
        const last = row.slice(row.lastIndexOf("<td"));
        expect(last, words(row)).toMatch(
          /href="(rules\.html#check-|(\.\.\/v\d\/)?(rules\.html#check-|types\/\w+\.html))/,
        );
      }
    });

    test("have a reason, a valid and an invalid conversation each, or say where they are", () => {
      let shown = 0;
      for (const rule of rules) {
        const { id, title, rationale, versions } = rule;
        const start = html.indexOf(` id="check-${id}"`);
        expect(start > -1, id).toBe(versions.includes(versionNumber as 1 | 2));
        if (start < 0) continue;
        const isOwn = rule.features.every((name) =>
          features.some((feature) => feature.name === name),
        );
        const part = html.slice(start, html.indexOf(isOwn ? "<h4" : "</tr>", start + 1));
        expect(words(part), id).toContain(title);
        if (!isOwn) {
          expect(part, id).toMatch(/href="\.\.\/v\d-\w+\/rules\.html#check-/);
          continue;
        }
        shown++;
        expect(words(part), id).toContain(`Why: ${rationale}`);
        const example = rule.examples.find(({ version }) => version === versionNumber);
        if (example === undefined) continue;
        expect(part, id).toContain("<figcaption>Valid: ");
        expect(part, id).toContain(`<figcaption>Invalid: line ${example.line} breaks it`);
      }
      expect(shown).toBeGreaterThan(35);
    });

    test("have no numbers of lists that a reader does not have", () => {
      expect(text).not.toMatch(/Source: (R\d|gates:)/);
    });
  },
);
