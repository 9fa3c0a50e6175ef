import type { Method } from "../../../model/protocol.js";
import { docstring, identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import { handlerOf } from "../methods.js";
import { classOf, type SessionFacts } from "./facts.js";
import { keywordsOf, parameters, passed } from "./keywords.js";

/**
 * Prints the methods of one side that are about a session as methods of the session: their params
 * are keywords, without the id.
 *
 * @param taken names that the session has otherwise
 */
export function printBoundCalls(
  facts: SessionFacts,
  side: "agent" | "client",
  taken: readonly string[],
): readonly Python[] {
  return facts.protocol.methods
    .filter((method) => method.side === side)
    .filter(({ name }) => side === "client" || name.startsWith("session/"))
    .flatMap((method) => {
      const name = handlerOf(method).replace(/^session_/, "");
      return taken.includes(name) ? [] : printCall(method, name, facts);
    });
}

function printCall(method: Method, name: string, facts: SessionFacts): readonly Python[] {
  const all = keywordsOf(method.params, facts);
  const id = all?.find(({ property }) => property === "sessionId");
  if (all === undefined || id?.required !== true) return [];
  const own = all.filter((one) => one !== id);
  const given = joinPython([py`${id.name}=self.id`, ...passed(own)], ", ");
  const sent = py`${classOf(method.params, facts)}(${given})`;
  const doc = docstring(method.summary);
  const isAnswered = method.result !== undefined;
  const result = isAnswered ? classOf(method.result, facts) : py`None`;
  const wire = literal(method.name);
  const body = isAnswered
    ? [py`result: ${result} = await self._call(${wire}, ${sent}, timeout)`, py`return result`]
    : [py`await self._notify(${wire}, ${sent})`];
  const more = isAnswered ? [py`timeout: float | None = None`] : [];
  return [
    py`async def ${identifier(name)}(${parameters(own, more)}) -> ${result}:
${indent(joinPython([...(doc === undefined ? [] : [doc]), ...body], "\n"))}`,
  ];
}
