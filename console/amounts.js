// Amounts and identifiers as people write and paste them. Pure.

/**
 * Returns an amount in the form that the service accepts: empty for an empty text, null if it is not an amount. A decimal
 * comma becomes a point, points between thousands before it are removed, and cents may have no zero before them.
 * @param {string} text
 */
export function amountOf(text) {
  const trimmed = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/^[.,](?=\d)/, (mark) => `0${mark}`)
    .replace(/^\d{1,3}(?:\.\d{3})+(?=,\d{1,2}$)/, (whole) => whole.replaceAll('.', ''))
    .replace(/^(\d+),(\d{1,2})$/, '$1.$2')
    .replaceAll(/,(?=\d{3}(?:\D|$))/g, '');
  if (trimmed === '') return '';
  return /^\d{1,7}(?:\.\d{1,2})?$/.test(trimmed) ? trimmed : null;
}

/** Lines that are examined. */
const SAMPLE = 50;

/**
 * Returns whether a pasted text is a sheet, whose columns the service chooses as in a file: it has three columns, or headings
 * above lines with digits.
 * @param {string} text
 */
export function isSheet(text) {
  const lines = text
    .slice(0, SAMPLE * LONGEST_LINE)
    .split(/\r\n|\r|\n/, SAMPLE)
    .filter((line) => line.trim() !== '');
  const [first = '', second = ''] = lines;
  if (lines.some((line) => line.split('\t').length > 2)) return lines.length > 1;
  return (
    /^[\p{L}\p{M}\p{Zs}\t"',;()#._/-]+$/u.test(first) &&
    !first.includes('//') &&
    /\d{6}/.test(second)
  );
}

/** @typedef {{ id: string, cost: number | null }} PastedLine */

const MOST_LINES = 10_000;
/** The maximum length of a line that is read. No identifier is longer. */
const LONGEST_LINE = 4_096;

/**
 * An identifier, the separator after it, and its cost. A text in quotation marks is one identifier, whatever it contains.
 */
const QUOTED = /^\s*"([^"]+)("\s*)(?:[\t;,]\s*"?(\$?\s*[\d.,]+)"?\s*)?$/;
const BARE = /^\s*"?(.*?)"?\s*(?:([\t;,]\s*"?)(\$?\s*[\d.,]+)"?\s*)?$/;

/**
 * Returns whether the cost is part of the address. Shop addresses may end in a comma and a number: digits without a fraction
 * right after the comma belong to the address.
 * @param {string} id
 * @param {string} gap
 * @param {string} cost
 */
function isOfAddress(id, gap, cost) {
  return gap === ',' && /^https?:\/\//i.test(id) && /^[\d,]+$/.test(cost);
}

/**
 * Returns the identifier with its scheme added, if it is an address that was typed or copied without one:
 * `shop.example/p/lamp`.
 * @param {string} id
 */
function whole(id) {
  const slash = id.indexOf('/');
  const host = slash < 0 ? id : id.slice(0, slash);
  const isHost = /^[\p{L}\d.-]+$/u.test(host) && /[\p{L}\d]\.\p{L}{2,}$/u.test(host);
  const isPage = slash > 0 && slash < id.length - 1;
  return isHost && (isPage || /^www\./i.test(host)) ? `https://${id}` : id;
}

/** @typedef {{ pages: readonly string[], below: number | null }} WatchLine one identifier, or pages of one product */

/**
 * Parses what to watch: on each line an identifier, or addresses separated by spaces, and after a comma the price below which
 * to notify.
 * @param {string} text
 * @returns {readonly WatchLine[]}
 */
export function watchLines(text) {
  return readLines(text).map(({ id, cost }) => {
    const parts = id.split(/[\s,]+(?=https?:\/\/)/i).map((part) => part.trim());
    return { pages: parts.every(isPage) ? parts : [id], below: cost };
  });
}

/** @param {string} id */
export const isPage = (id) => /^https?:\/\/\S+$/i.test(id);

/**
 * Parses the lines of a pasted text. Each has an identifier and, after a tab, semicolon or comma, its cost. Empty and
 * repeated lines are skipped.
 * @param {string} text
 * @returns {readonly PastedLine[]}
 */
export function readLines(text) {
  /** @type {Map<string, PastedLine>} */
  const lines = new Map();
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const text = raw.slice(0, LONGEST_LINE);
    const [, said = '', gap = '', cost = ''] = QUOTED.exec(text) ?? BARE.exec(text) ?? [];
    if (said === '') continue;
    const id = whole(said);
    const amount = amountOf(cost);
    const isCost = amount !== null && amount !== '' && !isOfAddress(id, gap, cost);
    const line = isCost
      ? { id, cost: Number(amount) }
      : { id: cost === '' ? id : whole(raw.trim()), cost: null };
    if (!lines.has(line.id)) lines.set(line.id, line);
  }
  return [...lines.values()].slice(0, MOST_LINES);
}
