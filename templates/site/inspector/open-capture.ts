import type { Side } from "../../typescript/runtime/conformance/transcript.js";
import { createLineReader } from "../../typescript/runtime/rpc/transports/lines.js";
import { CaptureReader, type Captured } from "./capture.js";

/** A capture that is read as bytes, however they are cut. */
export interface OpenCapture {
  /** The number of lines so far. */
  readonly lines: number;
  push(chunk: Uint8Array): void;
  end(): void;
}

/**
 * Reads the bytes of a capture.
 *
 * @param recorder the side that wrote it; see `CaptureReader`
 * @param limit the longest line in bytes; the limit of the runtime when absent
 */
export function openCapture(
  take: (captured: Captured) => void,
  recorder?: Side,
  limit?: number,
): OpenCapture {
  let lines = 0;
  let isOver = false;
  const capture = new CaptureReader(take, recorder);
  const reader = createLineReader(
    {
      line: (text) => capture.line(text, ++lines),
      // The empty text after the last line feed is not a line.
      empty: () => void (lines += isOver ? 0 : 1),
      broken: (reason) => capture.broken(reason, ++lines),
    },
    limit,
  );
  return {
    get lines() {
      return lines;
    },
    push: (chunk) => reader.push(chunk),
    end: () => {
      isOver = true;
      reader.end();
      capture.end();
    },
  };
}
