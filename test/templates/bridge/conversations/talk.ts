import { bridge, type BridgeLoss } from "acp-bindings/bridge";
import { expect } from "vitest";
import type { Behaviour, Connect } from "./peers.js";
import { settle, streams, type Wire } from "../wire.js";

const S = "s";
export const text = (value: string): object => ({ type: "text", text: value });
export const OPTIONS = [{ optionId: "y", name: "Yes", kind: "allow_once" }];

/** A client that allows everything, and keeps what it receives. */
function clientOf(updates: object[]): Behaviour {
  return {
    requests: {
      "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "y" } }),
    },
    notifications: { "session/update": ({ update }) => void updates.push(update as object) },
  };
}

/** The messages of a conversation through the bridge. */
export interface Talk {
  readonly updates: readonly { readonly [name: string]: unknown }[];
  readonly answer: object;
  readonly wired: Pick<Wire, "transcripts" | "losses">;
}

/** Opens a session and sends a prompt, through a bridge between two sides of given libraries. */
export async function talk(
  client: Connect,
  agent: Connect,
  behaviour: Behaviour,
  agentVersion: 1 | 2,
): Promise<Talk> {
  const transcripts: Wire["transcripts"] = { client: [], agent: [] };
  const losses: BridgeLoss[] = [];
  const [near, bridged] = streams((from, message) =>
    transcripts.client.push({ from: from === "near" ? "client" : "agent", message }),
  );
  const [far, other] = streams((from, message) =>
    transcripts.agent.push({ from: from === "near" ? "agent" : "client", message }),
  );
  void bridge({
    client: bridged,
    agent: other,
    agentVersion,
    onLoss: (loss) => void losses.push(loss),
  });
  await agent(far, behaviour);
  const updates: { [name: string]: unknown }[] = [];
  const peer = await client(near, clientOf(updates));
  const params = { cwd: "/", mcpServers: [] };
  expect(await peer.request("session/new", params)).toMatchObject({ sessionId: S });
  const answer = await peer.request("session/prompt", { sessionId: S, prompt: [text("Go")] });
  await settle();
  return { updates, answer, wired: { transcripts, losses } };
}
