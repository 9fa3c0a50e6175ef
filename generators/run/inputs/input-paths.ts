import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { LANGUAGES } from "../../output/languages.js";
import type { GenerateOptions } from "../options.js";
import { includedFiles, isPath } from "./input-files.js";
import { otherFiles } from "./read-documents.js";

/** Where a value has paths: it is one, its items or its members are some, or members have places of their own. */
type Place = "path" | "items" | "members" | { readonly [member: string]: Place };

const TEXTS = { licenseFile: "path", changelog: "path", readme: "path" } as const;

/** Where options have paths. */
const PLACES = {
  out: "path",
  schemaDirectory: "path",
  schema: "path",
  meta: "path",
  methods: "path",
  refs: "members",
  with: "items",
  targets: "items",
  package: TEXTS,
  site: { logo: "path", pages: "path" },
  ...Object.fromEntries(LANGUAGES.map((language) => [language, TEXTS])),
} as const satisfies { readonly [option in keyof GenerateOptions]: Place };

/** Returns options with each path in them changed. */
export function mapPaths(
  options: GenerateOptions,
  change: (path: string) => string,
): GenerateOptions {
  return mapAt(options, PLACES, change) as GenerateOptions;
}

function mapAt(
  value: unknown,
  place: Place | undefined,
  change: (path: string) => string,
): unknown {
  if (value === undefined || place === undefined) return value;
  if (place === "path") return change(value as string);
  if (place === "items")
    return (value as readonly string[]).map((item) => (isPath(item) ? change(item) : item));
  const members = Object.entries(value as object).map(([name, member]) => {
    const inner = place === "members" ? "path" : place[name];
    return [name, mapAt(member, inner, change)] as const;
  });
  return Object.fromEntries(members);
}

/** Returns the input paths of an output, except for those that come with the tool. */
export function inputPaths({ out: _, ...options }: GenerateOptions): string[] {
  const paths = new Set<string>();
  mapPaths(options, (path) => {
    paths.add(path);
    return path;
  });
  const features = (options.with ?? []).filter(isPath);
  return [...paths, ...features.flatMap(includedFiles), ...otherFiles(options)];
}

/** Returns the files at `inputPaths`; those of a folder one by one. */
export function inputFiles(options: GenerateOptions): string[] {
  return inputPaths(options).flatMap((path) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [resolve(path)];
    const names = readdirSync(path, { recursive: true, encoding: "utf8" });
    return names.filter((name) => /\.(json|md)$/.test(name)).map((name) => resolve(path, name));
  });
}

/** Returns a text that changes when a file is written, replaced or removed. */
export function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return [file, stats?.ino, stats?.size, stats?.mtimeMs].join(" ");
}
