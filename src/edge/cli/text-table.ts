// Formats rows as columns on a terminal.

/** Formats columns as wide as their widest cell, two spaces apart. `isNumber` states whether a column is right-aligned. */
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
