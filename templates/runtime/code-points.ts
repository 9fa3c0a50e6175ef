/** The length of a string in Unicode code points, as JSON Schema counts it. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
