import { InvalidArgumentError, Option } from "commander";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Side } from "../../tools/inspect/inspector-api.js";
import { usageError } from "../../run/messages.js";
import { ExitCode, type AddCommand } from "../context.js";

interface ReplayFlags {
  readonly as: Side;
  readonly demo?: boolean;
  readonly speed?: number;
  readonly loop?: boolean;
}

const EXAMPLES = `
  acp-codegen replay recording.ndjson                a fake agent, on standard input and output
  acp-codegen replay --demo --loop --speed 1         a whole turn for any editor
  acp-codegen replay --as client recording.ndjson    a fake editor, which sends the requests

Each request is answered as the next one of its method was answered in the recording, with what was
sent meanwhile; ids and sessions are mapped. Where the other side leaves the recording, a line on
standard error says so. Exit codes: 0 success, 1 it has left the recording, 2 usage error.`;

export const addReplay: AddCommand = (program, { terminal, exit }) => {
  program
    .command("replay")
    .description("play one side of a recording: a fake agent or editor for tests of the other one")
    .argument("[recording]", "a recording, or another capture that names the senders")
    .addOption(
      new Option("--as <side>", "the side to play").choices(["agent", "client"]).default("agent"),
    )
    .option("--demo", "play the recording that comes with the tool")
    .option(
      "--speed <factor>",
      "keep the pauses of the recording, so many times as fast",
      parseFactor,
    )
    .option("--loop", "begin again where the recording has no further request of a method")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (path: string | undefined, flags: ReplayFlags) => {
      const { as: side, demo, ...options } = flags;
      if ((path === undefined) === (demo !== true))
        throw usageError("a recording is required", "Name a file, or give --demo.");
      const { DEMO, replay } = await import("../../tools/replay/replay.js");
      const { stdin, stdout } = terminal.streams;
      const isFaithful = await replay(
        { ...options, path: path ?? DEMO, side },
        {
          lines: linesOf(stdin),
          write: (text) => void stdout.write(text),
          say: (text) => terminal.writeErr(`acp-codegen replay: ${text}`),
        },
      );
      // A fake editor ends with its recording, not with its input.
      stdin.destroy();
      exit(isFaithful ? ExitCode.done : ExitCode.no);
    });
};

/** Reads lines from the first time that one is asked for: an interface loses those that come before. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  yield* createInterface({ input });
}

function parseFactor(value: string): number {
  const factor = Number(value);
  if (value.trim() !== "" && factor > 0 && factor < 1e6) return factor;
  throw new InvalidArgumentError("Expected a number above 0.");
}
