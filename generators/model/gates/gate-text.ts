import { gatePathText } from "../../schema/json-schema/gate-path.js";
import type { Gate, GateStrength } from "../gate.js";
import { plainText, type TextPart } from "../text-part.js";

/** Describes a gate as one sentence in Markdown; empty for features that are always available or unknown. */
export function gateText(gate: Gate | undefined): string {
  return gate === undefined || gate.kind === "always" ? "" : plainText(describeGate(gate));
}

/**
 * Describes a gate as one sentence, in parts: the path of a capability is a part
 * of its own, so that a page can link it.
 *
 * @param gate `undefined` when the schema does not specify one
 */
export function describeGate(gate: Gate | undefined): readonly TextPart[] {
  if (gate === undefined)
    return ["Unknown: the schema does not say whether a capability is required."];
  if (gate.kind === "always") return [ALWAYS[gate.reason]];
  const { side } = gate;
  const verb = VERBS[gate.strength];
  const path: TextPart = {
    code: gatePathText(gate.path),
    ...(side !== "session" && { capability: { side, path: gate.path } }),
  };
  switch (gate.kind) {
    case "capability":
      return side === "session"
        ? [`${verb} `, path, " in the state of the session", ...TESTS[gate.test], "."]
        : [`${verb} the ${side}'s capability `, path, ...TESTS[gate.test], "."];
    case "entry":
      return [
        `${verb} an entry of the ${side}'s `,
        path,
        " whose ",
        ...pairs(gate.entry, " equals "),
        ...exception(gate.except),
        ".",
      ];
    case "key":
      return [
        `${verb} the member of the ${side}'s `,
        path,
        " that ",
        { code: gate.key },
        " names.",
      ];
    default:
      return gate satisfies never;
  }
}

const ALWAYS = {
  baseline: "Always available: it is part of the baseline that every implementation supports.",
  optional: "Always allowed: no capability is required, and the receiver may ignore it.",
  ungated: "Always allowed: the protocol has no capability for it.",
} as const;

const VERBS: { readonly [strength in GateStrength]: string } = {
  must: "Requires",
  should: "Should only be used with",
  implicit: "Implicitly requires",
};

/** The value that the capability must have. */
const TESTS: { readonly [test in "true" | "filled" | "present"]: readonly TextPart[] } = {
  true: [" set to ", { code: "true" }],
  filled: [" with at least one entry"],
  present: [" (any value but ", { code: "null" }, ")"],
};

function exception(except: { readonly [property: string]: string }): readonly TextPart[] {
  if (Object.keys(except).length === 0) return [];
  return ["; entries whose ", ...pairs(except, " is "), " do not count"];
}

function pairs(
  values: { readonly [property: string]: string },
  between: string,
): readonly TextPart[] {
  return Object.entries(values).flatMap(([property, value], index): TextPart[] => [
    ...(index === 0 ? [] : [" and "]),
    { code: property },
    between,
    { code: value },
  ]);
}
