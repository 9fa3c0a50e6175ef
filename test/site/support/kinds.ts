/** Pages above the profiles, one of every kind. */
const ROOT_KINDS = [
  "index.html",
  "404.html",
  "tool/bridge.html",
  "tool/losses.html",
  "tool/agent.html",
];

/** Pages of a profile with every feature, one of every kind and some that have more in them than others. */
export const KINDS = [
  "index.html",
  "methods/session/prompt.html",
  "methods/mcp/message.html",
  "types/SessionUpdate.html",
  "types/ToolKind.html",
  "types/AgentCapabilities.html",
  "capabilities.html",
  "flows.html",
  "flows/prompt-turn.html",
  "errors.html",
  "rules.html",
  "rules/sessions.html",
  "features.html",
  "changes.html",
  "changes/prompt.html",
  "checklist.html",
  "downloads.html",
  "validator.html",
  "naming.html",
  "getting-started.html",
  "adapter.html",
  "lifecycle.html",
];

/** The profiles that have them. */
const KIND_PROFILES = ["v1-full", "v2-full"] as const;

/** All of them by their paths. */
export const KIND_PAGES: readonly string[] = [
  ...ROOT_KINDS,
  ...KIND_PROFILES.flatMap((profile) => KINDS.map((page) => `${profile}/${page}`)),
];
