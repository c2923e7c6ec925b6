// Reads and writes one line of a CSV file (RFC 4180, without line breaks inside quotes). This file knows no columns.

const QUOTED = /[",\r\n]|^\s|\s$/;

/** The cells of a line; null when a quote is not closed, or text follows a closing quote. */
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
      cells.push(cell);
    } else {
      const end = line.indexOf(separator, at);
      cells.push(line.slice(at, end === -1 ? line.length : end));
      at = end === -1 ? line.length : end;
    }
    if (at >= line.length) return cells;
    at += 1;
    if (at === line.length) return [...cells, ''];
  }
}

/** A line with commas, quoted where necessary, without the line break. */
export function writeCsvLine(cells: readonly string[]): string {
  return cells
    .map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');
}
