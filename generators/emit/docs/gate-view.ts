import type { Gate, GateStrength } from "../../model/protocol.js";
import { codeSpan, inline, type CodeSpan, type Inline } from "../../output/markup.js";
import { findCapability } from "./capability.js";
import { toUse, type BadgeView, type PageScope } from "./page.js";

/** What must have been negotiated: in a word or path, and as a sentence. */
export interface GateView {
  readonly badge: BadgeView;
  readonly sentence: Inline;
}

/** @param gate absent when the schema does not say, which is said too */
export function gateView(gate: Gate | undefined, scope: PageScope): GateView {
  return { badge: gateBadge(gate), sentence: gateSentence(gate, scope) };
}

function gateBadge(gate: Gate | undefined): BadgeView {
  if (gate === undefined) return { label: inline("gate: unknown"), tone: "unknown" };
  if (gate.kind === "always") return { label: inline(`always (${gate.reason})`), tone: "plain" };
  return { label: inline("needs ", codeSpan(gate.path.join("."))), tone: "gate" };
}

/** A gate as one sentence; capabilities lead to the property that advertises them. */
export function gateSentence(gate: Gate | undefined, scope: PageScope): Inline {
  if (gate === undefined) {
    return inline("Unknown: the schema does not say whether a capability is needed.");
  }
  switch (gate.kind) {
    case "always":
      return inline(ALWAYS[gate.reason]);
    case "capability":
      return inline(
        `${NEEDS[gate.strength]} the ${gate.side} has advertised `,
        capability(gate.side, gate.path, scope),
        ...(gate.test === "true"
          ? [" as ", codeSpan("true"), "."]
          : [" (any value but ", codeSpan("null"), ")."]),
      );
    case "entry":
      return inline(
        `${NEEDS[gate.strength]} `,
        gate.side === "session"
          ? codeSpan(gate.path.join("."))
          : capability(gate.side, gate.path, scope),
        gate.side === "session"
          ? " in the state of the session"
          : `, as the ${gate.side} has advertised it,`,
        " has an entry with ",
        ...pairs(gate.entry, " equal to "),
        ...exception(gate.except),
        ".",
      );
    case "key":
      return inline(
        `${NEEDS[gate.strength]} the ${gate.side} has advertised the member of `,
        capability(gate.side, gate.path, scope),
        " that ",
        codeSpan(gate.key),
        " names.",
      );
    default:
      return gate satisfies never;
  }
}

const ALWAYS = {
  baseline: "Always available: it is part of the baseline that every implementation supports.",
  optional: "Always allowed: no capability is needed, and the receiver is free to ignore it.",
  ungated: "Always allowed: the protocol has no capability for it.",
} as const;

const NEEDS: { readonly [strength in GateStrength]: string } = {
  must: "Allowed only if",
  should: "Recommended only if",
  implicit: "Useful only if (the protocol implies it)",
};

function capability(side: "agent" | "client", path: readonly string[], scope: PageScope): CodeSpan {
  const place = findCapability(scope.site.protocol, side, path);
  return codeSpan(path.join("."), place && toUse(place, scope));
}

function exception(except: { readonly [property: string]: string }): (string | CodeSpan)[] {
  if (Object.keys(except).length === 0) return [];
  return ["; entries with ", ...pairs(except, " "), " do not count"];
}

function pairs(
  values: { readonly [property: string]: string },
  between: string,
): (string | CodeSpan)[] {
  return Object.entries(values).flatMap(([property, value], index) => [
    ...(index === 0 ? [] : [" and "]),
    codeSpan(property),
    between,
    codeSpan(value),
  ]);
}
