import { terminalLogin, type AgentLaunch, type OfferedLogin } from "../terminal-login.js";
import { AgentExitError, AgentStartError } from "./agent-process.js";
import { startProcess } from "./start-process.js";

/**
 * Runs a login in the terminal of this process, for a client that has one. A client with windows runs
 * what `terminalLogin` returns in one of its terminals.
 *
 * The agent has to be started again afterwards, since it knows nothing of a login in another process.
 *
 * @param launch how the client starts the agent
 * @param options.signal ends the login
 * @returns resolves when the user has logged in
 * @throws AgentExitError when the login has failed, AgentStartError when it could not be started
 * @throws AcpError for a method that is not of the type `terminal`
 */
export async function login(
  method: OfferedLogin,
  launch: AgentLaunch,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { command, args = [], ...place } = terminalLogin(method, launch);
  const { signal } = options;
  signal?.throwIfAborted();
  const exit = await new Promise<number | string>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(
        signal?.aborted ? (signal.reason as Error) : new AgentStartError(command, place, error),
      );
    try {
      const child = startProcess(command, args, place, {
        stdio: "inherit",
        ...(signal && { signal }),
      });
      child.once("error", fail);
      child.once("exit", (code, name) => resolve(code ?? name!));
    } catch (error) {
      fail(error as NodeJS.ErrnoException);
    }
  });
  if (exit !== 0) throw new AgentExitError(exit);
}
