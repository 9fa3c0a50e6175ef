import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import type { Impacts } from "../../../schema/compare/impact.js";
import { gatePath, gateSentence } from "../parts/gate-view.js";
import { DIRECTIONS } from "../facts/directions.js";
import { versionNote } from "../facts/version-notes.js";
import type { ChangeLine } from "./change-lines.js";
import { sameGate, type GateChange } from "./gate-changes.js";
import {
  methodKey,
  type MethodChange,
  type MethodChanges,
  type MethodFacts,
} from "./method-changes.js";
import {
  bothLinks,
  breaks,
  type BothLinks,
  type ComparisonContext,
  type Entry,
} from "./comparison-context.js";
import { featureBadgesOf } from "../frame/badges.js";
import type { Site } from "../site-types.js";

/** The methods that differ: removed ones first, added ones last. */
export function methodEntries(
  methods: MethodChanges,
  context: ComparisonContext,
): readonly Entry[] {
  const { before, after, path } = context;
  const links = bothLinks(context);
  const entry = (
    site: Site,
    facts: MethodFacts,
    word: Entry["word"],
    lines: readonly Inline[],
    impacts: Impacts,
  ): Entry => {
    const { profile, methods: all } = site.protocol;
    const url = relativeUrl(path, `${profile}/${site.methodPaths.get(facts.name)!}`);
    return {
      area: all.find((one) => methodKey(one) === methodKey(facts))!.area,
      word,
      name: {
        lines: [inline(codeSpan(facts.name, url))],
        badges: featureBadgesOf(facts.feature, site, path),
      },
      lines: [...lines, ...noteOf(facts.name, context)],
      impact: breaks(impacts),
    };
  };
  const whole = (site: Site, word: "added" | "removed", method: MethodFacts & Impacts): Entry => {
    const { from, to } = DIRECTIONS[method.side];
    const line = inline(`${word}: ${method.kind}, ${from} to ${to}`);
    return entry(site, method, word, [line], method);
  };
  return [
    ...methods.removed.map((method) => whole(before, "removed", method)),
    ...methods.changed.map((item) =>
      entry(after, item.after, "changed", changedLines(item, links), item),
    ),
    ...methods.added.map((method) => whole(after, "added", method)),
  ];
}

function noteOf(name: string, { before, after }: ComparisonContext): readonly Inline[] {
  const note = versionNote(name, after, before) ?? versionNote(name, before, after);
  return note === undefined ? [] : [note.text];
}

function changedLines({ before, after, types }: MethodChange, links: BothLinks): readonly Inline[] {
  const type = (
    word: string,
    old: string | undefined,
    now: string | undefined,
  ): readonly Inline[] =>
    old === undefined || now === undefined || old === now
      ? []
      : [
          inline(
            `changed: ${word} from `,
            codeSpan(old, links.before.toType(old)),
            " to ",
            codeSpan(now, links.after.toType(now)),
          ),
        ];
  return [
    ...type("params", before.params, after.params),
    ...type("result", before.result, after.result),
    ...(sameGate(before.gate, after.gate)
      ? []
      : [gateText(inline(), before.gate, after.gate, links)]),
    ...(types.length === 0 ? [] : [inline("changed types: ", typeLinks(types, links))]),
  ];
}

function typeLinks(types: readonly string[], { after }: BothLinks): Inline {
  return inline(
    ...types.flatMap((name, index) => [
      index === 0 ? "" : ", ",
      codeSpan(name, after.toType(name)),
    ]),
  );
}

/** The changed gate of a part of a type, as a line of that type. */
export function gateLine(change: GateChange, links: BothLinks): ChangeLine {
  const { part, before, after, sender, receiver } = change;
  return {
    text: gateText(inline(" of ", codeSpan(part)), before, after, links),
    sender,
    receiver,
  };
}

type AnyGate = GateChange["before"] | undefined;

/** Both gates as paths; as sentences where the paths are the same. */
function gateText(what: Inline, before: AnyGate, after: AnyGate, links: BothLinks): Inline {
  const [old, now] = [gatePath(before, links.before), gatePath(after, links.after)];
  if (wordsOf(old) !== wordsOf(now))
    return inline("changed: gate", what, " from ", old, " to ", now);
  const sentence = (gate: AnyGate, side: BothLinks["before"]): Inline =>
    gate === "always" ? inline("Always allowed.") : gateSentence(gate, side);
  return inline(
    "changed: gate",
    what,
    ". Before: ",
    sentence(before, links.before),
    " Now: ",
    sentence(after, links.after),
  );
}

function wordsOf(path: ReturnType<typeof gatePath>): string {
  return typeof path === "string" ? path : path.parts.map(({ text }) => text).join("");
}
