import { prose, type Inline } from "../../../output/markup.js";
import type { Site } from "./site.js";

/** The counterpart of a method or type in another protocol version. */
export interface VersionNote {
  readonly text: Inline;
  /** The method or type of the other version that takes its place; absent when none does. */
  readonly to?: string;
}

/**
 * Returns the note about a method or type between the versions of two profiles; the params and
 * results of a method that has no other type in their place share its note.
 */
export function versionNote(name: string, own: Site, other: Site): VersionNote | undefined {
  const [from, to] = [own.protocol.version, other.protocol.version];
  if (from === to) return undefined;
  for (const entry of own.docs.betweenVersions) {
    const isForward = entry.from === from && entry.to === to;
    if (!isForward && !(entry.from === to && entry.to === from)) continue;
    const [mine, theirs] = isForward ? [entry.before, entry.after] : [entry.after, entry.before];
    if (!mine.includes(name)) continue;
    const [text] = prose(entry.text, () => undefined);
    const [first] = theirs;
    return { text: text!, ...(first !== undefined && { to: first }) };
  }
  const method = own.definitions.get(name)?.messages[0]?.method;
  return method === undefined || other.definitions.has(name)
    ? undefined
    : versionNote(method, own, other);
}
