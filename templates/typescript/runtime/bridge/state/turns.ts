import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord } from "../../rpc/messages.js";
import type { BridgedAnswer } from "../requests.js";

type Idle = Readonly<Record<string, unknown>>;

/** A prompt of a client of version 1, which is answered when the session is idle again. */
export interface Prompt {
  readonly answer: (answer: BridgedAnswer) => void;
  /** Whether others were not answered when it was sent. An agent may hold it until their work has ended. */
  readonly isSentDuringWork: boolean;
  isInserted: boolean;
  /** Whether its request was cancelled before the confirmation. */
  isCancelRequested: boolean;
  isCancelled: boolean;
  /** The end of the work, if it came before the confirmation. */
  end: Idle | undefined;
  /** Whether work was reported between the prompt and that end, so that it is not that of earlier work. */
  isEndSure: boolean;
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
  idle: Idle,
  isCancelled: boolean,
): { readonly answer: BridgedAnswer; readonly losses: readonly string[] } {
  const { sessionUpdate: _, state: __, background: ___, stopReason, error, ...others } = idle;
  const meant = Object.entries(others).filter(([, value]) => value !== null);
  const result = (reason: unknown, ...losses: readonly string[]): ReturnType<typeof endOf> => ({
    answer: { result: { stopReason: reason, ...Object.fromEntries(meant) } },
    losses: isRecord(error) ? [...losses, "details-left-out"] : losses,
  });
  if (STOP_REASONS.has(stopReason)) return result(stopReason);
  if (isCancelled) return result("cancelled");
  if (stopReason === "error") {
    const own =
      isRecord(error) && Number.isInteger(error["code"]) && typeof error["message"] === "string"
        ? error
        : { code: -32603, message: "The turn has failed" };
    const losses = ["turn-ended-with-error"];
    if (meant.length > 0) losses.push("details-left-out");
    return { answer: { error: own }, losses };
  }
  const isAbsent = stopReason === undefined || stopReason === null;
  return result("end_turn", isAbsent ? "stop-reason-absent" : "stop-reason-unknown");
}

/** Returns the update of version 2 that ends the work of a prompt with this answer. */
export function idleOf({ result, error }: BridgedAnswer): Readonly<Record<string, unknown>> {
  const idle = { sessionUpdate: "state_update", state: "idle" };
  if (error !== undefined) return { ...idle, stopReason: "error", error };
  const { stopReason, ...others } = isRecord(result) ? result : {};
  // A result without required members may be absent or empty.
  return {
    ...others,
    ...idle,
    stopReason: typeof stopReason === "string" ? stopReason : "end_turn",
  };
}

/** Returns whether the answer to a request that closes, deletes or archives a session says that it is not open now. */
export function isEnd({ error }: BridgedAnswer): boolean {
  return error === undefined || (isRecord(error) && error["code"] === ErrorCodes.ResourceNotFound);
}

/** The prompts of a session that wait for its end. */
export class WaitingPrompts {
  #prompts: Prompt[] = [];

  /** The number of prompts that are not answered. */
  get count(): number {
    return this.#prompts.length;
  }

  get isBusy(): boolean {
    return this.#prompts.length > 0;
  }

  /** Whether a prompt that is not answered is cancelled. */
  get isCancelling(): boolean {
    return this.#prompts.some(({ isCancelled }) => isCancelled);
  }

  /** Remembers a prompt that was sent. */
  start(answer: (answer: BridgedAnswer) => void): Prompt {
    let isAnswered = false;
    // The agent may answer a prompt that was answered because its session or the agent ended.
    const answerOnce = (given: BridgedAnswer): void => {
      if (!isAnswered) answer(given);
      isAnswered = true;
    };
    const prompt: Prompt = {
      answer: answerOnce,
      isSentDuringWork: this.isBusy,
      isInserted: false,
      isCancelRequested: false,
      isCancelled: false,
      end: undefined,
      isEndSure: false,
    };
    this.#prompts.push(prompt);
    return prompt;
  }

  /** Ends a prompt whose end came before its confirmation. Returns that end, if it still holds. */
  takeEnd(prompt: Prompt): Idle | undefined {
    if (prompt.end !== undefined && this.#prompts.includes(prompt)) {
      this.drop(prompt);
      return prompt.end;
    }
    return undefined;
  }

  /** Counts work that is reported: an end before it was not that of the prompts that wait. */
  work(): void {
    for (const prompt of this.#prompts) if (!prompt.isEndSure) prompt.end = undefined;
  }

  /** Forgets a prompt that the agent refused. */
  drop(prompt: Prompt): void {
    this.#prompts = this.#prompts.filter((other) => other !== prompt);
  }

  cancel(): void {
    for (const prompt of this.#prompts) prompt.isCancelled = true;
  }

  /**
   * Ends the work. Returns the prompts to answer; those that are not confirmed yet remember the end.
   *
   * @param hasWorked whether the agent has reported work since the last end
   */
  end(idle: Idle, hasWorked: boolean): readonly Prompt[] {
    const ended = this.#prompts.filter(({ isInserted }) => isInserted);
    this.#prompts = this.#prompts.filter(({ isInserted }) => !isInserted);
    for (const prompt of this.#prompts) {
      if (prompt.isEndSure) continue;
      prompt.end = idle;
      prompt.isEndSure = hasWorked && !prompt.isSentDuringWork;
    }
    return ended;
  }

  /** Ends everything, as when the session is closed. */
  clear(): readonly Prompt[] {
    const all = this.#prompts;
    this.#prompts = [];
    return all;
  }
}
