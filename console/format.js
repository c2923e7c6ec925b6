// Formats values for people: money, ages, days, counts, and texts that strangers wrote.

/** The language of the reader. */
const LANGUAGE = globalThis.navigator?.language ?? 'en-US';

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * @param {string} currency an ISO 4217 code
 * @param {{ minimumFractionDigits?: number, maximumFractionDigits?: number }} [digits]
 */
function formatOf(currency, digits = {}) {
  const name = `${currency} ${digits.minimumFractionDigits} ${digits.maximumFractionDigits}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency, ...digits });
  formats.set(name, made);
  return made;
}

const WHOLE = new Intl.NumberFormat('en-US');
const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Shown for an unknown value. */
export const NONE = '–';

/**
 * Formats an amount of an answer, in the reader's language. An answer that names no currency is in dollars.
 * @param {number | null | undefined} value
 * @param {string} [currency]
 */
export function money(value, currency = 'USD') {
  if (value === null || value === undefined) return NONE;
  // A real minus sign is as wide as a digit.
  return formatOf(currency).format(value).replace('-', '−');
}

/**
 * Formats axis labels that are `step` units of a currency apart, without decimals if no label has any.
 * @param {number} step
 * @param {string} [currency]
 * @returns {(value: number) => string}
 */
export function axisMoney(step, currency = 'USD') {
  const format = formatOf(currency, Number.isInteger(step) ? { maximumFractionDigits: 0 } : {});
  return (value) => format.format(value);
}

/**
 * Formats an amount in the page's own, unconverted currency, with the decimals of that currency.
 * @param {{ amount: number, currency: string | null }} money
 */
export function nativeAmount({ amount, currency }) {
  const digits = decimalsOf(currency);
  const shown = amount.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, 2),
  });
  return currency === null ? shown : `${shown} ${plain(currency, 12)}`;
}

/** @param {string | null} currency */
function decimalsOf(currency) {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return 2;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.resolvedOptions().minimumFractionDigits ?? 2;
}

/**
 * A unit price has up to four decimals.
 * @param {number | null | undefined} value
 * @param {string} [currency]
 */
export function unitMoney(value, currency = 'USD') {
  if (value === null || value === undefined) return NONE;
  const isWhole = Number.isInteger(Math.round(value * 1e6) / 1e4);
  return formatOf(currency, isWhole ? {} : { minimumFractionDigits: 4 }).format(value);
}

/**
 * Formats how many times a cost is incurred, with four digits, as in `2` or `0.1667`. @param {number | null | undefined}
 * factor
 */
export function timesOf(factor) {
  return factor === null || factor === undefined ? NONE : String(Number(factor.toPrecision(4)));
}

/** @param {number | null | undefined} value */
export function whole(value) {
  return value === null || value === undefined ? NONE : WHOLE.format(value);
}

/**
 * @param {number | null | undefined} value in percent
 * @param {number} decimals
 */
export function percent(value, decimals = 1) {
  if (value === null || value === undefined) return NONE;
  const shown = value.toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${shown.replace('-', '−')} %`;
}

/**
 * Formats a margin or a return with the two decimals of the answer. 51.348 % is answered as 51.35, and rounding it a second
 * time would give 51.4.
 * @param {number | null | undefined} value in percent
 */
export function returnOf(value) {
  return percent(value, 2);
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function counted(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** @param {string | null | undefined} instant */
export function day(instant) {
  const ms = Date.parse(instant ?? '');
  return Number.isNaN(ms) ? NONE : DAY.format(ms);
}

const AGES = /** @type {const} */ ([
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]);

/**
 * Formats how long ago something was.
 * @param {string | null | undefined} instant
 */
export function age(instant) {
  const ms = Date.now() - Date.parse(instant ?? '');
  if (Number.isNaN(ms)) return 'never';
  for (const [size, name] of AGES) {
    if (ms >= size) return `${counted(Math.floor(ms / size), name)} ago`;
  }
  return ms < 10_000 ? 'just now' : `${Math.floor(ms / 1_000)} seconds ago`;
}

/**
 * Formats how long until something happens.
 * @param {string} instant
 */
export function until(instant) {
  const ms = Date.parse(instant) - Date.now();
  for (const [size, name] of AGES) {
    if (ms >= size) return `in ${counted(Math.floor(ms / size), name)}`;
  }
  return ms <= 0 ? 'now' : 'in less than a minute';
}

/** Control characters, and marks that change the text direction. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Makes a text from a page safe to show in one of our lines: without control characters and direction marks, and at most `most`
 * long.
 * @param {string | null | undefined} text
 * @param {number} [most]
 */
export function plain(text, most = 300) {
  const clean = (text ?? '').replaceAll(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim();
  // By code points, so that no surrogate pair is split.
  const letters = Array.from(clean.slice(0, most * 2));
  return letters.length > most ? `${letters.slice(0, most).join('').trimEnd()}…` : clean;
}

/** Invisible characters other than blanks and line ends. */
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Formats a text whose lines stay as they are, such as JSON. Characters that are invisible or change the text direction are
 * written as JSON escapes.
 * @param {string} text
 */
export function seen(text) {
  return text.replaceAll(
    UNSEEN,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Hosts by slug. It is a map, because a shop's slug may be a name that every object has, such as `constructor`. */
let shops = /** @type {ReadonlyMap<string, string>} */ (new Map());

/** @param {Readonly<Record<string, string>>} hosts of the known retailers by slug, in display order */
export function knowShops(hosts) {
  shops = new Map(Object.entries(hosts));
}

/** @param {string} slug */
export function isKnownRetailer(slug) {
  return shops.has(slug);
}

/** Slugs of the known retailers, in their order. */
export function knownRetailers() {
  return [...shops.keys()];
}

/**
 * Returns the host by which people know a shop, or its slug.
 * @param {string} slug
 */
export function hostOf(slug) {
  return shops.get(slug) ?? slug;
}

/**
 * Returns slug and host, `retailer_w · shop.example.com`.
 * @param {string} slug
 */
export function shopName(slug) {
  const host = shops.get(slug);
  return host === undefined ? slug : `${slug} · ${host}`;
}

/**
 * Returns a sentence of the service with names instead of slugs, and days instead of instants.
 * @param {string} words
 */
export function underHosts(words) {
  return named(words, hostOf);
}

/**
 * Does the same for operators, who also need the slug because settings and the API use it.
 * @param {string} words
 */
export function withHosts(words) {
  return named(words, (slug) => (hostOf(slug) === slug ? slug : `${hostOf(slug)} (${slug})`));
}

/** @param {string} words @param {(slug: string) => string} nameOf */
function named(words, nameOf) {
  return words
    .replaceAll(/retailer_[a-z]\b/g, (slug) => nameOf(slug))
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => day(instant));
}

/**
 * Returns why a lookup failed, without the machine-readable code before the reason.
 * @param {string | null | undefined} reason
 */
export function reasonWords(reason) {
  return underHosts(plain(reason, 300).replace(/^[a-z_]+: /, ''));
}
