/**
 * Earlier results of slow libraries, by their complete input, so that no work is
 * repeated. It changes how long a run takes, never its bytes.
 */
export interface Memo {
  readonly get: (key: string) => string | undefined;
  readonly set: (key: string, text: string) => void;
}

/**
 * Prints a value, or remembers what it was printed as.
 *
 * @param kind what prints it; the same input may be printed in several ways
 * @param input all that the text depends on, as data
 * @param print a pure function of that input
 */
export async function remember<T>(
  memo: Memo | undefined,
  kind: string,
  input: T,
  print: (input: T) => string | Promise<string>,
): Promise<string> {
  if (memo === undefined) return print(input);
  const key = `${kind} ${JSON.stringify(input)}`;
  const known = memo.get(key);
  if (known !== undefined) return known;
  const text = await print(input);
  memo.set(key, text);
  return text;
}
