import { BOTH, onResult, onSent, type Rule } from "./rule.js";
import { at, isOn, list, show } from "./select.js";
import { suggestionId } from "./sessions.js";

const EVENTS = ["didOpen", "didChange", "didClose", "didSave", "didFocus"].map(
  (event) => `document/${event}`,
);
const ANSWERS = ["nes/accept", "nes/reject"];
const KINDS = ["jump", "rename", "searchAndReplace"];

/** Rules of the sessions that suggest edits. */
export const NES_RULES: readonly Rule[] = [
  {
    id: "known-nes-session",
    source: "R67, R70: proposal for next edit suggestions, session lifecycle",
    level: "error",
    versions: BOTH,
    check: onSent([...EVENTS, ...ANSWERS, "nes/suggest", "nes/close"], function* (step, talk) {
      const id = step.sessionId;
      if (id === undefined) return;
      const path = "/params/sessionId";
      const session = talk.nesSessions.get(id);
      if (session === undefined) yield { message: `nes/start gave no id ${show(id)}`, path };
      else if (session.isEnded) yield { message: `the session ${show(id)} is closed`, path };
    }),
  },
  {
    id: "nes-event-capability",
    source: "R67: proposal for next edit suggestions, capabilities",
    level: "error",
    versions: BOTH,
    check: onSent(EVENTS, function* ({ method }, talk) {
      const event = method.slice("document/".length);
      if (talk.initialized && !isOn(talk.capability("agent", "nes", "events", "document", event)))
        yield { message: `the agent did not ask for ${event}`, path: "/method" };
    }),
  },
  {
    id: "nes-sync-kind",
    source: "R69: proposal for next edit suggestions, document/didChange",
    level: "error",
    versions: BOTH,
    check: onSent(["document/didChange"], function* ({ params }, talk) {
      const place = ["nes", "events", "document", "didChange", "syncKind"];
      if (talk.capability("agent", ...place) !== "full") return;
      for (const [index, change] of list(at(params, "contentChanges")).entries())
        if ((at(change, "range") ?? null) !== null)
          yield {
            message: "the agent asked for whole documents, and this is a part",
            path: `/params/contentChanges/${index}/range`,
          };
    }),
  },
  {
    id: "nes-suggestion-kind",
    source: "R68: proposal for next edit suggestions, suggestion kinds",
    level: "error",
    versions: BOTH,
    check: onResult(["nes/suggest"], function* ({ result }, talk) {
      if (!talk.initialized) return;
      for (const [index, suggestion] of list(at(result, "suggestions")).entries()) {
        const kind = String(at(suggestion, "kind"));
        if (KINDS.includes(kind) && !isOn(talk.capability("client", "nes", kind)))
          yield {
            message: `the client did not advertise nes.${kind}`,
            path: `/result/suggestions/${index}/kind`,
          };
      }
    }),
  },
  {
    id: "offered-suggestion",
    source: "R68: proposal for next edit suggestions, accepting and rejecting",
    level: "error",
    versions: BOTH,
    check: onSent(ANSWERS, function* ({ params, sessionId }, talk) {
      const session = talk.nesSessions.get(sessionId ?? "");
      const id = suggestionId(params);
      if (session !== undefined && !session.suggestions.has(id))
        yield { message: `${show(id)} was not suggested in this session`, path: "/params" };
    }),
  },
];
