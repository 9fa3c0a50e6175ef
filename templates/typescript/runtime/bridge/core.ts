import { classify, isRecord, type RequestMessage } from "../rpc/messages.js";
import { ErrorCodes } from "../rpc/errors.js";
import { ClientV1 } from "./client-v1/client.js";
import { ClientV2 } from "./client-v2/client.js";
import { convertersOf } from "./convert/converters.js";
import type { ConversionTable, StateLosses } from "./convert/table.js";
import { dispatch, type Handlers } from "./dispatch.js";
import { EarlyMessages } from "./early-messages.js";
import {
  canLogOut,
  hasAuthMethods,
  refusalReason,
  versionIn,
  versionOfClient,
  withLogout,
  type BridgedHandshake,
  type BridgedVersion,
} from "./handshake.js";
import { createLosses, type BridgeLoss } from "./losses.js";
import { Relay, UNWRITABLE } from "./relay.js";
import { otherSide, type Side } from "./sides.js";
import type { BridgedAnswer } from "./requests.js";

/** The generated tables. */
export interface Tables {
  readonly toV1: ConversionTable;
  readonly toV2: ConversionTable;
  readonly states: StateLosses;
}

export interface CoreOptions {
  readonly tables: Tables;
  readonly send: {
    readonly client: (message: object) => void;
    readonly agent: (message: object) => void;
  };
  readonly onLoss: (loss: BridgeLoss) => void;
  /** Called with a sentence about a handshake that does not go as it should. */
  readonly onProblem?: (text: string) => void;
  /** The version of the agent; found out when absent. */
  readonly agentVersion?: 1 | 2 | undefined;
  readonly isStrict?: boolean | undefined;
}

/** Connects the two sides after their handshake. */
interface Translator {
  readonly fromClient: Handlers;
  readonly fromAgent: Handlers;
  /** Whether a turn that is no open request of the agent has to be answered. */
  readonly hasOpenTurn: boolean;
  end(reason: string): void;
}

const SPEAKS_NEITHER = "speaks neither version 1 nor version 2";

const INITIALIZE = "initialize";
const AGENT_ENDED = "The agent has ended";

/**
 * The bridge without its channels: takes the messages of both sides in order and sends others. While
 * the version of the agent is not known, it asks; when both sides speak the same version, it
 * passes everything on as it is.
 */
export class BridgeCore {
  readonly #options: CoreOptions;
  readonly #early = new EarlyMessages();
  #phase: "open" | "handshake" | "same" | "different" = "open";
  #relay: Relay;
  #translator: Translator | undefined;
  #hasAgent = true;
  #agentEnded = AGENT_ENDED;

  constructor(options: CoreOptions) {
    this.#options = options;
    this.#relay = this.#relayOf(1);
  }

  /** Whether both sides speak the same version, so that nothing is converted. */
  get isAside(): boolean {
    return this.#phase === "same";
  }

  /** Whether the agent has not answered `initialize`. */
  get isInitializing(): boolean {
    return this.#phase === "handshake";
  }

  /** Whether the agent has answered `initialize`. */
  get isInitialized(): boolean {
    return this.#phase === "same" || this.#phase === "different";
  }

  /** Whether the agent may not see the end of the client's input yet: what waits would not be answered. */
  get needsAgent(): boolean {
    return this.#hasAgent && (this.isInitializing || this.#translator?.hasOpenTurn === true);
  }

  fromClient(message: unknown): void {
    if (this.#phase === "different")
      return dispatch(this.#relay, "client", this.#translator!.fromClient, message);
    if (this.#phase === "same") return this.#pass("client", message);
    if (this.#phase === "handshake") return this.#hold("client", message);
    const incoming = classify(message, true);
    if (!this.#hasAgent && incoming.kind === "request") {
      const { InternalError: code } = ErrorCodes;
      return this.#relay.refuse("client", incoming.message.id, code, this.#agentEnded);
    }
    if (incoming.kind === "request" && incoming.message.method === INITIALIZE)
      return this.#initialize(incoming.message);
    this.#pass("client", message);
  }

  fromAgent(message: unknown): void {
    if (this.#phase === "different")
      return dispatch(this.#relay, "agent", this.#translator!.fromAgent, message);
    if (this.#phase !== "handshake") return this.#pass("agent", message);
    const incoming = classify(message, true);
    if (incoming.kind !== "response" && incoming.kind !== "broken-response")
      return this.#hold("agent", message);
    this.#relay.takeResponse("agent", message as object);
  }

  /** Passes a message on as it is. What waits for one that cannot be written gets an error. */
  #pass(from: Side, message: unknown): void {
    const to = otherSide(from);
    try {
      this.#options.send[to](message as object);
    } catch {
      const { id, method } = message as RequestMessage;
      if (id === undefined) return this.#relay.loseMessage(to, method, undefined);
      this.#relay.reply(method === undefined ? to : from, id, { error: UNWRITABLE });
    }
  }

  /**
   * Answers everything that waits for the agent, which has ended.
   *
   * @param how it has ended, where that is known, such as `with exit code 3`
   */
  agentClosed(how?: string): void {
    if (!this.#hasAgent) return;
    this.#hasAgent = false;
    if (how !== undefined) this.#agentEnded = `${AGENT_ENDED} ${how}`;
    this.#translator?.end(this.#agentEnded);
    this.#relay.requests.agent.end(this.#agentEnded);
  }

  /** Ends everything that waits for the client, which has ended. */
  clientClosed(): void {
    this.#relay.requests.client.end("The client has ended");
  }

  /** @param client the version of the client */
  #relayOf(client: BridgedVersion): Relay {
    const { tables, send, onLoss, isStrict = false } = this.#options;
    const toV1 = convertersOf(tables.toV1, "v1");
    const toV2 = convertersOf(tables.toV2, "v2");
    const from = client === 1 ? { client: toV2, agent: toV1 } : { client: toV1, agent: toV2 };
    return new Relay({ send, from, isStrict, losses: createLosses(tables.states, onLoss) });
  }

  #initialize(message: RequestMessage): void {
    const { params } = message;
    const version = versionOfClient(params);
    const { agentVersion } = this.#options;
    this.#relay = this.#relayOf(version ?? 1);
    this.#phase = "handshake";
    if (version !== undefined && agentVersion !== undefined && agentVersion !== version)
      return this.#convert(message, version);
    this.#relay.call("agent", INITIALIZE, params, message.id, (answer) => {
      if (versionIn(answer) === (version ?? 1)) return this.#settle("same", message, answer);
      if (!this.#hasAgent || version === undefined) return this.#settle("open", message, answer);
      if (agentVersion === undefined) return this.#convert(message, version, answer);
      this.#refuse(message, `does not speak version ${version}`, answer, answer);
    });
  }

  /**
   * Initializes the agent in the other version.
   *
   * @param first what it has answered in the version of the client
   */
  #convert(message: RequestMessage, version: BridgedVersion, first?: BridgedAnswer): void {
    const { method, params } = message;
    const other = version === 1 ? 2 : 1;
    const { tables } = this.#options;
    const { convert, ruleOf } = convertersOf(other === 1 ? tables.toV1 : tables.toV2, `v${other}`);
    const { value: own = params, losses } = convert(ruleOf("request", method)?.params, params);
    this.#relay.call("agent", method, own, message.id, (answer) => {
      const answers = first === undefined ? [answer] : [answer, first];
      const agreed = answers.find((one) => versionIn(one) === other);
      if (agreed === undefined) return this.#disagree(message, version, answer, first);
      this.#relay.losses.report(losses, { method });
      this.#begin(version, params, agreed.result);
      const given = version === 1 ? agreed : { result: this.#withoutLogout(agreed.result) };
      const reply = this.#relay.convertAnswer("agent", method, given, { method }, (value) =>
        version === 1 && hasAuthMethods(value) ? withLogout(value) : value,
      );
      this.#settle("different", message, reply);
    });
  }

  /** Ends a handshake whose agent does not speak the other version. */
  #disagree(
    message: RequestMessage,
    version: BridgedVersion,
    answer: BridgedAnswer,
    first?: BridgedAnswer,
  ): void {
    const other = version === 1 ? 2 : 1;
    if (first === undefined && versionIn(answer) === version) {
      this.#options.onProblem?.(
        `the agent speaks version ${version}, as the client does, and not version ${other}`,
      );
      this.#relay.call("agent", INITIALIZE, message.params, message.id, (again) =>
        this.#settle("same", message, again.error === undefined ? again : answer),
      );
      return;
    }
    const problem = first === undefined ? `does not speak version ${other}` : SPEAKS_NEITHER;
    this.#refuse(message, problem, answer, first ?? answer);
  }

  /** @param answer the one that shows the problem */
  #refuse(
    message: RequestMessage,
    problem: string,
    answer: BridgedAnswer,
    reply: BridgedAnswer,
  ): void {
    if (this.#hasAgent) this.#options.onProblem?.(`the agent ${problem}: ${refusalReason(answer)}`);
    this.#settle("open", message, reply);
  }

  /** An agent of version 1 may log out without a way to log in, which version 2 does not have. */
  #withoutLogout(result: unknown): unknown {
    if (hasAuthMethods(result)) return result;
    if (canLogOut(result)) this.#relay.losses.state("logout-not-offered", { method: INITIALIZE });
    return withLogout(result);
  }

  #begin(version: BridgedVersion, params: unknown, result: unknown): void {
    const own = (value: unknown, name: string): BridgedHandshake["client"] => {
      const capabilities = isRecord(value) ? value[name] : undefined;
      return isRecord(capabilities) ? capabilities : {};
    };
    this.#translator =
      version === 1
        ? new ClientV1(this.#relay, {
            client: own(params, "clientCapabilities"),
            agent: own(result, "capabilities"),
          })
        : new ClientV2(this.#relay, {
            client: own(params, "capabilities"),
            agent: own(result, "agentCapabilities"),
          });
  }

  /** Answers `initialize`, and gives every message that has waited to its handler. */
  #settle(
    phase: "open" | "same" | "different",
    { id }: RequestMessage,
    answer: BridgedAnswer,
  ): void {
    this.#phase = phase;
    this.#relay.reply("client", id, answer);
    for (const [from, message] of this.#early.take())
      if (from === "client") this.fromClient(message);
      else this.fromAgent(message);
  }

  #hold(from: Side, message: unknown): void {
    const refused = this.#early.hold(from, message);
    const { TooManyRequests: code } = ErrorCodes;
    if (refused !== undefined)
      this.#relay.refuse(from, refused, code, "Too many messages before initialize was answered");
  }
}
