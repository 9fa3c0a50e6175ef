import { describe, expect, test } from "vitest";
import { diffSchemas } from "../../generators/schema/diff.js";
import { openSite } from "./site.js";

const { protocols, byName, page } = await openSite();

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
