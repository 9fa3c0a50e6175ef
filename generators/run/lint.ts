import { statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { isObject } from "../schema/json-schema/json.js";
import { jsonFiles, readJson } from "../schema/source/load.js";
import { loadFeature, loadSources } from "../schema/source/load-sources.js";
import { loadLintExceptions } from "../schema/source/load-lint.js";
import { lint, type LintFinding } from "../schema/lint/lint.js";
import type { LintRule } from "../schema/lint/rule.js";
import { LINT_RULES } from "../schema/lint/rules.js";
import type { FeatureSource, Sources } from "../schema/source/sources.js";
import { protocolOf, withFeatures } from "./inputs/select-profiles.js";
import { displayPath } from "../cli/print/report.js";
import { SCHEMA } from "./installation.js";
import { unknownName, usageError } from "./usage-error.js";

export interface LintOptions {
  /** Files and folders to tell about: modules and features of the schema, or feature files of one's own. */
  readonly paths?: readonly string[];
  /** The folder with the canonical schema; the one that comes with the tool when absent. */
  readonly schema?: string;
  /** Rules to go by; all when absent. */
  readonly rules?: readonly string[];
}

export interface Linted {
  readonly findings: readonly LintFinding[];
  /** How many files were looked at. */
  readonly files: number;
  /** How many rules they were held against. */
  readonly rules: number;
}

/**
 * Holds the modules and features of a schema against the rules. A feature file
 * of one's own is looked at beside the schema that it extends.
 *
 * @returns the findings by file, those of the whole schema when no paths are given
 * @throws InputError for a path that does not exist or holds nothing of a schema, for rules that
 *   do not exist, and for documents that do not follow the dialect
 */
export function lintPaths({ paths = [], schema = SCHEMA, rules }: LintOptions = {}): Linted {
  const chosen = rules === undefined ? LINT_RULES : [...new Set(rules)].map(findRule);
  const sources = loadSources(schema);
  const exceptions = loadLintExceptions(schema);
  // Files of the schema are named relative to the folder that it lies in.
  const root = dirname(resolve(schema));
  const known = new Map(filesOf(sources).map((file) => [resolve(root, file), file]));
  if (exceptions !== undefined) known.set(resolve(root, exceptions.file), exceptions.file);
  const selected = paths.flatMap((path) => select(path, known));
  const own = selected
    .filter((path) => !known.has(path))
    .map((path) => loadFeature(path, schema, process.cwd()));
  const findings = lint(withOwn(sources, own), exceptions, chosen);
  const told = new Set([
    ...selected.flatMap((path) => known.get(path) ?? []),
    ...own.flatMap(({ file, modules }) => [file, ...modules.map((module) => module.file)]),
  ]);
  return {
    findings: paths.length === 0 ? findings : findings.filter(({ file }) => told.has(file)),
    files: paths.length === 0 ? known.size : told.size,
    rules: chosen.length,
  };
}

function findRule(id: string): LintRule {
  const rule = LINT_RULES.find((one) => one.id === id);
  if (rule !== undefined) return rule;
  throw unknownName(
    "rule",
    id,
    LINT_RULES.map((one) => one.id),
  );
}

/** The files of all modules and features. */
function filesOf({ protocols }: Sources): string[] {
  return [...protocols.values()].flatMap(({ file, modules, features }) => [
    file,
    ...modules.map((module) => module.file),
    ...[...features.values()].flatMap((feature) => [
      feature.file,
      ...feature.modules.map((module) => module.file),
    ]),
  ]);
}

/** The protocol versions, with the features of one's own in the versions that they are for. */
function withOwn(sources: Sources, own: readonly FeatureSource[]) {
  for (const { protocol } of own) protocolOf(protocol, sources);
  return [...sources.protocols.values()].map((protocol) =>
    withFeatures(
      protocol,
      own.filter((feature) => feature.protocol === protocol.name),
    ),
  );
}

/** The files that a path stands for: those of the schema below it, else features of one's own. */
function select(path: string, known: ReadonlyMap<string, string>): string[] {
  const full = resolve(path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) throw usageError(`there is no file ${path}`, "Check the path.");
  if (!stat.isDirectory()) return [full];
  const below = [...known.keys()].filter((file) => file.startsWith(full + sep));
  const files = below.length > 0 ? below : jsonFiles(full).filter(isFeature);
  if (files.length > 0) return files;
  throw usageError(
    `there are no modules and features in ${path}`,
    "Name a folder of the schema, or one with feature files.",
  );
}

function isFeature(file: string): boolean {
  const document = readJson(file, displayPath(file));
  const dialect = isObject(document) ? document["$schema"] : undefined;
  return typeof dialect === "string" && dialect.endsWith("feature.schema.json");
}
