import type { Bundle, BundleDefinition, BundleMethod } from "../compose/bundle.js";
import { checkDefinitions } from "../check/check-definitions.js";
import type { JsonSchema } from "../json-schema/json.js";
import { DERIVED_KEYWORDS, KEYWORDS } from "../json-schema/keywords.js";
import { jsonPointer, nearest, shellWord, type Problem } from "../problem.js";
import { referencedName } from "../json-schema/references.js";
import type { MethodFacts, MethodKind, MethodSide } from "../source/sources.js";
import type { FoundMethod } from "./find-methods.js";
import { CONSTRAINTS } from "./ignored-keywords.js";
import { mapSchema, walk, type Path } from "../json-schema/walk.js";

export interface ImportOptions {
  /** The name of the file in problems. */
  readonly file: string;
  /** The name in the output, independent of the file's location. */
  readonly name: string;
  /** The protocol version it is of. */
  readonly protocol: { readonly name: string; readonly number: number };
  /** Names the release it came from. */
  readonly release: string;
  /** SHA-256 of the file. */
  readonly digest: string;
  /** Whether patterns of any form are right. */
  readonly allowsPatterns: boolean;
  /** Returns what a known method does; nothing for others. */
  readonly factsOf?: FactsOf;
  /** The methods that messages name by constants, in a schema that marks none. */
  readonly found?: readonly FoundMethod[];
}

/** Returns the facts of a method by its key. */
export type FactsOf = (method: Pick<BundleMethod, "name" | "side" | "kind">) => MethodFacts;

/**
 * Builds a bundle from a schema in the published format: one document, methods marked with `x-side`
 * and `x-method`, or found by their messages. Gates and examples, which that format lacks, are unknown in the bundle; what
 * methods do is taken from `factsOf`.
 *
 * @param schema a document of the right form: the dialect has found nothing
 * @param problems gets every unknown keyword, dangling reference and incomplete or doubled method;
 *   with any, the bundle serves only to find more
 */
export function importSchema(
  schema: JsonSchema,
  options: ImportOptions,
  problems: Problem[],
): Bundle {
  const { $defs = {}, $schema: _, ...root } = schema;
  const definitions = new Map<string, BundleDefinition>();
  for (const [name, definition] of Object.entries($defs)) {
    const area = definition["x-docs-ignore"] ? "envelopes" : "definitions";
    definitions.set(name, { name, schema: withoutUnknown(definition), file: options.file, area });
  }
  checkKeywords(schema, options, problems);
  walk(root, (part, path) => {
    const target = referencedName(part);
    if (target === undefined || definitions.has(target)) return;
    const message = `unknown definition "${target}"`;
    problems.push({
      file: options.file,
      pointer: jsonPointer([...path, "$ref"]),
      message,
      hint: "Add it.",
    });
  });
  const { found, allowsPatterns } = options;
  const methods =
    found === undefined
      ? importMethods(definitions, options, problems)
      : found.map((method) => toBundleMethod(method, options));
  // Nothing is derived from methods that were found: their messages have any names.
  checkDefinitions(definitions, found === undefined ? methods : [], problems, [], allowsPatterns);
  return {
    protocol: {
      ...options.protocol,
      title: schema.title ?? options.name,
      description: schema.description ?? `Imported from ${options.name}.`,
      publishes: ["x-state", "x-scope"],
      upstream: {
        crate: options.name,
        release: options.release,
        digests: { [options.name]: options.digest },
      },
    },
    features: [],
    areas: [
      {
        name: "definitions",
        title: "Definitions",
        description: "Everything that the imported schema defines.",
      },
      {
        name: "envelopes",
        title: "Message envelopes",
        description: "The JSON-RPC messages that carry the methods.",
      },
    ],
    definitions,
    methods,
    root: withoutUnknown(root),
  };
}

/** Drops the extensions of other tools. */
function withoutUnknown(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) =>
    Object.fromEntries(Object.entries(part).filter(([keyword]) => KNOWN.has(keyword))),
  );
}

/** Keywords that a published schema may have. */
const KNOWN = new Set(
  Object.entries({ ...KEYWORDS, ...DERIVED_KEYWORDS })
    .filter(([keyword, role]) => role !== "source" && keyword !== "propertyNames")
    .map(([keyword]) => keyword),
);

/** Notes keywords that the dialect does not know. */
function checkKeywords(schema: JsonSchema, options: ImportOptions, problems: Problem[]): void {
  const visit = (part: JsonSchema, path: Path): void => {
    for (const keyword of Object.keys(part)) {
      if (KNOWN.has(keyword)) continue;
      const near = CONSTRAINTS.has(keyword) ? undefined : nearest(keyword, KNOWN);
      // An extension of a generator of schemas, unless it is one of ours with a typo.
      if (keyword.startsWith("x-") && near === undefined) continue;
      problems.push({
        file: options.file,
        pointer: jsonPointer([...path, keyword]),
        message: `unknown keyword "${keyword}"`,
        hint:
          (near === undefined ? "" : `Did you mean "${near}"? `) +
          `If it may be ignored: --allow-unknown-keywords ${shellWord(keyword)}.`,
        accepts: { ignore: keyword },
      });
    }
  };
  const { $defs = {}, $schema: _, ...root } = schema;
  for (const [name, definition] of Object.entries($defs)) walk(definition, visit, ["$defs", name]);
  walk(root, visit);
}

/** The annotations that identify a definition as a part of a method's messages. */
const ROLES: readonly {
  readonly suffix: string;
  readonly kind: MethodKind;
  readonly part: "params" | "result";
}[] = [
  { suffix: "Request", kind: "request", part: "params" },
  { suffix: "Response", kind: "request", part: "result" },
  { suffix: "Notification", kind: "notification", part: "params" },
];

const BOTH: readonly MethodSide[] = ["agent", "client"];

function importMethods(
  definitions: ReadonlyMap<string, BundleDefinition>,
  { file, factsOf = () => ({}) }: Pick<ImportOptions, "file" | "factsOf">,
  problems: Problem[],
): BundleMethod[] {
  const found = new Map<
    string,
    {
      readonly side: MethodSide;
      readonly kind: MethodKind;
      readonly name: string;
      params?: string;
      result?: string;
    }
  >();
  for (const [name, { schema }] of definitions) {
    const role = ROLES.find(({ suffix }) => name.endsWith(suffix));
    const method = schema["x-method"];
    const side = schema["x-side"] as MethodSide | "both" | undefined;
    if (method === undefined || side === undefined) continue;
    if (role === undefined) {
      problems.push({
        file,
        pointer: jsonPointer(["$defs", name]),
        message: `"${name}" belongs to the method "${method}", but its name does not end in a kind of message`,
        hint: "End it in Request, Response or Notification.",
      });
      continue;
    }
    // Releases of 2026 had one definition for a method that both sides handle.
    for (const one of side === "both" ? BOTH : [side]) {
      const key = `${one} ${role.kind} ${method}`;
      const entry = found.get(key) ?? { side: one, kind: role.kind, name: method };
      if (entry[role.part] !== undefined) {
        problems.push({
          file,
          pointer: jsonPointer(["$defs", name]),
          message: `"${entry[role.part]}" and "${name}" are both the ${role.part} of the ${role.kind} "${method}"`,
          hint: "Keep one of them.",
        });
      }
      entry[role.part] = name;
      found.set(key, entry);
    }
  }
  const texts = methodTexts(definitions);
  return [...found.values()].flatMap(({ params, ...method }): BundleMethod[] => {
    if (params === undefined) {
      problems.push({
        file,
        message: `the method "${method.name}" has a result but no params`,
        hint: "Add its request.",
      });
      return [];
    }
    const description = texts.get(params) ?? definitions.get(params)?.schema.description ?? "";
    const pointer = jsonPointer(["$defs", params]);
    const area = "definitions";
    return [
      {
        ...method,
        params,
        ...factsOf(method),
        summary: firstSentence(description),
        description,
        examples: [],
        area,
        file,
        pointer,
      },
    ];
  });
}

function toBundleMethod(method: FoundMethod, { file }: ImportOptions): BundleMethod {
  const { path, description = "", ...facts } = method;
  return {
    ...facts,
    summary: firstSentence(description),
    description,
    examples: [],
    area: "definitions",
    file,
    pointer: jsonPointer(path),
  };
}

/** Returns the descriptions of payloads in the envelope unions: the published prose of the methods. */
function methodTexts(
  definitions: ReadonlyMap<string, BundleDefinition>,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { schema } of definitions.values()) {
    if (!schema["x-docs-ignore"]) continue;
    walk(schema, ({ title, description, allOf }) => {
      const target = allOf?.[0] && referencedName(allOf[0]);
      if (target !== undefined && title === target && description) texts.set(target, description);
    });
  }
  return texts;
}

function firstSentence(text: string): string {
  const [sentence = ""] = text.split(/(?<=[.!?])\s|\n\n/);
  return sentence.length > 100 ? `${sentence.slice(0, 99)}…` : sentence;
}
