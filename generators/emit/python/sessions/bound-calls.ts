import type { Method } from "../../../model/protocol.js";
import { docstring, identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import { isKeyword } from "../names.js";
import { classOf, type SessionClasses } from "./classes.js";
import { keywordsOf, parameters, passed, type Keyword, type Types } from "./keywords.js";

/** A method as a method of a session. */
export interface BoundCall {
  readonly name: string;
  /** The params without the id of the session. */
  readonly keywords: readonly Keyword[];
  /** The attribute of the id. */
  readonly id: Keyword;
}

/** Returns the method of a session that calls a method; undefined when the session has none. */
export function boundCallOf(
  method: Method,
  types: Types,
  taken: readonly string[],
): BoundCall | undefined {
  const { params, side } = method;
  const handler = types.names.handlerOf(method);
  const rest = handler.replace(/^session_(?=[a-z])/, "");
  const own = isKeyword(rest) ? handler : rest;
  if (side === "protocol" || taken.includes(own)) return undefined;
  const all = keywordsOf(params, types);
  const id = all?.find(({ property }) => property === "sessionId");
  if (all === undefined || id?.required !== true) return undefined;
  return { name: own, id, keywords: all.filter((one) => one !== id) };
}

/**
 * Prints the methods of one side that are about a session as methods of the session: their params
 * are keywords, without the id.
 *
 * @param taken names that the session has otherwise
 */
export function printBoundCalls(
  classes: SessionClasses,
  side: "agent" | "client",
  taken: readonly string[],
): readonly Python[] {
  return classes.protocol.methods
    .filter((method) => method.side === side)
    .flatMap((method) => {
      const call = boundCallOf(method, classes, taken);
      return call === undefined ? [] : [printCall(method, call, classes)];
    });
}

function printCall(
  method: Method,
  { name, id, keywords }: BoundCall,
  classes: SessionClasses,
): Python {
  const given = joinPython([py`${id.name}=self.id`, ...passed(keywords)], ", ");
  const sent = py`${classOf(method.params, classes)}(${given})`;
  const doc = docstring(method.summary);
  const wire = literal(method.name);
  const result = method.result === undefined ? undefined : classOf(method.result, classes);
  const body =
    result === undefined
      ? [py`await self._notify(${wire}, ${sent})`]
      : [py`result: ${result} = await self._call(${wire}, ${sent}, timeout)`, py`return result`];
  const more = result === undefined ? [] : [py`timeout: float | None = None`];
  return py`async def ${identifier(name)}(${parameters(keywords, more)}) -> ${result ?? py`None`}:
${indent(joinPython([...(doc === undefined ? [] : [doc]), ...body], "\n"))}`;
}
