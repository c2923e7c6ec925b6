// What the lines of a batch ask for. Lines with the same identifier and the same parameters are one lookup, whatever the order
// in which they name them. Pure.

import type { Fault } from '../../core/fault.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { LINE_PARAMETERS } from '../../wire/batch.ts';
import { ProductQuery } from '../../wire/query.ts';
import { MAX_TARGET } from '../path-text.ts';
import { faultOfIssues } from '../validation.ts';

/** A lookup that lines ask for. */
export type LineLookup = {
  /** Path and query of the same lookup alone, in one spelling: what its answer is kept under. */
  readonly target: string;
  readonly id: string;
  readonly query: ProductQuery;
};

/** What is to be done for one line or several, in the order of the first of them. */
export type LineWork =
  | { readonly lookup: LineLookup; readonly lines: number[] }
  | { readonly fault: Fault; readonly lines: readonly number[] };

export type BatchLine = {
  /** Its number in the body, from 1. */
  readonly line: number;
  /** What it was, as JSON text. */
  readonly input: string;
  /** Its place in `works`. */
  readonly work: number;
};

export type BatchLines = {
  readonly lines: readonly BatchLine[];
  readonly works: readonly LineWork[];
};

/** Of a line that is shown as text, and of a long one once the batch holds `MAX_HELD` characters. */
const SHOWN_CHARACTERS = 200;
const LONG_CHARACTERS = 8_192;
const MAX_HELD = 33_554_432;

export type BatchLinesBuilder = {
  take(text: string, line: number): void;
  done(): BatchLines;
};

export function createBatchLines(): BatchLinesBuilder {
  const lines: BatchLine[] = [];
  const works: LineWork[] = [];
  /** Place in `works` of each target. */
  const known = new Map<string, number>();
  let held = 0;

  function workOf(read: LineLookup | Fault, line: number): number {
    const place = 'target' in read ? known.get(read.target) : undefined;
    const before = place === undefined ? undefined : works[place];
    if (place !== undefined && before !== undefined && 'lookup' in before) {
      before.lines.push(line);
      return place;
    }
    if ('target' in read) known.set(read.target, works.length);
    works.push('target' in read ? { lookup: read, lines: [line] } : { fault: read, lines: [line] });
    return works.length - 1;
  }

  return {
    take: (text, line) => {
      const fields = fieldsOf(text);
      const isShort = text.length <= LONG_CHARACTERS || held + text.length <= MAX_HELD;
      // A carriage return is white space there: in a text it would be escaped.
      const input =
        fields !== null && isShort
          ? text.replaceAll('\r', ' ')
          : JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
      held += input.length;
      lines.push({ line, input, work: workOf(readLookup(fields), line) });
    },
    done: () => ({ lines, works }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : null;
  } catch {
    return null;
  }
}

const KNOWN: ReadonlySet<string> = new Set(['id', ...LINE_PARAMETERS]);

function readLookup(fields: Fields | null): LineLookup | Fault {
  if (fields === null) {
    return {
      code: 'invalid_parameter',
      parameter: 'line',
      detail:
        'The line is not a JSON object. Send one object a line, for example {"id":"614141000005"}.',
    };
  }
  const names = Object.keys(fields);
  const unknown = names.find((name) => !KNOWN.has(name));
  if (unknown !== undefined) return unknownField(unknown);
  const { id } = fields;
  if (typeof id !== 'string' || !id.isWellFormed()) return badIdentifier(id);
  const texts: Record<string, string> = {};
  for (const name of names) {
    if (name === 'id') continue;
    const text = textOf(fields[name]);
    if (text === null) return notText(name);
    texts[name] = text;
  }
  const parsed = ProductQuery.safeParse(texts);
  if (!parsed.success) {
    const given = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, [text]]));
    return faultOfIssues(parsed.error.issues, given, LINE_PARAMETERS);
  }
  return lookupOf(id, parsed.data);
}

function lookupOf(id: string, query: ProductQuery): LineLookup | Fault {
  const values = LINE_PARAMETERS.flatMap((name) => {
    const value = query[name as keyof ProductQuery];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`];
  });
  const path = `/v1/products/${encodeURIComponent(id)}`;
  const target = values.length === 0 ? path : `${path}?${values.join('&')}`;
  if (target.length > MAX_TARGET) {
    return {
      code: 'uri_too_long',
      detail:
        `Identifier and parameters have ${target.length} characters as an address; the limit is ${MAX_TARGET}. Send a ` +
        'shorter address, without tracking parameters.',
    };
  }
  return { target, id, query };
}

/** A parameter as it would stand in an address; null for what cannot. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || value === 0 || value === 1 ? String(value) : null;
}

function notText(name: string): Fault {
  return {
    code: 'invalid_parameter',
    parameter: name,
    detail: `The value of "${name}" is invalid: send a text, true or false.`,
  };
}

function badIdentifier(id: unknown): Fault {
  const parameter = 'id';
  if (id === undefined) {
    const detail = 'The line has no "id". Send the identifier, for example {"id":"614141000005"}.';
    return { code: 'invalid_parameter', parameter, detail };
  }
  const detail =
    typeof id === 'number'
      ? '"id" is a number. Send it as a text, in quotes: numbers lose leading zeros.'
      : '"id" must be a text: a barcode, an ASIN, an item id or the address of a product page.';
  return { code: 'invalid_identifier', parameter, detail };
}

/** What callers of other services call the identifier. */
const IDENTIFIER_NAMES =
  /^(?:upc|ean|gtin|isbn|barcode|code|asin|sku|url|item_id|product_id|identifier)$/i;

function unknownField(name: string): Fault {
  const shown = name.slice(0, 64);
  const near = IDENTIFIER_NAMES.test(name) ? 'id' : nearestName(name, [...KNOWN]);
  const hint = near === null ? `A line has ${[...KNOWN].join(', ')}.` : `Did you mean "${near}"?`;
  return {
    code: 'unknown_parameter',
    parameter: shown,
    allowed: [...KNOWN],
    detail: `Unknown field "${shown}". ${hint}`,
  };
}
