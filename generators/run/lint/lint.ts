import { statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { isObject } from "../../schema/json-schema/json.js";
import { jsonFiles, readJson } from "../../schema/source/load.js";
import { locateProblems } from "../../schema/source/locate-problems.js";
import { loadFeature, loadSources } from "../../schema/source/load-sources.js";
import { loadLintExceptions } from "../../schema/source/load-lint.js";
import { lint, type LintFinding } from "../../schema/lint/lint.js";
import type { LintRule } from "../../schema/lint/rule.js";
import { LINT_RULES } from "../../schema/lint/rules.js";
import type { FeatureSource, ProtocolSource, Sources } from "../../schema/source/sources.js";
import { protocolOf, withFeatures } from "../inputs/select-profiles.js";
import { requireFile } from "../inputs/input-files.js";
import { SCHEMA } from "../installation.js";
import { lintBridge, lintModel } from "./lint-model.js";
import { displayPath, unknownName, usageError } from "../messages.js";

export interface LintOptions {
  /** Files and folders to report about: modules and features of the schema, or the user's feature files. */
  readonly paths?: readonly string[];
  /** The folder of the canonical schema; the one that comes with the tool when absent. */
  readonly schemaDirectory?: string;
  /** The rules to check; all when absent. */
  readonly rules?: readonly string[];
}

export interface Linted {
  readonly findings: readonly LintFinding[];
  /** The number of checked files. */
  readonly files: number;
  /** The number of checked rules. */
  readonly rules: number;
}

/**
 * Checks the modules and features of a schema against the rules. The user's feature
 * files are checked together with the schema that they extend.
 *
 * @returns the findings by file; those of the whole schema without paths
 * @throws InputError for a path without modules or features, an unknown rule, and documents
 *   that do not follow the dialect
 */
export function lintPaths({
  paths = [],
  schemaDirectory = SCHEMA,
  rules,
}: LintOptions = {}): Linted {
  const chosen = rules === undefined ? LINT_RULES : [...new Set(rules)].map(findRule);
  const sources = loadSources(schemaDirectory);
  const exceptions = loadLintExceptions(schemaDirectory);
  // Files of the schema are named relative to its parent folder.
  const root = dirname(resolve(schemaDirectory));
  const known = new Map(filesOf(sources).map((file) => [resolve(root, file), file]));
  if (exceptions !== undefined) known.set(resolve(root, exceptions.file), exceptions.file);
  const selected = paths.flatMap((path) => select(path, known));
  const own = selected
    .filter((path) => !known.has(path))
    .map((path) => loadFeature(path, schemaDirectory, process.cwd()));
  const protocols = withOwn(sources, own);
  const findings = lint(protocols, exceptions, chosen);
  if (rules === undefined) findings.push(...lintBuilt(protocols, findings));
  // The mapping is compared with models, which a schema with errors may not have.
  const hasErrors = findings.some(({ severity }) => severity === "error");
  if (rules === undefined && own.length === 0 && !hasErrors)
    findings.push(...lintBridge(schemaDirectory));
  const reported = new Set([
    ...selected.flatMap((path) => known.get(path) ?? []),
    ...own.flatMap(({ file, modules }) => [file, ...modules.map((module) => module.file)]),
  ]);
  const shown = paths.length === 0 ? findings : findings.filter(({ file }) => reported.has(file));
  const pathOf = new Map([...known].map(([path, file]) => [file, path]));
  return {
    findings: locateProblems(shown, (file) => pathOf.get(file) ?? resolve(file)),
    files: paths.length === 0 ? known.size : reported.size,
    rules: chosen.length,
  };
}

/** Reports the problems of the model in places where no rule has found an error. */
function lintBuilt(
  protocols: readonly ProtocolSource[],
  findings: readonly LintFinding[],
): LintFinding[] {
  const placeOf = ({ file, pointer }: LintFinding): string => `${file}#${pointer}`;
  const errors = findings.filter(({ severity }) => severity === "error");
  const places = new Set(errors.map(placeOf));
  return lintModel(protocols).filter((finding) => !places.has(placeOf(finding)));
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

/** Lists the files of all modules and features. */
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

/** Returns the protocol versions with the user's features. */
function withOwn(sources: Sources, own: readonly FeatureSource[]) {
  for (const { protocol } of own) protocolOf(protocol, sources);
  return [...sources.protocols.values()].map((protocol) =>
    withFeatures(
      protocol,
      own.filter((feature) => feature.protocol === protocol.name),
    ),
  );
}

/** Returns the files of a path: files of the schema below it, else feature files. */
function select(path: string, known: ReadonlyMap<string, string>): string[] {
  const full = resolve(requireFile(path));
  if (!statSync(full).isDirectory()) return [full];
  const below = [...known.keys()].filter((file) => file.startsWith(full + sep));
  const files = below.length > 0 ? below : jsonFiles(full).filter(isFeature);
  if (files.length > 0) return files;
  throw usageError(
    `there are no modules or features in ${path}`,
    "Name a folder of the schema, or one with feature files.",
  );
}

function isFeature(file: string): boolean {
  const document = readJson(file, displayPath(file));
  const dialect = isObject(document) ? document["$schema"] : undefined;
  return typeof dialect === "string" && dialect.endsWith("feature.schema.json");
}
