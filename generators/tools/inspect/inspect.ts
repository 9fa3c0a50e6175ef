import type { Selection } from "../../run/options.js";
import { Conversations } from "./conversations.js";
import { StatisticsCounter, type LineReport, type Statistics } from "./statistics.js";
import type { Captured, Side } from "./inspector-api.js";
import { loadInspector } from "./load-inspector.js";
import { loadTemplates } from "../../run/inputs/load-templates.js";

export interface InspectOptions {
  /** The profile to check against; that of the version in the transcript when absent or empty. */
  readonly inputs?: Selection;
  /**
   * The side that wrote the recording, for lines marked `in` and `out`; when absent, the side that
   * they say has sent `initialize` is the client.
   */
  readonly recorder?: Side;
  /** Whether everything is masked that is reported. */
  readonly redact?: boolean;
  /** The longest line in bytes; the limit of the runtime when absent. */
  readonly maxLineBytes?: number;
}

/** Called while an inspection runs. */
export interface InspectListener {
  /**
   * Called for every line that is not empty, and for findings about earlier lines.
   *
   * @param captured what the line has; absent for an earlier line
   */
  readonly line?: (report: LineReport, captured?: Captured) => void;
  /** Called after every chunk with the bytes and lines so far. The next chunk waits for it. */
  readonly read?: (bytes: number, lines: number) => Promise<void>;
}

export interface InspectResult extends Statistics {
  /** The profiles that it was checked against, in the order of their use. */
  readonly profiles: readonly string[];
  /** The number of conversations. */
  readonly conversations: number;
  /** The number of conversations that begin with `initialize`, so that rules of behavior apply. */
  readonly withRules: number;
  readonly lines: number;
  readonly bytes: number;
}

/**
 * Checks recorded traffic, line by line, in memory that does not grow with it.
 *
 * @param chunks the bytes of the transcript, however they are cut, e.g. a stream of a file; an
 *   empty one says that the next may take long, so that nothing waits for it
 * @returns the statistics; reports about lines go to the listener
 * @throws InputError when no profile fits
 */
export async function inspect(
  chunks: AsyncIterable<Uint8Array>,
  { inputs = {}, recorder, redact = false, maxLineBytes }: InspectOptions = {},
  { line: reportLine, read }: InspectListener = {},
): Promise<InspectResult> {
  const templates = loadTemplates();
  const tools = await loadInspector(templates);
  const statistics = new StatisticsCounter();
  const report = (found: LineReport, captured?: Captured): void => {
    statistics.add(found);
    reportLine?.(found, captured);
  };
  const conversations = new Conversations(tools, inputs, templates, report, redact);
  let lines: Captured[] = [];
  let bytes = 0;
  const take = (captured: Captured): void => void lines.push(captured);
  const capture = tools.openCapture(take, recorder, maxLineBytes);
  for await (const chunk of chunks) {
    bytes += chunk.length;
    capture.push(chunk);
    await conversations.take(lines);
    lines = [];
    if (chunk.length === 0) await conversations.flush();
    await read?.(bytes, capture.lines);
  }
  capture.end();
  await conversations.take(lines);
  return { ...(await conversations.end()), lines: capture.lines, bytes, ...statistics.result() };
}
