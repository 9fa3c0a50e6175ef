import * as v1 from "acp-bindings/v1";
import { describe, expect, test } from "vitest";
import { connectRawClient, type RawMessage } from "../peers/raw-peer.js";

/** A client of an agent of version 1 whose prompts run until the test ends them. */
async function connected(whileBusy?: v1.WhileBusy) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const { call, send, errors } = connectRawClient({
    ...(whileBusy && { whileBusy }),
    handlers: {
      session: {
        new: () => ({ sessionId: "s" }),
        prompt: ({ prompt }, { signal, afterResponse }) => {
          const { text } = prompt[0] as { readonly text: string };
          started.push(text);
          afterResponse(() => started.push(`after ${text}`));
          return new Promise((resolve, reject) => {
            ends.set(text, () => resolve({ stopReason: "end_turn" }));
            signal.addEventListener("abort", () => reject(new Error("aborted")));
          });
        },
      },
    },
  });
  await call("initialize", { protocolVersion: 1 });
  const prompt = (text: string, sessionId = "s"): Promise<RawMessage> =>
    call("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  const end = (text: string): void => ends.get(text)!();
  return { started, prompt, end, call, send, errors };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const reasonOf = ({ result }: RawMessage): unknown =>
  (result as { readonly stopReason?: string } | undefined)?.stopReason;

describe("a prompt during a prompt of its session", () => {
  test("is handled in its turn when prompts are queued; other sessions do not wait", async () => {
    const { started, prompt, end } = await connected("queue");
    const turns = ["one", "two", "three"].map((text) => prompt(text));
    void prompt("other", "t");
    await settled();
    expect(started).toEqual(["one", "other"]);
    end("one");
    await turns[0];
    await settled();
    expect(started).toEqual(["one", "other", "after one", "two"]);
    end("two");
    await settled();
    end("three");
    expect((await Promise.all(turns)).map(reasonOf)).toEqual(["end_turn", "end_turn", "end_turn"]);
    const last = prompt("four");
    await settled();
    end("four");
    expect(reasonOf(await last)).toBe("end_turn");
  });

  test("is cancelled with the running one, and its handler does not start", async () => {
    const { started, prompt, send, errors } = await connected("queue");
    const turns = ["one", "two", "three"].map((text) => prompt(text));
    await settled();
    send({ method: "session/cancel", params: { sessionId: "s" } });
    expect((await Promise.all(turns)).map(reasonOf)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
    ]);
    expect(started).toEqual(["one", "after one"]);
    void prompt("four");
    await settled();
    expect(started.at(-1)).toBe("four");
    expect(errors).toEqual([]);
  });

  test("leaves the queue when it is cancelled alone", async () => {
    const { started, prompt, end, send } = await connected("queue");
    const [one, two] = [prompt("one"), prompt("two")];
    const three = prompt("three");
    await settled();
    send({ method: "$/cancel_request", params: { requestId: 2 } });
    expect(await two).toMatchObject({ error: { code: -32800 } });
    end("one");
    await one;
    await settled();
    end("three");
    expect(reasonOf(await three)).toBe("end_turn");
    expect(started).toEqual(["one", "after one", "three", "after three"]);
  });

  test("is refused while the session is busy, when prompts are refused", async () => {
    const { started, prompt, end } = await connected("refuse");
    const one = prompt("one");
    expect(await prompt("two")).toMatchObject({
      error: { code: -32600, message: "The session is busy: its last prompt is still running" },
    });
    void prompt("other", "t");
    end("one");
    await one;
    void prompt("three");
    await settled();
    expect(started).toEqual(["one", "other", "after one", "three"]);
  });
});
