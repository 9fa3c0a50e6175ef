import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../../support/paths.js";
import { snapshot } from "./snapshot.js";
import { createV1, createV2 } from "./states.js";

const content = { type: "text", text: "a" };

/** One update of every kind; each has to change a state that the earlier ones have made. */
const SAMPLES: Readonly<Record<string, object>> = {
  user_message_chunk: { messageId: "1", content },
  user_message: { messageId: "1", content: [content, content] },
  agent_message_chunk: { messageId: "1", content },
  agent_message: { messageId: "1", content: [content, content] },
  agent_message_clear: { messageId: "1" },
  agent_thought_chunk: { messageId: "1", content },
  agent_thought: { messageId: "1", content: [content, content] },
  tool_call: { toolCallId: "1", title: "a" },
  tool_call_update: { toolCallId: "1", title: "b" },
  tool_call_content_chunk: { toolCallId: "1", content: { type: "content", content } },
  terminal_update: { terminalId: "1", command: "ls" },
  terminal_output_chunk: { terminalId: "1", data: "YQ==" },
  plan: { entries: [{ content: "a", priority: "low", status: "pending" }] },
  plan_update: { plan: { type: "items", planId: "1", entries: [] } },
  plan_removed: { planId: "1" },
  available_commands_update: { availableCommands: [] },
  config_option_update: { configOptions: [] },
  current_mode_update: { currentModeId: "ask" },
  session_info_update: { title: "a" },
  usage_update: { used: 1, size: 2 },
  notice: { severity: "info", title: "a" },
  compaction_update: { compactionId: "1", status: "completed" },
  compaction_summary_chunk: { compactionId: "1", content },
  subagent_update: { sessionId: "1", title: "a" },
  session_message: { messageId: "1", senderSessionId: "1" },
  session_message_chunk: { messageId: "1", content },
  state_update: { state: "running" },
  cursor_update: { cursorId: "1", anchor: { type: "tool_call", toolCallId: "1" } },
  prompt_suggestions_update: { suggestions: [] },
};

describe.each([
  ["v1-full", createV1],
  ["v2-full", createV2],
] as const)("every session update of %s", (profile, create) => {
  const tags = tagsOf(profile).filter((tag) => tag !== "replay_complete");

  test("is in the schema that this test reads", () => {
    expect(tags.length).toBeGreaterThan(15);
    expect(new Set(tags).size).toBe(tags.length);
  });

  test.each(tags)("changes the state: %s", (tag) => {
    expect(Object.keys(SAMPLES)).toContain(tag);
    const state = create();
    // A part that can only be removed must be there before.
    for (const other of tags.filter((name) => name !== tag)) apply(state, other);
    if (tag === "agent_message_clear") apply(state, "agent_message_chunk");
    if (tag === "plan_removed") apply(state, "plan_update");
    const before = snapshot(state);
    const { revision } = state;
    apply(state, tag);
    expect(state.others.items).toEqual([]);
    expect(state.revision).toBe(revision + 1);
    expect(snapshot(state)).not.toEqual(before);
  });
});

test("the end of a replay is not part of the state", () => {
  const state = createV2();
  state.apply({ sessionUpdate: "replay_complete" });
  expect([state.revision, state.others.count]).toEqual([0, 0]);
});

describe("an unvalidated update", () => {
  // A profile without a feature lets the feature's updates through as they came.
  const junk = [
    undefined,
    null,
    true,
    5,
    "text",
    [],
    [null],
    [[]],
    {},
    { planId: {} },
    { data: 5 },
  ];

  test.each(Object.entries(SAMPLES))(
    "never throws, whatever is wrong with it: %s",
    (tag, sample) => {
      for (const state of [createV1(), createV2()]) {
        for (const field of [...Object.keys(sample), "_meta", "content", "summary", "output"]) {
          for (const value of junk) {
            state.apply({ sessionUpdate: tag, ...sample, [field]: value } as never);
            apply(state, tag);
            snapshot(state);
          }
        }
      }
    },
  );
});

test("every sample is of a kind that one of the schemas has", () => {
  const known = new Set([...tagsOf("v1-full"), ...tagsOf("v2-full")]);
  expect(Object.keys(SAMPLES).filter((tag) => !known.has(tag))).toEqual([]);
});

function apply(state: ReturnType<typeof createV1 | typeof createV2>, sessionUpdate: string): void {
  state.apply({ sessionUpdate, ...SAMPLES[sessionUpdate] } as never);
}

function tagsOf(profile: string): string[] {
  const text = readFileSync(join(ROOT, `out/schema/${profile}.schema.json`), "utf8");
  const { oneOf, anyOf } = (JSON.parse(text) as Schema).$defs["SessionUpdate"]!;
  return (oneOf ?? anyOf)!.flatMap(({ properties }) => properties.sessionUpdate.const ?? []);
}

interface Schema {
  readonly $defs: Readonly<
    Record<string, { readonly oneOf?: Variants; readonly anyOf?: Variants }>
  >;
}

type Variants = readonly {
  readonly properties: { readonly sessionUpdate: { readonly const?: string } };
}[];
