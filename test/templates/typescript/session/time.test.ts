import { describe, expect, test } from "vitest";
import { leastCpuTime } from "../../../support/least-cpu-time.js";
import { createV1, createV2, type Update } from "./states.js";

const FEW = 20_000;
const MANY = 100_000;
/** Five times the updates take five times as long; what is quadratic takes 25 times. */
const MOST = 10;

const plain = { type: "text", text: "some " };
const marked = { ...plain, _meta: { token: 1 } };

describe("the time that many updates take grows with their number", () => {
  test.each<[string, Update]>([
    ["text", { sessionUpdate: "agent_message_chunk", content: plain }],
    ["text with an id", { sessionUpdate: "agent_message_chunk", messageId: "1", content: plain }],
    ["text that is not joined", { sessionUpdate: "agent_message_chunk", content: marked }],
    ["a summary", { sessionUpdate: "compaction_summary_chunk", compactionId: "1", content: plain }],
    ["unknown updates", { sessionUpdate: "_mine" }],
  ])("version 1, %s", (_, update) => {
    expectLinear((count) => {
      const state = createV1();
      for (let done = 0; done < count; done++) state.apply(update);
      return state.messages[0]?.content.length;
    });
  });

  test.each<[string, Update]>([
    ["text", { sessionUpdate: "agent_message_chunk", messageId: "1", content: plain }],
    [
      "items of a tool call",
      { sessionUpdate: "tool_call_content_chunk", toolCallId: "1", content: marked },
    ],
    [
      "output of a terminal",
      { sessionUpdate: "terminal_output_chunk", terminalId: "1", data: "YQ==" },
    ],
  ])("version 2, %s", (_, update) => {
    expectLinear((count) => {
      const state = createV2();
      for (let done = 0; done < count; done++) state.apply(update);
      return state.messages[0]?.content.length;
    });
  });

  test("also for separate messages", () => {
    expectLinear((count) => {
      const state = createV1();
      for (let done = 0; done < count; done++) {
        const sessionUpdate = done % 2 === 0 ? "agent_message_chunk" : "agent_thought_chunk";
        state.apply({ sessionUpdate, content: plain });
      }
      return state.messages.length;
    });
  });
});

test("a text of 100,000 chunks is complete and readable", () => {
  const state = createV1();
  for (let done = 0; done < MANY; done++)
    state.apply({ sessionUpdate: "agent_message_chunk", content: plain });
  const { content } = state.messages[0]!;
  expect(content).toHaveLength(1);
  expect((content[0] as { text?: string }).text === "some ".repeat(MANY)).toBe(true);
});

function expectLinear(run: (count: number) => unknown): void {
  run(FEW);
  let factor = Infinity;
  // Quadratic work fails every time; a busy machine does not.
  for (let attempt = 0; attempt < 5 && factor >= MOST; attempt++) {
    const few = leastCpuTime(() => run(FEW));
    const many = leastCpuTime(() => run(MANY));
    // Neither a clock tick nor a collection of garbage may count.
    factor = Math.min(factor, many / Math.max(few, 5));
  }
  expect(factor).toBeLessThan(MOST);
}
