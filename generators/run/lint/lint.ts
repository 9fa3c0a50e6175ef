import { statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { jsonFiles } from "../../schema/source/load.js";
import { locateProblems } from "../../schema/source/locate-problems.js";
import { loadLintExceptions } from "../../schema/source/load-lint.js";
import type { LintFinding } from "../../schema/lint/lint.js";
import type { LintRule } from "../../schema/lint/rule.js";
import { LINT_RULES } from "../../schema/lint/rules.js";
import type { ProtocolSource } from "../../schema/source/sources.js";
import { includedFiles, readText, requireFile } from "../inputs/input-files.js";
import { SCHEMA } from "../installation.js";
import { lintBridge } from "./lint-model.js";
import { lintInRounds, loadSound } from "./lint-rounds.js";
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
 * @returns the findings of invalid documents, then of what does not compose, then of the other rules,
 *   each by file; those of the whole schema without paths
 * @throws InputError for a path without modules or features, and an unknown rule
 */
export function lintPaths({
  paths = [],
  schemaDirectory = SCHEMA,
  rules,
}: LintOptions = {}): Linted {
  const chosen = rules === undefined ? LINT_RULES : [...new Set(rules)].map(findRule);
  const exceptions = loadLintExceptions(schemaDirectory);
  // Files of the schema are named relative to its parent folder.
  const root = dirname(resolve(schemaDirectory));
  const { protocols, found } = loadSound(schemaDirectory, [], []);
  const files = [...protocols.flatMap(filesOf), ...found.flatMap(({ file = [] }) => file)];
  const known = new Map(files.map((file) => [resolve(root, file), file]));
  if (exceptions !== undefined) known.set(resolve(root, exceptions.file), exceptions.file);
  const selected = paths.flatMap((path) => select(path, known));
  const own = selected.filter((path) => !known.has(path));
  const isWhole = rules === undefined;
  const findings = lintInRounds({ schemaDirectory, own, rules: chosen, exceptions, isWhole });
  // The mapping is compared with models, which a schema with errors may not have.
  const hasErrors = findings.some(({ severity }) => severity === "error");
  if (isWhole && own.length === 0 && !hasErrors) findings.push(...lintBridge(schemaDirectory));
  const reported = new Set([
    ...selected.flatMap((path) => known.get(path) ?? []),
    ...own.flatMap((path) => [displayPath(path), ...includedFiles(path).map(displayPath)]),
  ]);
  const isShown = ({ file, rule }: LintFinding): boolean =>
    paths.length === 0 || reported.has(file) || rule === "invalid-document";
  const pathOf = new Map([...known].map(([path, file]) => [file, path]));
  return {
    findings: locateProblems(findings.filter(isShown), (file) => pathOf.get(file) ?? resolve(file)),
    files: paths.length === 0 ? known.size : reported.size,
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

/** Lists the files of the modules and features of a version. */
function filesOf({ file, modules, features }: ProtocolSource): string[] {
  return [
    file,
    ...modules.map((module) => module.file),
    ...[...features.values()].flatMap((feature) => [
      feature.file,
      ...feature.modules.map((module) => module.file),
    ]),
  ];
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
  return /"\$schema"\s*:\s*"[^"]*feature\.schema\.json"/.test(readText(file));
}
