// Parses a command's options and arguments. An invalid one is a UsageError that states what would be valid.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/clock.ts';
import { NATIVE_CURRENCY } from '../../base/listing/lens.ts';
import { isCurrencyCode } from '../../base/listing/money/currencies.ts';
import { isSlug } from '../../base/retailer.ts';
import { SETTINGS, type SettingField } from '../settings/settings-table.ts';
import { hundredthsOf } from '../../answer/wire/hundredths.ts';
import { UsageError, type Option, type Values } from './command.ts';

/** Returns `default OPENSHELF_DATA, else ./data`: the value if a setting's option is not given. */
export function settingDefault(field: SettingField): string {
  return `default ${SETTINGS[field].name}, else ${SETTINGS[field].default}`;
}

/** `--data DIR`, which most commands take. */
export const DATA_OPTION: Option = {
  value: 'DIR',
  help: `the data folder (${settingDefault('dataDir')})`,
};

/** Options of commands that read or change the data and print one value. */
export const DATA_AND_JSON = {
  data: DATA_OPTION,
  json: { help: 'print the result as one line of JSON' },
} as const;

/** The basis of a command's costs (D77). */
export const COST_PER_OPTION: Option = {
  value: 'WHAT',
  help:
    'the unit of a cost: code (one unit of the product that the barcode identifies; the ' +
    'default) or piece (a single piece of it)',
};

/** The currency of what a command prints (D87). */
export const CURRENCY_OPTION: Option = {
  value: 'CODE',
  help:
    `the currency of the prices: an ISO 4217 code, or ${NATIVE_CURRENCY} for the page's own (${settingDefault('currency')}); ` +
    'prices are not converted',
};

/** The help for the argument of a command about one product. */
export const IDENTIFIER_HELP =
  'address of a product page, barcode, ASIN, item id, SKU or product id';

/** Returns a text option; an empty text counts as not given. */
export function textOption(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Parses money or percent in hundredths; null if not given. */
export function amountOption(values: Values, name: string): number | null {
  const text = textOption(values, name);
  if (text === undefined) return null;
  const hundredths = hundredthsOf(text);
  if (hundredths !== null) return hundredths;
  throw new UsageError(
    `--${name} takes a number from 0 to 1000000 with at most two decimals, not "${text}".`,
  );
}

/** Parses a currency, with `native` where `others` has it; undefined if not given. */
export function currencyOption(
  values: Values,
  others: readonly string[] = [NATIVE_CURRENCY],
): string | undefined {
  const text = textOption(values, 'currency');
  if (text === undefined || others.includes(text.toLowerCase())) return text?.toLowerCase();
  const code = text.toUpperCase();
  if (isCurrencyCode(code)) return code;
  const or = others.map((each) => ` or ${each}`).join('');
  throw new UsageError(`--currency takes an ISO 4217 code such as USD${or}, not "${text}".`);
}

/** Parses a whole number in a range; undefined if not given. */
export function numberOption(
  values: Values,
  name: string,
  range: { readonly min: number; readonly max: number },
): number | undefined {
  const text = values[name];
  if (text === undefined || typeof text === 'boolean') return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw new UsageError(
    `--${name} takes a whole number from ${range.min} to ${range.max}, not "${text}".`,
  );
}

/** Returns a required option. */
export function requiredOption(values: Values, name: string): string {
  const value = textOption(values, name);
  if (value === undefined) throw new UsageError(`Option --${name} is missing.`);
  return value;
}

/** Parses one of several words; undefined if not given. */
export function wordOption<T extends string>(
  values: Values,
  name: string,
  words: readonly T[],
): T | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  const word = words.find((each) => each === text.toLowerCase());
  if (word !== undefined) return word;
  const all = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  throw new UsageError(`--${name} takes ${all}, not "${text}".`);
}

/** Parses the slug of a retailer or another shop in `--retailer`, or one of `others`; undefined if not given. */
export function slugOption(values: Values, others: readonly string[] = []): string | undefined {
  const text = textOption(values, 'retailer');
  if (text === undefined || isSlug(text) || others.includes(text)) return text;
  const more = others.map((each) => ` or ${each}`).join('');
  throw new UsageError(
    `--retailer takes a slug such as retailer_w or acorn (2 to 30 of a-z and 0-9)${more}, not "${text}".`,
  );
}

/** Parses a duration such as 90s, 15m or 2h, up to a day, in milliseconds; undefined if not given. */
export function spanOption(values: Values, name: string): number | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const ms = count === undefined ? Number.NaN : Number(count) * (SPANS[unit] ?? Number.NaN);
  if (ms <= DAY_MS) return ms;
  throw new UsageError(`--${name} takes a time up to a day such as 90s, 15m or 2h, not "${text}".`);
}

const SPANS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS };
const UNITS: Readonly<Record<string, number>> = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS };
const INSTANT =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
/** A later year has more than four digits, which time stamps in answers and files cannot have. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59Z');

/**
 * Parses a moment in the future: a time from now (`90d`, `12h`, `30m`), a day (its first instant, UTC) or an ISO 8601 instant
 * with its zone. Milliseconds since 1970; undefined if not given.
 */
export function instantOption(values: Values, name: string, nowMs: number): number | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,6})([dhm])$/.exec(text) ?? [];
  const atMs =
    count === undefined ? instantOf(text) : nowMs + Number(count) * (UNITS[unit] ?? Number.NaN);
  if (Number.isNaN(atMs) || atMs > LATEST_MS) {
    throw new UsageError(
      `--${name} takes a time from now (90d, 12h, 30m), a day (2027-01-31) or an instant ` +
        `(2027-01-31T12:00:00Z), not "${text}".`,
    );
  }
  if (atMs < nowMs) throw new UsageError(`--${name} ${text} is in the past.`);
  return atMs;
}

/** Parses an instant; NaN if it is not one. 30 February is not one, though JavaScript would parse it as 2 March. */
function instantOf(text: string): number {
  if (!INSTANT.test(text)) return Number.NaN;
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  return isDay ? Date.parse(text.length === 10 ? `${day}T00:00:00Z` : text) : Number.NaN;
}

/** Rejects unused arguments: an argument that was meant as an option must not be ignored silently. */
export function noPositionals(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
}

/** Returns a command's only argument; `name` is its name in the help. */
export function onePositional(positionals: readonly string[], name: string): string {
  const [first, second] = positionals;
  if (first === undefined) throw new UsageError(`${name} is missing.`);
  if (second !== undefined) {
    throw new UsageError(
      `Unexpected argument "${second}". Specify one ${name}; put it in quotes if it contains spaces.`,
    );
  }
  return first;
}
