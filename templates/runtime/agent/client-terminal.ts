import type { AgentTerminal } from "./agent-session.js";

type Request = (method: string, params: object, options?: object) => Promise<unknown>;

/**
 * Starts a command in a terminal of the client.
 *
 * @param request calls a method of the client for the session
 */
export async function createTerminal(request: Request, params: object): Promise<AgentTerminal> {
  const created = (await request("terminal/create", params)) as { readonly terminalId: string };
  const { terminalId } = created;
  const call = (name: string, options?: object): Promise<unknown> =>
    request(`terminal/${name}`, { terminalId }, options);
  let released: Promise<void> | undefined;
  // A terminal is released even after the signal was aborted.
  const release = (): Promise<void> => (released ??= call("release", {}).then(() => {}));
  return {
    id: terminalId,
    content: { type: "terminal", terminalId },
    wait: () => call("wait_for_exit"),
    output: () => call("output"),
    kill: async () => void (await call("kill", {})),
    release,
    [Symbol.asyncDispose]: release,
  };
}
