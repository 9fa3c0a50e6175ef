import { dirname, join, relative, resolve } from "node:path";
import { InputError, type Problem } from "../problem.js";
import type { BehaviorRule, BehaviorSource, ScriptSource, Subject } from "./behavior-source.js";
import type { DialectCheck } from "./dialect.js";
import { createLoader, filesIn, jsonFiles, loadDialect } from "./load.js";
import { parseJson } from "./parse-json.js";
import { readBytes } from "./read-bytes.js";

const SUBJECTS: readonly Subject[] = ["agent", "client"];

/** A script and its file and line, as problems name them. */
interface PlacedScript {
  readonly place: string;
  readonly script: ScriptSource;
}

/**
 * Loads the scripts in `schema/behavior/`: one on each line of `agent/*.ndjson` and
 * `client/*.ndjson`, and the rules that they show in `rules.json`.
 *
 * @param directory the `schema/` folder
 * @returns no scripts when there is no such folder
 * @throws InputError with every problem found: a line that does not follow the dialect, an id that
 *   is used twice, a rule that does not exist or is not shown
 */
export function loadBehavior(directory: string): BehaviorSource {
  const root = dirname(resolve(directory));
  const folder = join(directory, "behavior");
  if (jsonFiles(folder).length === 0) return { rules: {}, scripts: [] };
  const check = loadDialect(directory);
  const loader = createLoader(root, check);
  const rulesFile = join(folder, "rules.json");
  const document = loader.read("behavior", rulesFile) as unknown;
  loader.finish();
  const { rules } = document as Pick<BehaviorSource, "rules">;
  const problems: Problem[] = [];
  const placed = SUBJECTS.flatMap((subject) =>
    filesIn(join(folder, subject), ".ndjson").flatMap((file) =>
      readScripts(file, loader.display(file), subject, check, problems),
    ),
  );
  problems.push(...findTwice(placed), ...findUnruly(placed, rules));
  const file = relative(root, resolve(rulesFile)).replaceAll("\\", "/");
  problems.push(...findUnshown(placed, rules).map((problem) => ({ file, ...problem })));
  if (problems.length > 0) throw new InputError(problems);
  return { rules, scripts: placed.map(({ script }) => script) };
}

/** Reads the scripts of a file; lines that are not scripts are added to the problems. */
function readScripts(
  file: string,
  display: string,
  subject: Subject,
  check: DialectCheck,
  problems: Problem[],
): PlacedScript[] {
  const lines = new TextDecoder().decode(readBytes(file, display)).trim().split("\n");
  return lines.flatMap((line, index) => {
    const place = `${display}:${index + 1}`;
    try {
      const document = parseJson(new TextEncoder().encode(line), place);
      const found = check("behavior", { $schema: SCHEMA_NAME, script: document }, place);
      problems.push(...found);
      return found.length > 0
        ? []
        : [{ place, script: { ...(document as ScriptSource), subject } }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
}

/** The dialect's document, as the files that it checks refer to it. */
const SCHEMA_NAME = "../dialect/behavior.schema.json";

function findTwice(placed: readonly PlacedScript[]): Problem[] {
  const places = new Map<string, string>();
  return placed.flatMap(({ place, script: { id, subject } }) => {
    const key = `${subject}/${id}`;
    const other = places.get(key);
    places.set(key, place);
    const message = `${other} has the id "${id}" too`;
    return other === undefined ? [] : [{ file: place, message, hint: "Rename one of them." }];
  });
}

function findUnruly(
  placed: readonly PlacedScript[],
  rules: { readonly [id: string]: BehaviorRule },
): Problem[] {
  return placed
    .filter(({ script: { rule } }) => !Object.hasOwn(rules, rule))
    .map(({ place, script: { rule } }) => ({
      file: place,
      message: `there is no rule "${rule}"`,
      hint: "Add it to rules.json.",
    }));
}

function findUnshown(
  placed: readonly PlacedScript[],
  rules: { readonly [id: string]: BehaviorRule },
): Problem[] {
  const shown = new Set(placed.map(({ script: { rule } }) => rule));
  return Object.keys(rules)
    .filter((id) => !shown.has(id))
    .map((id) => ({
      pointer: `/rules/${id}`,
      message: `no script shows the rule "${id}"`,
      hint: "Write one, or remove the rule.",
    }));
}
