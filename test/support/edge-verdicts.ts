/** A value at an edge of a definition, with the verdict that every codec must give. */
export interface EdgeVerdict {
  readonly profile: "v1-full" | "v2-full";
  readonly definition: string;
  readonly value: unknown;
  readonly isValid: boolean;
  /** The rule that decides. */
  readonly why: string;
}

const PROMPT = { sessionId: "s", prompt: [{ type: "text", text: "Go on." }] };
const FORM = {
  mode: "form",
  message: "Which one?",
  requestedSchema: { type: "object", properties: {} },
};
const EMOJI = "\u{1f3b9}";

/** Makes the cases of one value, with the verdict of each version that has the definition. */
function cases(
  definition: string,
  value: unknown,
  verdicts: { readonly v1?: boolean; readonly v2?: boolean },
  why: string,
): EdgeVerdict[] {
  return (["v1", "v2"] as const).flatMap((version) => {
    const isValid = verdicts[version];
    const profile = `${version}-full` as const;
    return isValid === undefined ? [] : [{ profile, definition, value, isValid, why }];
  });
}

export const EDGE_VERDICTS: readonly EdgeVerdict[] = [
  ...cases(
    "PromptRequest",
    { ...PROMPT, idempotencyKey: EMOJI.repeat(255) },
    { v2: true },
    "a length counts characters, not bytes or UTF-16 units",
  ),
  ...cases(
    "PromptRequest",
    { ...PROMPT, idempotencyKey: EMOJI.repeat(256) },
    { v2: false },
    "a key has at most 255 characters",
  ),
  ...cases(
    "CreateElicitationRequest",
    { ...FORM, sessionId: "s", requestId: 2 ** 63 },
    { v1: true, v2: false },
    "an integer that a language cannot hold is an id nonetheless",
  ),
  ...cases("PromptRequest", { ...PROMPT, idempotencyKey: "" }, { v2: false }, "a key is not empty"),
  ...cases("PromptRequest", { ...PROMPT, idempotencyKey: null }, { v2: true }, "null is no key"),
  ...cases("PromptRequest", { ...PROMPT, idempotencyKey: 7 }, { v2: false }, "a key is a string"),
  ...cases("SessionUpdate", { sessionUpdate: "replay_complete" }, { v2: true }, "a mere marker"),
  ...cases(
    "CompactionUpdate",
    { compactionId: "c" },
    { v1: false, v2: true },
    "version 2 requires the id only",
  ),
  ...cases(
    "CompactionUpdate",
    { compactionId: "c", status: null },
    { v1: false, v2: true },
    "null resets the status of version 2",
  ),
  ...cases("Diff", { changes: [] }, { v2: false }, "a diff has a change"),
  ...cases(
    "SystemPrompt",
    { mode: "append", content: [] },
    { v1: true, v2: false },
    "only the schema of version 2 requires a block",
  ),
  ...cases(
    "PlanUpdateContent",
    { type: "markdown", planId: "p", content: "", path: "/plan.md" },
    { v1: true, v2: true },
    "Markdown may have a path",
  ),
  ...cases(
    "PlanUpdateContent",
    { type: "file", planId: "p", uri: "file:///plan.md" },
    { v1: false },
    "the closed union has no files",
  ),
  ...cases(
    "ToolCallContent",
    { type: "session", sessionId: "child" },
    { v1: true, v2: true },
    "a tool call refers to a session",
  ),
  ...cases(
    "ToolCallContent",
    { type: "session" },
    { v1: false, v2: false },
    "the reference has an id",
  ),
  ...cases("StateUpdate", { state: "unknown" }, { v1: true, v2: true }, "a state of its own"),
  ...cases(
    "CreateElicitationRequest",
    { ...FORM, requestId: 1, toolCallId: "t" },
    { v1: true, v2: false },
    "in version 2 a tool call belongs to the scope of a session",
  ),
  ...cases(
    "CreateElicitationRequest",
    { ...FORM, requestId: 1, toolCallId: null },
    { v1: true, v2: false },
    "an excluded property must be absent, whatever its value is",
  ),
  ...cases(
    "CreateElicitationRequest",
    { ...FORM, sessionId: "s", toolCallId: "t" },
    { v1: true, v2: true },
    "a session has tool calls",
  ),
  ...cases(
    "CreateElicitationRequest",
    { ...FORM, sessionId: "s", requestId: 1 },
    { v1: true, v2: false },
    "only version 2 refuses two scopes",
  ),
  ...cases(
    "MultiSelectItems",
    { anyOf: [{ const: "a", title: "A" }] },
    { v1: true, v2: true },
    "titled items have no type",
  ),
  ...cases(
    "MultiSelectItems",
    { type: null, anyOf: [{ const: "a", title: "A" }] },
    { v2: false },
    "a type that is null is a type",
  ),
  ...cases(
    "NewSessionRequest",
    {
      cwd: "/w",
      mcpServers: [],
      configOptions: [
        { configId: "model", value: "fast" },
        { configId: "web", type: "boolean", value: true },
      ],
    },
    { v1: true, v2: false },
    "only version 1 has values without a type",
  ),
  ...cases(
    "PromptSuggestionsUpdate",
    { suggestions: [{ prompt: [] }] },
    { v1: false, v2: false },
    "a suggestion is not empty",
  ),
  ...cases(
    "CursorAnchor",
    { type: "tool_call", position: "after" },
    { v1: false, v2: false },
    "a known anchor names its entity",
  ),
  ...cases(
    "CursorAnchor",
    { type: "_example.org/page", page: 3 },
    { v1: true, v2: true },
    "other anchors have any properties",
  ),
  ...cases(
    "ContentBlock",
    { type: "skill", name: "review" },
    { v1: false, v2: true },
    "version 2 has skills",
  ),
];

/** Returns the requests that ask a codec for its verdicts on some of the values, one a line. */
export function verdictRequests(asked: readonly EdgeVerdict[]): string {
  const lines = asked.map(({ profile, definition, value }, id) =>
    JSON.stringify({ id, op: "validate", profile, definition, input: JSON.stringify(value) }),
  );
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns whether each value is valid, by the answers of a codec. */
export function verdictsIn(answers: string): readonly boolean[] {
  const lines = answers.trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { verdict: string }).verdict === "ok");
}
