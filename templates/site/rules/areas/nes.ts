import type { RuleDoc } from "../rule-doc.js";
import { agent, client, greet, inBoth, s } from "../transcript-builder.js";

const uri = "file:///a.ts";
const position = { line: 0, character: 0 };
const range = { start: position, end: position };
const document = { didOpen: {}, didChange: { syncKind: "full" } };
const context = { recentFiles: { maxCount: 1 } };
const nes = (version: number, clientHas: object = {}) => [
  ...greet(version, {
    clientHas: { nes: { jump: {}, ...clientHas } },
    agentHas: { nes: { events: { document }, context } },
  }),
  client.ask(1, "nes/start"),
  agent.result(1, { sessionId: "s" }),
];
const close = [client.ask(2, "nes/close", s()), agent.result(2)];
const opened = client.notify(
  "document/didOpen",
  s({ uri, languageId: "typescript", version: 1, text: "" }),
);
const ask = (given?: object) =>
  client.ask(
    2,
    "nes/suggest",
    s({ uri, version: 1, position, triggerKind: "manual", ...(given && { context: given }) }),
  );
const id = (version: number, value: string) =>
  version === 1 ? { id: value } : { suggestionId: value };
const suggest = (version: number, suggestion: object, clientHas?: object) => [
  ...[...nes(version, clientHas), ask()],
  agent.result(2, { suggestions: [{ ...id(version, "1"), ...suggestion }] }),
];
const edit = { kind: "edit", uri, edits: [{ range, newText: "" }] };
/** The suggestion of an action, to a client that can rename. */
const suggestAction = (actionId: string, given: object) =>
  suggest(1, { kind: "action", actionId, arguments: given }, { ideActions: { rename: {} } });
const change = (version: number, ...contentChanges: object[]) => [
  ...nes(version),
  client.notify("document/didChange", s({ uri, version: 2, contentChanges })),
];
const accept = (version: number, value: string) =>
  client.notify("nes/accept", s(id(version, value)));
const files = (count: number) =>
  Array.from({ length: count }, () => ({ uri, languageId: "typescript", text: "" }));
const about = (version: number, given: object) => [
  ...[...nes(version), ask(given)],
  agent.result(2, { suggestions: [] }),
];

/** Rules of the sessions that suggest edits. */
export const NES: readonly RuleDoc[] = [
  {
    rule: "known-nes-session",
    title: "Events and suggestion requests name an open suggestion session",
    rationale: "These sessions are separate from prompt sessions, and `nes/close` ends them.",
    features: ["nes"],
    examples: inBoth((version) => ({
      valid: [...nes(version), ...close],
      invalid: [...nes(version), ...close, opened],
      line: 7,
    })),
  },
  {
    rule: "nes-event-capability",
    title: "The client sends only events that the agent requested",
    rationale: "Events can follow every keystroke, so agents declare which of them they use.",
    features: ["nes"],
    examples: inBoth((version) => ({
      valid: [...nes(version), opened],
      invalid: [...nes(version), client.notify("document/didSave", s({ uri }))],
      line: 5,
    })),
  },
  {
    rule: "nes-sync-kind",
    title: "An agent that requested full synchronization receives one change with the whole text",
    rationale: "It does not keep the earlier text that partial changes apply to.",
    features: ["nes"],
    examples: [
      ...inBoth((version) => ({
        valid: change(version, { text: "" }),
        invalid: change(version, { text: "", range }),
        line: 5,
      })),
      {
        valid: change(1, { text: "" }),
        invalid: change(1, { text: "" }, { text: "a" }),
        line: 5,
      },
    ],
  },
  {
    rule: "nes-suggestion-kind",
    title: "The agent suggests edits and only those other kinds that the client advertised",
    rationale:
      "A client cannot display an unknown kind of suggestion or perform an unknown action.",
    features: ["nes"],
    examples: [
      ...inBoth((version) => ({
        valid: suggest(version, { kind: "jump", uri, position }),
        invalid: suggest(version, { kind: "rename", uri, position, newName: "a" }),
        line: 6,
      })),
      {
        valid: suggestAction("rename", { uri, position, newName: "a" }),
        invalid: suggestAction("searchAndReplace", { uri, search: "a", replace: "b" }),
        line: 6,
      },
    ],
  },
  {
    rule: "nes-context-capability",
    title: "The client sends only context that the agent requested",
    rationale:
      "Context contains the user's text, and the agent should not receive more of it than it uses.",
    features: ["nes"],
    examples: inBoth((version) => ({
      valid: about(version, { recentFiles: files(1) }),
      invalid: about(version, { openFiles: [{ uri, languageId: "typescript", version: 1 }] }),
      line: 5,
    })),
  },
  {
    rule: "nes-context-count",
    title: "The client sends no more entries of context than the agent can use",
    rationale: "The agent discards the remaining entries after they were collected and sent.",
    features: ["nes"],
    examples: inBoth((version) => ({
      valid: about(version, { recentFiles: files(1) }),
      invalid: about(version, { recentFiles: files(2) }),
      line: 5,
    })),
  },
  {
    rule: "offered-suggestion",
    title: "The client accepts and rejects suggestions of the same session",
    rationale:
      "The agent learns from these notifications and cannot relate an unknown id to a suggestion.",
    features: ["nes"],
    examples: inBoth((version) => ({
      valid: [...suggest(version, edit), accept(version, "1")],
      invalid: [...suggest(version, edit), accept(version, "2")],
      line: 7,
    })),
  },
];
