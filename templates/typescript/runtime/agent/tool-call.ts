import { toolText } from "../session/blocks.js";
import { ALLOW_ONCE, REJECT_ONCE } from "../session/permission.js";
import { onAbort } from "../rpc/on-abort.js";
import { AcpError } from "../acp-error.js";
import { isRecord } from "../rpc/messages.js";
import { requireArgument } from "../rpc/require-argument.js";

type Fields = Readonly<Record<string, unknown>>;

type Option = { readonly optionId: string; readonly kind: string };

/** The kinds of options that allow a tool call. */
const APPROVALS = ["allow_once", "allow_always"];

/** The functions of a session that a tool call uses. */
export interface ToolCallActions {
  readonly signal: AbortSignal;
  /** Sends changed fields. */
  readonly send: (fields: object) => Promise<void>;
  /** Sends a permission request and returns the response. */
  readonly ask: (options: readonly Option[], known: Fields) => Promise<unknown>;
}

/** A tool call that was announced; see `AgentToolCall` for its types. */
export class AnnouncedToolCall {
  readonly id: string;
  readonly #actions: ToolCallActions;
  #known: Fields;
  #hasFailed = false;

  /** @param fields the fields that were sent */
  constructor(id: string, fields: object, actions: ToolCallActions) {
    this.id = id;
    this.#known = fields as Fields;
    this.#actions = actions;
  }

  update(fields: object): Promise<void> {
    requireArgument("toolCall.update", fields, "an object", `toolCall.update({ title: "Tests" })`);
    this.#known = { ...this.#known, ...fields };
    return this.#actions.send({ ...fields, toolCallId: this.id });
  }

  async ask(options: readonly Option[] = [ALLOW_ONCE, REJECT_ONCE]): Promise<Option | undefined> {
    requireArgument("toolCall.ask", options, "an array", "toolCall.ask([ALLOW_ONCE, REJECT_ONCE])");
    if (options.length === 0) throw new AcpError("toolCall.ask needs at least one option");
    const response = await unlessAborted(this.#actions.signal, () =>
      this.#actions.ask(options, this.#known),
    );
    const outcome = isRecord(response) ? response["outcome"] : undefined;
    // An unknown outcome, or an option that was not offered or is of an unknown kind, is not an approval.
    if (!isRecord(outcome) || outcome["outcome"] !== "selected") return undefined;
    return options.find(
      ({ optionId, kind }) => optionId === outcome["optionId"] && APPROVALS.includes(kind),
    );
  }

  async run<Result>(work: (signal: AbortSignal) => Result): Promise<Awaited<Result>> {
    requireArgument("toolCall.run", work, "a function", "toolCall.run(async (signal) => …)");
    await this.update({ status: "in_progress" });
    let result: Awaited<Result>;
    try {
      result = await work(this.#actions.signal);
    } catch (error) {
      // The failure of the work matters more than that of its report.
      await this.fail(error).catch(() => {});
      throw error;
    }
    await this.update({ status: "completed" });
    return result;
  }

  async fail(reason: unknown): Promise<void> {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const { content } = this.#known;
    const kept = Array.isArray(content) ? (content as unknown[]) : [];
    const message = reason instanceof Error ? reason.message : String(reason);
    return this.update({ status: "failed", content: [...kept, toolText(message)] });
  }
}

/** Returns the result of a function; undefined as soon as the signal is aborted. */
function unlessAborted<Result>(
  signal: AbortSignal,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => resolve(undefined));
    run().then(resolve, reject).finally(stop);
  });
}
