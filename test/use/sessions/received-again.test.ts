import { describe, expect, test } from "vitest";
import { asReceived, InvalidValueError } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import { ContentBlock, PromptRequest, SessionNotification } from "acp-bindings/v1/schemas";

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

  test("which a copy of it is, until it is marked", () => {
    const block = asReceived(ContentBlock.parse({ type: "text", text: "x", future: 1 }));
    expect(() => ContentBlock.encode({ ...block } as never)).toThrow(
      "at /future: expected only declared properties, found 1; asReceived(value) marks a copy",
    );
    expect(ContentBlock.encode(asReceived({ ...block }) as never)).toEqual(block);
    const added = Object.assign(block, { more: 2 });
    expect(() => ContentBlock.encode(added as never)).toThrow("at /more: expected only declared");
  });

  test("and a received value has to be valid otherwise", () => {
    const block = asReceived({ type: "text", text: 5, future: 1 });
    expect(() => ContentBlock.encode(block as never)).toThrow("/text: expected string");
    expect(() => ContentBlock.encode(asReceived({ type: 5 }) as never)).toThrow("/type");
  });
});

test("what a schema has decoded can be sent once it is marked, as a whole and in parts", () => {
  const later = { type: "later", x: { a: null } };
  const text = { type: "text", text: "x", future: [{ b: 1 }] };
  const given = { sessionId: "s", prompt: [later, text], more: 1 };
  const parsed = PromptRequest.parse(given);
  expect(() => PromptRequest.encode(parsed as never)).toThrow(InvalidValueError);
  expect(PromptRequest.encode(asReceived(parsed) as never)).toEqual(given);
  for (const block of parsed.prompt) expect(ContentBlock.encode(block as never)).toBe(block);
});
