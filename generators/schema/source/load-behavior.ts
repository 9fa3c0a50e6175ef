import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { InputError, type Problem } from "../problem.js";
import type { BehaviorSource, ScriptSource, Subject } from "./behavior-source.js";
import { createLoader, loadDialect } from "./load.js";
import { parseJson } from "./parse-json.js";
import { readBytes } from "./read-bytes.js";

const SUBJECTS: readonly Subject[] = ["agent", "client"];

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
  if (!existsSync(folder)) return { rules: {}, scripts: [] };
  const check = loadDialect(directory);
  const loader = createLoader(root, check);
  const rulesFile = join(folder, "rules.json");
  const { $schema: _, ...rules } = (loader.read("behavior", rulesFile) ?? {}) as unknown as {
    readonly $schema: string;
    readonly rules: BehaviorSource["rules"];
  };
  loader.finish();
  const problems: Problem[] = [];
  const known = rules.rules;
  const ids = new Map<string, string>();
  const shown = new Set<string>();
  const scripts: ScriptSource[] = [];
  for (const subject of SUBJECTS)
    for (const file of scriptFiles(join(folder, subject))) {
      const display = relative(root, file).replaceAll("\\", "/");
      const lines = new TextDecoder().decode(readBytes(file, display)).trim().split("\n");
      lines.forEach((line, index) => {
        const place = `${display}:${index + 1}`;
        const document = parse(line, place, problems);
        if (document === undefined) return;
        const found = check("behavior", { $schema: SCHEMA_NAME, script: document }, place);
        problems.push(...found);
        if (found.length > 0) return;
        const script = { ...(document as ScriptSource), subject };
        const id = `${subject}/${script.id}`;
        const report = (message: string, hint: string): void =>
          void problems.push({ file: place, message, hint });
        if (ids.has(id)) report(`${ids.get(id)} has the id "${script.id}" too`, "Rename one.");
        ids.set(id, place);
        if (!Object.hasOwn(known, script.rule))
          report(`there is no rule "${script.rule}"`, "Add it to rules.json.");
        shown.add(script.rule);
        scripts.push(script);
      });
    }
  for (const id of Object.keys(known))
    if (!shown.has(id))
      problems.push({
        file: relative(root, rulesFile).replaceAll("\\", "/"),
        pointer: `/rules/${id}`,
        message: `no script shows the rule "${id}"`,
        hint: "Write one, or remove the rule.",
      });
  if (problems.length > 0) throw new InputError(problems);
  return { rules: known, scripts };
}

const SCHEMA_NAME = "../dialect/behavior.schema.json";

function scriptFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => basename(name).endsWith(".ndjson"))
    .sort()
    .map((name) => join(folder, name));
}

function parse(line: string, place: string, problems: Problem[]): unknown {
  try {
    return parseJson(new TextEncoder().encode(line), place);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}
