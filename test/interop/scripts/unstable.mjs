// The unstable methods that are the same in both versions.

import { notify, request, text } from "./steps.mjs";

const progress = {
  serverId: "mcp-1",
  requestId: "r-1",
  method: "notifications/progress",
  params: { progress: 1, total: 2 },
};

/** Accounts and providers. */
export const accountSteps = [
  request(
    "auth/status",
    {},
    { state: "authenticated", accounts: [{ label: "Team", active: true, name: "Ada" }] },
  ),
  request(
    "providers/list",
    {},
    {
      providers: [
        {
          providerId: "main",
          supported: ["anthropic", "bedrock"],
          required: true,
          current: { apiType: "anthropic", baseUrl: "https://llm.example/v1" },
        },
        { providerId: "spare", supported: ["openai"], required: false, current: null },
      ],
    },
  ),
  request(
    "providers/set",
    {
      providerId: "main",
      apiType: "anthropic",
      baseUrl: "https://gateway.example",
      headers: { "X-Team": "shop" },
    },
    {},
  ),
  request("providers/disable", { providerId: "spare" }, {}),
];

/** What an agent says to a server in the editor, and to the editor itself. */
export const editorSteps = [
  request(
    "mcp/message",
    {
      serverId: "mcp-1",
      requestId: "r-1",
      method: "tools/call",
      params: { name: "find", arguments: { query: "€" } },
    },
    { result: { content: [text("found")] } },
    { before: [notify("mcp/message", progress)] },
  ),
  request(
    "mcp/message",
    { serverId: "mcp-1", requestId: "r-2", method: "resources/read", params: { uri: "x://1" } },
    { error: { code: -32002, message: "Resource not found", data: { uri: "x://1" } } },
  ),
  notify("auth/status_update", {
    state: "authenticated",
    accounts: [{ label: "Team", active: true, email: "ada@example.com" }],
  }),
];

/** A script whose agent gets an archive: it has to tell of each listed session whether it is in it. */
export function withArchive(script) {
  const withArchived = (session) => ({ archived: false, ...session });
  const steps = script.steps.map((step) =>
    step.request === "session/list" && step.result !== undefined
      ? { ...step, result: { ...step.result, sessions: step.result.sessions.map(withArchived) } }
      : step,
  );
  return { ...script, steps };
}

/** The end of a session, which is kept. */
export function archiveSteps(sessionId) {
  return [
    request("session/close", { sessionId }, {}),
    request("session/archive", { sessionId }, {}),
    request(
      "session/list",
      { archived: "only" },
      { sessions: [{ sessionId, cwd: "/work", title: "Unstable", archived: true }] },
    ),
    request("session/unarchive", { sessionId }, {}),
  ];
}
