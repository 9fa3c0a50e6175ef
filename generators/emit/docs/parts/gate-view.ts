import type { Gate, GateStrength } from "../../../model/gate.js";
import { codeSpan, inline, type CodeSpan, type Inline } from "../../../output/markup.js";
import { findCapability } from "../facts/capability.js";
import { toUse, type BadgeView, type TypeLinks } from "../frame/page.js";

/** What must have been negotiated: in a word or path, and as a sentence. */
export interface GateView {
  readonly badge: BadgeView;
  readonly sentence: Inline;
}

/**
 * A gate for the head of a method.
 *
 * @param gate absent when the schema does not say, which is said too
 */
export function gateView(gate: Gate | undefined, scope: TypeLinks): GateView {
  return { badge: gateBadge(gate), sentence: gateSentence(gate, scope) };
}

function gateBadge(gate: Gate | undefined): BadgeView {
  if (gate === undefined) return { label: inline("gate: unknown"), tone: "unknown" };
  if (gate.kind === "always") return { label: inline(`always (${gate.reason})`), tone: "plain" };
  return { label: inline("needs ", codeSpan(gate.path.join("."))), tone: "gate" };
}

/** A gate as one sentence; capabilities lead to the property that advertises them. */
export function gateSentence(gate: Gate | undefined, scope: TypeLinks): Inline {
  if (gate === undefined) {
    return inline("Unknown: the schema does not say whether a capability is needed.");
  }
  switch (gate.kind) {
    case "always":
      return inline(ALWAYS[gate.reason]);
    case "capability":
      return inline(
        `${NEEDS[gate.strength]} ${OWNERS[gate.side]} `,
        pathCode(gate.side, gate.path, scope),
        ...TESTS[gate.test],
        ".",
      );
    case "entry":
      return inline(
        `${NEEDS[gate.strength]} ${OWNERS[gate.side]} `,
        pathCode(gate.side, gate.path, scope),
        " with an entry whose ",
        ...pairs(gate.entry, " equals "),
        ...exception(gate.except),
        ".",
      );
    case "key":
      return inline(
        `${NEEDS[gate.strength]} ${OWNERS[gate.side]} the member of `,
        pathCode(gate.side, gate.path, scope),
        " that ",
        codeSpan(gate.key),
        " names.",
      );
    default:
      return gate satisfies never;
  }
}

/** A gate as the path of a capability. */
export function gatePath(gate: Gate | "always" | undefined, scope: TypeLinks): CodeSpan | string {
  if (gate === undefined) return "unknown";
  if (gate === "always" || gate.kind === "always") return "always";
  return pathCode(gate.side, gate.path, scope);
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

/** Where the path starts. */
const OWNERS = {
  agent: "the agent has advertised",
  client: "the client has advertised",
  session: "the state of the session has",
} as const;

/** What counts as being there. */
const TESTS: { readonly [test in "true" | "filled" | "present"]: readonly (string | CodeSpan)[] } =
  {
    true: [" as ", codeSpan("true")],
    filled: [" with at least one entry"],
    present: [" (any value but ", codeSpan("null"), ")"],
  };

function pathCode(
  side: "agent" | "client" | "session",
  path: readonly string[],
  scope: TypeLinks,
): CodeSpan {
  const place = side === "session" ? undefined : findCapability(scope.site.protocol, side, path);
  return codeSpan(path.join("."), place && toUse(place, scope));
}

function exception(except: { readonly [property: string]: string }): (string | CodeSpan)[] {
  if (Object.keys(except).length === 0) return [];
  return ["; entries whose ", ...pairs(except, " is "), " do not count"];
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
