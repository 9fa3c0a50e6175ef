import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord, type RequestId, type RequestMessage } from "../../rpc/messages.js";
import { capabilityAt, type BridgedHandshake } from "../handshake.js";
import type { Relay } from "../relay.js";
import { sessionOf } from "../sides.js";
import type { BridgedAnswer } from "../requests.js";
import { hasModeDetails, optionOf } from "../state/modes.js";
import { allOptions, type SessionForV2, type ClientV2Sessions } from "./sessions.js";

/** What is remembered of a request that opens a session, until it is answered. */
interface Asked {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly cwd: unknown;
  /** Whether the client has asked for the history of the session. */
  readonly isReplayed: boolean;
}

/** Opens sessions of version 1 for a client of version 2, which has an option for the modes. */
export class ClientV2Opening {
  readonly #relay: Relay;
  readonly #handshake: BridgedHandshake;
  readonly #sessions: ClientV2Sessions;

  constructor(relay: Relay, handshake: BridgedHandshake, sessions: ClientV2Sessions) {
    this.#relay = relay;
    this.#handshake = handshake;
    this.#sessions = sessions;
  }

  /** Resumes a session: with `session/load` when it is to be replayed, or cannot be resumed otherwise. */
  resume(message: RequestMessage): void {
    const { id, method, params } = message;
    const replay = isRecord(params) ? (params["replayFrom"] ?? undefined) : undefined;
    const { agent } = this.#handshake;
    const canLoad = capabilityAt(agent, "loadSession");
    if (replay === undefined) {
      if (capabilityAt(agent, "sessionCapabilities", "resume"))
        return void this.open(message, method);
      if (canLoad) return this.#loadQuietly(message, params);
      return this.#relay.refuseUnsupported(message);
    }
    const isStart = isRecord(replay) && replay["type"] === "start";
    if (isStart && canLoad) return void this.open(message, "session/load", true);
    this.#relay.losses.state("replay-unsupported", { method, sessionId: sessionOf(params) });
    this.#relay.refuse(
      "client",
      id,
      ErrorCodes.InvalidParams,
      "The agent cannot replay the session from there",
    );
  }

  /** Loads a session, and leaves out the replay. */
  #loadQuietly(message: RequestMessage, params: unknown): void {
    const replayed = { ...(isRecord(params) && params), replayFrom: { type: "start" } };
    const isSent = this.open({ ...message, params: replayed }, "session/load", false);
    const sessionId = sessionOf(params);
    if (isSent && sessionId !== undefined) this.#sessions.get(sessionId).isReplayLeftOut = true;
  }

  /**
   * Sends a request that opens a session.
   *
   * @param name the method of version 1
   * @param isReplayed whether the client has asked for the history of the session
   * @returns whether it was sent
   */
  open(
    { id, method, params }: RequestMessage,
    name: string,
    isReplayed: boolean = name === "session/load",
  ): boolean {
    const row = name === "session/load" ? "LoadSessionRequest" : undefined;
    const converted = this.#relay.convert("client", "request", method, params, row);
    if ("problem" in converted) {
      this.#relay.refuse("client", id, ErrorCodes.InvalidParams, converted.problem);
      return false;
    }
    const sessionId = sessionOf(params);
    const cwd = isRecord(params) ? params["cwd"] : undefined;
    const asked: Asked = { method, sessionId, cwd, isReplayed };
    const resumed = method === "session/resume" ? sessionId : undefined;
    const wasClosed = resumed !== undefined && this.#sessions.reopen(resumed);
    if (sessionId !== undefined) this.#sessions.get(sessionId).ids.startTurn();
    const sent = this.#relay.call("agent", name, converted.value, id, (answer) => {
      if (resumed !== undefined) this.#sessions.get(resumed).isReplayLeftOut = false;
      if (answer.error === undefined) return this.#opened(id, asked, answer);
      if (wasClosed) this.#sessions.close(resumed);
      this.#relay.reply("client", id, answer);
    });
    return sent !== undefined;
  }

  /** Answers a request that has opened a session. */
  #opened(id: RequestId, asked: Asked, answer: BridgedAnswer): void {
    const { method, sessionId, cwd, isReplayed } = asked;
    const { modes, ...rest } = isRecord(answer.result) ? answer.result : {};
    const given: BridgedAnswer = isRecord(answer.result) ? { result: rest } : answer;
    const opened = sessionOf(answer.result) ?? sessionId;
    if (opened !== undefined) {
      this.#sessions.reopen(opened);
      if (method === "session/new") this.#sessions.begin(opened);
      this.#sessions.changeInfo(this.#sessions.get(opened), { cwd });
    }
    const context = { method, sessionId };
    const reply = this.#relay.convertAnswer("agent", method, given, context, (value) =>
      opened === undefined
        ? value
        : this.#withMode(this.#sessions.get(opened), modes, value, method),
    );
    // Version 2 marks the end of a replay, and reports the state of a session, before it confirms that it is resumed.
    if (method === "session/resume" && "result" in reply && opened !== undefined) {
      const state = this.#sessions.get(opened).prompts.size > 0 ? "running" : "idle";
      const send = (update: object): void =>
        this.#relay.notify("client", "session/update", { sessionId: opened, update });
      if (isReplayed) send({ sessionUpdate: "replay_complete" });
      send({ sessionUpdate: "state_update", state });
    }
    this.#relay.reply("client", id, reply);
  }

  /** Adds the option that stands for the modes. */
  #withMode(session: SessionForV2, modes: unknown, result: unknown, method: string): unknown {
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
      return void this.#relay.passRequest("client", message, {
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
