import { RpcError } from "./rpc/errors.js";
import * as sentences from "./sentences.js";

/** An MCP server as a client passes it, in either version of the protocol. */
export interface PassedMcpServer {
  /** Absent for a server over stdio in version 1. */
  readonly type?: string | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: readonly NamedValue[] | undefined;
  readonly url?: string | undefined;
  readonly headers?: readonly NamedValue[] | undefined;
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** An MCP server as MCP clients start or call it. */
export type McpLaunch = McpCommand | McpAddress;

/** An MCP server that is started as a process. */
export interface McpCommand {
  readonly type: "stdio";
  readonly command: string;
  readonly args: string[];
  /** Variables that are added to an environment; the process needs others as well, such as `PATH`. */
  readonly env: Record<string, string>;
}

/** An MCP server with an address. */
export interface McpAddress {
  readonly type: "http" | "sse";
  readonly url: string;
  readonly headers: Record<string, string>;
}

/**
 * Returns an MCP server as MCP clients start or call it: lists of names and values become objects, in
 * which the last value of a name counts.
 *
 * @throws RpcError "invalid params" (-32602), which a handler may pass on to the client, for a
 *   transport that neither version of the protocol has
 */
export function mcpLaunch(server: PassedMcpServer): McpLaunch {
  const { type = "stdio", command, args = [], env = [], url, headers = [] } = server;
  if (type === "stdio" && command !== undefined)
    return { type, command, args: [...args], env: toRecord(env) };
  if ((type === "http" || type === "sse") && url !== undefined)
    return { type, url, headers: toRecord(headers) };
  const text = sentences.noMcpTransport;
  throw RpcError.invalidParams(text, { type: type.slice(0, 100) });
}

function toRecord(list: readonly NamedValue[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
