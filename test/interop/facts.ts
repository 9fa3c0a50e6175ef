import { readFileSync } from "node:fs";
import type * as acp from "acp-bindings/v1";

/** What both sides of the conversations say; the peers and the scripts read the same file. */
export const facts = JSON.parse(
  readFileSync(new URL("facts.json", import.meta.url), "utf8"),
) as Facts;

interface Facts {
  readonly secret: string;
  readonly clientInfo: acp.Implementation;
  readonly agentInfo: acp.Implementation;
  readonly clientCapabilities: acp.ClientCapabilities;
  readonly agentCapabilities: acp.AgentCapabilities;
  readonly authMethods: readonly acp.AuthMethod[];
}
