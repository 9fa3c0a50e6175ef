import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord, type RequestId } from "../../rpc/messages.js";
import type { Answer } from "../requests.js";

/** A prompt of a client of version 1, which is answered when the session is idle again. */
interface Prompt {
  /** The id of the request of version 1. */
  readonly id: RequestId;
  readonly answer: (answer: Answer) => void;
  isInserted: boolean;
  /** Whether its request was cancelled before the confirmation. */
  isCancelRequested: boolean;
  /** The end of the work, if it came before the confirmation. */
  end: Readonly<Record<string, unknown>> | undefined;
}

/** The stop reasons of version 1. */
const STOP_REASONS: ReadonlySet<unknown> = new Set([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
]);

/** Returns the answer to a prompt of version 1, and what is lost. */
export function endOf(
  idle: Readonly<Record<string, unknown>>,
  isCancelled: boolean,
): { readonly answer: Answer; readonly loss?: string } {
  const { stopReason, usage, error, _meta } = idle;
  const result = (reason: unknown): Answer => ({
    result: {
      stopReason: reason,
      ...(isRecord(usage) && { usage }),
      ...(isRecord(_meta) && { _meta }),
    },
  });
  if (STOP_REASONS.has(stopReason)) return { answer: result(stopReason) };
  if (isCancelled) return { answer: result("cancelled") };
  if (stopReason === "error") {
    const own =
      isRecord(error) && Number.isInteger(error["code"]) && typeof error["message"] === "string"
        ? error
        : { code: -32603, message: "The turn has failed" };
    return { answer: { error: own }, loss: "turn-ended-with-error" };
  }
  const isAbsent = stopReason === undefined || stopReason === null;
  return {
    answer: result("end_turn"),
    loss: isAbsent ? "stop-reason-absent" : "stop-reason-unknown",
  };
}

/** Returns the update of version 2 that ends the work of a prompt with this answer. */
export function idleOf({ result, error }: Answer): Readonly<Record<string, unknown>> {
  const idle = { sessionUpdate: "state_update", state: "idle" };
  if (error !== undefined) return { ...idle, stopReason: "error", error };
  const { stopReason, usage, _meta } = isRecord(result) ? result : {};
  return {
    ...idle,
    // A result without required members may be absent or empty.
    stopReason: typeof stopReason === "string" ? stopReason : "end_turn",
    ...(isRecord(usage) && { usage }),
    ...(isRecord(_meta) && { _meta }),
  };
}

/** Returns whether an answer to `session/close` or `session/delete` says that there is no such session now. */
export function isEnd({ error }: Answer): boolean {
  return error === undefined || (isRecord(error) && error["code"] === ErrorCodes.ResourceNotFound);
}

/** The prompts of a session that wait for its end. */
export class Turns {
  #prompts: Prompt[] = [];
  #isCancelled = false;

  /** The number of prompts that are not answered. */
  get count(): number {
    return this.#prompts.length;
  }

  get isBusy(): boolean {
    return this.#prompts.length > 0;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Remembers a prompt that was sent. */
  start(id: RequestId, answer: (answer: Answer) => void): Prompt {
    let isAnswered = false;
    // The agent may answer a prompt that was answered because its session or the agent ended.
    const answerOnce = (given: Answer): void => {
      if (!isAnswered) answer(given);
      isAnswered = true;
    };
    const prompt: Prompt = {
      id,
      answer: answerOnce,
      isInserted: false,
      isCancelRequested: false,
      end: undefined,
    };
    this.#prompts.push(prompt);
    return prompt;
  }

  /** Counts a prompt as part of the conversation. Returns the end of its work, if that has come. */
  insert(prompt: Prompt): Readonly<Record<string, unknown>> | undefined {
    prompt.isInserted = true;
    if (prompt.end !== undefined) this.drop(prompt);
    return prompt.end;
  }

  /** Forgets a prompt that the agent refused. */
  drop(prompt: Prompt): void {
    this.#prompts = this.#prompts.filter((other) => other !== prompt);
    if (this.#prompts.length === 0) this.#isCancelled = false;
  }

  /** Finds the prompt of a request. */
  find(id: unknown): Prompt | undefined {
    return this.#prompts.find((prompt) => prompt.id === id);
  }

  cancel(): void {
    this.#isCancelled = this.isBusy;
  }

  /**
   * Ends the work. Returns the prompts to answer; those that are not confirmed yet remember the end.
   *
   * @param hasWorked whether the agent has reported work since the last end
   */
  end(idle: Readonly<Record<string, unknown>>, hasWorked: boolean): readonly Prompt[] {
    const ended = this.#prompts.filter(({ isInserted }) => isInserted);
    this.#prompts = this.#prompts.filter(({ isInserted }) => !isInserted);
    if (hasWorked) for (const prompt of this.#prompts) prompt.end = idle;
    return ended;
  }

  /** Ends everything, as when the session is closed. */
  clear(): readonly Prompt[] {
    const all = this.#prompts;
    this.#prompts = [];
    this.#isCancelled = false;
    return all;
  }

  /** Forgets a cancellation once nothing waits any more. */
  settle(): void {
    if (!this.isBusy) this.#isCancelled = false;
  }
}
