import { describe, expect, test } from "vitest";
import { ruleBook } from "../../../templates/site/rules/rule-book.js";
import { words } from "../support/markup.js";
import { openSite } from "../support/site.js";

const { protocols, files } = await openSite();
const { rules } = ruleBook();
const known = new Set(protocols.flatMap(({ features }) => features.map(({ name }) => name)));

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "the rules of %s",
  (profile, { versionNumber, features, methods }) => {
    const names = new Set(methods.map(({ name }) => name));
    const html = files.get(`${profile}/rules.html`)!;

    test("each have a reason, a valid and an invalid conversation, or a link to them", () => {
      let shown = 0;
      for (const rule of rules) {
        const { id, title, rationale, versions } = rule;
        const start = html.indexOf(` id="check-${id}"`);
        const isOwn = rule.features.every((name) =>
          features.some((feature) => feature.name === name),
        );
        // A release may not have the methods yet.
        const isPossible = !isOwn || rule.methods.every((name) => names.has(name));
        const isShown = isPossible && versions.includes(versionNumber as 1 | 2);
        expect(start > -1, id).toBe(isShown);
        if (!isShown) continue;
        const row = html.slice(start, html.indexOf("</tr>", start));
        expect(words(row), id).toContain(title);
        const isKnown = rule.features.every((name) => known.has(name));
        if (!isOwn) {
          // A release may not have the feature yet.
          if (isKnown) expect(row, id).toMatch(/href="\.\.\/v\d-\w+\/rules\.html#check-/);
          continue;
        }
        shown++;
        const [, area, anchor] = /href="(rules\/[\w-]+\.html)(#check-[\w-]+)"/.exec(row)!;
        const detail = files.get(`${profile}/${area!}`)!;
        const from = detail.indexOf(` id="${anchor!.slice(1)}"`);
        const part = detail.slice(from, detail.indexOf("<h2", from + 1));
        expect(words(part), id).toContain(title);
        expect(words(part), id).toContain(`Why: ${rationale.replaceAll("`", "")}`);
        const example = rule.examples.find(({ version }) => version === versionNumber);
        if (example === undefined) continue;
        expect(part, id).toContain('<span class="title">Passes</span>');
        expect(part, id).toContain(`<span class="title">Fails at line ${example.line}</span>`);
      }
      expect(shown).toBeGreaterThan(35);
    });

    // Links to it stay valid when a release gives the profile the last feature.
    test("have a part on features outside the profile, also when there are none", () => {
      expect(html).toContain(' id="checked-other-features"');
    });
  },
);
