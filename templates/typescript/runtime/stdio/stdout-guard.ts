import type { Writable } from "node:stream";

type Write = typeof process.stdout.write;

/** The original `write` of guarded outputs, which only the transport calls. */
const transportWrites = new WeakMap<Writable, Write>();

/** The maximum length of the reported line, in characters. */
const MAX_REPORTED = 200;

/** Writes to an output, bypassing its guard if it has one. */
export function writeToOutput(output: Writable, text: string | Uint8Array): void {
  const write = transportWrites.get(output);
  if (write === undefined) output.write(text);
  else write.call(output, text);
}

/**
 * Reserves standard output for messages: redirects all writes except those of the transport, such
 * as `console.log`, to standard error, and reports the first one there.
 *
 * @returns restores standard output
 */
export function guardStdout(): () => void {
  const { stdout, stderr } = process;
  if (transportWrites.has(stdout)) return () => {};
  const original = stdout.write;
  let hasReported = false;
  const redirect = ((chunk: string | Uint8Array, ...rest: []) => {
    if (!hasReported) {
      hasReported = true;
      const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
      const line = text
        .trim()
        .split(/[\r\n]/, 1)[0]!
        .slice(0, MAX_REPORTED);
      stderr.write(
        `acp: redirected a write to standard output, which is reserved for messages: ${line}; print to standard error instead\n`,
      );
    }
    return stderr.write(chunk, ...rest);
  }) as Write;
  transportWrites.set(stdout, original);
  stdout.write = redirect;
  return () => {
    if (stdout.write !== redirect) return;
    stdout.write = original;
    transportWrites.delete(stdout);
  };
}
