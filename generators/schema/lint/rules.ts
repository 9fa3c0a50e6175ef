import { findCompositionProblems } from "./rules/composition.js";
import { findUndocumented } from "./rules/documented.js";
import { findMissingExamples } from "./rules/examples.js";
import { findMissingGates, findUnknownCapabilities } from "./rules/gates.js";
import { findMissingMeta } from "./rules/meta.js";
import { NAME_RULES } from "./rules/names.js";
import { findMisplacedOrder, findUnknownPredecessors } from "./rules/order.js";
import { findHandledTwice, findRepeatedValues } from "./rules/repetitions.js";
import { findCircles } from "./rules/circles.js";
import type { LintRule } from "./rule.js";
import { findUnrequired, findUnstable } from "./rules/stability.js";
import { findStateProblems } from "./rules/state.js";
import { findUnused } from "./rules/usage.js";
import { findHedges } from "./rules/hedges.js";

/** All rules; where two report the same location, the first one counts. */
export const LINT_RULES: readonly LintRule[] = [
  {
    id: "undocumented",
    severity: "error",
    finds:
      "documents, definitions, properties, variants, values and methods without a description, or with `TODO`",
    why: "The descriptions are the types' comments and the pages of the site.",
    check: findUndocumented,
  },
  {
    id: "session-state",
    severity: "error",
    finds:
      "updates of sessions without `x-state`, but for those of vendors, paths in it that lead nowhere, and targets with ids of two types",
    why: "The bindings change the state of a session by it.",
    check: findStateProblems,
  },
  {
    id: "unknown-capability",
    severity: "error",
    finds: "gates that require a capability which is not in any initialize message",
    why: "Such a gate is never satisfied.",
    check: findUnknownCapabilities,
  },
  {
    id: "unstable-from-stable",
    severity: "error",
    finds: "references and gates of the base that only a feature can satisfy",
    why: "The stable surface must stand without any feature.",
    check: findUnstable,
  },
  {
    id: "unrequired-feature",
    severity: "error",
    finds: "uses of another feature that is not required",
    why: "Turned on alone, the feature would not compose.",
    check: findUnrequired,
  },
  {
    id: "requires-itself",
    severity: "error",
    finds: "features that require themselves, directly or by others",
    why: "They can never be turned on.",
    check: findCircles,
  },
  {
    id: "unknown-predecessor",
    severity: "error",
    finds: "names in after and x-after that do not exist",
    why: "The order of a union would silently differ from what was intended.",
    check: findUnknownPredecessors,
  },
  {
    id: "misplaced-order",
    severity: "error",
    finds: "x-after anywhere but on a variant that a feature adds",
    why: "It has no effect there.",
    check: findMisplacedOrder,
  },
  ...NAME_RULES,
  {
    id: "method-of-both-sides",
    severity: "warning",
    finds: "methods of a feature that the other side handles already",
    why: "A name that goes in both directions is seldom meant: one of the sides is wrong.",
    check: findHandledTwice,
  },
  {
    id: "value-repeated",
    severity: "warning",
    finds: "values that an enumeration lists more than once",
    why: "JSON Schema asks for unique values, and other tools refuse them.",
    check: findRepeatedValues,
  },
  {
    id: "meta-missing",
    severity: "warning",
    finds: "objects on the wire without _meta",
    why: "By the protocol's rules of extensibility, every object may carry metadata.",
    check: findMissingMeta,
  },
  {
    id: "unused-definition",
    severity: "warning",
    finds: "definitions that no message refers to, directly or indirectly",
    why: "They are generated, documented and maintained without a use.",
    check: findUnused,
  },
  {
    id: "examples-missing",
    severity: "warning",
    finds: "methods without an example, and requests whose example has no result",
    why: "The examples are what people read first, and what mocks answer with.",
    check: findMissingExamples,
  },
  {
    id: "hedged",
    severity: "warning",
    finds: "descriptions that leave open what holds in a protocol version",
    why: "A reader of one version needs its rule; x-descriptions has a text for each version.",
    check: findHedges,
  },
  {
    id: "does-not-compose",
    severity: "error",
    finds: "clashes, dangling references, and invalid defaults and examples",
    why: "Nothing can be generated from it.",
    check: findCompositionProblems,
  },
  // Behind the clashes: what a feature cannot add needs no gate.
  {
    id: "gate-missing",
    severity: "error",
    finds: "methods without a gate, and what a feature adds to messages without one",
    why: "A message of this kind breaks a connection to a peer that does not know it.",
    check: findMissingGates,
  },
];

/** The rule for exceptions that cover no violation. */
export const UNUSED_EXCEPTION: Omit<LintRule, "check"> = {
  id: "unused-exception",
  severity: "error",
  finds: "exceptions that cover no violation",
  why: "Unused exceptions would hide new violations.",
};
