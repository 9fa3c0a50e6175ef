/** The last bytes of a command's output. */
export interface OutputBuffer {
  add(text: string): void;
  /** What is kept, and whether something is missing at its beginning. */
  read(): { readonly output: string; readonly truncated: boolean };
}

/** @param limit how many bytes are kept; whole characters, so it may be a little less */
export function createOutputBuffer(limit: number): OutputBuffer {
  let chunks: Buffer[] = [];
  let size = 0;
  let truncated = false;
  const join = (): Buffer => {
    let bytes: Buffer = Buffer.concat(chunks);
    if (bytes.length > limit) {
      bytes = fromCharacterStart(bytes, bytes.length - limit);
      truncated = true;
    }
    [chunks, size] = [[bytes], bytes.length];
    return bytes;
  };
  return {
    add: (text) => {
      const bytes = Buffer.from(text);
      chunks.push(bytes);
      size += bytes.length;
      // Not at every chunk: copying costs time in proportion to what is kept.
      if (size > 2 * limit) join();
    },
    read: () => ({ output: join().toString("utf8"), truncated }),
  };
}

/** UTF-8: the bytes that continue a character are those of the form 10xxxxxx. */
function fromCharacterStart(bytes: Buffer, start: number): Buffer {
  let index = start;
  while (index < bytes.length && (bytes[index]! & 0b1100_0000) === 0b1000_0000) index++;
  return bytes.subarray(index);
}
