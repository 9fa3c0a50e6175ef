import { ErrorCodes } from "../rpc/errors.js";
import {
  isRecord,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
} from "../rpc/messages.js";
import type { Converters } from "./convert/converters.js";
import type { Losses, LossContext } from "./losses.js";
import { Requests, type BridgedAnswer } from "./requests.js";
import { nameSession } from "./session-not-found.js";
import { otherSide, sessionOf, type Side } from "./sides.js";

/** Where the bridge sends messages, and how it converts them. */
export interface RelayOptions {
  readonly send: { readonly [To in Side]: (message: object) => void };
  /** The conversions of what a side sends. */
  readonly from: { readonly [From in Side]: Converters };
  readonly losses: Losses;
  /** Whether a request that would lose a part is refused. */
  readonly isStrict: boolean;
}

/** The error of a response that cannot be written. */
export const UNWRITABLE: { readonly code: number; readonly message: string } = {
  code: ErrorCodes.InternalError,
  message: "The message is nested too deeply to be passed on",
};

/** The converted params of a request or notification, or why there are none. */
export type ConvertedParams = { readonly value: unknown } | { readonly problem: string };

/** What becomes of the parts of a request that is passed on; they stay as they are when absent. */
export interface RequestChanges {
  readonly params?: (params: unknown) => unknown;
  readonly answer?: (answer: BridgedAnswer) => BridgedAnswer;
  readonly result?: (result: unknown) => unknown;
}

/** Passes messages from one side to the other, converted by the table of methods. */
export class Relay {
  readonly requests: { readonly [To in Side]: Requests } = {
    client: new Requests(),
    agent: new Requests(),
  };
  readonly #options: RelayOptions;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  get losses(): Losses {
    return this.#options.losses;
  }

  /** Sends a notification, unless it cannot be written, because it is nested too deeply. */
  notify(to: Side, method: string, params: unknown): void {
    try {
      this.#send(to, { jsonrpc: "2.0", method, params });
    } catch {
      this.loseMessage(to, method, params);
    }
  }

  /** Answers a request. A result that cannot be written becomes an error. */
  reply(to: Side, id: RequestId, answer: BridgedAnswer): void {
    try {
      this.#send(to, { jsonrpc: "2.0", id, ...answer });
    } catch {
      this.#send(to, { jsonrpc: "2.0", id, error: UNWRITABLE });
    }
  }

  /** Reports a notification that cannot be passed on. */
  loseMessage(to: Side, method: string, params: unknown): void {
    const { to: version } = this.#options.from[otherSide(to)];
    this.losses.state(`too-deep-to-${version}`, { method, sessionId: sessionOf(params) });
  }

  #send(to: Side, message: object): void {
    this.#options.send[to](message);
  }

  /** Answers a request with an error that people can read. */
  refuse(to: Side, id: RequestId, code: number, message: string): void {
    this.reply(to, id, { error: { code, message } });
  }

  /** Refuses a request of the client whose capability the agent has not advertised. */
  refuseUnsupported({ id, method }: RequestMessage): void {
    const { MethodNotFound } = ErrorCodes;
    this.refuse("client", id, MethodNotFound, `The agent does not support ${method}`);
  }

  /**
   * Sends a request of the bridge, or one whose answer the bridge makes. One that cannot be written is
   * answered with an error.
   *
   * @returns the id under which it was sent; undefined when it was refused at once
   */
  call(
    to: Side,
    method: string,
    params: unknown,
    original: RequestId | undefined,
    answer: (answer: BridgedAnswer) => void,
  ): RequestId | undefined {
    const { refusal } = this.requests[to];
    if (refusal !== undefined) {
      answer(refusal);
      return undefined;
    }
    const id = this.requests[to].open({
      original,
      method,
      answer: this.#withSessionNamed(to, method, sessionOf(params), answer),
    });
    try {
      this.#send(to, { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
      return id;
    } catch {
      this.requests[to].close(id);
      const message = `The params of ${method} are nested too deeply to be passed on`;
      answer({ error: { code: ErrorCodes.InvalidParams, message } });
      return undefined;
    }
  }

  /** An agent of version 1 does not name the session that it does not find. */
  #withSessionNamed(
    to: Side,
    method: string,
    sessionId: string | undefined,
    answer: (answer: BridgedAnswer) => void,
  ): (answer: BridgedAnswer) => void {
    if (to !== "agent" || this.#options.from.agent.to !== "v2" || sessionId === undefined)
      return answer;
    return (given) => answer(nameSession(given, method, sessionId));
  }

  /**
   * Converts the params of a method, and reports what they lose.
   *
   * @param row the pair of definitions, where it is not that of the method
   */
  convert(
    from: Side,
    kind: "request" | "notification",
    method: string,
    params: unknown,
    row?: string,
  ): ConvertedParams {
    const { from: converters, losses } = this.#options;
    const { convert, table, ruleOf, to } = converters[from];
    const rule = ruleOf(kind, method);
    const context = { method, sessionId: sessionOf(params) };
    if (rule === undefined) return { value: params };
    if (rule.name === undefined) {
      const lost = table.losses[rule.loss!];
      if (lost !== undefined) losses.report([{ ...lost, to, path: "" }], context);
      return { problem: lost?.text ?? "There is no such method" };
    }
    const { value, losses: found } = convert(row ?? rule.params, params);
    losses.report(found, context);
    if (value === undefined)
      return { problem: found[0]?.text ?? `The params of ${method} do not have its form` };
    const dropped =
      this.#options.isStrict && kind === "request" && method !== "initialize"
        ? found.find(({ kind: loss }) => loss !== "approximate")
        : undefined;
    return dropped === undefined
      ? { value }
      : { problem: `Refused, since a part would be lost: ${dropped.text}` };
  }

  /** Converts the result of a method that the other side called; reports what it loses. */
  convertResult(
    from: Side,
    called: string,
    result: unknown,
    context: LossContext,
  ): { readonly value: unknown } | undefined {
    const { from: converters, losses } = this.#options;
    const caller = converters[otherSide(from)].ruleOf("request", called);
    const { value, losses: found } = converters[from].convert(caller?.result, result);
    losses.report(found, context);
    return value === undefined && result !== undefined ? undefined : { value };
  }

  /**
   * Passes a request on, converted, and its answer back.
   *
   * @param changes what becomes of the converted params, of the answer before it is converted, and
   *   of the converted result
   * @returns the id under which it was sent; undefined when it was refused at once
   */
  passRequest(
    from: Side,
    { id, method, params }: RequestMessage,
    changes: RequestChanges = {},
  ): RequestId | undefined {
    const { params: toParams, answer: toAnswer, result: toResult } = changes;
    const to = otherSide(from);
    const converted = this.convert(from, "request", method, params);
    if ("problem" in converted) {
      const rule = this.#options.from[from].ruleOf("request", method);
      const code = rule?.name === undefined ? ErrorCodes.MethodNotFound : ErrorCodes.InvalidParams;
      this.refuse(from, id, code, converted.problem);
      return undefined;
    }
    const name = this.#options.from[from].ruleOf("request", method)?.name ?? method;
    const context = { method, sessionId: sessionOf(params) };
    const sent = toParams === undefined ? converted.value : toParams(converted.value);
    return this.call(to, name, sent, id, (given) => {
      const answer = toAnswer === undefined ? given : toAnswer(given);
      this.reply(from, id, this.convertAnswer(to, method, answer, context, toResult));
    });
  }

  /** Returns an answer as the caller may see it. */
  convertAnswer(
    from: Side,
    method: string,
    answer: BridgedAnswer,
    context: LossContext,
    after: (result: unknown) => unknown = (result) => result,
  ): BridgedAnswer {
    if (!("result" in answer)) return answer;
    const converted = this.convertResult(from, method, answer.result, context);
    if (converted === undefined)
      return {
        error: {
          code: ErrorCodes.InternalError,
          message: "The result cannot be said in this version of the protocol",
        },
      };
    return { result: after(converted.value) };
  }

  passNotification(from: Side, { method, params }: NotificationMessage): void {
    const converted = this.convert(from, "notification", method, params);
    if ("problem" in converted) return;
    const name = this.#options.from[from].ruleOf("notification", method)?.name ?? method;
    this.notify(otherSide(from), name, converted.value);
  }

  /** Passes the cancellation of a request on, under the id that the other side knows. */
  passCancellation(from: Side, message: NotificationMessage): void {
    const to = otherSide(from);
    const requestId = isRecord(message.params)
      ? (message.params["requestId"] as RequestId)
      : undefined;
    const found = requestId === undefined ? undefined : this.requests[to].find(requestId);
    if (found === undefined) return;
    this.notify(to, message.method, { ...(message.params as object), requestId: found });
  }

  /**
   * Cancels a request of a side: the other side is notified, and the sender gets a response at once.
   *
   * @param id that under which it was sent on
   */
  withdraw(from: Side, id: RequestId, answer: BridgedAnswer): void {
    const to = otherSide(from);
    const request = this.requests[to].close(id);
    if (request === undefined) return;
    this.notify(to, "$/cancel_request", { requestId: id });
    request.answer(answer);
  }

  /** Gives a response to the request that it answers. One that nothing waits for is dropped, as a peer would. */
  takeResponse(from: Side, message: object): void {
    const { id, result, error } = message as { id: RequestId; result?: unknown; error?: unknown };
    const request = this.requests[from].close(id);
    try {
      request?.answer(error === undefined ? { result } : { error });
    } catch {
      const { InternalError: code } = ErrorCodes;
      request?.answer({ error: { code, message: "The response cannot be converted" } });
    }
  }
}
