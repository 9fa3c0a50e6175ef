import { codeSpan, inline, textLink } from "../../../output/markup.js";
import { relativeUrl, urlToken } from "../../../output/url.js";
import type { Article } from "../pages/article.js";
import { heading, names, type Block } from "../parts/block.js";
import { A_Z_PATH, type PageScope } from "../frame/page.js";
import { featureMark } from "../frame/badges.js";

/** Every method, type and page by name; what works without a script where search does not. */
export const aToZArticle: Article = {
  path: A_Z_PATH,
  title: "A to Z",
  summary: "Every method, type and page of this profile by name.",
  group: "tools",
  blocks: (scope) => {
    const { methodPaths, typePaths, articles, definitions, protocol } = scope.site;
    const methods = new Map(protocol.methods.map((method) => [method.name, method]));
    const entries = [
      ...[...methodPaths.keys()].map((name) => ({
        name,
        line: inline(
          codeSpan(name, scope.toMethod(name)),
          " method",
          featureMark(methods.get(name)!.feature, scope.site),
        ),
      })),
      ...[...typePaths.keys()].map((name) => ({
        name,
        line: inline(
          codeSpan(name, scope.toType(name)),
          featureMark(definitions.get(name)!.feature, scope.site),
        ),
      })),
      ...articles.map(({ title, path }) => ({
        name: title,
        line: inline(textLink(title, relativeUrl(scope.path, path)), " page"),
      })),
    ].sort((a, b) => (sortKey(a.name) < sortKey(b.name) ? -1 : 1));
    const letters = [...new Set(entries.map(({ name }) => initial(name)))];
    return letters.flatMap((letter) => letterBlocks(letter, entries, scope));
  },
};

function letterBlocks(
  letter: string,
  entries: readonly { readonly name: string; readonly line: ReturnType<typeof inline> }[],
  scope: PageScope,
): readonly Block[] {
  return [
    heading(scope.id(`letter-${urlToken(letter)}`), inline(letter)),
    ...names(entries.filter(({ name }) => initial(name) === letter).map(({ line }) => line)),
  ];
}

function sortKey(name: string): string {
  return `${initial(name) === "other" ? "0" : "1"}${name.toLowerCase()} ${name}`;
}

function initial(name: string): string {
  return /^[A-Za-z]/.test(name) ? name.charAt(0).toUpperCase() : "other";
}
