import { basename, join } from "node:path";
import { MANIFEST_FILE } from "../../output/manifest.js";
import { readOutput } from "../../output/disk/write.js";
import type { GenerateResult } from "../../run/generate/generate-result.js";
import { withLf } from "../../output/text.js";
import { displayPath } from "../../run/messages.js";
import { withoutControls } from "../../schema/controls.js";
import type { HeldLock } from "../../run/options.js";
import type { Undecided, UndecidedPart } from "../../schema/import/find-methods.js";
import type { AllowedCounts, Lost, OmittedTexts, ProgressStep } from "../../run/options.js";
import type { LowContrast } from "../../run/options.js";
import type { Annotation } from "../annotations.js";
import { inFolder } from "../repository.js";
import { colors as pc, errorColors } from "../colors.js";
import { count, foreignNote } from "./format.js";
import { createStatusLine } from "./progress.js";
import type { Terminal } from "../terminal.js";

/** Reports the steps and results of runs. */
export interface Reporter {
  readonly step: (step: ProgressStep) => void;
  /** Reports what a run has changed. */
  readonly written: (result: GenerateResult, seconds: number) => void;
  /** Reports what a run would change. */
  readonly planned: (result: GenerateResult) => void;
  /**
   * Reports how the output differs from what would be generated.
   *
   * @param command the command that updates it
   */
  readonly drift: (result: GenerateResult, command: string) => Promise<void>;
  /** Called after the last result. */
  readonly finish: () => void;
}

/** Reports to people. Stale output goes to standard error, also when it is quiet. */
export function createTextReporter(
  { writeOut, writeErr, annotate, streams }: Terminal,
  quiet: boolean,
): Reporter {
  let status = createStatusLine(streams.stderr);
  const report = (text: string): void => {
    status.clear();
    // What is printed is a sign of life as well.
    status = createStatusLine(streams.stderr);
    if (!quiet) writeOut(text);
  };
  return {
    step: (step) => {
      if (step.kind === "waiting") writeErr(printWaiting(step));
      else if (step.kind === "contrast") writeErr(printContrasts(step.found));
      else if (step.kind !== "running") report(printStep(step));
      else if (!quiet) status.show(() => `${step.what}: ${step.done} of ${step.total}`);
    },
    written: ({ write, remove, left, unchanged, out, causes }, seconds) => {
      causes.forEach((cause) => report(`note: ${displayPath(out)} was ${cause}`));
      remove.forEach((path) => report(`  removed  ${path}`));
      left.forEach((file) => writeErr(`  left     ${file.path}: ${file.reason}`));
      const counts = `${write.length} written, ${remove.length} removed, ${unchanged} unchanged`;
      report(`${pc.green("done")}: ${counts} in ${displayPath(out)} (${seconds.toFixed(1)} s)`);
    },
    planned: (result) => {
      const rows = rowsOf(result);
      const out = displayPath(result.out);
      writeOut(rows.length === 0 ? `${out} is up to date` : rows.join("\n"));
    },
    drift: async (result, command) => {
      const out = displayPath(result.out);
      if (isStale(result)) {
        const rows = [
          `${errorColors.red("stale")}: ${out} is not what the schema generates`,
          ...(result.interrupted ? ["  an earlier run was killed while it moved files"] : []),
          ...result.causes.map((cause) => `  because  ${cause}`),
          ...rowsOf(result),
          ...(await diffsOf(result)),
          adviceOf(result, errorColors.bold(command)),
        ];
        writeErr(rows.join("\n"));
        annotate(staleFiles(result, command));
      } else report(`${pc.green("up to date")}: ${count(result.unchanged, "file")} in ${out}`);
      if (result.foreign.length > 0) report(foreignNote(result.foreign));
    },
    finish: () => {},
  };
}

/** Returns whether the output differs from what a run would leave. */
export function isStale({ write, remove, interrupted }: GenerateResult): boolean {
  return write.length + remove.length > 0 || interrupted;
}

/** Prints whom a run waits for. It goes to standard error, also when the run is quiet or prints JSON. */
export function printWaiting({ pid, host, file }: HeldLock): string {
  return host === undefined
    ? `waiting for process ${pid}, which writes to the same folder`
    : `waiting for process ${pid} on ${withoutControls(host)}; if that run has ended, remove ${file}`;
}

/** Prints texts that are hard to read. They go to standard error, also when the run is quiet or prints JSON. */
export function printContrasts(found: readonly LowContrast[]): string {
  return found
    .map(
      ({ color, mode, ratio }) =>
        `warning: site.colors: ${color} has a contrast of ${ratio.toFixed(1)} with the ${mode} page; readable text has at least 4.5 (WCAG AA)`,
    )
    .join("\n");
}

type PrintedStep = Exclude<ProgressStep, { readonly kind: "waiting" | "contrast" | "running" }>;

function printStep(step: PrintedStep): string {
  switch (step.kind) {
    case "built": {
      const { profile, definitions, methods } = step.protocol;
      return `${pc.bold(profile)}: ${count(definitions.length, "definition")}, ${count(methods.length, "method")}`;
    }
    case "promoted":
      return step.text;
    case "renamed":
      return printRenamed("definition", "renamed", step.names);
    case "renamed-parts":
      return `${printRenamed("name", "of values and properties changed", step.names)}; "names" in the configuration decides`;
    case "renamed-in-target":
      return printRenamed("name", `of the target ${step.target} changed`, step.names);
    case "allowed":
      return allowedTexts(step.forms).join("; ");
    case "lost":
      return lostTexts(step.parts).map(withoutControls).join("\n");
    case "undecided":
      return printUndecided(step.methods);
    case "without-roles":
      return `left out, since the protocol does not have the handshake of ACP: ${step.targets.join(", ")}`;
    case "omitted":
      return printOmitted(step);
    case "compiled":
      return `${count(step.files, "file")} compiled`;
    default:
      return step satisfies never;
  }
}

function allowedTexts(forms: AllowedCounts): string[] {
  const { "closed-objects": closed = 0, "opened-objects": opened = 0 } = forms;
  const { "opened-tuples": tuples = 0, patterns = 0 } = forms;
  const { "implied-types": implied = 0, "ref-siblings": siblings = 0 } = forms;
  return [
    ...(closed > 0 ? [`${count(closed, "closed object")}, checked`] : []),
    ...(opened > 0 ? [`${count(opened, "closed object")}, read as open`] : []),
    ...(tuples > 0
      ? [`${count(tuples, "tuple")}, read as ${tuples === 1 ? "a list" : "lists"}`]
      : []),
    ...(patterns > 0 ? [`${count(patterns, "pattern")} of any form, checked`] : []),
    ...(implied > 0 ? [`${count(implied, "type")} implied`] : []),
    ...(siblings > 0 ? [`${count(siblings, "reference")} with keywords beside, checked`] : []),
  ];
}

/** Says what the output does not have of a schema, with the switch that reads it where there is one. */
function lostTexts({ unchecked = {}, defaults = [], siblings = 0 }: Lost): string[] {
  const names = Object.entries(unchecked).map(([keyword, places]) => `${keyword} (${places})`);
  const places = listed(defaults);
  return [
    ...(names.length > 0 ? [`not checked: ${names.join(", ")}`] : []),
    ...(defaults.length > 0
      ? [`${count(defaults.length, "default")} dropped, since they do not fit: ${places}`]
      : []),
    ...(siblings > 0
      ? [
          `${count(siblings, "place")} with keywords beside a $ref, which draft-07 ignores; --allow ref-siblings reads them as later drafts do`,
        ]
      : []),
  ];
}

/** Lists the first of some names. */
function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`;
}

const UNDECIDED: { readonly [part in UndecidedPart]: string } = {
  side: "methods left out, since no union says who sends them",
  messages: "methods left out, since their messages have different params",
  params: "methods left out, since their params are not an object or a definition",
  result: "requests without a result, since no definition has its name",
};

/** Prints all names: a mapping file decides about them. */
function printUndecided(methods: Undecided): string {
  const parts = (Object.keys(UNDECIDED) as UndecidedPart[]).flatMap((part) => {
    const names = methods[part];
    return names === undefined ? [] : [`${UNDECIDED[part]}: ${names.join(", ")}`];
  });
  return parts.map(withoutControls).join("\n");
}

/** The number of names of each kind that are printed. */
const MAX_NAMES = 5;

/** Prints all names that generated code cannot have, since programs use them. */
function printRenamed(noun: string, done: string, names: ReadonlyMap<string, string>): string {
  const shown = [...names].map(([name, own]) => `${name} is ${own}`);
  return withoutControls(`${count(names.size, noun)} ${done}: ${shown.join(", ")}`);
}

function printOmitted({ guides, flows, rules }: OmittedTexts): string {
  const group = (noun: string, names: readonly string[]): string[] => {
    if (names.length === 0) return [];
    return [`${count(names.length, noun)} (${listed(names)})`];
  };
  const texts = [...group("guide", guides), ...group("flow", flows), ...group("rule", rules)];
  return `left out, since their samples do not fit: ${texts.join("; ")}`;
}

function rowsOf({ write, remove, left }: GenerateResult): string[] {
  return [
    ...write.map(({ file, exists }) => `  ${exists ? "changed" : "missing"}  ${file.path}`),
    ...remove.map((path) => `  extra    ${path}`),
    ...left.map(({ path, reason }) => `  left     ${path}: ${reason}`),
  ];
}

/** The number of changed files that are shown with a diff. */
const MAX_DIFFS = 5;

async function diffsOf({ write, out }: GenerateResult): Promise<string[]> {
  const { printFileDiff } = await import("./file-diff.js");
  const changed = write.filter(({ exists, file }) => exists && !isManifest(file.path));
  const rest = changed.length - MAX_DIFFS;
  return [
    ...changed
      .slice(0, MAX_DIFFS)
      .map(({ file: { path, text } }) =>
        printFileDiff(path, withLf(readOutput(out, path) ?? ""), text),
      ),
    ...(rest > 0 ? [`… and ${count(rest, "more changed file")}`] : []),
  ];
}

function isManifest(path: string): boolean {
  return basename(path) === MANIFEST_FILE;
}

/** Returns how to update the output: a run replaces what was edited only when it is told to. */
function adviceOf({ edited }: GenerateResult, command: string): string {
  return edited.length === 0
    ? `Run ${command}${inFolder()} and commit the result.`
    : `Copy what was edited to another folder, then run ${command} --force${inFolder()} and commit the result.`;
}

function staleFiles(result: GenerateResult, command: string): Annotation[] {
  const { write, remove, out } = result;
  const advice = adviceOf(result, command);
  const rows: readonly [string, string][] = [
    ...write.map(({ file, exists }): [string, string] => [
      file.path,
      exists ? "is not what the schema generates" : "is missing",
    ]),
    ...remove.map((path): [string, string] => [path, "is obsolete"]),
  ];
  return rows.map(([path, what]) => ({
    file: displayPath(join(out, path)),
    title: "stale output",
    message: `${path} ${what}. ${advice}`,
  }));
}
