// Parses the lines of a batch. Lines with the same identifier and the same parameters are one lookup, regardless of the
// order of the parameters. Pure.

import { ownText } from '../../base/bounded-map.ts';
import type { Fault } from '../../base/fault.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { LINE_PARAMETERS } from '../../answer/wire/batch.ts';
import { ProductQuery } from '../../answer/wire/query.ts';
import { MAX_TARGET, PRODUCTS } from '../path-text.ts';
import { tagOf } from '../encoding.ts';
import { faultOfIssues } from '../problems/validation.ts';

/** A lookup that lines request. */
export type LineLookup = { readonly id: string; readonly query: ProductQuery };

/** The work for one line or for several lines with the same lookup. `works` are in the order of their first lines. */
export type LineWork =
  | { readonly lookup: LineLookup; readonly lines: number[] }
  | { readonly fault: Fault; readonly lines: readonly number[] };

export type ParsedLine = {
  /** The number of the line in the body, from 1. */
  readonly line: number;
  /** The line's input, as JSON text. */
  readonly input: string;
  /** The index in `works`. */
  readonly work: number;
};

export type BatchLines = {
  readonly lines: readonly ParsedLine[];
  readonly works: readonly LineWork[];
};

/**
 * Characters shown of a line that is not an object, and of any longer line once the shown lines have `MAX_SHOWN`
 * characters.
 */
const SHOWN_CHARACTERS = 200;
const MAX_SHOWN = 8_388_608;
/** Memory that a line takes besides its text and its identifier, in characters. */
const LINE_CHARACTERS = 400;

type BatchLinesBuilder = {
  /** Takes one line. Returns its approximate memory in characters. */
  take(text: string, line: number): number;
  done(): BatchLines;
};

export function createBatchLines(): BatchLinesBuilder {
  const lines: ParsedLine[] = [];
  const works: LineWork[] = [];
  /**
   * Maps the digest of a lookup's request to its index in `works`: the requests would take as much memory as the
   * identifiers.
   */
  const known = new Map<string, number>();
  let shown = 0;

  function workOf(read: LineLookup | Fault, line: number): number {
    if ('code' in read) return works.push({ fault: read, lines: [line] }) - 1;
    const name = tagOf([targetOf(read)]);
    const place = known.get(name);
    const before = place === undefined ? undefined : works[place];
    if (place !== undefined && before !== undefined && 'lookup' in before) {
      before.lines.push(line);
      return place;
    }
    known.set(name, works.length);
    return works.push({ lookup: read, lines: [line] }) - 1;
  }

  return {
    take: (text, line) => {
      const longName = longNameIn(text);
      const fields = longName === null ? fieldsOf(text) : null;
      const isShort = text.length <= SHOWN_CHARACTERS || shown + text.length <= MAX_SHOWN;
      // A carriage return is white space between JSON tokens; in a quoted text it would be escaped.
      const input =
        fields !== null && isShort
          ? text.replaceAll('\r', ' ')
          : JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
      shown += input.length;
      const read = longName === null ? readLookup(fields) : unknownField(longName);
      lines.push({ line, input, work: workOf(read, line) });
      return LINE_CHARACTERS + input.length + ('id' in read ? read.id.length : 0);
    },
    done: () => ({ lines, works }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The engine gives all names of 16,384 and more characters one hash, and compares each with all known ones. With such
 * names, each of 10,000 lines took 45 ms. No field has a long name.
 */
const LONGEST_NAME = 8_192;
const COLON = /\s*:/y;

/** Returns the first field name that is too long to be parsed; null if there is none. */
function longNameIn(text: string): string | null {
  let from = text.length <= LONGEST_NAME ? -1 : text.indexOf('"');
  while (from >= 0) {
    let to = text.indexOf('"', from + 1);
    while (to >= 0 && isEscaped(text, to)) to = text.indexOf('"', to + 1);
    if (to < 0) return null;
    COLON.lastIndex = to + 1;
    if (to - from > LONGEST_NAME && COLON.test(text)) return text.slice(from + 1, to);
    from = text.indexOf('"', to + 1);
  }
  return null;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

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
        'The line is not a JSON object. Send one object per line, for example {"id":"614141000005"}.',
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
  const { length } = targetOf({ id, query });
  if (length > MAX_TARGET) {
    return {
      code: 'uri_too_long',
      detail:
        `The identifier and parameters make an address of ${length} characters; the limit is ${MAX_TARGET}. Send a ` +
        'shorter address, without tracking parameters.',
    };
  }
  return { id, query };
}

/** Returns path and query of the same lookup as a single call, in one normal form: its answer is cached under this text. */
export function targetOf({ id, query }: LineLookup): string {
  const values = LINE_PARAMETERS.flatMap((name) => {
    const value = query[name as keyof ProductQuery];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`];
  });
  const path = `${PRODUCTS}${encodeURIComponent(id)}`;
  return values.length === 0 ? path : `${path}?${values.join('&')}`;
}

/** Returns a parameter's value as in an address; null for a value that an address cannot contain. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || value === 0 || value === 1 ? String(value) : null;
}

function notText(name: string): Fault {
  return {
    code: 'invalid_parameter',
    parameter: name,
    detail: `The value of "${name}" is invalid: send a string, true or false.`,
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
      ? '"id" is a number. Send it as a string, in quotes: numbers lose leading zeros.'
      : '"id" must be a string: a barcode, an ASIN, an item id or the address of a product page.';
  return { code: 'invalid_identifier', parameter, detail };
}

/** Names that callers of other services use for the identifier. */
const IDENTIFIER_NAMES =
  /^(?:upc|ean|gtin|isbn|barcode|code|asin|sku|url|item_id|product_id|identifier)$/i;

function unknownField(name: string): Fault {
  const shown = ownText(name.slice(0, 64));
  const near = IDENTIFIER_NAMES.test(name) ? 'id' : nearestName(name, [...KNOWN]);
  const hint =
    near === null
      ? `A line accepts the fields ${[...KNOWN].join(', ')}.`
      : `Did you mean "${near}"?`;
  return {
    code: 'unknown_parameter',
    parameter: shown,
    allowed: [...KNOWN],
    detail: `Unknown field "${shown}". ${hint}`,
  };
}
