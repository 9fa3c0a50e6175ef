import { describe, expect, test } from "vitest";
import { readRecord } from "../../../templates/site/inspector/index.js";

const message = { jsonrpc: "2.0", id: 1, method: "session/new", params: {} };

describe("a line of a transcript", () => {
  test("is a plain message, whose sender is unknown", () => {
    expect(readRecord(message)).toEqual({ message });
    for (const value of [null, 1, "text", [message], {}, { id: 1 }])
      expect(readRecord(value)).toEqual({ message: value });
  });

  // As recorders of public projects write them.
  test.each<[what: string, line: object, from?: "agent" | "client"]>([
    ["ours", { from: "client", message }, "client"],
    ["with times", { ts: "2026-01-15", direction: "fromAgent", message }, "agent"],
    ["the message as text", { direction: "fromClient", json: JSON.stringify(message) }, "client"],
    ["initials", { dir: "c2a", transport: "stdio", rpc: message }, "client"],
    ["initials, the other way", { dir: "a2c", frame: message }, "agent"],
    ["words", { kind: "frame", direction: "agent_to_client", payload: message }, "agent"],
    ["arrows", { ts_ms: 1, dir: "client->agent", msg: message }, "client"],
    ["the sender beside the members", { direction: "agent->client", ...message }, "agent"],
    ["the recorder's view: out", { t_ms: 0, dir: "out", frame: message }, "client"],
    ["the recorder's view: in", { dir: "recv", line: message }, "agent"],
    ["a message without a sender", { at: 5, message }],
  ])("may be wrapped: %s", (_, line, from) => {
    expect(readRecord(line)).toEqual(from === undefined ? { message } : { message, from });
  });

  test("is of the other side in a recording made by an agent", () => {
    expect(readRecord({ dir: "out", frame: message }, "agent").from).toBe("agent");
    expect(readRecord({ dir: "in", frame: message }, "agent").from).toBe("client");
    expect(readRecord({ dir: "c2a", frame: message }, "agent").from).toBe("client");
  });

  test("keeps members of a message that only look like a wrapping", () => {
    const own = { ...message, from: "me", payload: {} };
    expect(readRecord(own)).toEqual({ message: own });
    const odd = { from: "client", nothing: 1 };
    expect(readRecord(odd)).toEqual({ message: odd });
  });

  test("is not a message where the wrapped text is not JSON", () => {
    expect(() => readRecord({ from: "client", line: "{" })).toThrow(SyntaxError);
  });
});
