import type { Channel } from "../rpc/channel.js";
import { byteChannel, type StdioOptions } from "./byte-channel.js";

export {
  AgentStartError,
  spawnAgent,
  type AgentProcess,
  type SpawnOptions,
} from "./agent-process.js";
export { byteChannel, type StdioOptions } from "./byte-channel.js";

/**
 * The channel of a process that was started by its peer: newline-delimited JSON
 * on standard input and output. Nothing else may write to standard output then.
 */
export function stdio(options: StdioOptions = {}): Channel {
  return byteChannel(process.stdin, process.stdout, options);
}
