import { AcpError } from "../../acp-error.js";
import { readPieces } from "./read-pieces.js";

/** One event of a stream. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * Reads server-sent events, and yields those that each piece completes. An event that the end of the
 * stream cuts off is left out, as in browsers; so are comments and unknown fields.
 *
 * @param maxLength the longest accepted event, in UTF-16 units
 * @param maxSilence how long nothing may arrive, in milliseconds
 * @throws HttpError when the stream fails or is silent; AcpError when it has a longer event, and
 *   TypeError when it is not UTF-8, which it would have again
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  maxLength: number,
  maxSilence: number,
  signal: AbortSignal,
): AsyncGenerator<readonly ServerEvent[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  /** The beginning of a line whose end has not arrived. */
  let line = "";
  /** Whether the last line has ended with CR, which LF may follow. */
  let isReturned = false;
  let data: string[] = [];
  let length = 0;
  let id: string | undefined;
  const check = (found: number): void => {
    if (found > maxLength) throw new AcpError("an event is too long");
  };
  for await (const piece of readPieces(body, maxSilence, signal)) {
    let text = decoder.decode(piece, { stream: true });
    if (isReturned && text.startsWith("\n")) text = text.slice(1);
    else if (text === "") continue;
    isReturned = text.endsWith("\r");
    const events: ServerEvent[] = [];
    const lines = text.split(text.includes("\r") ? /\r\n?|\n/ : "\n");
    lines[0] = line + lines[0]!;
    line = lines.pop()!;
    for (const whole of lines) {
      if (whole === "") {
        if (data.length > 0) events.push({ id, data: data.join("\n") });
        data = [];
        length = 0;
        id = undefined;
      } else if (whole.startsWith("data:")) {
        data.push(whole.slice(whole[5] === " " ? 6 : 5));
        check((length += whole.length));
      } else if (whole.startsWith("id:")) id = whole.slice(3).trim();
    }
    check(length + line.length);
    yield events;
  }
}
