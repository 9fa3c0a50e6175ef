import { isRecord } from "../../rpc/messages.js";
import { hasOtherProperties } from "../convert/other-properties.js";
import { LIMITS, BoundedMap } from "../limits.js";

/** A terminal of an agent of version 2, as text. */
interface Terminal {
  decoder: InstanceType<typeof TextDecoder>;
  text: string;
  command: string | undefined;
  exit: string | undefined;
  /** Whether its command has ended. */
  isEnded: boolean;
  /** The tool calls that show it. */
  readonly users: Set<string>;
}

type Loss = "terminal-bytes" | "terminal-cut" | "terminal-not-shown" | "terminal-details";

/** The parts of an update that its text says. */
const SHOWN = ["sessionUpdate", "terminalId", "command", "output", "exitStatus"];

/** A change of a terminal: the tool calls that show it, and what is lost of the output. */
export interface TerminalChange {
  readonly users: ReadonlySet<string>;
  readonly losses: readonly Loss[];
  /** The length of what is new in its text, in UTF-16 units; 0 when nothing has changed. */
  readonly size: number;
  /** Whether the change should be shown at once. */
  readonly isLast: boolean;
}

/** The terminals of a session, which a client of version 1 sees as text of tool calls. */
export class BridgedTerminals {
  readonly #terminals = new BoundedMap<string, Terminal>(LIMITS.terminals, LIMITS.sessionSize);

  /** What is kept, in UTF-16 units. */
  get size(): number {
    return this.#terminals.size;
  }

  /** Returns the text of a terminal, and remembers which tool call shows it. */
  show(terminalId: string, toolCallId: string): string {
    const terminal = this.#of(terminalId);
    if (terminal.users.size < LIMITS.terminals) terminal.users.add(toolCallId);
    this.#resize(terminalId, terminal);
    return textOf(terminal);
  }

  /** Applies a `terminal_update`: absence keeps a value, null removes it. */
  update(update: Readonly<Record<string, unknown>>): TerminalChange {
    const id = String(update["terminalId"]);
    const terminal = this.#of(id);
    const before = textOf(terminal);
    const { command, output, exitStatus } = update;
    const hasDetails =
      hasOtherProperties(update, SHOWN) ||
      hasOtherProperties(output, ["data"]) ||
      hasOtherProperties(exitStatus, ["exitCode", "signal"]);
    const losses: Loss[] = hasDetails ? ["terminal-details"] : [];
    if (command !== undefined) terminal.command = typeof command === "string" ? command : undefined;
    if (output !== undefined) {
      terminal.text = "";
      terminal.decoder = new TextDecoder();
      if (isRecord(output)) losses.push(...append(terminal, output["data"]));
    }
    const isLast = isRecord(exitStatus) && !terminal.isEnded;
    if (exitStatus !== undefined) {
      terminal.isEnded = isRecord(exitStatus);
      terminal.exit = exitText(exitStatus);
    }
    return this.#changed(id, terminal, losses, textOf(terminal) === before ? 0 : Infinity, isLast);
  }

  /** Applies a `terminal_output_chunk`. */
  append(terminalId: string, data: unknown): TerminalChange {
    const terminal = this.#of(terminalId);
    const size = typeof data === "string" ? data.length : 0;
    return this.#changed(terminalId, terminal, append(terminal, data), size, false);
  }

  #changed(
    id: string,
    terminal: Terminal,
    losses: readonly Loss[],
    size: number,
    isLast: boolean,
  ): TerminalChange {
    this.#resize(id, terminal);
    const { users } = terminal;
    return {
      users,
      losses: users.size > 0 || !isLast ? losses : [...losses, "terminal-not-shown"],
      size,
      isLast,
    };
  }

  #resize(id: string, { text, command = "", exit = "", users }: Terminal): void {
    let size = id.length + text.length + command.length + exit.length;
    for (const user of users) size += user.length;
    this.#terminals.resize(id, size);
  }

  #of(terminalId: string): Terminal {
    const known = this.#terminals.get(terminalId);
    if (known !== undefined) return known;
    const terminal: Terminal = {
      decoder: new TextDecoder(),
      text: "",
      command: undefined,
      exit: undefined,
      isEnded: false,
      users: new Set(),
    };
    this.#terminals.set(terminalId, terminal);
    return terminal;
  }
}

/** Returns a terminal as text: the command, the output, and how it has ended. */
function textOf({ text, command, exit }: Terminal): string {
  return [command === undefined ? "" : `$ ${command}\n`, text, exit ?? ""].join("");
}

/** Appends Base64 data. Returns what is lost in doing so. */
function append(terminal: Terminal, data: unknown): Loss[] {
  if (typeof data !== "string") return [];
  const losses: Loss[] = [];
  const before = terminal.text.length;
  terminal.text += terminal.decoder.decode(bytesOf(data), { stream: true });
  if (terminal.text.indexOf("\uFFFD", before) >= 0) losses.push("terminal-bytes");
  if (terminal.text.length > LIMITS.text) {
    terminal.text = terminal.text.slice(-LIMITS.text / 2);
    losses.push("terminal-cut");
  }
  return losses;
}

function bytesOf(data: string): Uint8Array {
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    // As the replacement character, so that it is reported.
    return Uint8Array.of(0xff);
  }
}

function exitText(status: unknown): string | undefined {
  if (!isRecord(status)) return undefined;
  const { exitCode, signal } = status;
  if (typeof signal === "string") return `\n[ended by ${signal}]`;
  return typeof exitCode === "number" && exitCode !== 0 ? `\n[exit code ${exitCode}]` : undefined;
}
