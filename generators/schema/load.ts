import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { LIMITS, parseJson } from "./parse-json.js";
import {
  createDialectCheck,
  DOCUMENT_KINDS,
  type DialectCheck,
  type DocumentKind,
} from "./dialect.js";
import { checkProfiles } from "./check-profiles.js";
import type { JsonObject } from "./json.js";
import { toFeature, toProfiles } from "./from-documents.js";
import type { Memo } from "./memo.js";
import { profileNameProblem } from "./profile-name.js";
import { inKeyOrder } from "./key-order.js";
import { InputError, type Problem } from "./problem.js";
import type {
  Definitions,
  FeatureSource,
  MethodSource,
  ModuleSource,
  ProtocolSource,
  Sources,
  Upstream,
} from "./sources.js";

/**
 * Reads the canonical schema: the dialect, the profiles, every protocol
 * version with its base modules and its features.
 *
 * @param directory the `schema/` folder
 * @throws InputError with every problem found: unreadable file, broken JSON, a document that
 *   does not follow the dialect, a profile that names what does not exist. Paths in it are
 *   relative to the parent of `directory`.
 */
export function loadSources(directory: string, memo?: Memo): Sources {
  const loader = createLoader(dirname(resolve(directory)), loadDialect(directory, memo));
  const profilesFile = join(directory, "profiles.json");
  const profiles = loader.read("profiles", profilesFile);
  const protocols = new Map<string, ProtocolSource>();
  for (const name of subfolders(directory)) {
    const file = join(directory, name, "protocol.json");
    if (!existsSync(file)) continue;
    const protocol = loadProtocol(loader, file);
    if (protocol !== undefined) protocols.set(name, protocol);
  }
  const named = toProfiles(profiles);
  for (const name of named.keys()) {
    const problem = profileNameProblem(name);
    if (problem !== undefined) loader.problem(profilesFile, problem, "Rename it.");
  }
  loader.finish();
  const unknown = checkProfiles(loader.display(profilesFile), named, protocols);
  if (unknown.length > 0) throw new InputError(unknown);
  return { protocols, profiles: named };
}

/**
 * Reads a user's own feature file from anywhere.
 *
 * @param directory the `schema/` folder, for its dialect
 * @param root the folder that problems name files relative to
 * @throws InputError with every problem found
 */
export function loadFeature(file: string, directory: string, root: string): FeatureSource {
  const loader = createLoader(root, loadDialect(directory));
  const feature = loadFeatureWith(loader, file);
  loader.finish();
  return feature!;
}

/** Reads documents, and collects every problem before it throws. */
export interface Loader {
  /** Reads and checks one document; a broken one is noted and gives nothing. */
  readonly read: (kind: DocumentKind, file: string) => JsonObject | undefined;
  readonly problem: (file: string, message: string, hint: string) => void;
  /** The path of a file as problems name it. */
  readonly display: (file: string) => string;
  /** Throws everything that was noted. */
  readonly finish: () => void;
}

/** @param root the folder that problems name files relative to */
export function createLoader(root: string, check: DialectCheck): Loader {
  const problems: Problem[] = [];
  const display = (file: string): string => relative(root, resolve(file)).replaceAll("\\", "/");
  // What both versions share is read once.
  const documents = new Map<string, JsonObject | undefined>();
  const readDocument = (kind: DocumentKind, file: string): JsonObject | undefined => {
    try {
      const document = readJson(file, display(file));
      const found = check(kind, document, display(file));
      problems.push(...found);
      return found.length === 0 ? inKeyOrder(document as JsonObject) : undefined;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  return {
    display,
    problem: (file, message, hint) => problems.push({ file: display(file), message, hint }),
    read: (kind, file) => {
      const key = `${kind} ${resolve(file)}`;
      if (!documents.has(key)) documents.set(key, readDocument(kind, file));
      return documents.get(key);
    },
    finish: () => {
      if (problems.length > 0) throw new InputError(problems);
    },
  };
}
/** The check of documents that were read elsewhere, from the dialect's own documents. */
export function loadDialect(directory: string, memo?: Memo): DialectCheck {
  const documents = DOCUMENT_KINDS.map((kind): [DocumentKind, JsonObject] => {
    const file = join(directory, "dialect", `${kind}.schema.json`);
    return [kind, readJson(file, file) as JsonObject];
  });
  return createDialectCheck(new Map(documents), memo);
}

/**
 * Reads one JSON file.
 *
 * @param display how problems name the file
 * @throws InputError when it cannot be read, or is not a document that one could work with
 */
export function readJson(file: string, display: string): unknown {
  return parseJson(readBytes(file, display), display);
}

/** More than nearly every module has. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file, which may be a pipe or a device: of more than may be, only so many that it shows. */
function readBytes(file: string, display: string): Uint8Array {
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    const parts: Uint8Array[] = [];
    for (let length = 0, count = 1; count > 0 && length <= LIMITS.bytes; length += count) {
      const part = Buffer.allocUnsafe(CHUNK_BYTES);
      count = readSync(handle, part);
      parts.push(part.subarray(0, count));
    }
    return Buffer.concat(parts);
  } catch (error) {
    const message = `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    const hint = "Check the path and its permissions.";
    throw new InputError([{ file: display, message, hint }]);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function subfolders(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort();
}

/** Their paths, sorted; none when there is no such folder. */
export function jsonFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(directory, name));
}

function loadProtocol(loader: Loader, file: string): ProtocolSource | undefined {
  const document = loader.read("protocol", file);
  if (document === undefined) return undefined;
  const folder = dirname(file);
  const files = (document["modules"] as readonly string[]).map((path) => join(folder, path));
  for (const found of jsonFiles(join(folder, "base"))) {
    if (!files.includes(found))
      loader.problem(found, "the module is not listed", `List it in ${loader.display(file)}.`);
  }
  const modules = files
    .map((path) => loadModule(loader, path))
    .filter((module) => module !== undefined);
  const features = jsonFiles(join(folder, "features"))
    .map((path) => loadFeatureWith(loader, path))
    .filter((feature) => feature !== undefined);
  const name = document["name"] as string;
  if (name !== basename(folder)) {
    loader.problem(
      file,
      `the version is called "${name}", its folder "${basename(folder)}"`,
      "Make them the same.",
    );
  }
  for (const feature of features) {
    if (feature.protocol !== name) {
      loader.problem(
        join(folder, "features", basename(feature.file)),
        `the feature is for ${feature.protocol}`,
        `Move it there, or make it one of ${name}.`,
      );
    }
    if (features.some((other) => other !== feature && other.name === feature.name)) {
      loader.problem(
        join(folder, "features", basename(feature.file)),
        `another file has the feature "${feature.name}" as well`,
        "Rename one of them.",
      );
    }
  }
  return {
    file: loader.display(file),
    name,
    number: document["number"] as number,
    title: document["title"] as string,
    description: document["description"] as string,
    upstream: document["upstream"] as unknown as Upstream,
    modules,
    features: new Map(features.map((feature) => [feature.name, feature])),
  };
}

function loadModule(loader: Loader, file: string): ModuleSource | undefined {
  const document = loader.read("module", file);
  if (document === undefined) return undefined;
  return {
    file: loader.display(file),
    area: basename(file, ".json"),
    title: document["title"] as string,
    description: document["description"] as string,
    methods: (document["methods"] ?? []) as unknown as readonly MethodSource[],
    definitions: document["$defs"] as Definitions,
  };
}

function loadFeatureWith(loader: Loader, file: string): FeatureSource | undefined {
  const document = loader.read("feature", file);
  if (document === undefined) return undefined;
  const included = ((document["include"] ?? []) as readonly string[])
    .map((path) => loadModule(loader, join(dirname(file), path)))
    .filter((module) => module !== undefined);
  return {
    file: loader.display(file),
    ...toFeature(document),
    modules: [
      ...included,
      { file: loader.display(file), definitions: (document["$defs"] ?? {}) as Definitions },
    ],
  };
}
