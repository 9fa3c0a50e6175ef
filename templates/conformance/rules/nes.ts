import type { RuleDoc } from "../rule-doc.js";
import { agent, client, greet, s } from "../talk.js";

const uri = "file:///a.ts";
const position = { line: 0, character: 0 };
const range = { start: position, end: position };
const document = { didOpen: {}, didChange: { syncKind: "full" } };
const context = { recentFiles: { maxCount: 1 } };
const actions = { rename: {} };
const nes = [
  ...greet(1, {
    clientHas: { nes: { jump: {}, ideActions: actions } },
    agentHas: { nes: { events: { document }, context } },
  }),
  client.ask(1, "nes/start"),
  agent.result(1, { sessionId: "s" }),
];
const close = [client.ask(2, "nes/close", s()), agent.result(2)];
const opened = client.tell(
  "document/didOpen",
  s({ uri, languageId: "typescript", version: 1, text: "" }),
);
const ask = (given?: object) =>
  client.ask(
    2,
    "nes/suggest",
    s({ uri, version: 1, position, triggerKind: "manual", ...(given && { context: given }) }),
  );
const suggest = (suggestion: object) => [
  ...[...nes, ask()],
  agent.result(2, { suggestions: [{ id: "1", ...suggestion }] }),
];
const edit = suggest({ kind: "edit", uri, edits: [{ range, newText: "" }] });
const action = (actionId: string, given: object) =>
  suggest({ kind: "action", actionId, arguments: given });
const change = (...contentChanges: object[]) => [
  ...nes,
  client.tell("document/didChange", s({ uri, version: 2, contentChanges })),
];
const answer = (id: string) => client.tell("nes/accept", s({ id }));
const files = (count: number) =>
  Array.from({ length: count }, () => ({ uri, languageId: "typescript", text: "" }));
const about = (given: object) => [...nes, ask(given), agent.result(2, { suggestions: [] })];

/** Rules of the sessions that suggest edits. */
export const NES: readonly RuleDoc[] = [
  {
    rule: "known-nes-session",
    title: "Events and questions name a session of suggestions that is open",
    rationale: "These sessions are apart from those of prompts, and their ids end with nes/close.",
    examples: [{ valid: [...nes, ...close], invalid: [...nes, ...close, opened], line: 7 }],
  },
  {
    rule: "nes-event-capability",
    title: "The client tells only the events that the agent asked for",
    rationale: "Events come with every key that is pressed; agents say which of them they can use.",
    examples: [
      {
        valid: [...nes, opened],
        invalid: [...nes, client.tell("document/didSave", s({ uri }))],
        line: 5,
      },
    ],
  },
  {
    rule: "nes-sync-kind",
    title: "An agent that asked for whole documents gets one change with the whole text",
    rationale: "It does not keep what it would need to put parts in their places.",
    examples: [
      { valid: change({ text: "" }), invalid: change({ text: "", range }), line: 5 },
      { valid: change({ text: "" }), invalid: change({ text: "" }, { text: "a" }), line: 5 },
    ],
  },
  {
    rule: "nes-suggestion-kind",
    title: "The agent suggests edits, and what else the client has asked for",
    rationale:
      "A client cannot show a kind of suggestion, or carry out an action, that it does not know.",
    examples: [
      {
        valid: suggest({ kind: "jump", uri, position }),
        invalid: suggest({ kind: "rename", uri, position, newName: "a" }),
        line: 6,
      },
      {
        valid: action("rename", { uri, position, newName: "a" }),
        invalid: action("searchAndReplace", { uri, search: "a", replace: "b" }),
        line: 6,
      },
    ],
  },
  {
    rule: "nes-context-capability",
    title: "The client sends only the context that the agent asked for",
    rationale: "Context is text of the user's; nobody should get more of it than is used.",
    examples: [
      {
        valid: about({ recentFiles: files(1) }),
        invalid: about({ openFiles: [{ uri, languageId: "typescript", version: 1 }] }),
        line: 5,
      },
    ],
  },
  {
    rule: "nes-context-count",
    title: "The client sends no more entries of context than the agent can use",
    rationale: "The rest is thrown away after it was gathered, sent and read.",
    examples: [
      {
        valid: about({ recentFiles: files(1) }),
        invalid: about({ recentFiles: files(2) }),
        line: 5,
      },
    ],
  },
  {
    rule: "offered-suggestion",
    title: "The client accepts and rejects suggestions of the same session",
    rationale: "The agent learns from the answers, and cannot learn from one to nothing.",
    examples: [{ valid: [...edit, answer("1")], invalid: [...edit, answer("2")], line: 7 }],
  },
];
