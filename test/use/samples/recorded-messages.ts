import { join } from "node:path";
import { ROOT } from "../../support/paths.js";
import { readLines } from "../../support/read-lines.js";

/** The params or the result of a message that an agent or a client has sent. */
export interface RecordedMessage {
  /** Name and version of the agent, e.g. `gemini-cli@0.61.0`. */
  readonly agent: string;
  readonly version: "v1" | "v2";
  readonly from: "agent" | "client";
  readonly kind: "request" | "response" | "notification";
  readonly method: string;
  readonly def: string;
  readonly payload: object;
}

/** Returns the messages of live turns with agents from npm. */
export function recordedMessages(): RecordedMessage[] {
  return readLines(join(ROOT, "test/fixtures/recorded.ndjson"));
}
