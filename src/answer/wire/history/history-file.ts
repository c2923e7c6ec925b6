// Price history files (docs/use/sheets.md): their columns, and the entry of each line. Every line gives an entry or the
// reason why it cannot be read.

import { dayOf, DAY_MS, isoTimestamp } from '../../../base/clock.ts';
import { MINOR_DIGITS } from '../../../base/listing/money/currencies.ts';
import {
  decimalText,
  decimalsOf,
  moneyOfDigits,
  type Money,
} from '../../../base/listing/money/minor-units.ts';
import { readCsvLine, writeCsvLine } from './csv-line.ts';
import type { GivenEntry } from '../../../rules/history/given-entry.ts';

export const FILE_FORMATS = ['csv', 'jsonl'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const COLUMNS = [
  'retailer',
  'retailer_id',
  'url',
  'gtin',
  'observed_at',
  'price',
  'currency',
  'in_stock',
] as const;
type Column = (typeof COLUMNS)[number];

/** The text of each column of a line; null if the cell is empty or the column is missing. */
type Fields = Readonly<Record<Column, string | null>>;

type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

const bad = (why: string): { readonly ok: false; readonly why: string } => ({ ok: false, why });
const good = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/** How the lines of one file are parsed. */
export type Layout =
  /** If `needsCurrency` is set, a price without a currency is an error and not assumed to be dollars (D26). */
  | { readonly format: 'jsonl'; readonly needsCurrency: boolean }
  | {
      readonly format: 'csv';
      readonly separator: string;
      /** The column of each cell; null if it is not a column of this format. */
      readonly columns: readonly (Column | null)[];
    };

function columnNamed(text: string): Column | null {
  const name = text.trim().toLowerCase();
  return COLUMNS.find((each) => each === name) ?? null;
}

type Header = { readonly layout: Layout; readonly ignored: readonly string[] };

/**
 * Parses the layout from the first line of a CSV file. Of comma, semicolon and tab, the separator that gives the most
 * columns is used.
 */
export function readHeader(line: string, needsCurrency: boolean): Read<Header> {
  const ranked = [',', ';', '\t']
    .map((separator) => {
      const cells = readCsvLine(line, separator) ?? [];
      const columns = cells.map(columnNamed);
      return { separator, cells, columns, known: columns.filter((each) => each !== null) };
    })
    .toSorted((a, b) => b.known.length - a.known.length);
  const [best] = ranked;
  if (best === undefined || best.known.length === 0) {
    return bad(`the first line names none of the columns ${COLUMNS.join(', ')}`);
  }
  const twice = best.known.find((each, at) => best.known.indexOf(each) !== at);
  if (twice !== undefined) return bad(`the column ${twice} is named twice`);
  if (!best.known.includes('observed_at')) return bad('the column observed_at is missing');
  if (!best.known.some((each) => ['retailer_id', 'url', 'gtin'].includes(each))) {
    return bad(
      'one of the columns retailer_id, url, gtin is required: it says which product was observed',
    );
  }
  if (needsCurrency && best.known.includes('price') && !best.known.includes('currency')) {
    return bad('prices have no currency: add a column currency, or pass --currency USD');
  }
  const { separator, columns } = best;
  const ignored = best.cells.filter((_, at) => columns[at] === null).map((each) => each.trim());
  return good({ layout: { format: 'csv', separator, columns }, ignored });
}

const NO_FIELDS: Fields = {
  retailer: null,
  retailer_id: null,
  url: null,
  gtin: null,
  observed_at: null,
  price: null,
  currency: null,
  in_stock: null,
};

/** Parses one line's cells by column. */
export function readFields(line: string, layout: Layout): Read<Fields> {
  return layout.format === 'jsonl'
    ? jsonFields(line, layout.needsCurrency)
    : csvFields(line, layout);
}

function csvFields(line: string, layout: Extract<Layout, { format: 'csv' }>): Read<Fields> {
  const { separator, columns } = layout;
  const cells = readCsvLine(line, separator);
  if (cells === null) return bad('a quote is not closed on its line, or text follows it');
  if (cells.length > columns.length && cells.slice(columns.length).some((each) => each !== '')) {
    return bad(`${cells.length} cells, but the first line names ${columns.length} columns`);
  }
  const fields: Record<Column, string | null> = { ...NO_FIELDS };
  for (const [at, column] of columns.entries()) {
    if (column !== null) fields[column] = filled(cells[at]);
  }
  return good(fields);
}

const filled = (text: string | undefined): string | null => text?.trim() || null;

function jsonFields(line: string, needsCurrency: boolean): Read<Fields> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return bad('is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return bad('is not a JSON object');
  }
  const fields: Record<Column, string | null> = { ...NO_FIELDS };
  for (const [name, given] of Object.entries(value)) {
    const column = columnNamed(name);
    if (column === null) continue;
    if (given === null) fields[column] = null;
    else if (typeof given === 'object')
      return bad(`${column} must be a string, a number, true or false`);
    else fields[column] = filled(String(given));
  }
  if (needsCurrency && fields.price !== null && !('currency' in value)) {
    return bad('has a price without a currency: add one, or pass --currency USD');
  }
  return good(fields);
}

export type EntryRules = {
  /** The currency of prices that state none; null if it is unknown (D26). */
  readonly currency: string | null;
  readonly nowMs: number;
};

/** Parses the entry of a line. The identifier is not resolved here. */
export function readEntry(fields: Fields, rules: EntryRules): Read<GivenEntry> {
  if (fields.retailer_id === null && fields.url === null && fields.gtin === null) {
    return bad('has no retailer_id, url or gtin');
  }
  if (fields.observed_at === null) return bad('has no observed_at');
  const at = readInstant(fields.observed_at, rules.nowMs);
  if (!at.ok) return at;
  const price = readPrice(fields, rules);
  if (!price.ok) return price;
  const stock = readStock(fields.in_stock);
  if (!stock.ok) return stock;
  return good({
    retailer: fields.retailer,
    retailerId: fields.retailer_id,
    url: fields.url,
    gtin: fields.gtin,
    observedAtMs: at.value,
    price: price.value,
    inStock: stock.value,
  });
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/i;

/** Parses a day (its first instant), or an instant with its zone, as milliseconds since 1970. */
function readInstant(text: string, nowMs: number): Read<number> {
  const [all, day = '', hour, minute, second, fraction, zone] = INSTANT.exec(text) ?? [];
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (all === undefined || Number.isNaN(midnight) || dayOf(midnight) !== day) {
    return bad(`observed_at "${shown(text)}" is not a date or time such as 2026-05-04T12:30:00Z`);
  }
  if (hour !== undefined && zone === undefined) {
    return bad(`observed_at "${text}" has no time zone: add Z for UTC`);
  }
  const clock =
    ((Number(hour ?? 0) * 60 + Number(minute ?? 0)) * 60 + Number(second ?? 0)) * 1_000 +
    Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  const at = midnight + clock - zoneMs(zone ?? 'Z');
  if (at < 0) return bad(`observed_at "${text}" is before 1970`);
  // One day of tolerance for clocks that are ahead.
  if (at > nowMs + DAY_MS) return bad(`observed_at "${text}" is in the future`);
  return good(at);
}

function zoneMs(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function readPrice({ price, currency }: Fields, rules: EntryRules): Read<Money | null> {
  const code = currency?.toUpperCase() ?? rules.currency;
  if (code !== null && !MINOR_DIGITS.has(code)) {
    return bad(`currency "${shown(code)}" is not an ISO 4217 code`);
  }
  if (price === null) return good(null);
  const [all, integer = '', fraction = ''] = /^(\d{1,13})(?:\.(\d{1,4}))?$/.exec(price) ?? [];
  // Other programs write every currency with two decimals: 1980.00 yen are 1980.
  if (all === undefined || fraction.length > Math.max(2, decimalsOf(code))) {
    return bad(
      `price "${shown(price)}" is not an amount such as 19.99 (decimal point, no sign, no currency)`,
    );
  }
  const money = moneyOfDigits(integer, fraction, code);
  if (money === null && /[1-9]/.test(integer)) return bad(`price "${price}" is too large`);
  return money === null
    ? bad('price 0 is not a price: leave it empty when there is no price')
    : good(money);
}

const STOCK: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

function readStock(text: string | null): Read<boolean | null> {
  if (text === null) return good(null);
  const value = STOCK.get(text.toLowerCase());
  return value === undefined ? bad(`in_stock "${shown(text)}" is not true or false`) : good(value);
}

/** Formats a cell for a message: at most 40 characters, on one line. */
function shown(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
  return plain.length > 40 ? `${plain.slice(0, 40)}…` : plain;
}

function fieldsOf(entry: GivenEntry): Fields {
  return {
    retailer: entry.retailer,
    retailer_id: entry.retailerId,
    url: entry.url,
    gtin: entry.gtin,
    observed_at: isoTimestamp(entry.observedAtMs),
    price: entry.price === null ? null : decimalText(entry.price),
    currency: entry.price?.currency ?? null,
    in_stock: entry.inStock === null ? null : String(entry.inStock),
  };
}

/** Returns the first line of a file; null for a format without one. */
export function headerLine(format: FileFormat): string | null {
  return format === 'csv' ? writeCsvLine(COLUMNS) : null;
}

/** Formats one entry as a line, without the line break. */
export function entryLine(entry: GivenEntry, format: FileFormat): string {
  const fields = fieldsOf(entry);
  if (format === 'csv') return writeCsvLine(COLUMNS.map((column) => fields[column] ?? ''));
  const price = fields.price === null ? null : Number(fields.price);
  return JSON.stringify({ ...fields, price, in_stock: entry.inStock });
}
