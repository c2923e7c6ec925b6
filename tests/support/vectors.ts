// Language-neutral rows of tests/vectors: one row per line, cells separated by tabs, # starts a comment line.

import { readFileSync } from 'node:fs';

const FOLDER = new URL('../vectors/', import.meta.url);

/** Returns the rows of a vector file; throws when one does not have `columns` cells. \uXXXX is the character. */
export function vectorRows(name: string, columns: number): string[][] {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const cells = line.split('\t').map(unescaped);
    if (cells.length !== columns) throw new Error(`${name}: ${columns} cells expected in: ${line}`);
    return cells;
  });
}

/** Like `vectorRows`, where ~ stands for a space that is easily overlooked. */
export function vectorRowsWithSpaces(name: string, columns: number): string[][] {
  return vectorRows(name, columns).map((cells) => cells.map((cell) => cell.replaceAll('~', ' ')));
}

function unescaped(cell: string): string {
  return cell.replace(/\\u([0-9a-f]{4})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
