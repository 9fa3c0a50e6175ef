import { lintPaths } from "../../generators/run/lint/lint.js";
import { formatProblem } from "../../generators/schema/problem.js";
import { loadDocs } from "../../generators/schema/source/load-docs.js";
import { loadSources } from "../../generators/schema/source/load-sources.js";

/** The key words of BCP 14 in the texts of a release, by profile and place. */
export type KeyWords = {
  readonly [profile: string]: { readonly [place: string]: string };
};

/**
 * Lists what a person has to do before a schema is complete, one line each: what `lint` reports,
 * which includes texts, gates, examples and entries of the bridge, and what the site says of methods.
 */
export function findTasks(schemaDirectory: string, keyWords: KeyWords): readonly string[] {
  const found = lintPaths({ schemaDirectory }).findings.map((finding) => {
    const version = /\bv\d+\b/.exec(finding.file)?.[0] ?? "v1";
    const words = keyWords[`${version}-unstable`]?.[finding.subject];
    const isText = finding.rule === "undocumented" && words !== undefined;
    return `${formatProblem(finding)}${isText ? ` It states ${words}.` : ""}`;
  });
  const { after } = loadDocs(schemaDirectory);
  const sources = loadSources(schemaDirectory);
  const methods = [...sources.protocols.values()].flatMap(({ modules, features }) =>
    [...modules, ...features.values()].flatMap((one) => one.methods),
  );
  const names = [...new Set(methods.map(({ name }) => name))];
  return [
    ...found,
    ...names
      .filter((name) => !Object.hasOwn(after, name))
      .map((name) => `schema/docs/after.json: say what follows ${name}.`),
  ];
}
