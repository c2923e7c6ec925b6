// Reads and writes one line of a CSV file (RFC 4180, without line breaks inside quotes). This file does not depend on
// columns.

import { csvCell, textOfCell } from '../../../base/csv-cell.ts';

/**
 * Returns the cells of a line, without the apostrophes that prevent spreadsheets from running them; null if a quote is not
 * closed, or text follows a closing quote.
 */
export function readCsvLine(line: string, separator: string): readonly string[] | null {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      let cell = '';
      at += 1;
      for (;;) {
        const quote = line.indexOf('"', at);
        if (quote === -1) return null;
        cell += line.slice(at, quote);
        at = quote + 1;
        if (line[at] !== '"') break;
        cell += '"';
        at += 1;
      }
      if (at < line.length && line[at] !== separator) return null;
      cells.push(textOfCell(cell));
    } else {
      const end = line.indexOf(separator, at);
      cells.push(textOfCell(line.slice(at, end === -1 ? line.length : end)));
      at = end === -1 ? line.length : end;
    }
    if (at >= line.length) return cells;
    at += 1;
    if (at === line.length) return [...cells, ''];
  }
}

/** Formats a line with commas, quoted where necessary, without the line break and without formulas. */
export function writeCsvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}
