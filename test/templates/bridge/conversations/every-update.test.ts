import { describe, expect, test } from "vitest";
import * as v1 from "acp-bindings/v1-full/schemas";
import * as v2 from "acp-bindings/v2-full/schemas";
import { corpusOf, protocolOf } from "../corpus.js";
import { LIBRARIES } from "./peers.js";
import { OPTIONS, talk, text } from "./talk.js";
import { violations } from "../wire.js";

const S = "s";
const SDK = LIBRARIES["the official SDK"]!;

/** Every variant of an update that an agent of the official SDK can send. */
function updatesOf(profile: string): readonly { readonly [name: string]: unknown }[] {
  const samples = corpusOf(protocolOf(profile)).samples("SessionUpdate");
  return samples as readonly { readonly [name: string]: unknown }[];
}

const tagOf = ({ sessionUpdate }: { readonly [name: string]: unknown }): unknown => sessionUpdate;

describe("every update of an agent", () => {
  test("of version 2 reaches a client of version 1 as far as it can, and the turn ends", async () => {
    const updates = updatesOf("v2").filter((update) => tagOf(update) !== "state_update");
    const { answer, wired } = await talk(
      SDK["client1"]!,
      SDK["agent2"]!,
      {
        requests: {
          "session/new": () => ({ sessionId: S, configOptions: [] }),
          "session/prompt": (_, peer) => {
            const update = (value: object): Promise<void> =>
              peer.notify("session/update", { sessionId: S, update: value });
            setTimeout(() => {
              void (async () => {
                await update({
                  sessionUpdate: "user_message",
                  messageId: "u",
                  content: [text("Go")],
                });
                await update({ sessionUpdate: "state_update", state: "running" });
                for (const value of updates) await update(value);
                await update({
                  sessionUpdate: "state_update",
                  state: "idle",
                  stopReason: "end_turn",
                });
              })();
            });
            return { messageId: "u" };
          },
        },
        notifications: { "session/cancel": () => {} },
      },
      2,
    );
    expect(answer).toMatchObject({ stopReason: "end_turn" });
    const received = receivedBy(wired.transcripts.client);
    expect(received.filter((params) => !v1.SessionNotification.is(params))).toEqual([]);
    const lost = new Set(wired.losses.map(({ place }) => place));
    const tags = new Set(updates.map(tagOf));
    expect(tags.size).toBeGreaterThan(15);
    expect(received.length + lost.size).toBeGreaterThan(tags.size);
    expect(atClient(violations(wired, { client: 1, agent: 2 }))).toEqual([]);
  });

  test("of version 1 reaches a client of version 2 as far as it can, and the turn ends", async () => {
    const updates = updatesOf("v1");
    const { updates: received, wired } = await talk(
      SDK["client2"]!,
      SDK["agent1"]!,
      {
        requests: {
          "session/new": () => ({ sessionId: S }),
          "session/prompt": async (_, peer) => {
            for (const update of updates)
              await peer.notify("session/update", { sessionId: S, update });
            await peer.request("session/request_permission", {
              sessionId: S,
              toolCall: { toolCallId: "c", title: "Run" },
              options: OPTIONS,
            });
            return { stopReason: "end_turn" };
          },
        },
        notifications: { "session/cancel": () => {} },
      },
      1,
    );
    expect(received.at(-1)).toMatchObject({ state: "idle", stopReason: "end_turn" });
    const delivered = receivedBy(wired.transcripts.client);
    expect(delivered.filter((params) => !v2.UpdateSessionNotification.is(params))).toEqual([]);
    expect(new Set(updates.map(tagOf)).size).toBeGreaterThan(9);
    expect(delivered.length).toBeGreaterThan(9);
    expect(atClient(violations(wired, { client: 2, agent: 1 }))).toEqual([]);
  });
});

/** The violations that the client can see; samples one after the other are not what an agent would send. */
function atClient(all: readonly string[]): readonly string[] {
  return all.filter((violation) => violation.startsWith("client"));
}

/** The params of the updates that a client has received. */
function receivedBy(transcript: readonly { readonly message: unknown }[]): readonly unknown[] {
  return transcript.flatMap(({ message }) => {
    const { method, params } = message as { readonly method?: string; readonly params?: unknown };
    return method === "session/update" ? [params] : [];
  });
}
