/**
 * Prints rows of a table with aligned columns.
 *
 * @param left the columns that are aligned to the left; the others have numbers
 */
export function printTable(
  rows: readonly (readonly string[])[],
  left: readonly number[] = [0],
): readonly string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column]!;
        return left.includes(column) ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd(),
  );
}
