import { describe, expect, test } from "vitest";
import { parseFilter, Timeline } from "../../../templates/site/inspector/index.js";
import type { Captured } from "../../../templates/site/inspector/capture.js";
import type { TimelineRow } from "../../../templates/site/inspector/timeline.js";

const finding = { level: "error", rule: "some-rule", path: "/params", message: "wrong" } as const;

/** A conversation: each message has its time and perhaps a finding. */
class Conversation {
  readonly rows: TimelineRow[] = [];
  readonly timeline = new Timeline((row) => this.rows.push(row));
  #line = 0;

  message(from: "agent" | "client", time: number, message: object, isWrong = false): this {
    const { method, id } = message as { method?: string; id?: number };
    const kind = method === undefined ? "response" : id === undefined ? "notification" : "request";
    const found = { line: ++this.#line, from, kind, findings: isWrong ? [finding] : [] } as const;
    const captured: Captured = { number: this.#line, size: 1, time, recorded: { message, from } };
    this.timeline.add({ ...found, method: method ?? "answered" }, captured);
    return this;
  }

  update(time: number, update: object, isWrong = false): this {
    const params = { sessionId: "s1", update };
    return this.message("agent", time, { method: "session/update", params }, isWrong);
  }

  shown(filter = ""): string[] {
    this.timeline.flush();
    const fits = parseFilter(filter);
    return this.rows
      .filter(fits)
      .map(({ line, kind, update, count, ms, text }) =>
        [line, kind, update, count, ms, text]
          .filter((part) => part !== undefined && part !== "")
          .join(" "),
      );
  }
}

const chunk = (text: string) => ({
  ...{ sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
});
const tool = (toolCallId: string, status: string) => ({
  ...{ sessionUpdate: "tool_call_update", toolCallId, status },
});

const conversation = new Conversation()
  .message("client", 1000, { id: 1, method: "session/prompt", params: { sessionId: "s1" } })
  .update(1001, chunk("Hello, "))
  .update(1002, chunk("there."))
  .update(1003, chunk("wrong"), true)
  .update(1004, tool("t1", "pending"))
  .update(1005, tool("t1", "completed"))
  .update(1006, tool("t2", "failed"))
  .message("agent", 1007, { id: 1, method: "fs/read_text_file", params: { path: "/a" } })
  .message("agent", 3500, { id: 1, result: { stopReason: "end_turn" } });

describe("a timeline", () => {
  test("folds updates that follow each other, but not those with findings or of other tools", () => {
    expect(conversation.shown()).toEqual([
      "1 request",
      "2 update agent_message_chunk 2 Hello, there.",
      "4 update agent_message_chunk 1 wrong",
      "5 update tool_call_update 2 completed",
      "7 update tool_call_update 1 failed",
      "8 request /a",
      "9 response 2500 end_turn",
    ]);
  });

  test.each([
    ["chunks", chunk("x".repeat(1500)), 2000],
    ["tools", tool("t", "y".repeat(1500)), 1500],
  ])("keeps the beginning of the text of many %s", (_, update, length) => {
    const many = new Conversation();
    for (let count = 0; count < 3; count++) many.update(count, update);
    many.timeline.flush();
    expect(many.rows.map(({ text, count }) => [text.length, count])).toEqual([[length, 3]]);
  });

  test("forgets the oldest open calls when there are too many", () => {
    const many = new Conversation();
    for (let id = 0; id <= 10_000; id++) many.message("client", id, { id, method: "_m" });
    const open = many.timeline.open();
    expect(open.length).toBeLessThanOrEqual(10_000);
    expect(open.at(-1)!.id).toBe("10000");
  });

  test("heads each row with its method, id, count, duration and outcome", () => {
    const heads = new Conversation()
      .message("client", 0, { id: 1, method: "a" })
      .message("client", 0, { id: 2, method: "b" })
      .message("agent", 999, { id: 2, error: { code: 1 } })
      .message("agent", 1000, { id: 1, result: {} })
      .message("agent", 1000, { method: "n" })
      .update(1000, chunk("1"))
      .update(1000, chunk("2"))
      .update(1000, tool("t1", "done"));
    const line = { line: 9, findings: [] };
    const at = { number: 9, size: 1, time: 1000 };
    heads.timeline.add(
      { ...line, from: "agent", kind: "response" },
      {
        ...at,
        recorded: { from: "agent", message: { id: 3, result: {} } },
      },
    );
    heads.timeline.add({ ...line, kind: "invalid" }, { ...at, recorded: { message: {} } });
    heads.timeline.add(line, { ...at, broken: {} as never });
    heads.timeline.add(line, { ...at, event: { kind: "exit", code: 1 } as never });
    heads.timeline.add(line, undefined);
    expect(heads.rows.map(({ head, isError }) => [head, isError ?? false])).toEqual([
      ["a #1", false],
      ["b #2", false],
      ["  answered #2 ERROR  999 ms", true],
      ["  answered #1 ok  1.0 s", false],
      ["  n", false],
      ["  agent_message_chunk × 2", false],
      ["  tool_call_update", false],
      ["  ? #3 ok", false],
      ["  not a message", true],
      ["  not a message", true],
      ["  exit", false],
      ["", false],
    ]);
  });

  test("knows what is not answered, by side", () => {
    expect(conversation.timeline.open()).toEqual([
      { from: "agent", method: "fs/read_text_file", id: "1", line: 8, time: 1007 },
    ]);
  });

  test.each<[filter: string, lines: number[]]>([
    ["method:fs/ from:agent", [8]],
    ["kind:tool_call_update", [5, 7]],
    ["kind:request from:client", [1]],
    ["is:finding", [4]],
    ["is:error", [4]],
    ["slow:>2s", [9]],
    ["slow:2500ms session:s1", [9]],
    ["slow:>3s", []],
    ["HELLO", [2]],
    ["some-rule", [4]],
    ['"toolcallid":"t2"', [7]],
    ["session:", [1, 2, 4, 5, 7, 9]],
    ["session:s2", []],
    ["method:session/* -kind:update", [1]],
    ["-is:finding kind:agent_message_chunk", [2]],
  ])("is filtered: %s", (filter, lines) => {
    expect(conversation.shown(filter).map((row) => Number(row.split(" ")[0]))).toEqual(lines);
  });

  test.each(["is:nothing", "slow:soon", "from:me", "methd:x"])(
    "refuses the filter %s",
    (filter) => {
      expect(() => parseFilter(filter)).toThrow(`the filter ${filter} has no meaning`);
    },
  );
});
