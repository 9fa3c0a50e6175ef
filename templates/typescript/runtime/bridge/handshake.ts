import { isRecord } from "../rpc/messages.js";
import type { BridgedAnswer } from "./requests.js";

/** The versions that a bridge connects. */
export type BridgedVersion = 1 | 2;

/** The capabilities that both sides have advertised, each in its own version. */
export interface BridgedHandshake {
  /** The capabilities of the client. */
  readonly client: Readonly<Record<string, unknown>>;
  /** The capabilities of the agent. */
  readonly agent: Readonly<Record<string, unknown>>;
}

/** Returns whether a capability is advertised: true, or an object. */
export function capabilityAt(capabilities: unknown, ...path: readonly string[]): boolean {
  let found = capabilities;
  for (const name of path) found = isRecord(found) ? found[name] : undefined;
  return found === true || isRecord(found);
}

/** Returns whether an agent offers a way to log in, in the result of `initialize` of either version. */
export function hasAuthMethods(result: unknown): boolean {
  if (!isRecord(result)) return false;
  const { authMethods } = result;
  return Array.isArray(authMethods) && authMethods.length > 0;
}

/** Returns whether an agent of version 1 says that it can log out. */
export function canLogOut(result: unknown): boolean {
  return isRecord(result) && capabilityAt(result, "agentCapabilities", "auth", "logout");
}

/** Says for an agent of version 1 that it can log out, as every agent of version 2 that logs in can. */
export function withLogout(result: unknown): unknown {
  if (!isRecord(result)) return result;
  const capabilities = isRecord(result["agentCapabilities"]) ? result["agentCapabilities"] : {};
  const auth = isRecord(capabilities["auth"]) ? capabilities["auth"] : {};
  return {
    ...result,
    agentCapabilities: { ...capabilities, auth: { ...auth, logout: auth["logout"] ?? {} } },
  };
}

/**
 * Returns the version that the params of `initialize` are written in: of one that does not exist yet,
 * the names of the capabilities tell it. Returns undefined when no version is asked for.
 */
export function versionOfClient(params: unknown): BridgedVersion | undefined {
  if (!isRecord(params) || typeof params["protocolVersion"] !== "number") return undefined;
  const { protocolVersion } = params;
  if (protocolVersion > 2) return "clientCapabilities" in params ? 1 : 2;
  return protocolVersion === 2 ? 2 : 1;
}

/** Returns the version in an answer to `initialize`. */
export function versionIn({ result }: BridgedAnswer): unknown {
  return isRecord(result) ? result["protocolVersion"] : undefined;
}

/** Returns why an answer to `initialize` is not one of the version that was asked for. */
export function refusalReason(answer: BridgedAnswer): string {
  const { error } = answer;
  if (error !== undefined) return isRecord(error) ? String(error["message"]) : "it has an error";
  const version = versionIn(answer);
  return version === undefined
    ? "its answer names no version"
    : `it answered with version ${JSON.stringify(version)}`;
}
