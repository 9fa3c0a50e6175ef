import { BOTH, onResult, onSent, type Rule } from "./rule.js";
import { at, isOn, list, show, textOf } from "../select.js";
import { suggestionId } from "../sessions.js";

const EVENTS = ["didOpen", "didChange", "didClose", "didSave", "didFocus"].map(
  (event) => `document/${event}`,
);
const ANSWERS = ["nes/accept", "nes/reject"];
const CONTEXT = "recentFiles relatedSnippets editHistory userActions openFiles diagnostics".split(
  " ",
);
/** The capabilities that suggestions of a kind need, below `nes`. */
const KINDS: { readonly [kind: string]: string } = {
  jump: "jump",
  rename: "rename",
  searchAndReplace: "searchAndReplace",
  action: "ideActions",
};
/** Actions that a client advertises one by one. */
const ACTIONS = ["rename", "searchAndReplace"];

/** Rules of the sessions that suggest edits. */
export const NES_RULES: readonly Rule[] = [
  {
    id: "known-nes-session",
    source: "proposal for next edit suggestions, session lifecycle",
    level: "error",
    versions: BOTH,
    check: onSent(
      [...EVENTS, ...ANSWERS, "nes/suggest", "nes/close"],
      function* (step, conversation) {
        const id = step.sessionId;
        if (id === undefined) return;
        const path = "/params/sessionId";
        const session = conversation.nesSessions.get(id);
        if (session === undefined && conversation.nesSessions.hasForgotten) return;
        if (session === undefined)
          yield { message: `nes/start did not return the id ${show(id)}`, path };
        else if (session.isEnded) yield { message: `the session ${show(id)} is closed`, path };
      },
    ),
  },
  {
    id: "nes-event-capability",
    source: "proposal for next edit suggestions, capabilities",
    level: "error",
    versions: BOTH,
    check: onSent(EVENTS, function* ({ method }, conversation) {
      const event = method.slice("document/".length);
      if (
        conversation.initialized &&
        !isOn(conversation.capability("agent", "nes", "events", "document", event))
      )
        yield { message: `the agent did not request ${event}`, path: "/method" };
    }),
  },
  {
    id: "nes-sync-kind",
    source: "proposal for next edit suggestions, document/didChange",
    level: "error",
    versions: BOTH,
    check: onSent(["document/didChange"], function* ({ params }, conversation) {
      const place = ["nes", "events", "document", "didChange", "syncKind"];
      if (conversation.capability("agent", ...place) !== "full") return;
      const changes = list(at(params, "contentChanges"));
      if (changes.length > 1)
        yield {
          message: `the agent requested full synchronization, but there are ${changes.length} changes`,
          path: "/params/contentChanges",
        };
      for (const [index, change] of changes.entries())
        if ((at(change, "range") ?? null) !== null)
          yield {
            message: "the agent requested full synchronization, but the change has a range",
            path: `/params/contentChanges/${index}/range`,
          };
    }),
  },
  {
    id: "nes-suggestion-kind",
    source: "proposal for next edit suggestions, suggestion kinds",
    level: "error",
    versions: BOTH,
    check: onResult(["nes/suggest"], function* ({ result }, conversation) {
      if (!conversation.initialized) return;
      for (const [index, suggestion] of list(at(result, "suggestions")).entries()) {
        const [name, field] = capabilityOf(suggestion);
        if (name.length > 0 && !isOn(conversation.capability("client", "nes", ...name)))
          yield {
            message: `the client did not advertise ${["nes", ...name].join(".")}`,
            path: `/result/suggestions/${index}/${field}`,
          };
      }
    }),
  },
  {
    id: "nes-context-capability",
    source: "proposal for next edit suggestions, suggestion request",
    level: "error",
    versions: BOTH,
    check: onSent(["nes/suggest"], function* ({ params }, conversation) {
      if (!conversation.initialized) return;
      for (const name of CONTEXT) {
        const given = at(params, "context", name) ?? null;
        const isEmpty = given === null || (Array.isArray(given) && given.length === 0);
        if (!isEmpty && !isOn(conversation.capability("agent", "nes", "context", name)))
          yield { message: `the agent did not request ${name}`, path: `/params/context/${name}` };
      }
    }),
  },
  {
    id: "nes-context-count",
    source: "descriptions of maxCount in the capabilities for next edit suggestions",
    level: "warning",
    versions: BOTH,
    check: onSent(["nes/suggest"], function* ({ params }, conversation) {
      for (const name of CONTEXT) {
        const { length } = list(at(params, "context", name));
        const most = conversation.capability("agent", "nes", "context", name, "maxCount");
        if (typeof most === "number" && length > most)
          yield {
            message: `the agent accepts ${most} entries, but there are ${length}`,
            path: `/params/context/${name}`,
          };
      }
    }),
  },
  {
    id: "offered-suggestion",
    source: "proposal for next edit suggestions, accepting and rejecting",
    level: "error",
    versions: BOTH,
    check: onSent(ANSWERS, function* ({ params, sessionId }, conversation) {
      const session = conversation.nesSessions.get(sessionId ?? "");
      const id = suggestionId(params);
      if (session !== undefined && !session.suggestions.mayHave(id))
        yield { message: `${show(id)} was not suggested in this session`, path: "/params" };
    }),
  },
];

/** The capability below `nes` that a suggestion needs, and the field that shows the need. */
function capabilityOf(suggestion: unknown): [name: readonly string[], field: string] {
  const kind = textOf(at(suggestion, "kind"));
  if (!Object.hasOwn(KINDS, kind)) return [[], "kind"];
  const action = textOf(at(suggestion, "actionId"));
  if (kind === "action" && ACTIONS.includes(action)) return [[KINDS[kind]!, action], "actionId"];
  return [[KINDS[kind]!], "kind"];
}
