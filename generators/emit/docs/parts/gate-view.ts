import type { Gate } from "../../../model/gate.js";
import { describeGate } from "../../../model/gates/gate-text.js";
import { codeSpan, inline, type CodeSpan, type Inline } from "../../../output/markup.js";
import { findCapability } from "../facts/find-capability.js";
import { toUse } from "../frame/scope.js";
import type { BadgeView } from "./badge-view.js";
import type { TypeLinks } from "../site-types.js";

/** A gate as a badge and as a sentence. */
export interface GateView {
  readonly badge: BadgeView;
  readonly sentence: Inline;
}

/**
 * A gate for the head of a method.
 *
 * @param gate undefined when the schema does not declare gates
 */
export function gateView(gate: Gate | undefined, scope: TypeLinks): GateView {
  return { badge: gateBadge(gate), sentence: gateSentence(gate, scope) };
}

function gateBadge(gate: Gate | undefined): BadgeView {
  if (gate === undefined) return { label: inline("gate: unknown"), tone: "unknown" };
  if (gate.kind === "always") return { label: inline(`always (${gate.reason})`), tone: "plain" };
  return { label: inline("needs ", codeSpan(gate.path.join("."))), tone: "gate" };
}

/** Describes a gate as one sentence; capabilities lead to the property that advertises them. */
export function gateSentence(gate: Gate | undefined, scope: TypeLinks): Inline {
  return inline(
    ...describeGate(gate).map((part) => {
      if (typeof part === "string") return part;
      const { code, capability } = part;
      return capability === undefined
        ? codeSpan(code)
        : pathCode(capability.side, capability.path, scope);
    }),
  );
}

/** A gate as the path of a capability. */
export function gatePath(gate: Gate | "always" | undefined, scope: TypeLinks): CodeSpan | string {
  if (gate === undefined) return "unknown";
  if (gate === "always" || gate.kind === "always") return "always";
  return pathCode(gate.side, gate.path, scope);
}

function pathCode(
  side: "agent" | "client" | "session",
  path: readonly string[],
  scope: TypeLinks,
): CodeSpan {
  const anchor = side === "session" ? undefined : findCapability(scope.site.protocol, side, path);
  return codeSpan(path.join("."), anchor && toUse(anchor, scope));
}
