// Rows as columns on a terminal.

/** Columns as wide as their widest cell, two blanks apart. `isNumber` says whether a column is aligned to the right. */
export function textTable(
  rows: readonly (readonly string[])[],
  isNumber: (column: number) => boolean = () => false,
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const padded = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return isNumber(column) ? cell.padStart(width) : cell.padEnd(width);
  };
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
