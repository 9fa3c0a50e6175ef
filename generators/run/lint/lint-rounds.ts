import { withoutProblems } from "../../schema/import/without-problems.js";
import { lint, type LintFinding } from "../../schema/lint/lint.js";
import type { LintRule } from "../../schema/lint/rule.js";
import { InputError, type Problem } from "../../schema/problem.js";
import type { LintExceptions } from "../../schema/source/lint-exceptions.js";
import { loadSoundFeature, loadSources } from "../../schema/source/load-sources.js";
import type { FeatureSource, ProtocolSource, Sources } from "../../schema/source/sources.js";
import { protocolOf, withFeatures } from "../inputs/select-profiles.js";
import { finding, lintModel } from "./lint-model.js";

/** Where the parts with problems are left out, others come to light, seldom more than once. */
const MOST_ROUNDS = 4;

/** The findings that others follow from, in the order of the stages; others come after them. */
const CAUSES = ["invalid-document", "does-not-compose"];
const STAGES = [...CAUSES, "model"];

/** Rules whose findings may come from parts that were left out. */
const ABOUT_ABSENCE = ["unused-definition", "unused-exception"];

export interface LintRun {
  readonly schemaDirectory: string;
  /** The user's feature files. */
  readonly own: readonly string[];
  readonly rules: readonly LintRule[];
  readonly exceptions: LintExceptions | undefined;
  /** Whether the model is built as well. */
  readonly isWhole: boolean;
}

/**
 * Checks a schema and the user's features. After a stage that finds errors, the parts that have them are
 * left out, and the next stage checks what remains.
 *
 * @returns the findings, causes before what follows from them
 */
export function lintInRounds({ own, rules, exceptions, ...run }: LintRun): LintFinding[] {
  const findings: LintFinding[] = [];
  let known: readonly Problem[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { protocols, found } = loadSound(run.schemaDirectory, own, known);
    const isSound = known.length + found.length === 0;
    const again = rules.filter(({ id }) => round === 0 || STAGES.includes(id));
    const invalid = found
      .map((problem) => finding("invalid-document", problem, "schema"))
      .filter((one) => !findings.some((cause) => isConsequence(cause, one)));
    const reported = lint(protocols, exceptions, again, isSound);
    if (run.isWhole) reported.push(...lintBuilt(protocols, [...findings, ...reported], isSound));
    const left = [...findings, ...invalid];
    const others = reported
      .filter(({ rule }) => isSound || !ABOUT_ABSENCE.includes(rule))
      .filter((one) => !left.some((cause) => isConsequence(cause, one)));
    findings.push(...invalid, ...others);
    const before = new Set(known.map(placeOf));
    const more = [...found, ...reported.filter(({ rule }) => STAGES.includes(rule))];
    if (more.every((one) => before.has(placeOf(one)))) break;
    known = [...known, ...more];
  }
  const stageOf = ({ rule }: LintFinding): number =>
    CAUSES.includes(rule) ? CAUSES.indexOf(rule) : CAUSES.length;
  return findings
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
    .sort((a, b) => stageOf(a) - stageOf(b));
}

function placeOf({ file = "", pointer = "" }: Problem): string {
  return `${file}#${pointer}`;
}

/** Returns whether a finding follows from parts that have been left out: at their place or, of a stage, around it. */
function isConsequence(cause: LintFinding, { rule, file, pointer }: LintFinding): boolean {
  if (cause.file !== file) return false;
  const areStages = STAGES.includes(rule) && STAGES.includes(cause.rule);
  return cause.pointer === pointer || (areStages && cause.pointer.startsWith(`${pointer}/`));
}

/** Reports the problems of the model in places where no rule has found an error. */
function lintBuilt(
  protocols: readonly ProtocolSource[],
  findings: readonly LintFinding[],
  isSound: boolean,
): LintFinding[] {
  const errors = findings.filter(({ severity }) => severity === "error");
  const places = new Set(errors.map(placeOf));
  return lintModel(protocols, isSound).filter((one) => !places.has(placeOf(one)));
}

/**
 * Loads the sound parts of a schema with the user's features.
 *
 * @param known what was found before, whose parts are left out
 * @returns with it, the problems of the documents
 */
export function loadSound(
  schemaDirectory: string,
  own: readonly string[],
  known: readonly Problem[],
): { readonly protocols: readonly ProtocolSource[]; readonly found: readonly Problem[] } {
  const problems = [...known];
  const tolerance = { problems, without: withoutProblems };
  const sources = loadSources(schemaDirectory, undefined, tolerance);
  const features = own.flatMap(
    (path) => loadSoundFeature(path, schemaDirectory, process.cwd(), tolerance) ?? [],
  );
  const protocols = withOwn(sources, features, problems);
  return { protocols, found: problems.slice(known.length) };
}

/** Returns the protocol versions with the user's features, except for those that cannot be added. */
function withOwn(
  sources: Sources,
  own: readonly FeatureSource[],
  problems: Problem[],
): readonly ProtocolSource[] {
  const protocols = new Map(sources.protocols);
  for (const feature of own) {
    const { file, protocol } = feature;
    try {
      const version = protocols.get(protocol) ?? protocolOf(protocol, sources);
      protocols.set(protocol, withFeatures(version, [feature]));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems.map((one) => ({ file, pointer: "/protocol", ...one })));
    }
  }
  return [...protocols.values()];
}
