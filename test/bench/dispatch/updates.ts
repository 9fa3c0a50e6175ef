import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bindings, importFile } from "../paths.js";
import { loadSamples } from "../checks/samples.js";
import { drawStreamingMix } from "../checks/streaming-mix.js";

/** The session updates of the streaming mix, in a file for the processes that send them. */
export interface Updates {
  readonly file: string;
  /** The drawn messages, for the report. */
  readonly note: string;
  /** Removes the file. */
  readonly remove: () => void;
}

type Encode = (value: unknown) => unknown;

/**
 * Writes the params of `session/update`, one a line. What our own checks would
 * not send is left out: the samples are also about what is forgiven, and the
 * checks stay on here.
 */
export async function writeUpdates(): Promise<Updates> {
  const schemas = await importFile<{ readonly encode: Encode }>(bindings("v1/schemas"));
  const { encode } = schemas["SessionNotification"]!;
  const drawn = drawStreamingMix(loadSamples().valid).filter(
    ({ def }) => def === "SessionNotification",
  );
  const lines = drawn
    .map(({ value }): unknown => ({ ...(value as object), sessionId: "s-1" }))
    .filter((params) => maySend(encode, params))
    .map((params) => JSON.stringify(params));
  const folder = mkdtempSync(join(tmpdir(), "acp-bench-"));
  const file = join(folder, "updates.ndjson");
  writeFileSync(file, lines.join("\n"));
  const size = lines.reduce((sum, { length }) => sum + length, 0) / lines.length;
  return {
    file,
    note: `${lines.length} of the ${drawn.length} session updates of the streaming mix that may be sent, again and again; params of ${size.toFixed(0)} characters on average`,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function maySend(encode: Encode, params: unknown): boolean {
  try {
    encode(params);
    return true;
  } catch {
    return false;
  }
}
