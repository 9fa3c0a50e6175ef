import { describe, expect, test } from "vitest";
import { asReceived, InvalidValueError } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import { ContentBlock, SessionNotification } from "acp-bindings/v1/schemas";

describe("what an author has made is still checked", () => {
  const chunk = (content: unknown) =>
    ({ sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } }) as never;

  test("also around and inside of what was received", () => {
    const block = asReceived(
      JSON.parse('{"type":"text","text":"x","future":1}') as v1.ContentBlock,
    );
    expect(SessionNotification.encode(chunk(block))).toBeTruthy();
    expect(() => SessionNotification.encode(chunk({ ...block }))).toThrow(InvalidValueError);
    expect(() =>
      SessionNotification.encode({ ...(chunk(block) as object), extra: 1 } as never),
    ).toThrow("/extra: expected only declared properties");
    const changed = Object.assign(block, { annotations: { later: 1 } });
    expect(() => ContentBlock.encode(changed)).toThrow("/annotations/later");
  });

  test("and a received value has to be valid otherwise", () => {
    const block = asReceived({ type: "text", text: 5, future: 1 });
    expect(() => ContentBlock.encode(block as never)).toThrow("/text: expected string");
    expect(() => ContentBlock.encode(asReceived({ type: 5 }) as never)).toThrow("/type");
  });
});
