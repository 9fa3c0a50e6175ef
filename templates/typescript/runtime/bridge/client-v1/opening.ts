import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord, type RequestMessage } from "../../rpc/messages.js";
import { capabilityAt, type BridgedHandshake } from "../handshake.js";
import type { Relay } from "../relay.js";
import { sessionOf } from "../sides.js";
import type { SessionForV1, ClientV1Sessions } from "./sessions.js";

/** Opens sessions of version 2 for a client of version 1, with the modes of version 1. */
export class ClientV1Opening {
  readonly #relay: Relay;
  readonly #handshake: BridgedHandshake;
  readonly #sessions: ClientV1Sessions;

  constructor(relay: Relay, handshake: BridgedHandshake, sessions: ClientV1Sessions) {
    this.#relay = relay;
    this.#handshake = handshake;
    this.#sessions = sessions;
  }

  /** Opens a session. Commands come in the response of version 2 and as an update in version 1. */
  open(message: RequestMessage): void {
    const { method, id, params } = message;
    const context = { method, sessionId: sessionOf(params) };
    const own = this.#withoutStdio(params, context);
    const converted = this.#relay.convert("client", "request", method, own);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    const isLoaded = method === "session/load";
    const session =
      context.sessionId === undefined ? undefined : this.#sessions.get(context.sessionId);
    const before = session?.updates;
    if (isLoaded && session !== undefined) this.#sessions.replay(session);
    else if (session !== undefined) session.updates.isHidden = false;
    const name = isLoaded ? "session/resume" : method;
    this.#relay.call("agent", name, converted.value, id, (answer) => {
      if (session !== undefined) session.updates.isReplaying = false;
      // A session that could not be loaded is as it was.
      if (session !== undefined && before !== undefined && answer.error !== undefined)
        session.updates = before;
      const result = isRecord(answer.result) ? answer.result : undefined;
      const { availableCommands, ...rest } = result ?? {};
      const given = result === undefined ? answer : { result: rest };
      const opened = sessionOf(result) ?? context.sessionId;
      this.#relay.reply(
        "client",
        id,
        this.#relay.convertAnswer("agent", method, given, context, (value) =>
          opened === undefined ? value : this.#withModes(this.#sessions.get(opened), value, method),
        ),
      );
      if (opened !== undefined && Array.isArray(availableCommands) && availableCommands.length > 0)
        this.#sessions.get(opened).updates.apply({
          sessionUpdate: "available_commands_update",
          availableCommands,
        });
    });
  }

  /** Leaves out MCP servers that the agent does not take, which every agent of version 1 does. */
  #withoutStdio(params: unknown, context: { readonly method: string }): unknown {
    if (!isRecord(params) || !Array.isArray(params["mcpServers"])) return params;
    if (capabilityAt(this.#handshake.agent, "session", "mcp", "stdio")) return params;
    const mcpServers = params["mcpServers"].filter(
      (server) => !isRecord(server) || server["type"] !== undefined,
    );
    for (let left = params["mcpServers"].length - mcpServers.length; left > 0; left--)
      this.#relay.losses.state("mcp-stdio-not-offered", context);
    return { ...params, mcpServers };
  }

  /** Adds the modes of version 1 to a response with the option that stands for them. */
  #withModes({ updates }: SessionForV1, result: unknown, method: string): unknown {
    if (!isRecord(result) || !Array.isArray(result["configOptions"])) return result;
    const offered = updates.options.offer(result, method);
    const modes = updates.options.takeModes();
    return modes === undefined ? offered : { ...offered, modes };
  }

  /** Sets a mode of version 1, which is an option in version 2. */
  setMode({ id, params }: RequestMessage): void {
    const session = this.#sessions.get(sessionOf(params) ?? "");
    const configId = session.updates.options.mode?.configId;
    if (configId === undefined || !isRecord(params))
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, "The session has no modes");
    const { modeId, ...rest } = params;
    const own = { ...rest, configId, type: "id", value: modeId };
    this.#relay.call("agent", "session/set_config_option", own, id, (answer) => {
      const { configOptions, ...others } = isRecord(answer.result) ? answer.result : {};
      this.#relay.reply("client", id, answer.error === undefined ? { result: others } : answer);
      if (configOptions !== undefined)
        session.updates.apply({ sessionUpdate: "config_option_update", configOptions });
    });
  }
}
