import * as sentences from "./sentences.js";
import { AcpError } from "./acp-error.js";

/** How the program of an agent is started. */
export interface AgentLaunch {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables that are added to the environment; `undefined` removes one. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** The folder of the process; by default that of this process. */
  readonly cwd?: string | undefined;
}

/** An entry of an agent's `authMethods`, in either version of the protocol. */
export interface OfferedLogin {
  readonly type?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** A map in version 1, a list in version 2. */
  readonly env?:
    | { readonly [name: string]: string }
    | readonly { readonly name: string; readonly value: string }[]
    | undefined;
}

/**
 * Returns how a login in a terminal is started: the agent's program, with the arguments of the method
 * behind its own, and the variables of the method over its own. An agent cannot choose the program.
 *
 * @param launch how the client starts the agent
 * @throws AcpError for a method that is not of the type `terminal`, which `authenticate` or
 *   `auth/login` is called for
 */
export function terminalLogin(method: OfferedLogin, launch: AgentLaunch): AgentLaunch {
  if (method.type !== "terminal") throw new AcpError(sentences.noTerminalLogin);
  const { args = [], env = {} } = method;
  const added = isList(env) ? Object.fromEntries(env.map(({ name, value }) => [name, value])) : env;
  return {
    ...launch,
    args: [...(launch.args ?? []), ...args],
    env: { ...launch.env, ...added },
  };
}

function isList(env: NonNullable<OfferedLogin["env"]>): env is readonly {
  readonly name: string;
  readonly value: string;
}[] {
  return Array.isArray(env);
}
