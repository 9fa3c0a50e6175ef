import type { RuleDoc } from "../rule-doc.js";
import { agent, client, s, start, update } from "../transcript-builder.js";

const v1 = start(1);
const v2 = start(2);
const write = agent.ask(5, "fs/write_text_file", s({ path: "/a", content: "" }));
const shell = start(1, { clientHas: { terminal: true } });
const create = [
  agent.ask(5, "terminal/create", s({ command: "ls" })),
  client.result(5, { terminalId: "t" }),
];
const RESULTS: { readonly [method: string]: object } = {
  output: { output: "", truncated: false },
};
const use = (id: number, method: string, terminalId = "t") => [
  agent.ask(id, `terminal/${method}`, s({ terminalId })),
  client.result(id, RESULTS[method]),
];
const shown = update("tool_call", {
  toolCallId: "x",
  content: [{ type: "terminal", terminalId: "t" }],
});
const begun = (toolCallId: string) => update("tool_call", { toolCallId });
const ended = update("tool_call_update", { toolCallId: "x", status: "completed" });
const prompt = client.ask(2, "session/prompt", s({ prompt: [] }));
const load = client.ask(2, "session/load", s({ cwd: "/work", mcpServers: [] }));
const still = update("tool_call_update", {
  toolCallId: "x",
  content: [{ type: "terminal", terminalId: "t" }],
});
const CANCELLED = { outcome: { outcome: "cancelled" } };
const asked = (toolCallId: string): object =>
  s({ toolCall: { toolCallId }, options: [{ optionId: "o", name: "Yes", kind: "allow_once" }] });
const tool = (...capabilities: (object | null)[]) => [
  ...v2,
  ...capabilities.map((value) =>
    update("tool_call_update", { toolCallId: "x", capabilities: value }),
  ),
  client.ask(2, "tool_call/cancel", s({ toolCallId: "x" })),
  agent.result(2),
];

/** Rules of what the client does for the agent, and of tool calls. */
export const CLIENT: readonly RuleDoc[] = [
  {
    rule: "fs-capability",
    title: "The agent reads and writes files only through a client that advertised it",
    rationale:
      "Reading and writing are advertised separately; a client without the capability does not have the method.",
    examples: [
      {
        valid: [
          ...start(1, { clientHas: { fs: { writeTextFile: true } } }),
          ...[write, client.result(5)],
        ],
        invalid: [
          ...start(1, { clientHas: { fs: { readTextFile: true } } }),
          ...[write, client.error(5, -32601)],
        ],
        line: 5,
      },
    ],
  },
  {
    rule: "terminal-capability",
    title: "The agent uses terminals only if the client advertised them",
    rationale: "The client decides whether commands run in the user's environment.",
    examples: [
      {
        valid: [...shell, ...create, ...use(6, "release")],
        invalid: [
          ...[...v1, agent.ask(5, "terminal/create", s({ command: "ls" }))],
          client.error(5, -32601),
        ],
        line: 5,
      },
    ],
  },
  {
    rule: "known-terminal",
    title: "The agent uses only terminals that it created in the session",
    rationale:
      "A terminal id belongs to one session; in another session it is unknown or names a different terminal.",
    examples: [
      {
        valid: [
          ...[...shell, ...create, ...use(6, "kill")],
          ...[...use(7, "output"), ...use(8, "release")],
        ],
        invalid: [...shell, ...use(6, "output", "u")],
        line: 5,
      },
    ],
  },
  {
    rule: "unreleased-terminal",
    title: "A terminal is not used after its release",
    rationale: "The client has freed the terminal, and its id is no longer valid.",
    examples: [
      {
        valid: [
          ...[...shell, ...create],
          agent.ask(6, "terminal/wait_for_exit", s({ terminalId: "t" })),
          ...[client.result(6, { exitCode: 0 }), ...use(7, "release")],
        ],
        invalid: [...shell, ...create, ...use(6, "release"), ...use(7, "output")],
        line: 9,
      },
    ],
  },
  {
    rule: "terminal-leak",
    title: "Every terminal is released",
    rationale:
      "Until then the client keeps the process and its output, even after the process was killed.",
    examples: [
      {
        valid: [...shell, ...create, ...use(6, "release")],
        invalid: [...shell, ...create, ...use(6, "kill")],
        line: 5,
      },
    ],
  },
  {
    rule: "embedded-terminal",
    title: "A terminal is embedded in a tool call before it is released",
    rationale:
      "The client keeps the output of a released terminal only where a tool call already shows it.",
    examples: [
      {
        valid: [...shell, ...create, shown, ...use(6, "release"), still],
        invalid: [...shell, ...create, ...use(6, "release"), shown],
        line: 9,
      },
    ],
  },
  {
    rule: "tool-call-first",
    title: "In version 1 a tool call is announced before it is updated",
    rationale:
      "An update contains only the changed values, which is not enough to display a tool call.",
    examples: [
      {
        valid: [
          ...[...v1, update("tool_call", { toolCallId: "x" })],
          update("tool_call_update", { toolCallId: "x" }),
        ],
        invalid: [...v1, update("tool_call_update", { toolCallId: "x" })],
        line: 5,
      },
      {
        valid: [
          ...[...v1, agent.ask(5, "session/request_permission", asked("x"))],
          ...[client.result(5, CANCELLED), update("tool_call_update", { toolCallId: "x" })],
        ],
        invalid: [
          ...[...v1, agent.ask(5, "session/request_permission", asked("y"))],
          ...[client.result(5, CANCELLED), update("tool_call_update", { toolCallId: "x" })],
        ],
        line: 7,
      },
    ],
  },
  {
    rule: "tool-call-once",
    title: "In version 1 a tool call is announced once",
    rationale:
      "A client that adds an entry for each announcement displays the tool call twice. Changes are sent as updates.",
    examples: [
      {
        valid: [...v1, begun("x"), begun("y")],
        invalid: [...v1, begun("x"), begun("x")],
        line: 6,
      },
      {
        // A replay announces tool calls again.
        valid: [...v1, begun("x"), load, begun("x"), agent.result(2)],
        invalid: [...v1, begun("x"), load, begun("x"), begun("x"), agent.result(2)],
        line: 8,
      },
    ],
  },
  {
    rule: "tool-call-ends",
    title: "A turn ends after its tool calls",
    rationale:
      "A client shows a tool call as running until its status says otherwise, and no later update of the turn does.",
    examples: [
      {
        valid: [...v1, prompt, begun("x"), ended, agent.result(2, { stopReason: "end_turn" })],
        invalid: [...v1, prompt, begun("x"), agent.result(2, { stopReason: "end_turn" })],
        line: 7,
      },
    ],
  },
  {
    rule: "cancellable",
    methods: ["tool_call/cancel", "terminal/cancel"],
    title: "In version 2 only tool calls and terminals that advertise it are cancelled",
    rationale:
      "Some work cannot be stopped separately, and whether it can may change while it runs.",
    examples: [
      { valid: tool({ cancel: {} }), invalid: tool(null), line: 6 },
      { valid: tool({ cancel: {} }), invalid: tool({ cancel: {} }, null), line: 7 },
    ],
  },
];
