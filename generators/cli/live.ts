import { withoutControls } from "../schema/controls.js";
import { followLive, type LiveOptions } from "../tools/live/live.js";
import { colors as pc } from "./colors.js";
import { createStatusLine } from "./print/progress.js";
import { printOpen, TimelinePrinter } from "./print/timeline.js";
import type { Terminal } from "./terminal.js";

/** Prints the timelines of recordings while they are written. */
export async function live(options: LiveOptions, { streams, writeOut }: Terminal): Promise<void> {
  const { columns } = streams.stdout as { readonly columns?: number };
  const { stderr } = streams;
  const status = createStatusLine(stderr);
  let printer = new TimelinePrinter(columns);
  const print = (line: string): void => {
    status.clear();
    writeOut(line);
  };
  if (options.path === undefined) print(pc.dim("waiting for a recording; Ctrl-C ends"));
  await followLive(options, {
    recording: (path) => {
      printer = new TimelinePrinter(columns);
      print(pc.bold(withoutControls(path)));
    },
    row: (row, began) => printer.row(row, began).forEach(print),
    idle: (open) => {
      if (stderr.isTTY !== true) return;
      status.show(() => printOpen(open, Date.now()).slice(0, (columns ?? 80) - 1));
    },
    end: (open) => printer.open(open).forEach(print),
  });
  status.clear();
}

/** Shows the recordings in a browser, until the process is ended. */
export async function livePage(options: LiveOptions, { writeOut }: Terminal): Promise<void> {
  const { servePage } = await import("../tools/live/page-server.js");
  const { url } = await servePage(options);
  writeOut(`${url}\n${pc.dim("open it in a browser on this machine; Ctrl-C ends")}`);
}
