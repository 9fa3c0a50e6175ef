import type { Selection } from "../options.js";
import { Conversations } from "./conversations.js";
import { StatisticsCounter, type LineReport, type Statistics } from "./statistics.js";
import { readLine, unreadable, type Line } from "./transcript-line.js";
import type { Side } from "./inspector-api.js";
import { loadInspector } from "./load-inspector.js";
import { readTemplates } from "../installation.js";

export interface InspectOptions {
  /** The profile to check against; found out from the transcript where it is absent or empty. */
  readonly inputs?: Selection;
  /** The side that wrote the recording, where that says `in` and `out`; the client when absent. */
  readonly recorder?: Side;
  /** The longest line in bytes; what the runtime accepts when absent. */
  readonly lineLimit?: number;
}

/** What hears about a run while it goes on. */
export interface InspectListener {
  /** What is told about one line; for every line that is not empty. */
  readonly line?: (report: LineReport) => void;
  /** After every piece of the input: how much was read so far. The next piece waits for it. */
  readonly read?: (bytes: number, lines: number) => Promise<void>;
}

export interface InspectResult extends Statistics {
  /** What it was checked against, in the order in which the transcript needed it. */
  readonly profiles: readonly string[];
  /** How many conversations it has. */
  readonly conversations: number;
  /** How many of them begin with `initialize`, so that the rules of behavior could be looked at. */
  readonly withRules: number;
  readonly lines: number;
  readonly bytes: number;
}

/**
 * Checks recorded traffic, line by line, in memory that does not grow with it.
 *
 * @param chunks the bytes of the transcript, however they are cut, e.g. a stream of a file
 * @returns the counts by method and by rule; what is told line by line goes to the listener
 * @throws InputError when no profile fits
 */
export async function inspect(
  chunks: AsyncIterable<Uint8Array>,
  { inputs = {}, recorder = "client", lineLimit }: InspectOptions = {},
  { line: tell, read }: InspectListener = {},
): Promise<InspectResult> {
  const templates = readTemplates();
  const tools = await loadInspector(templates);
  const tally = new StatisticsCounter();
  const conversations = new Conversations(tools, inputs, templates, (report) => {
    tally.add(report);
    tell?.(report);
  });
  let lines: Line[] = [];
  let [number, bytes, isOver] = [0, 0, false];
  const reader = tools.createLineReader(
    {
      line: (text) => {
        const line = readLine(text, ++number, recorder, tools);
        if (line !== undefined) lines.push(line);
      },
      // What comes after the last line feed is no line.
      empty: () => (number += isOver ? 0 : 1),
      broken: (reason) => lines.push(unreadable(++number, reason)),
    },
    lineLimit,
  );
  for await (const chunk of chunks) {
    bytes += chunk.length;
    reader.push(chunk);
    await conversations.take(lines);
    lines = [];
    await read?.(bytes, number);
  }
  isOver = true;
  reader.end();
  await conversations.take(lines);
  return { ...(await conversations.end()), lines: number, bytes, ...tally.result() };
}
