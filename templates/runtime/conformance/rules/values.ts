import { BOTH, onKinds, V2, type Finding, type Rule } from "./rule.js";
import type { Step } from "../step.js";
import { findAll, toPatterns, type Found, type Patterns } from "../patterns.js";
import { at, list, repeated, show } from "../select.js";
import { isSelect, optionId, valuesOf } from "../config.js";

const FOLDERS = ["params/cwd", "params/additionalDirectories/*", "params/mcpServers/*/command"];
const TOOL_CALL = [
  "content/*/path",
  "content/*/oldPath",
  "content/*/changes/*/path",
  "content/*/changes/*/oldPath",
  "locations/*/path",
];

/** Where the messages of a method have paths of files; of results and of params. */
const PATHS = /* @__PURE__ */ placesOf({
  "session/new": FOLDERS,
  "session/load": FOLDERS,
  "session/resume": FOLDERS,
  "session/fork": FOLDERS,
  "session/list": [
    "params/cwd",
    "result/sessions/*/cwd",
    "result/sessions/*/additionalDirectories/*",
  ],
  "fs/read_text_file": ["params/path"],
  "fs/write_text_file": ["params/path"],
  "terminal/create": ["params/cwd"],
  "session/update": [
    "params/update/cwd",
    "params/update/additionalDirectories/*",
    "params/update/content/changes/*/path",
    "params/update/content/changes/*/oldPath",
    ...TOOL_CALL.map((path) => `params/update/${path}`),
  ],
  "session/request_permission": [
    "params/subject/cwd",
    ...TOOL_CALL.map((path) => `params/toolCall/${path}`),
    ...TOOL_CALL.map((path) => `params/subject/toolCall/${path}`),
  ],
});

const LINES = /* @__PURE__ */ placesOf({
  "fs/read_text_file": ["params/line"],
  "session/update": ["params/update/locations/*/line"],
  "session/request_permission": [
    "params/toolCall/locations/*/line",
    "params/subject/toolCall/locations/*/line",
  ],
});

/** The kinds of messages whose values are checked. */
const VALUED = ["request", "notification", "result"] as const;

/** Where to look in the messages of a method. */
type Places = ReadonlyMap<string, Patterns>;

function placesOf(patterns: { readonly [method: string]: readonly string[] }): Places {
  return new Map(Object.entries(patterns).map(([method, list]) => [method, toPatterns(list)]));
}

/** The values of a message in the places of its method. */
function valuesAt({ message, method, update }: Step, places: Places): readonly Found[] {
  const patterns = update.startsWith("_") ? undefined : places.get(method);
  return patterns === undefined ? [] : findAll(patterns, message);
}

/** Where messages have configuration options. */
const OPTIONS = /* @__PURE__ */ toPatterns(["result/configOptions", "params/update/configOptions"]);

/** Rules of values that a schema cannot express. */
export const VALUE_RULES: readonly Rule[] = [
  {
    id: "absolute-paths",
    source: "protocol overview, argument requirements; AbsolutePath in version 2",
    level: "error",
    versions: BOTH,
    check: onKinds(VALUED, function* (step) {
      for (const { value, path } of valuesAt(step, PATHS))
        if (typeof value === "string" && !/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(value))
          yield { message: `${show(value)} is not an absolute path`, path };
    }),
  },
  {
    id: "one-based-lines",
    source: "protocol overview, argument requirements",
    level: "error",
    versions: BOTH,
    check: onKinds(VALUED, function* (step) {
      for (const { value, path } of valuesAt(step, LINES))
        if (typeof value === "number" && value < 1)
          yield { message: `line numbers start at 1, but this one is ${value}`, path };
    }),
  },
  {
    id: "consistent-config-options",
    source: "descriptions of SessionConfigSelect in the schema of version 2",
    level: "error",
    versions: V2,
    check: onKinds(VALUED, function* ({ message, update }) {
      if (update !== "" && update !== "config_option_update") return;
      for (const { value, path } of findAll(OPTIONS, message)) yield* inconsistent(value, path);
    }),
  },
];

function* inconsistent(options: unknown, path: string): Generator<Finding> {
  const twice = repeated(list(options).map(optionId));
  if (twice !== undefined) yield { message: `two options have the id ${show(twice)}`, path };
  for (const [index, option] of list(options).entries()) {
    if (!isSelect(option)) continue;
    const values = valuesOf(option);
    const current = at(option, "currentValue");
    const same = repeated(values);
    if (same !== undefined)
      yield { message: `the value ${show(same)} is offered twice`, path: `${path}/${index}` };
    if (!values.includes(current))
      yield {
        message: `the current value ${show(current)} is not offered`,
        path: `${path}/${index}/currentValue`,
      };
  }
}
