import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { openSite } from "../support/site.js";

const { protocols, page } = await openSite();

/** TypeScript without comments, blanks and the bar before the first alternative of a union. */
function plain(text: string): string {
  return text
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, "")
    .replace(/([=(:&])\|/g, "$1")
    .replace(/;}/g, "}")
    .replace(/\(({[^{}]*}&\w+)\)/g, "$1")
    .replace(/\((\w+(?:\|\w+)*)\)\|/g, "$1|");
}

test.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "every type page of %s shows the declaration that the package has",
  (profile, { definitions }) => {
    const source = readFileSync(join(ROOT, `out/typescript/src/${profile}/types.ts`), "utf8");
    const declared = new Map(
      source
        .split(/^export /m)
        .slice(1)
        .map((text) => [/^(?:type|interface) (\w+)/.exec(text)![1]!, text]),
    );
    const wrong = definitions.flatMap(({ name, identifier }) => {
      const shown = [...page(`${profile}/types/${name}.html.md`).matchAll(/```ts\n([^]*?)```/g)];
      const text = shown.find(([, one]) => /^(type|interface) /.test(one!))?.[1] ?? "";
      return plain(text) === plain(declared.get(identifier)!)
        ? []
        : [`${name}: ${plain(text)} is not ${plain(declared.get(identifier)!)}`];
    });
    expect(wrong).toEqual([]);
  },
);
