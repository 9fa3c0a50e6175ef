import { inspect } from "../../../generators/tools/inspect/inspect.js";
import { longTranscript } from "../../support/long-transcript.js";

/**
 * Inspects a transcript of so many megabytes, made as it is read, and prints
 * what a test or a bench wants to know: memory at its most after the first tenth
 * and at the end, in bytes, and the time of the processor, in seconds.
 */
const bytes = Number(process.argv[2]) * 1e6;
let early = 0;
let cpu = 0;
const result = await inspect(
  longTranscript(bytes),
  { inputs: {} },
  {
    line: () => {},
    read: async (read) => {
      if (cpu === 0) cpu = cpuTime();
      if (read < bytes / 10) early = maxMemory();
    },
  },
);
process.stdout.write(
  JSON.stringify({
    bytes: result.bytes,
    messages: result.messages,
    errors: result.errors,
    early,
    most: maxMemory(),
    seconds: cpuTime() - cpu,
  }),
);

function maxMemory(): number {
  return process.resourceUsage().maxRSS * 1024;
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
