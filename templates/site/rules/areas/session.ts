import type { TranscriptEntry } from "../../../typescript/runtime/conformance/index.js";
import type { RuleDoc } from "../rule-doc.js";
import {
  agent,
  client,
  ended,
  greet,
  inBoth,
  prompt,
  s,
  start,
  state,
  update,
} from "../transcript-builder.js";

const v1 = start(1);
const v2 = start(2);
const cwd = { cwd: "/work" };
const load = client.ask(1, "session/load", s({ ...cwd, mcpServers: [] }));
const resume = (fields = {}) => client.ask(1, "session/resume", s({ ...cwd, ...fields }));
const resumeV1 = resume({ mcpServers: [] });
const replay = resume({ replayFrom: { type: "start" } });
const replayEnd = update("replay_complete");
const close = [client.ask(2, "session/close", s()), agent.result(2)];
const message = update("agent_message_chunk", { messageId: "m" });
const idle = state("idle", "end_turn");
const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
const setMode = (modeId: string) => [
  ...start(1, {}, { modes }),
  client.ask(2, "session/set_mode", s({ modeId })),
  agent.result(2),
];
const named = (...names: string[]) =>
  names.map((name) => ({ type: "command", name, description: "Does it." }));
const commands = (...names: string[]) =>
  update("available_commands_update", { availableCommands: named(...names) });
const subagents = start(1, { clientHas: { subagents: {} } });
const child = (begin: readonly TranscriptEntry[], capabilities?: object | null) => [
  ...begin,
  update("subagent_update", {
    sessionId: "child",
    ...(capabilities !== undefined && { capabilities }),
  }),
  client.notify("session/cancel", { sessionId: "child" }),
];
const announced = (begin: readonly TranscriptEntry[]) => [
  ...begin,
  update("subagent_update", { sessionId: "child" }),
];
const promptChild = client.ask(2, "session/prompt", { sessionId: "child", prompt: [] });
const closeChild = client.ask(2, "session/close", { sessionId: "child" });
const sentBy = (senderSessionId: string) =>
  update("session_message", { messageId: "m", senderSessionId, content: [] });
const working = (sessionId: string) =>
  update("state_update", { state: "idle", background: [{ type: "subagent", sessionId }] });
const showing = (sessionId: string) =>
  update("tool_call_update", { toolCallId: "x", content: [{ type: "session", sessionId }] });
const cursors = start(1, { clientHas: { session: { cursors: {} } } });
const anchor = { type: "user_message", messageId: "m", position: "before" };
const cursor = (fields: object) => update("cursor_update", { cursorId: "c", ...fields });
const forking = start(2, { agentHas: { session: { fork: {} } } });
const forkingV1 = start(1, {
  clientHas: { session: { cursors: {} } },
  agentHas: { sessionCapabilities: { fork: {} } },
});
const fork = (fields = {}) => [
  client.ask(2, "session/fork", s({ ...cwd, ...fields, cursorId: "c" })),
  agent.result(2, { sessionId: "t" }),
];
const forkV1 = fork({ mcpServers: [] });
const listed = (version: number, fields: object) => [
  ...greet(version, {
    agentHas:
      version === 2
        ? { session: { archive: {} } }
        : { sessionCapabilities: { list: {}, archive: {} } },
  }),
  client.ask(1, "session/list"),
  agent.result(1, { sessions: [{ sessionId: "s", ...cwd, ...fields }] }),
];
const unknown = client.ask(2, "session/close", { sessionId: "t" });
const inFolder = (folder: string) => [
  client.ask(1, "session/list", cwd),
  agent.result(1, { sessions: [{ sessionId: "a", cwd: folder }] }),
];

const page = (cursor: string, nextCursor: string) => [
  client.ask(1, "session/list", { cursor }),
  agent.result(1, { sessions: [], nextCursor }),
];

/** Rules of sessions. */
export const SESSION: readonly RuleDoc[] = [
  {
    rule: "known-session",
    title: "Messages name a session that is open on this connection",
    rationale:
      "The receiver cannot relate any other id to a session. The agent may use the id of a new session before the response that returns it.",
    examples: [
      {
        valid: [...v1, message, prompt(), ended()],
        invalid: [
          ...v1,
          client.ask(2, "session/set_mode", { sessionId: "t", modeId: "ask" }),
          agent.error(2, -32002),
        ],
        line: 5,
      },
      {
        valid: [...v2.slice(0, 3), idle, v2[3]!, ...close],
        invalid: [...v2, unknown, agent.error(2, -32002, { sessionId: "t" })],
        line: 5,
      },
    ],
  },
  {
    rule: "updates-before-session",
    title: "In version 1 the updates of a new session follow the response that opens it",
    rationale:
      "The agent may send them earlier, but some clients drop updates of a session that they do not know yet.",
    examples: [
      {
        valid: [...v1, message],
        invalid: [...v1.slice(0, 3), message, v1[3]!],
        line: 4,
      },
    ],
  },
  {
    rule: "open-session",
    title: "A closed session is not used",
    rationale: "Its id is not active until the session is loaded or resumed.",
    examples: [
      ...inBoth((version) => ({
        valid: [...start(version), client.ask(2, "session/close", s()), message, agent.result(2)],
        invalid: [...start(version), ...close, message],
        line: 7,
      })),
      {
        // Who closes a session that does not exist has what they want.
        valid: [...v1, client.ask(2, "session/close", s()), agent.error(2, -32002)],
        invalid: [
          ...[...v1, client.ask(2, "session/close", s()), agent.error(2, -32002)],
          client.notify("session/cancel", s()),
        ],
        line: 7,
      },
    ],
  },
  {
    rule: "unknown-session-refused",
    title: "A request for a session that is not open fails with error -32002",
    rationale: "The code informs the client that it must load the session or create a new one.",
    examples: [
      {
        valid: [...v1, ...close],
        invalid: [...v1, unknown, agent.result(2)],
        line: 6,
        also: ["known-session"],
      },
      {
        valid: [...v2, ...close],
        invalid: [...v2, unknown, agent.error(2, -32603)],
        line: 6,
        also: ["known-session"],
      },
    ],
  },
  {
    rule: "session-not-found-data",
    title: "In version 2 error -32002 names the session in its data",
    rationale: "A proxy or a client with many sessions can identify the missing one.",
    examples: [
      {
        valid: [...greet(2), resume(), agent.error(1, -32002, { sessionId: "s" })],
        invalid: [...greet(2), resume(), agent.error(1, -32002)],
        line: 4,
      },
    ],
  },
  {
    rule: "replay-before-load-response",
    title: "The history of a loaded session precedes the response",
    rationale: "The response marks the end of the history; later updates appear to be new.",
    examples: [
      {
        valid: [...greet(1), load, message, agent.result(1), prompt(), message, ended()],
        invalid: [...greet(1), load, agent.result(1), message],
        line: 5,
      },
    ],
  },
  {
    rule: "no-replay-on-resume",
    title: "A session is resumed without its history unless the client requests it",
    rationale: "A client that kept the conversation would display everything twice.",
    examples: [
      {
        valid: [...greet(1), resumeV1, agent.result(1), prompt(), message, ended()],
        invalid: [...greet(1), resumeV1, message, agent.result(1)],
        line: 4,
      },
      {
        valid: [...[...greet(2), replay, message], ...[replayEnd, idle, agent.result(1)]],
        invalid: [...greet(2), resume(), message, idle, agent.result(1)],
        line: 4,
      },
    ],
  },
  {
    rule: "state-before-resume-response",
    title: "In version 2 the state of a resumed session precedes the response",
    rationale: "Without the state the client does not know whether work continues.",
    examples: [
      {
        valid: [...greet(2), resume(), idle, agent.result(1)],
        invalid: [...greet(2), resume(), agent.result(1)],
        line: 4,
      },
    ],
  },
  {
    rule: "replay-complete",
    title: "In version 2 a replay that was requested has an end before the response",
    rationale:
      "The client cannot tell the history from live updates otherwise. An empty history has an end as well.",
    examples: [
      {
        valid: [...greet(2), replay, replayEnd, idle, agent.result(1)],
        invalid: [...greet(2), replay, idle, agent.result(1)],
        line: 5,
      },
    ],
  },
  {
    rule: "unrequested-replay-complete",
    title: "In version 2 a replay has one end, and only if the client requested it",
    rationale: "The client regards everything before the end as history.",
    examples: [
      {
        valid: [...greet(2), replay, replayEnd, idle, agent.result(1)],
        invalid: [...greet(2), resume(), replayEnd, idle, agent.result(1)],
        line: 4,
      },
      {
        valid: [...greet(2), replay, message, replayEnd, idle, agent.result(1)],
        invalid: [...greet(2), replay, replayEnd, replayEnd, idle, agent.result(1)],
        line: 5,
      },
    ],
  },
  {
    rule: "known-mode",
    title: "A session is set only to a mode that it offers",
    rationale: "The agent defines the modes and lists them for each session.",
    examples: [{ valid: setMode("ask"), invalid: setMode("code"), line: 5 }],
  },
  {
    rule: "unique-commands",
    title: "In version 2 the names of commands are unique and contain no whitespace",
    rationale:
      "The user types the name before the arguments. With equal names or blanks in them, the agent cannot tell which command is meant.",
    examples: [
      {
        valid: [...v2, commands("review", "create_plan")],
        invalid: [...v2, commands("review", "review")],
        line: 5,
      },
      {
        valid: start(2, {}, { availableCommands: named("review") }),
        invalid: start(2, {}, { availableCommands: named("create plan") }),
        line: 4,
      },
    ],
  },
  {
    rule: "subagent-cancel",
    title: "The session of a subagent is cancelled only if it advertises that",
    rationale:
      "Unlike ordinary sessions, each child session advertises whether it can be cancelled.",
    examples: [
      { valid: child(subagents, { cancel: {} }), invalid: child(subagents), line: 6 },
      {
        valid: child(subagents, { cancel: {} }),
        invalid: child(subagents, { cancel: null }),
        line: 6,
      },
      { valid: child(v2, { cancel: {} }), invalid: child(v2, null), line: 6 },
    ],
  },
  {
    rule: "subagent-change",
    title: "The client does not change the session of a subagent",
    rationale:
      "The parent directs its subagents; that the agent supports a method for other sessions permits nothing here.",
    examples: [
      {
        valid: [...announced(subagents), prompt(), ended()],
        invalid: [...announced(subagents), promptChild, ended()],
        line: 6,
      },
      {
        valid: [...announced(v2), ...close],
        invalid: [...announced(v2), closeChild, agent.error(2)],
        line: 6,
      },
    ],
  },
  {
    rule: "subagent-announced",
    title: "An update announces a session before other updates name it",
    rationale:
      "The client relates messages, tool calls and background work to the sessions that it knows.",
    examples: [
      {
        valid: [...announced(subagents), sentBy("child")],
        invalid: [...subagents, sentBy("child")],
        line: 5,
      },
      {
        valid: [...announced(v2), working("child")],
        invalid: [...announced(v2), working("other")],
        line: 6,
      },
      {
        valid: [...announced(v2), showing("child")],
        invalid: [...v2, showing("child")],
        line: 5,
      },
    ],
  },
  {
    rule: "cursor-anchor",
    title: "A cursor begins with its anchor, and keeps it",
    rationale: "Without an anchor the client has no place for the cursor.",
    features: ["session_cursors"],
    examples: [
      {
        valid: [...cursors, cursor({ anchor }), cursor({ capabilities: {} })],
        invalid: [...cursors, cursor({ capabilities: {} })],
        line: 5,
      },
      {
        valid: [...v2, cursor({ anchor }), cursor({ anchor })],
        invalid: [...v2, cursor({ anchor }), cursor({ anchor: { ...anchor, messageId: "n" } })],
        line: 6,
      },
    ],
  },
  {
    rule: "cursor-fork",
    title: "A session is forked only at cursors that permit it",
    rationale: "The agent refuses any other cursor; it does not fork the whole session instead.",
    features: ["session_cursors", "session_fork"],
    examples: [
      {
        valid: [...forkingV1, cursor({ anchor, capabilities: { fork: {} } }), ...forkV1],
        invalid: [...forkingV1, cursor({ anchor }), ...forkV1],
        line: 6,
      },
      {
        valid: [...forking, cursor({ anchor, capabilities: { fork: {} } }), ...fork()],
        invalid: [...forking, ...fork()],
        line: 5,
      },
    ],
  },
  {
    rule: "listed-archived",
    title: "An agent with an archive reports for each listed session whether it is archived",
    rationale: "The client groups its list by the value and cannot interpret its absence.",
    features: ["session_archive"],
    examples: [
      { valid: listed(1, { archived: false }), invalid: listed(1, {}), line: 4 },
      { valid: listed(2, { archived: true }), invalid: listed(2, { archived: null }), line: 4 },
    ],
  },
  {
    rule: "listed-folder",
    title: "The agent lists only sessions of the folder that the client names",
    rationale: "A client shows the sessions of a project, and would offer those of another one.",
    examples: inBoth((version) => ({
      valid: [...greet(version), ...inFolder("/work")],
      invalid: [...greet(version), ...inFolder("/home")],
      line: 4,
    })),
  },
  {
    rule: "next-page",
    title: "The cursor of the next page is another one",
    rationale: "A client that reads all pages would ask for the same page for ever.",
    examples: inBoth((version) => ({
      valid: [...greet(version), ...page("first", "second")],
      invalid: [...greet(version), ...page("first", "first")],
      line: 4,
    })),
  },
  {
    rule: "usage-within-size",
    title: "The tokens in use are no more than the size of the context",
    rationale: "Clients show the usage as a part of the size, which would be above 100 percent.",
    examples: inBoth((version) => ({
      valid: [...start(version), update("usage_update", { used: 10, size: 100 })],
      invalid: [...start(version), update("usage_update", { used: 521, size: 100 })],
      line: 5,
    })),
  },
];
