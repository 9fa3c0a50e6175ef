import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import type { Difference } from "../../../schema/diff.js";
import type { Article } from "../article.js";
import { bullets, heading, paragraph, subheading, table, type Block } from "../block.js";
import { CHANGES_FILE, comparisons, type Changes } from "../changes.js";
import { siteUrl, type PageScope } from "../page.js";
import type { Site } from "../site.js";

export const CHANGES_PATH = "changes.html";

/** How the profile differs from the stable one and from the version before. */
export const changesArticle: Article = {
  path: CHANGES_PATH,
  title: "Changes",
  summary:
    "What this profile adds, removes and changes, against the stable protocol and the version before.",
  group: "reference",
  blocks: (scope) => {
    const all = comparisons(scope.site);
    if (all.length === 0)
      return [
        paragraph(
          inline(
            "There is nothing before this profile to compare it with. The pages of later versions and of features say how they differ from it.",
          ),
        ),
      ];
    return [
      paragraph(
        inline(
          "Structure only; wording does not count. Also as JSON: ",
          codeSpan(CHANGES_FILE, scope.toPage(CHANGES_FILE)),
          ".",
        ),
      ),
      ...all.flatMap((changes) => changesBlocks(changes, scope)),
    ];
  },
};

function changesBlocks(changes: Changes, scope: PageScope): readonly Block[] {
  const before = scope.site.siblings.get(changes.from)!;
  const id = scope.id(`from-${changes.from}`);
  const { added, removed, changed } = changes.methods;
  const types = byDefinition(changes.differences);
  const whole = (kind: Difference["kind"]): readonly string[] =>
    types.flatMap(([name, all]) =>
      all.length === 1 && all[0]!.path.length === 0 && all[0]!.kind === kind ? [name] : [],
    );
  const partly = types.filter(([, all]) => all.some(({ path }) => path.length > 0));
  const here = (name: string): Inline =>
    inline(codeSpan(name, scope.site.typePaths.has(name) ? scope.toType(name) : undefined));
  const there = (name: string): Inline =>
    inline(codeSpan(name, urlIn(before, before.typePaths, name, scope)));
  return [
    heading(id, inline(`From ${before.protocol.title} to ${scope.site.protocol.title}`)),
    ...section(
      "Methods added",
      `${id}-methods-added`,
      added.map((key) => methodLine(key, scope.site, scope)),
      scope,
    ),
    ...section(
      "Methods removed",
      `${id}-methods-removed`,
      removed.map((key) => methodLine(key, before, scope)),
      scope,
    ),
    ...section(
      "Methods with other params, result or gate",
      `${id}-methods-changed`,
      changed.map((key) => methodLine(key, scope.site, scope)),
      scope,
    ),
    ...section("Types added", `${id}-types-added`, whole("added").map(here), scope),
    ...section("Types removed", `${id}-types-removed`, whole("removed").map(there), scope),
    ...(partly.length === 0
      ? []
      : [subheading(scope.id(`${id}-types-changed`), inline("Types changed"))]),
    ...table(
      "Types changed",
      ["Type", "What is different"],
      partly.map(([name, all]) => ({
        id: scope.id(`${id}-${urlToken(name)}`),
        cells: [here(name), { lines: all.flatMap(sentence), badges: [] }],
      })),
    ),
  ];
}

function section(
  title: string,
  id: string,
  items: readonly Inline[],
  scope: PageScope,
): readonly Block[] {
  return items.length === 0 ? [] : [subheading(scope.id(id), inline(title)), ...bullets(items)];
}

interface PartDifference extends Difference {
  /** Inside the definition. */
  readonly path: readonly string[];
}

function byDefinition(
  differences: readonly Difference[],
): readonly [string, readonly PartDifference[]][] {
  const found = new Map<string, PartDifference[]>();
  for (const difference of differences) {
    const [, root, name, ...path] = difference.pointer
      .split("/")
      .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (root !== "$defs" || name === undefined) continue;
    found.set(name, [...(found.get(name) ?? []), { ...difference, path }]);
  }
  return [...found];
}

/** A difference inside a definition in words; nothing for what only follows from another one. */
function sentence({ path, kind, before, after }: PartDifference): readonly Inline[] {
  const last = path.at(-1)!;
  if (last === "order" || path.includes("not")) return [];
  const parent = path.at(-2);
  const what = parent === "properties" ? "property " : parent === "variants" ? "variant " : "";
  const place = path.filter(
    (token) => !["properties", "variants", "anyOf", "oneOf", "allOf", "items"].includes(token),
  );
  const code = codeSpan(place.join(".") || path.join("."));
  if (kind !== "changed" || what !== "") return [inline(`${kind}: ${what}`, code)];
  return [
    inline("changed: ", code, " from ", codeSpan(short(before)), " to ", codeSpan(short(after))),
  ];
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** A method by its key, with its kind and a link to where it is. */
function methodLine(key: string, owner: Site, scope: PageScope): Inline {
  const [, kind, name] = key.split(" ") as [string, string, string];
  return inline(`${kind} `, codeSpan(name, urlIn(owner, owner.methodPaths, name, scope)));
}

function urlIn(
  owner: Site,
  paths: ReadonlyMap<string, string>,
  name: string,
  scope: PageScope,
): ReturnType<typeof siteUrl> | undefined {
  const path = paths.get(name);
  if (path === undefined) return undefined;
  return siteUrl(scope.site, scope.path, `${owner.protocol.profile}/${path}`);
}
