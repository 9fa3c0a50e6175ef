import { join } from "node:path";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import type { MethodDescriptor } from "../../../templates/typescript/runtime/methods.js";
import { ROOT } from "../../support/paths.js";
import { readLines } from "../../support/read-lines.js";

/** One row of the list of gates that was made from the protocol's own documents. */
export interface GateRow {
  readonly protocol: "v1" | "v2" | "nes";
  readonly target: {
    readonly kind: string;
    readonly method?: string;
    readonly messageKind?: string;
    readonly handledBy?: string;
    /** The definition that has the property, value or, as `union`, the variant. */
    readonly def?: string;
    readonly union?: string;
    readonly property?: string;
    readonly tag?: string;
    readonly value?: string;
    readonly path?: string;
    readonly when?: string;
  };
  readonly requires: {
    readonly side: "agent" | "client" | "session-data";
    readonly path: string;
    readonly test: string;
  } | null;
  readonly strength: string;
}

export const ROWS: readonly GateRow[] = readLines(
  join(ROOT, "test/fixtures/capability-gates.ndjson"),
);

/** Checks whether the schema of a release has the method, property, variant, value or capability of a row. */
export function isOfRelease({ target }: GateRow, { $defs = {} }: JsonSchema): boolean {
  const { method, def, union = def, property, value, path } = target;
  const text = JSON.stringify(union === undefined ? $defs : ($defs[union] ?? {}));
  const names = [method, property, value, path?.split(".").at(-1)];
  return names.every((name) => name === undefined || text.includes(`"${name}"`));
}

/** A row in a few words, as keys and titles of tests. */
export function nameOf({ protocol, target }: GateRow): string {
  const { kind, method, messageKind, union, tag, value, def, property, path, when } = target;
  const what =
    method !== undefined
      ? `${method} ${messageKind}`
      : union !== undefined
        ? `${union}[${tag}=${value}]`
        : [def ?? path, property ?? value].filter((part) => part !== undefined).join(".");
  return `${protocol} ${kind} ${what}${when === undefined ? "" : ` (${when})`}`;
}

/** A message with a value in it, and the method that carries it. */
export interface Holder {
  readonly method: MethodDescriptor;
  readonly part: "params" | "result";
  readonly message: unknown;
}

type Wrap = (value: object | string) => object | string;

const OPENING = ["session/new", "session/load", "session/resume", "session/fork"];
const update: Wrap = (value) => ({ sessionId: "s", update: value });
const inUpdate =
  (sessionUpdate: string, more: (value: object | string) => object): Wrap =>
  (value) =>
    update({ sessionUpdate, ...more(value) });

/** Where definitions stand in messages; written by hand, for the tables to be checked against. */
const PLACES: { readonly [definition: string]: readonly (readonly [string, string, Wrap])[] } = {
  SessionUpdate: [["session/update", "params", update]],
  McpServer: OPENING.map((name) => [name, "params", (value) => ({ mcpServers: [value] })]),
  ContentBlock: [["session/prompt", "params", (value) => ({ prompt: [value] })]],
  AuthMethod: [["initialize", "result", (value) => ({ authMethods: [value] })]],
  SessionConfigOption: [
    ...[...OPENING, "session/set_config_option"].map(
      (name) => [name, "result", (value: object | string) => ({ configOptions: [value] })] as const,
    ),
    [
      "session/update",
      "params",
      inUpdate("config_option_update", (value) => ({ configOptions: [value] })),
    ],
  ],
  SetSessionConfigOptionRequest: [["session/set_config_option", "params", (value) => value]],
  CreateElicitationRequest: [["elicitation/create", "params", (value) => value]],
  ToolCallContent: [
    ["session/update", "params", inUpdate("tool_call", (value) => ({ content: [value] }))],
    ["session/update", "params", inUpdate("tool_call_update", (value) => ({ content: [value] }))],
    ["session/request_permission", "params", (value) => ({ toolCall: { content: [value] } })],
  ],
  PlanUpdateContent: [
    ["session/update", "params", inUpdate("plan_update", (value) => ({ plan: value }))],
  ],
  IdleStateUpdate: [
    [
      "session/update",
      "params",
      (value) => update({ sessionUpdate: "state_update", state: "idle", ...(value as object) }),
    ],
  ],
  NesSuggestion: [["nes/suggest", "result", (value) => ({ suggestions: [value] })]],
  NesSuggestContext: [["nes/suggest", "params", (value) => ({ context: value })]],
  SystemPromptMode: OPENING.map((name) => [
    name,
    "params",
    (mode) => ({ systemPrompt: { text: "", mode } }),
  ]),
};

/** Every message that can hold what a row is about: a variant, a field or a value. */
export function holdersOf(row: GateRow, methods: readonly MethodDescriptor[]): Holder[] {
  const { kind, union, tag, def, property, value } = row.target;
  const held: object | string =
    kind === "variant" ? { [tag!]: value } : kind === "enumValue" ? value! : { [property!]: "x" };
  const whole = methods.flatMap((method) =>
    (["params", "result"] as const)
      .filter((part) => method[part] === (union ?? def))
      .map((part) => ({ method, part, message: held })),
  );
  const inside = (PLACES[(union ?? def)!] ?? []).flatMap(([name, part, wrap]) =>
    methods
      .filter((method) => method.name === name && method[part as Holder["part"]] !== undefined)
      .map((method) => ({ method, part: part as Holder["part"], message: wrap(held) })),
  );
  return union === "SetSessionConfigOptionRequest" || union === "CreateElicitationRequest"
    ? inside
    : [...whole, ...inside];
}

/** An initialize message that has a value at a path. */
export function advertisement(path: string, value: unknown): object {
  return path
    .split(".")
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}
