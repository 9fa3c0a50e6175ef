import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord, type RequestMessage } from "../../rpc/messages.js";
import { capabilityAt, type Handshake } from "../handshake.js";
import type { Relay } from "../relay.js";
import { sessionOf } from "../sides.js";
import type { Answer } from "../requests.js";
import { hasModeDetails, optionOf } from "../state/modes.js";
import { allOptions, type Session, type Sessions } from "./sessions.js";

/** Opens sessions of version 1 for a client of version 2, which has an option for the modes. */
export class Opening {
  readonly #relay: Relay;
  readonly #handshake: Handshake;
  readonly #sessions: Sessions;

  constructor(relay: Relay, handshake: Handshake, sessions: Sessions) {
    this.#relay = relay;
    this.#handshake = handshake;
    this.#sessions = sessions;
  }

  /** Resumes a session, with `session/load` when it is to be replayed. */
  resume(message: RequestMessage): void {
    const { id, method, params } = message;
    const replay = isRecord(params) ? (params["replayFrom"] ?? undefined) : undefined;
    if (
      replay === undefined &&
      !capabilityAt(this.#handshake.agent, "sessionCapabilities", "resume")
    )
      return this.#relay.refuseUnsupported(message);
    if (replay === undefined) return this.open(message, method);
    const isStart = isRecord(replay) && replay["type"] === "start";
    if (isStart && capabilityAt(this.#handshake.agent, "loadSession"))
      return this.open(message, "session/load");
    this.#relay.losses.state("replay-unsupported", { method, sessionId: sessionOf(params) });
    this.#relay.refuse(
      "client",
      id,
      ErrorCodes.InvalidParams,
      "The agent cannot replay the session from there",
    );
  }

  /** @param name the method of version 1 */
  open({ id, method, params }: RequestMessage, name: string): void {
    const context = { method, sessionId: sessionOf(params) };
    const row = name === "session/load" ? "LoadSessionRequest" : undefined;
    const converted = this.#relay.convert("client", "request", method, params, row);
    if ("problem" in converted)
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
    if (context.sessionId !== undefined) this.#sessions.get(context.sessionId).ids.startTurn();
    this.#relay.call("agent", name, converted.value, id, (answer) => {
      const { modes, ...rest } = isRecord(answer.result) ? answer.result : {};
      const given: Answer = isRecord(answer.result) ? { result: rest } : answer;
      const opened = sessionOf(answer.result) ?? context.sessionId;
      if (method === "session/new" && opened !== undefined) this.#sessions.begin(opened);
      const reply = this.#relay.convertAnswer("agent", method, given, context, (value) =>
        opened === undefined
          ? value
          : this.#withMode(this.#sessions.get(opened), modes, value, method),
      );
      // Version 2 reports the state of a session before it confirms that it is resumed.
      if (method === "session/resume" && "result" in reply && opened !== undefined)
        this.#relay.notify("client", "session/update", {
          sessionId: opened,
          update: { sessionUpdate: "state_update", state: "idle" },
        });
      this.#relay.reply("client", id, reply);
    });
  }

  /** Adds the option that stands for the modes. */
  #withMode(session: Session, modes: unknown, result: unknown, method: string): unknown {
    if (!isRecord(result)) return result;
    this.#sessions.setOptions(session, result["configOptions"]);
    // A response without modes leaves those that the session has.
    if (isRecord(modes)) this.#sessions.setMode(session, optionOf(modes, session.options));
    if (session.mode === undefined && hasModeDetails(modes))
      this.#relay.losses.state("mode-details", { method, sessionId: session.id });
    return session.mode === undefined ? result : { ...result, configOptions: allOptions(session) };
  }

  /** Sets an option, or the mode that an option stands for. */
  setOption(message: RequestMessage): void {
    const { id, params } = message;
    const session = this.#sessions.get(sessionOf(params) ?? "");
    const { configId, value, type: _, ...rest } = isRecord(params) ? params : {};
    if (session.mode === undefined || configId !== session.mode["configId"])
      return this.#relay.passRequest("client", message, {
        result: (result) => {
          if (!isRecord(result) || !Array.isArray(result["configOptions"])) return result;
          this.#sessions.setOptions(session, result["configOptions"]);
          return { ...result, configOptions: allOptions(session) };
        },
      });
    if (typeof value !== "string")
      return this.#relay.refuse("client", id, ErrorCodes.InvalidParams, "The mode is not a string");
    const own = { ...rest, modeId: value };
    this.#relay.call("agent", "session/set_mode", own, id, (answer) => {
      if (answer.error !== undefined) return this.#relay.reply("client", id, answer);
      this.#sessions.setMode(session, { ...session.mode, currentValue: value });
      const others = isRecord(answer.result) ? answer.result : {};
      this.#relay.reply("client", id, {
        result: { ...others, configOptions: allOptions(session) },
      });
    });
  }
}
