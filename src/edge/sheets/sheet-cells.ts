// Reads the rows of a worksheet, and the table of texts that its cells refer to, as Excel shows them (ECMA-376, 18.3 and
// 18.4). Pure.

import { shownNumber, type NumberFormat } from './number-formats.ts';
import { readRow, unreadRow, type SheetRow } from './sheet-row.ts';
import type { TypedCell } from './table-cell.ts';
import { attributesOf, type XmlToken, type XmlTokens } from './xml-tokens.ts';

export type CellContext = {
  readonly texts: readonly string[];
  readonly formats: readonly NumberFormat[];
  readonly startsIn1904: boolean;
};

/** The longest text that an Excel cell can contain. */
export const MAX_CELL = 32_767;
/** Days from 1900 to 1904, where the dates of some workbooks start. */
const DAYS_TO_1904 = 1_462;
/** The number of columns in Excel. */
export const MAX_WIDTH = 16_384;

/** Collects the text of `t` elements: of all runs, without the phonetic ones that show how a text is pronounced. */
function textCollector(): (token: XmlToken) => string | null {
  let text = '';
  let [isText, isPhonetic] = [false, false];
  return (token) => {
    if (token.kind === 'text') {
      if (isText && !isPhonetic) text += token.text;
    } else if (token.name === 't') isText = token.kind === 'start';
    else if (token.name === 'rPh') isPhonetic = token.kind === 'start';
    else if (token.name === 'si' || token.name === 'is') {
      if (token.kind === 'end') return withoutEscapes(text);
      text = '';
    }
    return null;
  };
}

/** Returns the texts of the part of shared strings. */
export async function readTexts(tokens: XmlTokens): Promise<readonly string[]> {
  const texts: string[] = [];
  const collect = textCollector();
  for await (const piece of tokens) {
    for (const token of piece) {
      const text = collect(token);
      if (text !== null) texts.push(text);
    }
  }
  return texts;
}

/** Yields the rows with their numbers; a row or cell without a place follows the one before. */
export async function* readCells(
  tokens: XmlTokens,
  context: CellContext,
): AsyncGenerator<SheetRow> {
  const take = rowCollector(context);
  for await (const piece of tokens) {
    for (const token of piece) {
      const row = take(token);
      if (row !== null) yield row;
    }
  }
}

/** Returns a function that takes the tokens of a worksheet in order, and returns a row when it is complete. */
function rowCollector(context: CellContext): (token: XmlToken) => SheetRow | null {
  const collect = textCollector();
  let [line, column] = [0, -1];
  let cells: string[] = [];
  let typed: (TypedCell | undefined)[] = [];
  let cell: Attributes | null = null;
  let [isValue, value, inline] = [false, '', ''];
  const startCell = (attributes: Attributes) => {
    cell = attributes;
    column = columnOf(attributes['r']) ?? column + 1;
    [value, inline] = ['', ''];
  };
  const endCell = () => {
    if (cell !== null && column < MAX_WIDTH) {
      const read = readCell(cell, { value, inline }, context);
      cells[column] = typeof read === 'string' ? read : read.text;
      if (typeof read !== 'string') typed[column] = read;
    }
    cell = null;
  };
  return (token) => {
    if (cell !== null) inline = collect(token) ?? inline;
    if (token.kind === 'text') {
      if (isValue) value += token.text;
      return null;
    }
    const isStart = token.kind === 'start';
    if (token.name === 'v') isValue = isStart && cell !== null;
    else if (token.name === 'c') {
      if (isStart) startCell(attributesOf(token.attributes));
      else endCell();
    } else if (token.name === 'row') {
      if (!isStart) return rowOf(line, cells, typed);
      line = Number(attributesOf(token.attributes)['r']) || line + 1;
      [column, cells, typed] = [-1, [], []];
    }
    return null;
  };
}

type Attributes = ReturnType<typeof attributesOf>;

function rowOf(
  line: number,
  cells: readonly string[],
  typed: readonly (TypedCell | undefined)[],
): SheetRow {
  // Cells that do not exist are holes.
  const texts = Array.from(cells, (cell) => cell ?? '');
  while (texts.at(-1) === '') texts.pop();
  return texts.some((each) => each.length > MAX_CELL)
    ? unreadRow(line, `a cell is longer than the ${MAX_CELL} characters that a workbook may have`)
    : readRow(line, texts, typed);
}

/** Returns the column of a place such as `AB12`, from 0; null if it names none. */
function columnOf(place: string | undefined): number | null {
  const [letters] = /^[A-Z]{1,3}(?=\d)/i.exec(place ?? '') ?? [];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + Number.parseInt(letter, 36) - 9;
  return column - 1;
}

function readCell(
  { t: type = 'n', s: style }: Attributes,
  { value, inline }: { readonly value: string; readonly inline: string },
  { texts, formats, startsIn1904 }: CellContext,
): string | TypedCell {
  if (type === 's') return value.trim() === '' ? '' : (texts[Number(value)] ?? '');
  if (type === 'inlineStr') return inline;
  if (type === 'str') return withoutEscapes(value);
  if (type === 'b') {
    const isTrue = value.trim() === '1' || value.trim() === 'true';
    return { text: String(isTrue), value: isTrue, format: 0 };
  }
  const number = value.trim() === '' || type !== 'n' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) return value;
  const { kind, code } = formats[Number(style)] ?? { kind: null, code: 0 };
  const text = shownNumber(number, kind, startsIn1904);
  const shift = startsIn1904 && kind === 'date' ? DAYS_TO_1904 : 0;
  return { text, value: number + shift, format: code };
}

/** `_x0041_` is another way to write A (ECMA-376, 22.9.2.19). */
function withoutEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
