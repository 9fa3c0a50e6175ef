import { BOTH, onKinds, onMessages, V1, V2, type RuleFinding, type Rule } from "./rule.js";
import type { TranscriptStep } from "../step.js";
import { findAll, toPatterns, type Found, type Patterns } from "../patterns.js";
import { at, isAbsolutePath, list, repeated, show } from "../select.js";
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
    "params/update/plan/path",
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
function valuesAt({ message, method, update }: TranscriptStep, places: Places): readonly Found[] {
  const patterns = update.startsWith("_") ? undefined : places.get(method);
  return patterns === undefined ? [] : findAll(patterns, message);
}

/** The messages that tell what a session offers. */
const OFFERING = {
  methods: [
    ...["session/new", "session/load", "session/resume", "session/fork"],
    ...["session/set_config_option", "session/update"],
  ],
  updates: ["config_option_update", "available_commands_update"],
};

/** The same, and those that ask the user to choose. */
const ASKING = {
  ...OFFERING,
  methods: [...OFFERING.methods, "session/request_permission"],
};

/** Where messages have commands. */
const COMMANDS = /* @__PURE__ */ toPatterns([
  "result/availableCommands",
  "params/update/availableCommands",
]);

/** Where messages have configuration options. */
const OPTIONS = /* @__PURE__ */ toPatterns(["result/configOptions", "params/update/configOptions"]);

/** Rules of values that a schema cannot express. */
export const VALUE_RULES: readonly Rule[] = [
  {
    id: "absolute-paths",
    source: "protocol overview, argument requirements; AbsolutePath in version 2",
    level: "error",
    versions: BOTH,
    isAboutOneMessage: true,
    check: onKinds(VALUED, function* (step) {
      for (const { value, path } of valuesAt(step, PATHS))
        if (typeof value === "string" && !isAbsolutePath(value))
          yield { message: `${show(value)} is not an absolute path`, path };
    }),
  },
  {
    id: "one-based-lines",
    source: "protocol overview, argument requirements",
    level: "error",
    versions: BOTH,
    isAboutOneMessage: true,
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
    isAboutOneMessage: true,
    check: onMessages(OFFERING, function* (step) {
      yield* ambiguousOptions(step);
      yield* unofferedValues(step);
    }),
  },
  {
    id: "unique-offers",
    source:
      "PermissionOption, SessionMode, SessionConfigOption: ids are unique, but there is no MUST",
    level: "warning",
    versions: V1,
    isAboutOneMessage: true,
    check: onMessages(ASKING, function* (step) {
      yield* ambiguousOptions(step);
      const { kind, params, result } = step;
      const modes = list(at(result, "modes", "availableModes")).map((mode) => at(mode, "id"));
      yield* twice(modes, "modes", "/result/modes/availableModes");
      if (kind !== "request") return;
      const options = list(at(params, "options")).map((option) => at(option, "optionId"));
      yield* twice(options, "options", "/params/options");
    }),
  },
  {
    id: "offered-current-value",
    source:
      "SessionModeState, SessionConfigSelect: the current one is one of a set; there is no MUST",
    level: "warning",
    versions: V1,
    isAboutOneMessage: true,
    check: onMessages(OFFERING, function* (step) {
      yield* unofferedValues(step);
      const modes = at(step.result, "modes", "availableModes");
      const current = at(step.result, "modes", "currentModeId");
      if (Array.isArray(modes) && !modes.some((mode) => at(mode, "id") === current))
        yield {
          message: `the current mode ${show(current)} is not offered`,
          path: "/result/modes/currentModeId",
        };
    }),
  },
  {
    id: "unique-commands",
    source: "description of AvailableCommand in the schema of version 2",
    level: "error",
    versions: V2,
    isAboutOneMessage: true,
    check: onMessages(OFFERING, function* ({ message }) {
      for (const { value, path } of findAll(COMMANDS, message)) {
        const names = list(value).map((command) => at(command, "name"));
        yield* twice(names, "commands", path, "name");
        const odd = names.find((name) => typeof name === "string" && /\s/.test(name));
        if (odd !== undefined) yield { message: `the name ${show(odd)} contains whitespace`, path };
      }
    }),
  },
];

function* twice(
  values: readonly unknown[],
  what: string,
  path: string,
  name = "id",
): Generator<RuleFinding> {
  const value = repeated(values);
  if (value !== undefined) yield { message: `two ${what} have the ${name} ${show(value)}`, path };
}

/** Configuration options in a message, and values of an option, that have the same id. */
function* ambiguousOptions({ message }: TranscriptStep): Generator<RuleFinding> {
  for (const { value: options, path } of findAll(OPTIONS, message)) {
    yield* twice(list(options).map(optionId), "options", path);
    for (const [index, option] of list(options).entries()) {
      const same = isSelect(option) ? repeated(valuesOf(option)) : undefined;
      if (same !== undefined)
        yield { message: `the value ${show(same)} is offered twice`, path: `${path}/${index}` };
    }
  }
}

/** Configuration options in a message whose current value is not one of their values. */
function* unofferedValues({ message }: TranscriptStep): Generator<RuleFinding> {
  for (const { value: options, path } of findAll(OPTIONS, message))
    for (const [index, option] of list(options).entries()) {
      const current = at(option, "currentValue");
      if (isSelect(option) && !valuesOf(option).includes(current))
        yield {
          message: `the current value ${show(current)} is not offered`,
          path: `${path}/${index}/currentValue`,
        };
    }
}
