import { inspect, type InspectOptions } from "../inspect/inspect.js";
import type { Captured, OpenCall, TimelineRow } from "../inspect/inspector-api.js";
import type { LineReport } from "../inspect/statistics.js";
import { loadInspector } from "../inspect/load-inspector.js";
import { loadTemplates } from "../../run/inputs/load-templates.js";
import { errorMessage, usageError } from "../../run/messages.js";
import { requireTranscript } from "../inspect/open-transcript.js";
import { followRecording, hasEnded, nextRecording } from "./follow.js";
import { recordings } from "../record/recordings.js";

export interface LiveOptions extends InspectOptions {
  /** The recording to follow until it ends; the newest and those after it when absent. */
  readonly path?: string;
  /** The rows that are given, e.g. `method:session/prompt slow:>1s`; all when absent. */
  readonly filter?: string;
  /** Ends the run. */
  readonly signal?: AbortSignal;
}

/** The piece that says that the next one may take long. */
const NOTHING = new Uint8Array();

export interface LiveListener {
  /** Called when a recording begins. */
  readonly recording?: (path: string) => void;
  /** @param began the time of the first row of the recording, which may not be shown, in milliseconds */
  readonly row?: (row: TimelineRow, began: number | undefined) => void;
  /** Called for every line that is not empty, and for findings about earlier lines, which have nothing captured. */
  readonly line?: (report: LineReport, captured?: Captured) => void;
  /** Called after every piece of a recording. The next one waits for it. */
  readonly read?: () => Promise<void>;
  /** Called when everything that was written so far has been given. */
  readonly idle?: (open: readonly OpenCall[]) => void;
  /** Called with the requests that a recording has ended without answering, and that no finding is about. */
  readonly end?: (open: readonly OpenCall[]) => void;
}

/**
 * Follows recordings as they are written, and gives the rows of their timelines with the findings.
 *
 * @returns when the recording at `path` has ended; without a path when it is aborted
 * @throws InputError for a filter that has no meaning or a file that does not exist; OutputError
 *   when a recording cannot be read
 */
export async function followLive(
  { path, filter = "", signal, ...options }: LiveOptions,
  listener: LiveListener,
): Promise<void> {
  if (path !== undefined) refuseOthers(path);
  const { Timeline, parseFilter } = await loadInspector(loadTemplates());
  let fits: (row: TimelineRow) => boolean;
  try {
    fits = parseFilter(filter);
  } catch (error) {
    const hint =
      "There are method: session: kind: from: is:finding is:error slow:>1s, and plain words.";
    throw usageError(errorMessage(error), hint);
  }
  const followOne = async (file: string): Promise<void> => {
    listener.recording?.(file);
    /** The lines that a finding of the end is about. */
    const explained = new Set<number>();
    let began: number | undefined;
    const timeline = new Timeline((row) => {
      if (row.kind === "finding") explained.add(row.line);
      began ??= row.time;
      if (fits(row)) listener.row?.(row, began);
    });
    async function* chunks(): AsyncGenerator<Uint8Array> {
      const followed = followRecording(file, {
        ...(signal !== undefined && { signal }),
        yieldsToNewer: path === undefined,
      });
      for await (const piece of followed) {
        if (piece !== "idle") yield piece;
        else {
          yield NOTHING;
          timeline.flush();
          listener.idle?.(timeline.open());
        }
      }
    }
    await inspect(chunks(), options, {
      line: (report, captured) => {
        timeline.add(report, captured);
        listener.line?.(report, captured);
      },
      read: async () => listener.read?.(),
    });
    timeline.flush();
    listener.end?.(timeline.open().filter(({ line }) => !explained.has(line)));
  };
  if (path !== undefined) return followOne(path);
  let last: string | undefined = recordings().at(0);
  if (last !== undefined && !hasEnded(last)) await followOne(last);
  for (;;) {
    last = await nextRecording(last, signal);
    if (last === undefined) return;
    await followOne(last);
  }
}

/** @throws InputError for a path that cannot be followed */
export function refuseOthers(path: string): void {
  if (path === "-")
    throw usageError("standard input cannot be followed", "Name the file that is written.");
  requireTranscript(path);
}
