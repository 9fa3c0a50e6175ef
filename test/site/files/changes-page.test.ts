import { describe, expect, test } from "vitest";
import { IMPACTS } from "../../../generators/schema/compare/impact.js";
import { parsePointer } from "../../../generators/schema/problem.js";
import { words } from "../support/markup.js";
import { openSite } from "../support/site.js";

const { protocols, byName, page, pages } = await openSite();

interface Impacts {
  readonly sender: string;
  readonly receiver: string;
}
interface Reported extends Impacts {
  readonly from: string;
  readonly changes: readonly (Impacts & {
    readonly pointer: string;
    readonly kind: string;
    readonly definition?: string;
  })[];
  readonly methods: {
    readonly added: readonly (Impacts & { readonly name: string })[];
    readonly removed: readonly (Impacts & { readonly name: string })[];
    readonly changed: readonly (Impacts & { readonly after: { readonly name: string } })[];
  };
  readonly gates: readonly (Impacts & { readonly definition: string; readonly part: string })[];
}

/** A row of a table: what it is about, its lines, and whom it breaks. */
interface Row {
  readonly name: string;
  /** The name with its badges. */
  readonly head: string;
  /** Whether it is about the parts of a type that both profiles have. */
  readonly isChanged: boolean;
  readonly lines: readonly string[];
  readonly breaks: string;
}

const own = protocols.flatMap(({ profile }) =>
  [...page(`${profile}/changes.html`).matchAll(/<h2 id="from-([\w-]+)">/g)].map(
    (match) => [match[1]!, profile, `${profile}/changes.html`] as const,
  ),
);

describe.each(own)("the page from %s to %s, %s", (from, to) => {
  const reported = (
    JSON.parse(page(`${to}/changes.json`)) as { readonly comparisons: readonly Reported[] }
  ).comparisons.find((report) => report.from === from)!;
  const topics = pages
    .filter(([topic]) => topic.startsWith(`${to}/changes/`))
    .flatMap(([, text]) => sectionOf(text, from) ?? []);
  const methodRows = topics.flatMap((topic) => rowsOf(topic, "Methods"));
  const typeRows = topics.flatMap((topic) => rowsOf(topic, "Types"));
  const isEnvelope = (name: string): boolean =>
    [from, to].some(
      (profile) =>
        byName.get(profile)!.definitions.find((item) => item.name === name)?.envelope === true,
    );
  const plain = reported.changes.filter(
    ({ definition }) => definition !== undefined && !isEnvelope(definition),
  );
  const isWhole = (pointer: string): boolean => pointer.split("/").length === 3;

  test("lists every method that is added, removed or changed, and whom that breaks", () => {
    const { added, removed, changed } = reported.methods;
    expect(methodRows.map(({ name, breaks }) => `${name} ${breaks}`).sort()).toEqual(
      [
        ...removed.map((method) => `${method.name} ${breaksText(method)}`),
        ...changed.map((method) => `${method.after.name} ${breaksText(method)}`),
        ...added.map((method) => `${method.name} ${breaksText(method)}`),
      ].sort(),
    );
  });

  test.each(["added", "removed", "renamed"])(
    "lists every type that is %s, and whom that breaks",
    (kind) => {
      const rows = typeRows
        .filter(({ isChanged, lines: [first] }) => !isChanged && first!.startsWith(`${kind}: `))
        .map(({ name, breaks }) => `${name} ${breaks}`);
      const wanted = plain
        .filter((change) => change.kind === kind && isWhole(change.pointer))
        .map((change) => `${change.definition!} ${breaksText(change)}`);
      expect(rows.sort()).toEqual(wanted.sort());
    },
  );

  test("describes the changes of every changed type, and whom they break", () => {
    const rows = new Map(typeRows.map((row) => [row.name, row]));
    const inside = new Map<string, Reported["changes"][number][]>();
    for (const change of plain)
      // The `not` of alternatives is derived from those that there are.
      if (!isWhole(change.pointer) && !change.pointer.split("/").includes("not"))
        inside.set(change.definition!, [...(inside.get(change.definition!) ?? []), change]);
    const names = new Set([
      ...inside.keys(),
      ...reported.gates.map(({ definition }) => definition),
    ]);
    const whole = plain.filter(({ pointer }) => isWhole(pointer)).map((one) => one.definition!);
    expect([...rows.keys()].sort()).toEqual([...names, ...whole].sort());
    for (const name of names) {
      const { lines, breaks } = rows.get(name)!;
      const changes = inside.get(name) ?? [];
      const gates = reported.gates.filter(({ definition }) => definition === name);
      expect(breaks, name).toBe(breaksText(worstOf([...changes, ...gates])));
      for (const change of changes)
        expect(lines, change.pointer).toEqual(
          expect.arrayContaining([expect.stringMatching(expected(change))]),
        );
      for (const { part } of gates) expect(lines.join("\n")).toContain(`gate of ${part}`);
      // Nothing is said that is not so.
      const said = lines.filter((line) => /^(added|removed): (property|variant) /.test(line));
      const structural = changes.filter(({ pointer }) =>
        /\/(properties|variants)(\/[^/]+)?$/.test(pointer),
      );
      if (structural.length === 0) expect(said, name).toEqual([]);
      expect(lines.filter((line) => line.includes("gate of ")).length).toBe(gates.length);
    }
  });
});

/** The part of a page that compares with one profile. */
function sectionOf(html: string, from: string): string | undefined {
  return html.split('<h2 id="from-').find((part) => part.startsWith(`${from}"`));
}

function rowsOf(html: string, caption: string): readonly Row[] {
  const table = html.split(`<caption class="quiet">${caption}</caption>`)[1];
  const body = table?.split("<tbody>")[1]!.split("</tbody>")[0] ?? "";
  return body
    .split("</tr>")
    .slice(0, -1)
    .map((row) => {
      const head = /<th scope="row">([\s\S]*?)<\/th>/.exec(row)![1]!;
      const [lines = "", breaks = ""] = [...row.matchAll(/<td\b[^>]*>([\s\S]*?)<\/td>/g)].map(
        (match) => match[1]!,
      );
      return {
        name: words(/<p>(.*?)<\/p>/.exec(head)![1]!),
        head: words(head),
        isChanged: row.includes("<tr id="),
        lines: [...lines.matchAll(/<p>(.*?)<\/p>/g)].map((match) => words(match[1]!)),
        breaks: words(breaks.replaceAll("</span>", " ")),
      };
    });
}

function breaksText({ sender, receiver }: Impacts): string {
  if (sender === receiver) return sender === "safe" ? "none" : `both: ${sender}`;
  return [
    ...(sender === "safe" ? [] : [`senders: ${sender}`]),
    ...(receiver === "safe" ? [] : [`receivers: ${receiver}`]),
  ].join(" ");
}

function worstOf(all: readonly Impacts[]): Impacts {
  const worst = (names: readonly string[]): string =>
    IMPACTS.find((impact) => names.includes(impact))!;
  return {
    sender: worst(all.map(({ sender }) => sender)),
    receiver: worst(all.map(({ receiver }) => receiver)),
  };
}

/** The text that one of the lines must have for a change. */
function expected({ pointer, kind }: Reported["changes"][number]): RegExp {
  const path = parsePointer(pointer).slice(2);
  const name = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const [root, second, third] = path;
  if (path.length === 2 && root === "properties")
    return new RegExp(`^${kind}: property ${name(second!)}(,|$| \\()`);
  if (path.length === 3 && second === "variants")
    return new RegExp(`^${kind}: variant ${name(third!)}(,|$| \\()`);
  if (path.at(-1) === "required") return /required: /;
  if (root === "properties" && path.length > 1) return new RegExp(`\\b${name(second!)}\\b`);
  if (second === "variants" && path.length > 3) return new RegExp(name(third!));
  return new RegExp(`^(changed: |${kind}: )`);
}
