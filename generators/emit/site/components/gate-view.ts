import { gatePathText } from "../../../schema/json-schema/gate-path.js";
import type { Gate } from "../../../model/gate.js";
import { describeGate } from "../../../model/gates/gate-text.js";
import { codeSpan, inline, type CodeSpan, type Inline } from "../../../output/markup.js";
import { findCapability } from "../model/find-capability.js";
import { toUse } from "./scope.js";
import type { TypeLinks } from "../model/site.js";

/** A gate in short: `always available`, or the capability that is needed. */
export function gateLabel(gate: Gate | undefined, scope: TypeLinks): Inline {
  if (gate === undefined) return inline("gate unknown");
  return needs(gate, scope) ?? inline("always available");
}

/** Names the capability that a part needs; undefined for one that needs none. */
export function needs(gate: Gate | undefined, scope: TypeLinks): Inline | undefined {
  if (gate === undefined || gate.kind === "always") return undefined;
  return inline("needs ", pathCode(gate.side, gate.path, scope));
}

/** Whether the label of a gate says all of it. */
export function isPlainGate(gate: Gate | undefined): gate is Gate {
  if (gate?.kind === "always") return gate.reason === "baseline";
  return gate?.kind === "capability" && gate.strength === "must" && gate.side !== "session";
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
  return codeSpan(gatePathText(path), anchor && toUse(anchor, scope));
}
