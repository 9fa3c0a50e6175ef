import { isBoolean, isSelect, optionId, valuesOf } from "../conformance/config.js";
import { at, isAbsolutePath } from "../conformance/select.js";
import type { MethodDescriptor } from "../methods.js";
import { isRecord } from "../rpc/messages.js";
import type { Issue } from "../validate/decode-result.js";
import { render } from "../validate/report-text.js";

/*
 * Rules about values that the protocol states and its schema cannot express.
 */

/** The properties of params that are paths: every path of the protocol is absolute (overview, argument requirements). */
const PATHS = ["cwd", "path"];
const PATH_LISTS = ["additionalDirectories"];

/** Returns the first value of a message that breaks a rule. */
export function findBrokenRule(
  { name }: MethodDescriptor,
  part: "params" | "result",
  message: unknown,
): Issue | undefined {
  if (!isRecord(message) || name.startsWith("_")) return undefined;
  const path = part === "params" ? findRelativePath(message) : undefined;
  if (path !== undefined) return path;
  const update = message["update"];
  return isRecord(update)
    ? findNotOffered(update["configOptions"], "/update/configOptions")
    : findNotOffered(message["configOptions"], "/configOptions");
}

function findRelativePath(params: Readonly<Record<string, unknown>>): Issue | undefined {
  for (const name of PATHS) {
    const issue = checkPath(params[name], `/${name}`);
    if (issue !== undefined) return issue;
  }
  for (const name of PATH_LISTS) {
    const list = params[name];
    if (!Array.isArray(list)) continue;
    for (const [index, path] of list.entries()) {
      const issue = checkPath(path, `/${name}/${index}`);
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
 * Returns what is wrong with the MCP servers in params of version 2: a name that is repeated, or a
 * command that is not an absolute path.
 */
export function findWrongServer(params: unknown): Issue | undefined {
  const servers = at(params, "mcpServers");
  if (!Array.isArray(servers)) return undefined;
  for (const [index, server] of servers.entries()) {
    const place = `/mcpServers/${index}`;
    const issue =
      findRepeated(servers, index, "name", place) ??
      (at(server, "type") === "stdio"
        ? checkPath(at(server, "command"), `${place}/command`)
        : undefined);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

/** Returns the issue of an item whose property has the value of an earlier item. */
function findRepeated(
  list: readonly unknown[],
  index: number,
  property: string,
  place: string,
): Issue | undefined {
  const value = at(list[index], property);
  if (value === undefined || list.findIndex((one) => at(one, property) === value) === index)
    return undefined;
  const expected = `a ${property} that is not repeated`;
  return { pointer: `${place}/${property}`, rule: "unique", expected, found: render(value) };
}

/** Returns the first option whose current value is not one of its values, or whose id is repeated (version 2). */
function findNotOffered(options: unknown, place: string): Issue | undefined {
  if (!Array.isArray(options)) return undefined;
  for (const [index, option] of options.entries()) {
    const repeated = findRepeated(options, index, "configId", `${place}/${index}`);
    if (repeated !== undefined) return repeated;
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
  const more = ids.length > MOST_NAMED ? ", …" : "";
  const expected =
    ids.length === 0 ? "no value, since none is offered" : `one of ${named.join(", ")}${more}`;
  return { pointer, rule: "offered", expected, found: render(given) };
}
