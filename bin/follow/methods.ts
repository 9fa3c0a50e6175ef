import { posix } from "node:path";
import {
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../../generators/schema/json-schema/json.js";
import { importSchema } from "../../generators/schema/import/import-schema.js";
import { placeAfter } from "../../generators/schema/compose/place-after.js";
import { methodKey } from "../../generators/schema/source/method-key.js";
import type { BundleMethod } from "../../generators/schema/compose/bundle.js";
import type { MethodSource } from "../../generators/schema/source/sources.js";
import { walk } from "../../generators/schema/json-schema/walk.js";
import { like, withEntries, type Documents } from "./documents.js";
import { UNWRITTEN } from "../../generators/schema/lint/rules/documented.js";
import { inDocumentOrder, type FollowedVersion } from "./lay-out.js";
import { featurePath, referencesIn } from "./present.js";

/** Returns the methods of a published schema, in the order of its envelopes. */
export function readMethods(schema: JsonSchema, version: string): readonly BundleMethod[] {
  const protocol = { name: version, number: Number(version.slice(1)) };
  const form = { release: "", digest: "", allowedKeywords: [], allowsPatterns: true };
  const { methods } = importSchema(schema, { file: version, name: version, protocol, ...form }, []);
  const order: string[] = [];
  for (const definition of Object.values(schema.$defs ?? {}))
    if (definition["x-docs-ignore"])
      walk(definition, (part) => {
        if (part.title !== undefined) order.push(...referencesIn(part.allOf ?? []));
      });
  return methods.toSorted((a, b) => order.indexOf(a.params) - order.indexOf(b.params));
}

/** Puts the methods of a release beside the definitions of their params, and removes all others. */
export function layOutMethods(
  documents: Documents,
  { present, owners }: FollowedVersion,
  methods: readonly BundleMethod[],
): void {
  const wanted = new Map(methods.map((method) => [methodKey(method), method]));
  const featureOf = ({ params }: BundleMethod): string => owners.definitions.get(params) ?? "";
  const known = new Map<string, JsonObject>();
  const placed = new Map<string, JsonObject[]>();
  for (const [path, feature] of present.methods) {
    const all = (documents.get(path)?.["methods"] ?? []) as unknown as (MethodSource &
      JsonObject)[];
    const kept = all.flatMap((entry) => {
      const method = wanted.get(methodKey(entry));
      if (method === undefined) return [];
      const { params, result } = method;
      const { after, ...rest } = entry;
      const before = after?.filter((name) => methods.some((one) => one.name === name)) ?? [];
      const now = {
        ...(before.length === (after?.length ?? 0) ? entry : rest),
        ...{ params, ...(result !== undefined && { result }) },
        ...(before.length > 0 && { after: before }),
      };
      known.set(methodKey(entry), like(entry, now) as unknown as JsonObject);
      return featureOf(method) === feature ? [known.get(methodKey(entry))!] : [];
    });
    placed.set(path, kept);
  }
  const isPlaced = new Set([...placed.values()].flat());
  for (const [key, method] of wanted) {
    const entry = known.get(key);
    if (entry !== undefined && isPlaced.has(entry)) continue;
    const path = pathOf(documents, present.version, method, featureOf(method));
    const { after: _, ...moved } = entry ?? newMethod(method);
    placed.set(path, [...(placed.get(path) ?? []), like(entry, moved)]);
  }
  order(present.version, placed, methods, new Set(known.keys()));
  for (const [path, all] of placed) {
    const document = documents.get(path);
    if (document === undefined || (all.length === 0 && !("methods" in document))) continue;
    const { methods: _, ...rest } = document;
    const entries = new Map<string, Json>(Object.entries(rest));
    documents.set(
      path,
      inDocumentOrder(document, all.length > 0 ? entries.set("methods", all) : entries),
    );
  }
}

function pathOf(
  documents: Documents,
  version: string,
  { params }: BundleMethod,
  feature: string,
): string {
  if (feature !== "") return featurePath(version, feature);
  const { modules } = documents.get(`${version}/protocol.json`) as unknown as { modules: string[] };
  const paths = modules.map((path) => posix.join(version, path));
  const path = paths.find(
    (one) => params in ((documents.get(one)?.["$defs"] ?? {}) as JsonObject),
  )!;
  return path.replace("shared/", `${version}/base/`);
}

function newMethod({ name, side, kind, params, result }: BundleMethod): JsonObject {
  return {
    ...{ name, side, kind, params },
    ...(result !== undefined && { result }),
    ...{ gate: { always: "ungated" }, summary: UNWRITTEN, description: UNWRITTEN },
    examples: [{ title: UNWRITTEN, params: {}, ...(result !== undefined && { result: {} }) }],
  };
}

/** Says of new methods after which others they stand, where the order of the documents differs. */
function order(
  version: string,
  placed: ReadonlyMap<string, JsonObject[]>,
  methods: readonly BundleMethod[],
  known: ReadonlySet<string>,
): void {
  const isFeature = (path: string): boolean => path.startsWith(`${version}/features/`);
  const base = [...placed].filter(([path]) => !isFeature(path));
  const features = [...placed]
    .filter(([path]) => isFeature(path))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  for (const { side, kind } of methods) {
    const published = methods
      .filter((one) => one.side === side && one.kind === kind)
      .map(({ name }) => name);
    const ours = (): JsonObject[] =>
      placeAfter(
        [...base, ...features].flatMap(([, all]) => all),
        (one) => one["name"] as string,
        (one) => one["after"] as string[] | undefined,
      ).filter((one) => one["side"] === side && one["kind"] === kind);
    const isRight = (): boolean => ours().every((one, index) => one["name"] === published[index]);
    for (const isNew of [true, false]) {
      if (isRight()) break;
      const inBase = new Set(base.flatMap(([, all]) => all.map(({ name }) => name)));
      for (const [, all] of [...base, ...features])
        for (const [index, one] of all.entries()) {
          const isOther = one["side"] !== side || one["kind"] !== kind;
          if (isOther || (isNew && known.has(methodKey(one as unknown as MethodSource)))) continue;
          const name = one["name"] as string;
          const after = predecessors(published, name, (other) => inBase.has(other));
          if (after.length > 0) all[index] = like(one, { ...one, after });
        }
    }
  }
}

/** Returns the names before one, back to the nearest that is always there. */
export function predecessors(
  names: readonly string[],
  name: string,
  isAlways: (name: string) => boolean,
): readonly string[] {
  const before = names.slice(0, names.indexOf(name));
  const from = before.findLastIndex(isAlways);
  return before.slice(Math.max(from, 0));
}

/**
 * Removes what the site says of methods that no longer exist.
 *
 * @param names the methods of the release
 */
export function forgetMethods(
  documents: Documents,
  versions: readonly FollowedVersion[],
  names: ReadonlySet<string>,
): void {
  const known = versions.flatMap(({ present }) =>
    [...present.methods.keys()].flatMap((path) => {
      const methods = documents.get(path)!["methods"] as unknown as MethodSource[] | undefined;
      return (methods ?? []).map(({ name }) => name);
    }),
  );
  const removed = new Set(known.filter((name) => !names.has(name)));
  for (const part of ["after", "errors"]) {
    const path = `docs/${part}.json`;
    const document = documents.get(path)!;
    const texts = document[part] as JsonObject;
    const kept = Object.entries(texts).filter(([name]) => !removed.has(name));
    const entries = Object.entries({ ...document, [part]: withEntries(texts, new Map(kept)) });
    documents.set(path, withEntries(document, new Map(entries)));
  }
}
