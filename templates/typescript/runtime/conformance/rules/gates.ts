import type { ClosedGate } from "../negotiated-gates.js";
import type { Conversation } from "../conversation.js";
import { BOTH, onKinds, type Rule, type RuleCheck } from "./rule.js";
import type { TranscriptStep } from "../step.js";

const DOCUMENT_EVENTS = ["didOpen", "didChange", "didClose", "didSave", "didFocus"];
const TERMINAL = ["create", "output", "release", "wait_for_exit", "kill"];

/** The gates that have a rule of their own, which needs no table, and that rule. */
export const OWN_RULES: { readonly [gate: string]: string } = {
  authenticate: "offered-auth-method",
  "auth/login": "offered-auth-method",
  logout: "logout-capability",
  "auth/logout": "logout-capability",
  "initialize authMethods": "terminal-auth-capability",
  "session/prompt prompt": "prompt-capability",
  "session/set_mode": "known-mode",
  "session/set_config_option": "known-config-option",
  "tool_call/cancel": "cancellable",
  "terminal/cancel": "cancellable",
  "fs/read_text_file": "fs-capability",
  "fs/write_text_file": "fs-capability",
  ...Object.fromEntries(TERMINAL.map((name) => [`terminal/${name}`, "terminal-capability"])),
  "elicitation/create": "elicitation-capability",
  "elicitation/create mode": "elicitation-capability",
  "nes/suggest context": "nes-context-capability",
  "nes/suggest suggestions": "nes-suggestion-kind",
  ...Object.fromEntries(
    DOCUMENT_EVENTS.map((name) => [`document/${name}`, "nes-event-capability"]),
  ),
};

function* closedMethod(
  step: TranscriptStep,
  { gates, initialized }: Conversation,
): Generator<ClosedGate> {
  const closed = initialized ? gates?.closedMethod(step) : undefined;
  if (closed !== undefined) yield closed;
}

function* closedPlaces(step: TranscriptStep, conversation: Conversation): Generator<ClosedGate> {
  const { gates, initialized } = conversation;
  if (gates === undefined || (!initialized && step.kind !== "result")) return;
  // A message that may not be sent at all is reported once.
  if (gates.closedMethod(step) === undefined) yield* gates.closedPlaces(step);
}

type FindGates = (step: TranscriptStep, conversation: Conversation) => Iterable<ClosedGate>;

/** The gates of one strength that are closed. */
function onClosed(isMust: boolean, findGates: FindGates): RuleCheck {
  return onKinds(["request", "notification", "result"], function* (step, conversation) {
    for (const { gate, message, path, strength } of findGates(step, conversation))
      if ((strength === "must") === isMust && !Object.hasOwn(OWN_RULES, gate))
        yield { message, path };
  });
}

/** Rules from the gates in the table of methods; without a table they report nothing. */
export const GATE_RULES: readonly Rule[] = [
  {
    id: "method-gate",
    source: "the gates of the methods in the schema; initialization, capabilities",
    level: "error",
    versions: BOTH,
    check: onClosed(true, closedMethod),
  },
  {
    id: "implied-method-gate",
    source: "gates of methods that the protocol only recommends or implies",
    level: "warning",
    versions: BOTH,
    check: onClosed(false, closedMethod),
  },
  {
    id: "place-gate",
    source: "the gates of fields, variants and values in the schema",
    level: "error",
    versions: BOTH,
    check: onClosed(true, closedPlaces),
  },
  {
    id: "implied-place-gate",
    source: "gates of fields, variants and values that the protocol only implies",
    level: "warning",
    versions: BOTH,
    check: onClosed(false, closedPlaces),
  },
];
