import type { Initialize } from "../../../model/protocol.js";
import { code, identifier, type Code } from "../../../output/code.js";
import type { ModuleOf } from "./interfaces.js";

/** The printed types of the handshake's messages, as they are received. */
export interface HandshakeCode {
  /** The messages of both sides. */
  readonly handshake: Code;
  /** The client's message, as the agent receives it. */
  readonly receivedRequest: Code;
  /** The agent's message, as the client receives it. */
  readonly received: Code;
}

export function printHandshake({ agent, client }: Initialize, moduleOf: ModuleOf): HandshakeCode {
  const [request, response] = [client, agent].map(
    ({ definition: { name, identifier: id } }) => code`${moduleOf(name)}.${identifier(id)}`,
  ) as [Code, Code];
  return {
    handshake: code`Handshake<${request}, ${response}>`,
    receivedRequest: request,
    received: response,
  };
}
