import { codeSpan, inline, joined, phrase, type Inline } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import { methodKey } from "../../../schema/source/method-key.js";
import type { Impacts } from "../../../schema/compare/impact.js";
import { inlineText } from "../blocks/block.js";
import { gatePath, gateSentence } from "../components/gate-view.js";
import { DIRECTIONS } from "../model/directions.js";
import { versionNote } from "../model/version-notes.js";
import type { ChangeLine } from "./change-lines.js";
import { sameGate, type GateChange } from "./gate-changes.js";
import type { MethodChange, MethodChanges } from "./method-changes.js";
import { breaks, type ComparisonContext, type ChangeRow } from "./comparison-context.js";
import { featureBadgesOf } from "../components/badges.js";
import type { TypeLinks } from "../model/site.js";

/** The methods that differ: removed ones first, added ones last. */
export function methodEntries(
  { removed, changed, added }: MethodChanges,
  context: ComparisonContext,
): readonly ChangeRow[] {
  const { before, after } = context;
  const whole = (word: "added" | "removed", method: MethodChanges["added"][number]): ChangeRow => {
    const { from, to } = DIRECTIONS[method.side];
    const line = inline(`${word}: ${method.kind}, ${from} to ${to}`);
    return entry(word === "added" ? after : before, method, word, [line], method, context);
  };
  return [
    ...removed.map((method) => whole("removed", method)),
    ...changed.map((item) =>
      entry(after, item.after, "changed", changedLines(item, context), item, context),
    ),
    ...added.map((method) => whole("added", method)),
  ];
}

function entry(
  { site }: TypeLinks,
  facts: MethodChange["after"],
  word: ChangeRow["word"],
  lines: readonly Inline[],
  impacts: Impacts,
  { before, after, path }: ComparisonContext,
): ChangeRow {
  const { profile, methods } = site.protocol;
  const { name, area, feature } = methods.find((one) => methodKey(one) === methodKey(facts))!;
  const url = relativeUrl(path, `${profile}/${site.methodPaths.get(name)!}`);
  const note =
    versionNote(name, after.site, before.site) ?? versionNote(name, before.site, after.site);
  return {
    ...{ area, word, lines: note === undefined ? lines : [...lines, note.text] },
    name: { lines: [inline(codeSpan(name, url))], badges: featureBadgesOf(feature, site, path) },
    impact: breaks(impacts),
  };
}

function changedLines(
  { before, after, types }: MethodChange,
  context: ComparisonContext,
): readonly Inline[] {
  const type = (word: "params" | "result"): readonly Inline[] => {
    const [old, now] = [before[word], after[word]];
    if (old === undefined || now === undefined || old === now) return [];
    const [from, to] = [context.before.toType(old), context.after.toType(now)];
    return [phrase`changed: ${word} from ${codeSpan(old, from)} to ${codeSpan(now, to)}`];
  };
  const links = types.map((name) => codeSpan(name, context.after.toType(name)));
  return [
    ...type("params"),
    ...type("result"),
    ...(sameGate(before.gate, after.gate)
      ? []
      : [gateText(inline(), before.gate, after.gate, context)]),
    ...(links.length === 0 ? [] : [inline("changed types: ", joined(links))]),
  ];
}

/** The changed gate of a part of a type, as a line of that type. */
export function gateLine(change: GateChange, context: ComparisonContext): ChangeLine {
  const { part, before, after, sender, receiver } = change;
  const text = gateText(inline(" of ", codeSpan(part)), before, after, context);
  return { text, sender, receiver };
}

type AnyGate = GateChange["before"] | undefined;

/** Both gates as paths; as sentences where the paths are the same. */
function gateText(
  what: Inline,
  before: AnyGate,
  after: AnyGate,
  context: ComparisonContext,
): Inline {
  const [old, now] = [gatePath(before, context.before), gatePath(after, context.after)];
  if (inlineText(inline(old)) !== inlineText(inline(now)))
    return phrase`changed: gate${what} from ${old} to ${now}`;
  const sentence = (gate: AnyGate, side: TypeLinks): Inline =>
    gate === "always" ? inline("Always allowed.") : gateSentence(gate, side);
  const [was, is] = [sentence(before, context.before), sentence(after, context.after)];
  return phrase`changed: gate${what}. Before: ${was} Now: ${is}`;
}
