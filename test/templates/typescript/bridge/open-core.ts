import { STATE_LOSSES, TO_V1, TO_V2 } from "../../../../out/typescript/src/bridge/tables.js";
import { BridgeCore } from "../../../../templates/typescript/runtime/bridge/core.js";
import type { BridgeLoss } from "../../../../templates/typescript/runtime/bridge/losses.js";
import { HELLO } from "./hello.js";

type Message = { readonly [name: string]: unknown };

/** A bridge without channels, and everything that it has sent and lost. */
export interface OpenCore {
  readonly core: BridgeCore;
  readonly sent: { readonly client: Message[]; readonly agent: Message[] };
  readonly losses: BridgeLoss[];
}

/**
 * Opens a bridge and plays the handshake.
 *
 * @param client the version of the client
 * @param result what the agent answers to `initialize`
 */
export function openCore(
  client: 1 | 2,
  result: object = client === 1 ? HELLO.agent2 : HELLO.agent1,
): OpenCore {
  const sent: OpenCore["sent"] = { client: [], agent: [] };
  const losses: BridgeLoss[] = [];
  const take = (side: "client" | "agent", message: object): void => {
    // As a bridge over stdio does, which cannot write what is nested too deeply.
    JSON.stringify(message);
    sent[side].push(message as Message);
  };
  const core = new BridgeCore({
    tables: { toV1: TO_V1, toV2: TO_V2, states: STATE_LOSSES },
    agentVersion: client === 1 ? 2 : 1,
    onLoss: (loss) => void losses.push(loss),
    send: {
      client: (message) => take("client", message),
      agent: (message) => take("agent", message),
    },
  });
  const params = client === 1 ? HELLO.client1 : HELLO.client2;
  core.fromClient({ jsonrpc: "2.0", id: "hello", method: "initialize", params });
  core.fromAgent({ jsonrpc: "2.0", id: sent.agent.pop()!["id"], result });
  sent.client.length = 0;
  return { core, sent, losses };
}

/** Sends an update of the agent. */
export function say({ core }: Pick<OpenCore, "core">, update: unknown, sessionId = "s"): void {
  const params = { sessionId, update };
  core.fromAgent({ jsonrpc: "2.0", method: "session/update", params });
}

/** Sends a request of the client. */
export function ask(
  { core }: Pick<OpenCore, "core">,
  id: unknown,
  method: string,
  params: object = {},
): void {
  core.fromClient({ jsonrpc: "2.0", id, method, params });
}

/** Sends a request of the agent. */
export function askClient(
  { core }: Pick<OpenCore, "core">,
  id: unknown,
  method: string,
  params: object,
): void {
  core.fromAgent({ jsonrpc: "2.0", id, method, params });
}
