import { IS_DEEP } from "../../support/deep.js";
import { readFileSync } from "node:fs";
import { METHODS } from "acp-bindings/v1";
import type { Json, JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { ROOT } from "../../support/paths.js";
import { createFits } from "../../use/values/complete.js";
import { KEYS, makeValue } from "../../use/samples/make-value.js";
import { createMutate } from "../../use/samples/mutate-value.js";
import { createRandom } from "../../use/samples/random.js";
import { facts } from "../facts.js";
import type { Side } from "../transcript.js";
import { readReference } from "../../reference/reference.js";

export const MUTATIONS = IS_DEEP ? 50 : 15;
const VALID = 10;
/** The listed values of unions and enumerations that stay open, and of closed ones under the same property. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  action: ["accept", "decline", "cancel"],
  category: ["mode", "model", "model_config", "thought_level"],
  severity: ["info", "warning", "error"],
  status: ["pending", "in_progress", "completed", "failed", "cancelled"],
};

/** The capabilities of the agent; see the facts of the conversation. */
const OFFERED = facts.authMethods[0]!.id;

/** One method with what may and what may not be its params and its result. */
export interface MethodValues {
  readonly side: Side;
  readonly kind: "request" | "notification";
  readonly name: string;
  readonly params: Values;
  /** Requests only. */
  readonly result?: Values;
}

/** Values of one definition. */
export interface Values {
  readonly definition: string;
  readonly valid: readonly Json[];
  /** Valid ones without undeclared properties. */
  readonly declared: readonly Json[];
  readonly invalid: readonly Json[];
}

/** Plain ajv on the schema as it is published. */
const fits = createFits(readReference("v1"));

export function isValid(definition: string, value: unknown): boolean {
  return fits(`/$defs/${definition}`, value);
}

/** Every method of both sides beside the handshake, with values from fixed seeds. */
export function makeMethodValues(): MethodValues[] {
  const bundle = JSON.parse(readFileSync(`${ROOT}out/schema/v1.schema.json`, "utf8")) as JsonSchema;
  const mutate = createMutate(bundle);

  const valuesOf = (definition: string): Values => {
    const random = createRandom(definition);
    const make = (): Json => withOffer(makeValue(definition, bundle, random));
    const isUsable = (value: Json): boolean => isValid(definition, value) && isOffered(value);
    const valid = collect(VALID, make, isUsable);
    const declared = collect(VALID, make, (value) => isUsable(value) && isDeclared(value));
    const invalid = collect(
      MUTATIONS,
      () => mutate(random.pick(valid), random),
      (value) => !isValid(definition, value),
    );
    return { definition, valid, declared, invalid };
  };

  return METHODS.filter(({ side, name }) => side !== "protocol" && name !== "initialize").map(
    ({ side, kind, name, params, ...method }) => ({
      side: side as Side,
      kind,
      name,
      params: valuesOf(params),
      ...("result" in method && { result: valuesOf(method.result) }),
    }),
  );
}

/**
 * The first values that are wanted.
 *
 * @throws Error when hardly any is
 */
function collect(count: number, make: () => Json, isWanted: (value: Json) => boolean): Json[] {
  const found = new Map<string, Json>();
  for (let tries = 0; found.size < count && tries < 5_000; tries++) {
    // As it arrives: JSON has no negative zero.
    const value = JSON.parse(JSON.stringify(make())) as Json;
    if (isWanted(value)) found.set(JSON.stringify(value), value);
  }
  if (found.size === 0) throw new Error("no such value is made");
  return [...found.values()];
}

/** Whether all properties and variants are described, judging by the odd names that were inserted. */
function isDeclared(value: Json): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, part]: [string, Json]) => {
    if (key === "_meta") return true;
    if (typeof part === "string" && Object.hasOwn(OPEN, key)) return OPEN[key]!.includes(part);
    return !(KEYS as readonly string[]).includes(key) && isDeclared(part);
  });
}

/**
 * Makes a value that keeps the rules beside the schema: paths are absolute, the way to log in is
 * one that the agent offers, and the value of an option is one of its choices. Modes and options
 * are chosen in a session that nobody has opened: of another one it is known what it offers.
 */
function withOffer(made: Json): Json {
  if (!isObject(made)) return made;
  const value: { [key: string]: Json } = { ...made };
  for (const key of ["cwd", "path"])
    if (typeof value[key] === "string") value[key] = `/${value[key]}`;
  const { additionalDirectories: folders, configOptions: options } = made;
  if (Array.isArray(folders)) value["additionalDirectories"] = folders.map((path) => `/${path}`);
  if (Array.isArray(options)) value["configOptions"] = options.map(withChoice);
  if ("methodId" in value) value["methodId"] = OFFERED;
  if ("modeId" in value || "configId" in value)
    value["sessionId"] = `unopened ${JSON.stringify(made)}`;
  return value;
}

/** Adds the current value of an option to its choices, or to its groups of choices. */
function withChoice(option: Json): Json {
  if (!isObject(option) || !Array.isArray(option["options"])) return option;
  const { currentValue, options } = option;
  const choice = { value: currentValue!, name: "current" };
  const isGrouped = options.some((other) => isObject(other) && "group" in other);
  const added = isGrouped ? { group: "current", name: "current", options: [choice] } : choice;
  return { ...option, options: [...options, added] };
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An elicitation of a mode that nobody has offered is refused for that. */
function isOffered(value: Json): boolean {
  const { mode = "form" } = (value ?? {}) as { mode?: Json };
  return mode === "form" || mode === "url";
}
