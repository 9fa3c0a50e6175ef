import { AcpError } from "../../rpc/acp-error.js";
import { startTimer } from "../../rpc/timer.js";

/** One event of a stream. */
export interface ServerEvent {
  /** Absent when the event has none. */
  readonly id?: string;
  readonly data: string;
}

/**
 * Reads server-sent events, and yields those that arrived together. An event that the end of the
 * stream cuts off is left out, as in browsers; so are comments and unknown fields.
 *
 * @param maxLength the longest accepted event, in UTF-16 units
 * @param maxSilence how long nothing may arrive, in milliseconds
 * @throws Error when the stream fails, is silent or is not UTF-8; AcpError when it has a longer event,
 *   which it would have again
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  maxLength: number,
  maxSilence: number = Infinity,
): AsyncGenerator<readonly ServerEvent[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  /** The beginning of a line whose end has not arrived. */
  let line = "";
  let data: string[] = [];
  let length = 0;
  let id: string | undefined;
  const check = (found: number): void => {
    if (found > maxLength) throw new AcpError("an event is too long");
  };
  try {
    for (;;) {
      let isSilent = false;
      const stop = startTimer(maxSilence, () => {
        isSilent = true;
        reader.cancel().catch(() => {});
      });
      const { done, value } = await reader.read().finally(stop);
      if (isSilent) throw new Error("the stream is silent");
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      const events: ServerEvent[] = [];
      let start = 0;
      for (let end; (end = text.indexOf("\n", start)) >= 0; start = end + 1) {
        line += text.slice(start, end);
        if (line.endsWith("\r")) line = line.slice(0, -1);
        if (line === "") {
          if (data.length > 0)
            events.push({ ...(id !== undefined && { id }), data: data.join("\n") });
          data = [];
          length = 0;
          id = undefined;
        } else if (line.startsWith("data:")) {
          data.push(valueOf(line));
          check((length += line.length));
        } else if (line.startsWith("id:")) id = valueOf(line);
        line = "";
      }
      line += text.slice(start);
      check(length + line.length);
      if (events.length > 0) yield events;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Returns the value of a field, without the space that may precede it. */
function valueOf(line: string): string {
  const start = line.indexOf(":") + 1;
  return line.slice(line.charCodeAt(start) === SPACE ? start + 1 : start);
}

const SPACE = 32;
