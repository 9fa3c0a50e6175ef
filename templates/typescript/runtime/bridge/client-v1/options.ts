import { isRecord } from "../../rpc/messages.js";
import { capabilityAt } from "../handshake.js";
import { sizeOf } from "../limits.js";
import type { Losses } from "../losses.js";
import { modeOption, modesOf, type Modes } from "../state/modes.js";

/** The configuration options of a session for a client of version 1, and the modes among them. */
export class OfferedOptions {
  readonly #sessionId: string;
  readonly #losses: Losses;
  readonly #hasSwitches: boolean;
  /** The options that were sent last, in version 1. */
  #last: unknown;
  /** The modes, where an option stands for them. */
  mode: Modes | undefined;
  /** What is kept, in UTF-16 units. */
  size = 0;

  /** @param capabilities those of the client */
  constructor(sessionId: string, losses: Losses, capabilities: unknown) {
    this.#sessionId = sessionId;
    this.#losses = losses;
    this.#hasSwitches = capabilityAt(capabilities, "session", "configOptions", "boolean");
  }

  /**
   * Remembers the options in an object of version 1, and leaves out those that are on or off, unless
   * the client has advertised them.
   *
   * @param method where they are on their way, for the report of a loss
   */
  offer<T>(value: T, method: string): T {
    if (!isRecord(value) || !Array.isArray(value["configOptions"])) return value;
    const options: readonly unknown[] = value["configOptions"];
    this.#last = options;
    this.size = sizeOf(options);
    if (this.#hasSwitches) return value;
    const configOptions = options.filter((one) => !isRecord(one) || one["type"] !== "boolean");
    if (configOptions.length === options.length) return value;
    this.#losses.state("switch-not-advertised", { method, sessionId: this.#sessionId });
    return { ...value, configOptions };
  }

  /** Takes the modes of the options that were offered last. Returns those, if there are any. */
  takeModes(): object | undefined {
    const option = Array.isArray(this.#last) ? modeOption(this.#last) : undefined;
    const modes = option && modesOf(option);
    this.mode = modes && {
      configId: String(option!["id"]),
      currentModeId: String(modes["currentModeId"]),
    };
    return modes;
  }

  /** Returns the mode that the options now say, if it is another than before. */
  changedMode(): string | undefined {
    const before = this.mode;
    if (before === undefined) return undefined;
    if (this.takeModes() === undefined) this.mode = before;
    const { currentModeId } = this.mode!;
    return currentModeId === before.currentModeId ? undefined : currentModeId;
  }
}
