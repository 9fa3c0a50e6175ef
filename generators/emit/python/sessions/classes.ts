import type { Protocol } from "../../../model/protocol.js";
import { identifier, py, type Python } from "../code.js";
import type { Types } from "./keywords.js";

/** What sessions need to know of a protocol, with the names of classes. */
export interface SessionClasses extends Types {
  readonly protocol: Protocol;
  readonly version: 1 | 2;
  /** The class of the params of `session/update`. */
  readonly notification: Python;
  readonly update: Python;
  readonly block: Python;
  readonly textBlock: Python;
  /** Returns the part of the updates with a tag. */
  readonly updatePart: (tag: string) => string | undefined;
}

const NEEDED = ["session/new", "session/prompt", "session/update", "session/request_permission"];

/** Returns the classes; undefined for a protocol without prompts, updates and text. */
export function sessionClasses(protocol: Protocol, types: Types): SessionClasses | undefined {
  const { parts } = types;
  const methodOf = (name: string) => protocol.methods.find((method) => method.name === name);
  if (!NEEDED.every(methodOf)) return undefined;
  const union = parts.get("SessionUpdate");
  const blocks = parts.get("ContentBlock");
  if (union?.kind !== "choice" || blocks?.kind !== "choice") return undefined;
  const text = blocks.cases.find(({ value }) => value === "text")?.part;
  const updatePart = (tag: string): string | undefined =>
    union.cases.find(({ value }) => value === tag)?.part;
  const needed = ["agent_message_chunk", "tool_call_update"];
  if (text === undefined || !needed.every(updatePart)) return undefined;
  return {
    ...types,
    protocol,
    version: protocol.versionNumber === 1 ? 1 : 2,
    notification: classOf(methodOf("session/update")!.params, types),
    update: classOf(union.name, types),
    block: classOf(blocks.name, types),
    textBlock: classOf(text, types),
    updatePart,
  };
}

/** Prints the class of a part. */
export function classOf(part: string, { names }: Types): Python {
  return py`_t.${identifier(names.typeOf(part))}`;
}
