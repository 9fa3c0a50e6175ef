import type { AgentTerminal, AgentToolCall } from "./agent-session.js";
import type { Chunks } from "./read-chunks.js";

/** The parts of a session that are the same in all versions. */
export interface CommonSession<Block> {
  readonly id: string;
  /** Aborted when the work on the session shall end. */
  readonly signal: AbortSignal;
  /** Sends a part of a message. */
  text(content: string | Block): Promise<void>;
  /** Sends a part of a thought. */
  thought(content: string | Block): Promise<void>;
  /** Sends every chunk of a source as a part of a message; returns the text that was sent. */
  stream(source: Chunks<string | Block>): Promise<string>;
  /** Sends the whole plan, in place of the last one. */
  plan(entries: readonly CommonPlanEntry[]): Promise<void>;
  /** Announces a tool call. */
  toolCall(
    fields: CommonToolCall<Block> & { readonly title: string; readonly toolCallId?: string },
  ): Promise<AgentToolCall<CommonToolCall<Block>, CommonOption>>;
  /**
   * Starts a command in a terminal of the client, which must be released.
   *
   * @returns undefined when the client has no terminals; in version 2, agents run commands
   *   themselves
   */
  terminal(params: CommonCommand): Promise<AgentTerminal<CommonOutput, CommonExit> | undefined>;
}

export interface CommonPlanEntry {
  readonly content: string;
  readonly priority?: "high" | "medium" | "low" | undefined;
  readonly status?: "pending" | "in_progress" | "completed" | undefined;
}

/** The fields of a tool call that are the same in all versions. */
export interface CommonToolCall<Block> {
  readonly title?: string | undefined;
  readonly kind?:
    | "read"
    | "edit"
    | "delete"
    | "move"
    | "search"
    | "execute"
    | "think"
    | "fetch"
    | "switch_mode"
    | "other"
    | undefined;
  readonly status?: "pending" | "in_progress" | "completed" | "failed" | undefined;
  readonly content?:
    | readonly (
        | { readonly type: "content"; readonly content: Block }
        | { readonly type: "terminal"; readonly terminalId: string }
      )[]
    | undefined;
  readonly locations?: readonly { readonly path: string; readonly line?: number }[] | undefined;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

export interface CommonOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: "allow_once" | "allow_always" | "reject_once" | "reject_always";
}

export interface CommonCommand {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | undefined;
}

export interface CommonOutput {
  readonly output: string;
  readonly truncated: boolean;
}

export interface CommonExit {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}
