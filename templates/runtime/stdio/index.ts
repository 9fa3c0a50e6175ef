import type { Channel } from "../rpc/channel.js";
import { byteChannel, type StdioOptions } from "./byte-channel.js";
import { guardStdout } from "./stdout-guard.js";

export {
  AgentStartError,
  spawnAgent,
  type AgentProcess,
  type SpawnOptions,
} from "./agent-process.js";
export { byteChannel, type StdioOptions } from "./byte-channel.js";

/**
 * Creates the channel of a process that was started by its peer: newline-delimited JSON on
 * standard input and output. While it is open, all other writes to standard output, such as
 * `console.log`, are redirected to standard error, and the first one is reported there.
 */
export function stdio(options: StdioOptions = {}): Channel {
  const channel = byteChannel(process.stdin, process.stdout, options);
  let restore = (): void => {};
  return {
    start: (receiver) => {
      restore = guardStdout();
      channel.start(receiver);
    },
    send: (message) => channel.send(message),
    close: () => {
      channel.close();
      restore();
    },
  };
}
