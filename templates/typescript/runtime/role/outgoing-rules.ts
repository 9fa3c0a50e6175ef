import { isBoolean, isSelect, optionId, valuesOf } from "../conformance/config.js";
import { at, isAbsolutePath, list } from "../conformance/select.js";
import type { MethodDescriptor } from "../methods.js";
import { isRecord } from "../rpc/messages.js";
import type { Issue } from "../validate/decode-result.js";
import { render } from "../validate/report-text.js";
import * as sentences from "../sentences.js";

/*
 * Rules about values that the protocol states and its schema cannot express.
 */

/** The properties of params, updates and plans that are paths: every path of the protocol is absolute (overview, argument requirements). */
const PATHS = ["cwd", "path"];
const PATH_LISTS = ["additionalDirectories"];

/** Returns the first value of a message that breaks a rule. */
export function findBrokenRule(
  { name }: MethodDescriptor,
  part: "params" | "result",
  message: unknown,
): Issue | undefined {
  if (!isRecord(message) || name.startsWith("_")) return undefined;
  const update = message["update"];
  const found = part === "params" ? findRelativePaths(message, update) : undefined;
  if (found !== undefined) return found;
  return isRecord(update)
    ? findNotOffered(update["configOptions"], "/update/configOptions")
    : findNotOffered(message["configOptions"], "/configOptions");
}

function findRelativePaths(params: unknown, update: unknown): Issue | undefined {
  const inParams = findRelativePath(params, "");
  if (inParams !== undefined || !isRecord(update)) return inParams;
  if (String(update["sessionUpdate"]).startsWith("_")) return undefined;
  return findRelativePath(update, "/update") ?? findRelativePath(update["plan"], "/update/plan");
}

function findRelativePath(holder: unknown, place: string): Issue | undefined {
  if (!isRecord(holder)) return undefined;
  for (const name of PATHS) {
    const path = holder[name];
    const issue = path === undefined ? undefined : checkPath(path, `${place}/${name}`);
    if (issue !== undefined) return issue;
  }
  for (const name of PATH_LISTS) {
    const list = holder[name];
    if (!Array.isArray(list)) continue;
    for (const [index, path] of list.entries()) {
      const issue = checkPath(path, `${place}/${name}/${index}`);
      if (issue !== undefined) return issue;
    }
  }
  return undefined;
}

function checkPath(path: unknown, pointer: string): Issue | undefined {
  return typeof path !== "string" || isAbsolutePath(path)
    ? undefined
    : { pointer, rule: "absolute-path", expected: "an absolute path", found: render(path) };
}

/**
 * Returns what is wrong with the lists in params: an initial option that is named twice, and after
 * version 1 an MCP server whose name is repeated, or whose command is not an absolute path.
 */
export function findWrongItem(params: unknown, version: number): Issue | undefined {
  const option = findRepeated(at(params, "configOptions"), "configId", "/configOptions");
  if (option !== undefined || version === 1) return option;
  const servers = list(at(params, "mcpServers"));
  const repeated = findRepeated(servers, "name", "/mcpServers");
  if (repeated !== undefined) return repeated;
  for (const [index, server] of servers.entries()) {
    if (at(server, "type") !== "stdio") continue;
    const issue = checkPath(at(server, "command"), `/mcpServers/${index}/command`);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

/** Returns the issue of the first item whose property has the value of an earlier item. */
function findRepeated(items: unknown, property: string, place: string): Issue | undefined {
  // Most messages have no such list.
  if (!Array.isArray(items)) return undefined;
  const values = items.map((item) => at(item, property));
  const index = values.findIndex(
    (value, own) => value !== undefined && values.indexOf(value) < own,
  );
  if (index < 0) return undefined;
  const expected = `a ${property} that is not repeated`;
  const pointer = `${place}/${index}/${property}`;
  return { pointer, rule: "unique", expected, found: render(values[index]) };
}

/** Returns the first option whose current value is not one of its values, or whose id is repeated (version 2). */
function findNotOffered(options: unknown, place: string): Issue | undefined {
  const repeated = findRepeated(options, "configId", place);
  if (repeated !== undefined) return repeated;
  for (const [index, option] of list(options).entries()) {
    const current = at(option, "currentValue");
    if (isSelect(option) && !valuesOf(option).includes(current))
      return notOffered(`${place}/${index}/currentValue`, valuesOf(option), current);
  }
  return undefined;
}

/**
 * Returns what is wrong with a call that sets an option, if the session's options are known: an
 * option that does not exist, or a value that it does not have.
 *
 * @param options the configuration options that the session has reported
 */
export function findWrongOption(
  params: Readonly<Record<string, unknown>>,
  options: unknown,
): Issue | undefined {
  if (!Array.isArray(options)) return undefined;
  const { configId, value } = params;
  const option: unknown = options.find((one) => optionId(one) === configId);
  if (option === undefined) return notOffered("/configId", options.map(optionId), configId);
  if (isSelect(option) && !valuesOf(option).includes(value))
    return notOffered("/value", valuesOf(option), value);
  if (isBoolean(option) && typeof value !== "boolean")
    return { pointer: "/value", rule: "offered", expected: "true or false", found: render(value) };
  return undefined;
}

/** The number of offered ids in a message. */
const MOST_NAMED = 20;

function notOffered(pointer: string, ids: readonly unknown[], given: unknown): Issue {
  const named = ids.slice(0, MOST_NAMED).map(render);
  if (ids.length > MOST_NAMED) named.push("…");
  const expected = ids.length > 0 ? sentences.oneOffered(named.join(", ")) : sentences.noneOffered;
  return { pointer, rule: "offered", expected, found: render(given) };
}
