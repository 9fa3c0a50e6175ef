import { basename } from "node:path";
import { sha256 } from "../../output/manifest.js";
import { importSchema, type FactsOf } from "../../schema/import/import-schema.js";
import { inItsFile } from "../../schema/import/join-documents.js";
import { normalizeImport, type NormalImport } from "../../schema/import/normalize-import.js";
import { withoutUnfitDefaults } from "../../schema/import/unfit-defaults.js";
import { withoutProblems } from "../../schema/import/without-problems.js";
import { canonicalJson, isObject, type JsonSchema } from "../../schema/json-schema/json.js";
import { findPatternProblem } from "../../schema/json-schema/pattern/find-pattern-problem.js";
import { walk } from "../../schema/json-schema/walk.js";
import { inKeyOrder } from "../../schema/json-schema/key-order.js";
import { loadSources } from "../../schema/source/load-sources.js";
import { methodKey } from "../../schema/source/method-key.js";
import { methodFacts, type MethodFacts, type Sources } from "../../schema/source/sources.js";
import type { Memo } from "../../schema/memo.js";
import { loadDialect, readJson } from "../../schema/source/load.js";
import type { Bundle, BundleMethod } from "../../schema/compose/bundle.js";
import { buildProtocol } from "../../model/build/build.js";
import {
  groupProblems,
  InputError,
  inWritten,
  jsonPointer,
  parsePointer,
  type Problem,
} from "../../schema/problem.js";
import { displayPath, usageError } from "../messages.js";
import type { AllowedCounts, Lost, Selection } from "../options.js";
import { neededSwitches } from "./needed-switches.js";
import { readWithOthers } from "./read-documents.js";
import { findMethodsIn } from "./find-methods-in.js";
import type { Input } from "./input.js";
import { requireDocument, requireFile } from "./input-files.js";

/**
 * Imports a schema in upstream's format.
 *
 * @param directory the folder of the canonical schema, for its dialect and what methods do
 * @throws InputError for a document that is not a schema, or an unknown protocol version; its last
 *   problem names the switches that the schema needs
 */
export function importInput(
  options: Selection,
  path: string,
  directory: string,
  memo?: Memo,
): Input {
  const file = displayPath(requireDocument(path));
  const { document, files } = readWithOthers(path, options.refs);
  const attempt = (selection: Selection): Input =>
    importDocument(document, selection, path, directory, memo);
  try {
    return attempt(options);
  } catch (error) {
    if (!(error instanceof InputError) || error.kind === "usage") throw error;
    const problems = error.problems.map((problem) => inItsFile(problem, files));
    const needed = neededSwitches(file, problems, options, (more) => {
      const { bundle, profile } = attempt({ ...options, ...more });
      buildProtocol(bundle, profile);
    });
    throw new InputError(needed === undefined ? problems : [...problems, needed]);
  }
}

function importDocument(
  document: unknown,
  options: Selection,
  path: string,
  directory: string,
  memo: Memo | undefined,
): Input {
  const file = displayPath(path);
  if (!isObject(document))
    throw new InputError([
      { file, message: "is not a schema", hint: "Give a JSON Schema document." },
    ]);
  const number = versionNumber(options);
  const { rootName } = options;
  const refused: Problem[] = [];
  const {
    document: schema,
    renamed,
    valueNames,
    toWritten,
    ...counted
  } = normalizeImport(
    document,
    (path, message, hint, accepts) =>
      refused.push({
        ...{ file, pointer: jsonPointer(path), message, hint },
        ...(accepts !== undefined && { accepts }),
      }),
    { ...(rootName !== undefined && { given: rootName }), file: basename(path, ".json") },
    options.allow,
    options.allowUnknownKeywords,
  );
  if (schema["$defs"] === undefined)
    throw new InputError([
      {
        file,
        message: "has no definitions",
        hint: "Give a JSON Schema with definitions in $defs, or with a type at its root.",
      },
    ]);
  const problems: Problem[] = [...refused];
  const unfit = loadDialect(directory)("published", schema, file);
  problems.push(...unfit);
  const { sound: given, found } = findMethodsIn(
    inKeyOrder(withoutProblems(schema, unfit)) as JsonSchema,
    file,
    options.methods,
    directory,
  );
  const toPlace = (pointer: string): string => {
    const [defs = "", name = "", ...rest] = parsePointer(pointer);
    const origin = defs === "$defs" ? found?.made.get(name) : undefined;
    return jsonPointer(
      toWritten(origin === undefined ? parsePointer(pointer) : [...origin, ...rest]),
    );
  };
  const { schema: sound, unfit: defaults } = withoutUnfitDefaults(given);
  const bundle = collect(problems, () =>
    importSchema(
      sound,
      {
        file,
        name: basename(path),
        protocol: { name: `v${number}`, number },
        release: "imported",
        // Line ends and the order of keys do not count.
        digest: sha256(canonicalJson(document)),
        allowsPatterns: options.allow?.includes("patterns") ?? false,
        ...(found !== undefined && { found: found.methods }),
        factsOf: knownFacts(() => loadSources(directory, memo), number),
      },
      problems,
    ),
  );
  const located = [
    ...refused,
    ...problems.slice(refused.length).map((problem) => inWritten(problem, toPlace)),
  ];
  if (bundle === undefined) throw new InputError(groupProblems(located));
  const profile = {
    name: options.name ?? `v${number}`,
    title: `${bundle.protocol.title} (imported)`,
    description: bundle.protocol.description,
  };
  const protocol = { ...bundle.protocol, partNames: valueNames };
  const imported = { ...bundle, protocol, toWritten: toPlace };
  if (located.length > 0) throw new InputError(withModelProblems(located, imported, profile));
  if (options.meta !== undefined) checkMeta(options.meta, bundle.methods);
  const allowed = allowedCounts(bundle, counted, options.allow);
  const { unchecked, siblings } = counted;
  const isRead = options.allow?.includes("ref-siblings") === true;
  const lost: Lost = {
    ...(Object.keys(unchecked).length > 0 && { unchecked }),
    ...(defaults.length > 0 && { defaults: defaults.map((path) => toPlace(jsonPointer(path))) }),
    ...(siblings > 0 && !isRead && { siblings }),
  };
  return {
    ...{ bundle: imported, profile, renamed },
    ...(Object.keys(lost).length > 0 && { lost }),
    ...(allowed !== undefined && { allowed }),
    ...(found !== undefined && { undecided: found.undecided }),
  };
}

/** Adds the problems of building the model of a schema that are at other places than those that are known. */
function withModelProblems(
  located: readonly Problem[],
  bundle: Bundle,
  profile: Input["profile"],
): readonly Problem[] {
  const model: Problem[] = [];
  collect(model, () => buildProtocol(bundle, profile));
  const isKnown = ({ pointer = "" }: Problem): boolean =>
    // A name is reported at all definitions.
    located.some(
      ({ pointer: known = "" }) =>
        known.lastIndexOf("/") > 0 && `${pointer}/`.startsWith(`${known}/`),
    );
  return groupProblems([...located, ...model.filter((problem) => !isKnown(problem))]);
}

/** Counts the forms that were allowed; undefined without any. */
function allowedCounts(
  { definitions }: Bundle,
  {
    closed,
    tuples,
    implied,
    siblings,
  }: Omit<NormalImport, "document" | "renamed" | "valueNames" | "toWritten">,
  allow: Selection["allow"],
): AllowedCounts | undefined {
  let patterns = 0;
  for (const { schema } of definitions.values())
    walk(schema, ({ pattern, patternProperties = {} }) => {
      const all = [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties)];
      patterns += all.filter((one) => findPatternProblem(one) !== undefined).length;
    });
  const read = allow?.includes("ref-siblings") === true ? siblings : 0;
  if (closed + tuples + patterns + implied + read === 0) return undefined;
  const form = allow?.includes("opened-objects") ? "opened-objects" : "closed-objects";
  return {
    ...(closed > 0 && { [form]: closed }),
    ...(tuples > 0 && { "opened-tuples": tuples }),
    ...(patterns > 0 && { patterns }),
    ...(implied > 0 && { "implied-types": implied }),
    ...(read > 0 && { "ref-siblings": read }),
  };
}

/**
 * Returns what the methods of the canonical schema do, which a published schema does not say. For
 * a version that we do not have, the last one counts.
 *
 * @param load loads the canonical schema, which a document without methods does not need
 */
function knownFacts(load: () => Sources, number: number): FactsOf {
  let known: ReadonlyMap<string, MethodFacts> | undefined;
  return (method) => (known ??= factsByKey(load(), number)).get(methodKey(method)) ?? {};
}

function factsByKey({ protocols }: Sources, number: number): ReadonlyMap<string, MethodFacts> {
  const all = [...protocols.values()].sort((a, b) => a.number - b.number);
  const protocol = all.find((one) => one.number === number) ?? all.at(-1);
  return new Map(
    [...(protocol?.modules ?? []), ...(protocol?.features.values() ?? [])].flatMap(({ methods }) =>
      methods.map((method) => [methodKey(method), methodFacts(method)] as const),
    ),
  );
}

/**
 * Runs a stage of the import. Parts that earlier stages have refused may fail in later ones in any
 * way, but other problems are worth reporting at once.
 */
function collect<T>(problems: Problem[], stage: () => T): T | undefined {
  try {
    return stage();
  } catch (error) {
    const isKnown = problems.length > 0;
    if (error instanceof InputError) problems.push(...error.problems);
    else if (!isKnown) throw error;
    return undefined;
  }
}

/**
 * Compares the methods of a `meta.json` with those of its schema.
 *
 * @throws InputError for a file of another version or surface
 */
function checkMeta(path: string, methods: readonly BundleMethod[]): void {
  const file = displayPath(path);
  const meta = readJson(path, file);
  if (!isObject(meta) || methods.length === 0) return;
  const groups = Object.values(meta)
    .filter(isObject)
    .flatMap((group) => Object.values(group));
  const listed = new Set(groups.filter((name) => typeof name === "string"));
  if (listed.size === 0) return;
  const missing = methods.find(({ name }) => !listed.has(name));
  const known = new Set(methods.map(({ name }) => name));
  const other = [...listed].find((name) => !known.has(name));
  const strange = missing?.name ?? other;
  if (strange === undefined) return;
  const where = missing === undefined ? "the schema has no method" : "does not list the method";
  throw new InputError([
    {
      file,
      message: `${where} "${strange}": the two files are not of the same release`,
      hint: "Give the meta.json that was published with the schema.",
    },
  ]);
}

function versionNumber(options: Selection): number {
  if (options.meta !== undefined) {
    const file = displayPath(requireFile(options.meta));
    const meta = readJson(options.meta, file);
    const version = isObject(meta) ? meta["version"] : undefined;
    if (typeof version === "number" && Number.isInteger(version)) {
      if (options.protocol === undefined || options.protocol === `v${version}`) return version;
      throw usageError(
        `--protocol ${options.protocol} and ${file} (version ${version}) disagree`,
        "Remove one of them.",
      );
    }
    throw new InputError([
      {
        file,
        pointer: "/version",
        message: "the protocol version is missing",
        hint: "Give an integer.",
      },
    ]);
  }
  const match = /^v([1-9][0-9]*)$/.exec(options.protocol ?? "");
  if (match !== null) return Number(match[1]);
  if (options.protocol !== undefined)
    throw usageError(
      `--protocol ${options.protocol} is not a version of a protocol`,
      "Write v and its number, for example v1.",
    );
  throw usageError("--protocol or --meta is required with --schema", "Add --protocol, e.g. v1.");
}
