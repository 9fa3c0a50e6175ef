import { codeSpan, inline, type CodeSpan, type Inline } from "../../../output/markup.js";
import type { Change } from "../../../schema/compare/changes.js";
import { worstOf, type Impacts } from "../../../schema/compare/impact.js";
import { isObject, type Json } from "../../../schema/json-schema/json.js";
import {
  codeAt,
  featureAt,
  isName,
  pathInside,
  partName,
  type ComparedSide,
} from "./changed-part.js";
import { alternativesOf } from "../model/shape-parts.js";
import { listedNames } from "./comparison-context.js";
import { kindName } from "../components/shape-words.js";
import { inlineText } from "../blocks/block.js";
import { typeCode } from "../components/type-code.js";

/** A difference inside a definition, as one sentence. */
export interface ChangeLine extends Impacts {
  readonly text: Inline;
  /** The feature that adds it, or that contained it before its removal. */
  readonly feature?: string | undefined;
}

/** Keywords that define the kind of a value; they are reported as one line. */
const KIND =
  "type $ref allOf anyOf oneOf items additionalProperties enum const discriminator".split(" ");

/**
 * Describes the changes inside a definition that both sides have. Changes that follow from
 * others (`not`) are left out; the keywords of a type are one line.
 */
export function changeLines(
  changes: readonly Change[],
  before: ComparedSide,
  after: ComparedSide,
): readonly ChangeLine[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const path = pathInside(change);
    if (path.includes("not")) continue;
    const key = typePath(path)?.join("/") ?? ` ${path.join("/")}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()].flatMap((group) => groupLines(group, before, after));
}

function groupLines(
  group: readonly Change[],
  before: ComparedSide,
  after: ComparedSide,
): readonly ChangeLine[] {
  const path = pathInside(group[0]!);
  const feature = featureAt(path, after.definition) ?? featureAt(path, before.definition);
  const context = typePath(path);
  const kinds = context && typeLine(context, before, after);
  if (kinds === undefined)
    return group.flatMap((change) =>
      lines(change, before, after).map((line) => ({ ...line, feature })),
    );
  return [{ text: kinds, feature, ...worstOf(group) }];
}

/** The path whose type a change concerns; undefined for other changes. */
function typePath(path: readonly string[]): readonly string[] | undefined {
  const last = path.length - 1;
  const [root, name] = path;
  const inProperty = root === "properties" && last > 1 && !path.includes("properties", 1);
  // The alternatives of a property are a part of its type, as `null` is.
  const isAlternative = path[last - 1] === "variants" || path[last] === "order";
  if (inProperty && (isAlternative || KIND.includes(path[last]!))) return [root, name!];
  return isName(path, last) || !KIND.includes(path[last]!) ? undefined : path.slice(0, -1);
}

/** The line "changed: `x` from `string` to `Path`"; undefined when both types read the same. */
function typeLine(
  context: readonly string[],
  before: ComparedSide,
  after: ComparedSide,
): Inline | undefined {
  const [old, now] = [kindAt(context, before), kindAt(context, after)];
  // Their links lead to different profiles.
  if (old === undefined || now === undefined || inlineText(old) === inlineText(now))
    return undefined;
  const name = partName(context);
  const start = name === "" ? [] : [codeSpan(name), " "];
  const more = context.length === 0 ? alternativesText(before, after) : [];
  return inline("changed: ", ...start, "from ", old, " to ", now, ...more);
}

function kindAt(path: readonly string[], side: ComparedSide): Inline | undefined {
  if (path.length === 0) return wholeKind(side);
  const code = codeAt(path, side);
  return code && inline(code);
}

function wholeKind({ definition: { shape }, links }: ComparedSide): Inline {
  if (["list", "map", "scalar", "reference"].includes(shape.kind))
    return inline(typeCode({ shape, nullable: false }, links));
  const exclusive = shape.kind === "union" && shape.exclusive;
  return inline(kindName(shape), exclusive ? " of which only one may fit" : "");
}

/** Lists the added and removed alternatives of a union that became another kind of union. */
function alternativesText(before: ComparedSide, after: ComparedSide): readonly Inline[] {
  const [old, now] = [before, after].map(({ definition }) =>
    alternativesOf(definition.shape).map(({ name }) => name),
  ) as [string[], string[]];
  const added = now.filter((name) => !old.includes(name));
  const removed = old.filter((name) => !now.includes(name));
  return [...listedNames("; added: ", added), ...listedNames("; removed: ", removed)];
}

function lines(change: Change, before: ComparedSide, after: ComparedSide): readonly ChangeLine[] {
  const { kind, before: old, after: now, sender, receiver } = change;
  const path = pathInside(change);
  const [last, owner] = [path.at(-1)!, path.at(-2)];
  const line = (...text: readonly (string | CodeSpan)[]): ChangeLine[] => [
    { text: inline(...text), sender, receiver },
  ];
  const context = codeSpan(partName(path));
  const stated = kind === "added" ? now : old;
  if (isName(path, path.length - 1)) {
    const type = codeAt(path, kind === "added" ? after : before);
    const what = owner === "properties" ? "property" : "variant";
    return line(`${kind}: ${what} `, context, ...(type ? [", ", type] : []));
  }
  if (last === "order") return line("changed: the order of the variants");
  if (last === "required") return requiredLines(change);
  // Leading or trailing changes get one line each.
  if (last === "properties" && isObject(stated))
    return Object.keys(stated).flatMap((name) =>
      line(`${kind}: property `, codeSpan(partName([...path, name]))),
    );
  return kind === "changed"
    ? line("changed: ", context, " from ", value(old), " to ", value(now))
    : // A schema says more than a line can hold.
      line(`${kind}: `, context, ...(typeof stated === "object" ? [] : [" ", value(stated)]));
}

/** A new requirement breaks senders; a requirement that was dropped breaks receivers. */
function requiredLines(change: Change): readonly ChangeLine[] {
  const context = partName(pathInside(change).slice(0, -1));
  const [before, after] = [list(change.before), list(change.after)];
  const start = context === "" ? [] : [codeSpan(context), ": "];
  const line = (words: string, all: readonly string[], impacts: Impacts): readonly ChangeLine[] =>
    listedNames(words, all).map((text) => ({ text: inline(...start, text), ...impacts }));
  const gained = after.filter((name) => !before.includes(name));
  const lost = before.filter((name) => !after.includes(name));
  return [
    ...line("now required: ", gained, { sender: change.sender, receiver: "safe" }),
    ...line("no longer required: ", lost, { sender: "safe", receiver: change.receiver }),
  ];
}

function list(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly Json[]).map(String) : [];
}

function value(json: Json | undefined): CodeSpan {
  const text = JSON.stringify(json) ?? "nothing";
  return codeSpan(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
