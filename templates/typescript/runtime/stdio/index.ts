import type { Transport } from "../rpc/transports/transport.js";
import { byteTransport, type StdioOptions } from "./byte-transport.js";
import { guardStdout } from "./stdout-guard.js";

export {
  AgentExitError,
  AgentSilentError,
  AgentStartError,
  spawnAgent,
  type AgentProcess,
  type SpawnOptions,
} from "./agent-process.js";
export { login } from "./login.js";
export { prepareCommand, type PreparedCommand, type ProcessPlace } from "./start-process.js";
export { byteTransport, type StdioOptions } from "./byte-transport.js";

/**
 * Creates the transport of a process that was started by its peer: newline-delimited JSON on
 * standard input and output. While it is open, all other writes to standard output, such as
 * `console.log`, are redirected to standard error, and the first one is reported there.
 */
export function stdio(options: StdioOptions = {}): Transport {
  const transport = byteTransport(process.stdin, process.stdout, options);
  let restore = (): void => {};
  return {
    start: (receiver) => {
      restore = guardStdout();
      transport.start(receiver);
    },
    send: (message) => transport.send(message),
    unsent: transport.unsent!,
    close: () => {
      transport.close();
      restore();
    },
  };
}
