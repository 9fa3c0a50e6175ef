/** The lines that differ, marked `-` and `+`, without those that both texts begin and end with. */
export function diffLines(oldText: string, newText: string): string[] {
  const [before, after] = [oldText.split("\n"), newText.split("\n")];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...before.slice(start, before.length - end).map((line) => `- ${line}`),
    ...after.slice(start, after.length - end).map((line) => `+ ${line}`),
  ];
}
