import { fieldsOf } from "../../../model/map-shape.js";
import type { Shape } from "../../../model/shape.js";
import { visitShape } from "../../../model/visit-shape.js";
import { clip } from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import { ERRORS_PATH } from "../articles/errors-article.js";
import { RULES_PATH } from "../articles/rules-article.js";
import { isOf } from "../../../schema/source/docs-source.js";
import { stepId } from "../facts/type-uses.js";
import type { Site } from "../site-types.js";

/**
 * One thing that can be found: name, address below the profile's folder, what
 * it is, whether a feature adds it, a line about it, other words that find it.
 */
type Entry = readonly [
  name: string,
  path: string,
  kind: string,
  added: 0 | 1,
  about: string,
  words: string,
];

/**
 * The search index of a profile, as a script that sets one global: a page that
 * is opened as a file may load scripts, but not read JSON.
 */
export function searchIndex(site: Site): string {
  // An ampersand or bracket in a text must not end the script or a comment in it.
  const json = JSON.stringify(entries(site))
    .replaceAll("<", "\\u003c")
    .replace(/[\u2028\u2029]/g, " ");
  return `globalThis.acpSearch=${json};\n`;
}

function entries(site: Site): readonly Entry[] {
  const { protocol, methodPaths, typePaths, articles, docs } = site;
  const rules = docs.conventions.filter((rule) => isOf(rule, protocol.version));
  const codes = site.errors?.codes?.shape.values ?? [];
  return [
    ...articles.map(({ title, path, summary }): Entry => [title, path, "page", 0, summary, ""]),
    ...protocol.methods.map(({ name, kind, feature, summary }): Entry => [
      name,
      methodPaths.get(name)!,
      kind,
      flag(feature),
      summary,
      "",
    ]),
    ...protocol.definitions.map(({ name, feature, description, shape }): Entry => [
      name,
      typePaths.get(name)!,
      "type",
      flag(feature),
      clip(description.replaceAll("`", ""), 70),
      fieldsOf(shape)
        .map((field) => field.name)
        .filter((field) => field !== "_meta")
        .join(" "),
    ]),
    ...protocol.definitions.flatMap(({ name, feature, shape }) =>
      values(shape).map(([value, id, added]): Entry => [
        value,
        `${typePaths.get(name)!}#${id}`,
        "value",
        feature === undefined ? added : 1,
        `of ${name}`,
        "",
      ]),
    ),
    ...codes.map(({ value, title = "", feature }): Entry => [
      String(value),
      `${ERRORS_PATH}#e${value}`,
      "error",
      flag(feature),
      title,
      "",
    ]),
    ...rules.map(({ id, rule }): Entry => [
      id,
      `${RULES_PATH}#rule-${id}`,
      "rule",
      0,
      clip(rule.replaceAll("`", ""), 70),
      "",
    ]),
  ];
}

/**
 * The tags and listed values of a shape, with their ids. Error codes and
 * referenced types have entries of their own.
 */
function values(shape: Shape): readonly (readonly [string, string, 0 | 1])[] {
  const found: (readonly [string, string, 0 | 1])[] = [];
  visitShape(shape, {
    variant: ({ feature }, steps, tag) => {
      if (tag !== undefined) found.push([steps.at(-1)!.name, stepId(steps), flag(feature)]);
    },
    value: ({ value, feature }, steps) => {
      if (typeof value !== "string") return;
      const prefix = steps.length === 0 ? "" : `${stepId(steps)}.`;
      found.push([value, `${prefix}value-${urlToken(value)}`, flag(feature)]);
    },
    enter: ({ kind }) => kind === "object",
  });
  return found;
}

function flag(feature: string | undefined): 0 | 1 {
  return feature === undefined ? 0 : 1;
}
