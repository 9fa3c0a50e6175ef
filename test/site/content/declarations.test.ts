import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageOf } from "../../../generators/emit/go/names.js";
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

/** Python without documentation, blank lines, layout and quotes around names that come later. */
function plainPython(text: string): string {
  return text
    .replace(/^# .*$/gm, "")
    .replace(/^ *""".*?"""$/gms, "")
    .replace(/^ *pass$/gm, "")
    .replace(/TypeAlias = "([^"]*)"/g, "TypeAlias = $1")
    .replace(/\s+/g, "")
    .replace(/,\]/g, "]");
}

test.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "every type page of %s shows the Python that the package has",
  (profile, { definitions }) => {
    const folder = `out/python/acp_bindings/${profile.replaceAll("-", "_")}`;
    const source = plainPython(readFileSync(join(ROOT, folder, "types.py"), "utf8"));
    const wrong = definitions.flatMap(({ name }) => {
      const shown = [
        ...page(`${profile}/types/${name}.html.md`).matchAll(/```python\n([^]*?)```/g),
      ];
      const declarations = shown
        .at(-1)![1]!
        .split(/\n\n(?=\S)/)
        .map(plainPython);
      return declarations.filter((text) => text === "" || !source.includes(text));
    });
    expect(wrong).toEqual([]);
  },
);

/** Go without comments, layout, and fields that are not exported. */
function plainGo(text: string): string {
  return text
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/^const \(([^]*?)^\)/gm, (_, inner: string) => inner.replace(/^\t/gm, "const "))
    .replace("received bool", "")
    .replace(/\s+/g, "");
}

test.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "every type page of %s shows the Go that the package has",
  (profile, { definitions }) => {
    const source = readFileSync(join(ROOT, `out/go/${packageOf(profile)}/types.go`), "utf8");
    const declared = new Set(source.split(/\n\n(?=\S)/).map(plainGo));
    let count = 0;
    const wrong = definitions.flatMap(({ name }) => {
      const shown = /```go\n([^]*?)```/.exec(page(`${profile}/types/${name}.html.md`))?.[1] ?? "";
      const declarations = shown.split(/\n\n(?=\S)/);
      count += shown === "" ? 0 : declarations.length;
      return declarations
        .flatMap((text) => (text.startsWith("const (") ? constantsOf(text) : [text]))
        .filter((text) => text !== "" && !declared.has(plainGo(text)));
    });
    expect(count).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  },
);

function constantsOf(text: string): readonly string[] {
  return text
    .split("\n")
    .slice(1)
    .filter((line) => line.startsWith("\t"))
    .map((line) => `const ${line.trim()}`);
}
