import { methodWith } from "../../../model/method-with.js";
import type { Method, Protocol } from "../../../model/protocol.js";
import type { MethodTrait } from "../../../schema/source/sources.js";
import { identifier, py, type Python } from "../code.js";
import type { Types } from "./keywords.js";

/** What sessions need to know of a protocol, with the names of classes. */
export interface SessionClasses extends Types {
  readonly protocol: Protocol;
  readonly version: 1 | 2;
  /** The notification that carries updates. */
  readonly updates: Method;
  /** The class of its params. */
  readonly notification: Python;
  readonly update: Python;
  readonly block: Python;
  readonly textBlock: Python;
  /** Returns the part of the updates with a tag. */
  readonly updatePart: (tag: string) => string | undefined;
}

const NEEDED = [
  "creates-session",
  "starts-turn",
  "updates-session",
  "requests-permission",
] as const satisfies readonly MethodTrait[];

/** Returns the classes; undefined for a protocol without prompts, updates and text. */
export function sessionClasses(protocol: Protocol, types: Types): SessionClasses | undefined {
  const { parts } = types;
  const updates = methodWith(protocol, "updates-session");
  if (updates === undefined || !NEEDED.every((trait) => methodWith(protocol, trait)))
    return undefined;
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
    updates,
    notification: classOf(updates.params, types),
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
