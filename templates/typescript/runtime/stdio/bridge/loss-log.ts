import { closeSync, openSync, writeSync } from "node:fs";
import type { BridgeLoss } from "../../bridge/losses.js";

/** How often the same loss is written to standard error. */
const MOST_REPEATED = 3;

/** Writes losses for people and for programs. */
export interface LossLog {
  write(loss: BridgeLoss): void;
  close(): void;
}

/**
 * Opens the log of a bridge.
 *
 * @param file gets every loss as a line of JSON; none when undefined
 * @param print takes a line about a loss for people; undefined for none
 * @param warn takes the line about a file that cannot be written any more
 * @throws Error when the file cannot be opened
 */
export function openLossLog(
  file: string | undefined,
  print: ((line: string) => void) | undefined,
  warn: (line: string) => void,
): LossLog {
  let descriptor = file === undefined ? undefined : openSync(file, "a");
  const append = (to: number, loss: BridgeLoss): void => {
    try {
      writeSync(to, `${JSON.stringify(loss)}\n`);
    } catch (error) {
      closeSync(to);
      descriptor = undefined;
      warn(`acp-bridge: ${file} gets no more losses: ${(error as Error).message}`);
    }
  };
  const counts = new Map<string, number>();
  return {
    write: (loss) => {
      if (descriptor !== undefined) append(descriptor, loss);
      if (print === undefined) return;
      const { kind, to, place, path, method, text } = loss;
      const key = `${to} ${place} ${loss.when}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > MOST_REPEATED) return;
      const more = count === MOST_REPEATED ? " (Repetitions are not shown.)" : "";
      const where = place === "*" ? path.slice(path.lastIndexOf("/") + 1) : place;
      print(`acp-bridge: ${kind}, to ${to}, ${method}, ${where}: ${text}${more}`);
    },
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}
