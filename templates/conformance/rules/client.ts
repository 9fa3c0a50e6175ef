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
    title: "The agent reads and writes files only through clients that offer it",
    rationale: "Each of the two is offered by itself; a client without it has no such method.",
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
    title: "The agent uses terminals only of clients that have them",
    rationale: "Whether commands run in the user's environment is for the client to decide.",
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
    title: "The agent uses terminals that it has created in the session",
    rationale:
      "Ids of terminals belong to a session; others lead nowhere or to another's terminal.",
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
    rationale: "The client has freed it; its id is void.",
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
    rationale: "Until then the client keeps the process and its output, also after it was killed.",
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
    title: "A tool call shows a terminal before that is released",
    rationale: "The client keeps the output of a released terminal only where it is shown already.",
    examples: [
      {
        valid: [...shell, ...create, shown, ...use(6, "release"), shown],
        invalid: [...shell, ...create, ...use(6, "release"), shown],
        line: 9,
      },
    ],
  },
  {
    rule: "tool-call-first",
    title: "In version 1 a tool call is announced before it is updated",
    rationale: "An update has only what changed; alone it cannot be shown.",
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
    rule: "cancellable",
    methods: ["tool_call/cancel", "terminal/cancel"],
    title: "In version 2 only tool calls and terminals that allow it are canceled",
    rationale: "Not all work can be stopped by itself, and whether it can may change on the way.",
    examples: [
      { valid: tool({ cancel: {} }), invalid: tool(null), line: 6 },
      { valid: tool({ cancel: {} }), invalid: tool({ cancel: {} }, null), line: 7 },
    ],
  },
];
