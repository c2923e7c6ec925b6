// Amounts and identifiers as people write and paste them. Pure.

/**
 * An amount as the service takes it: empty, or null when it is none. A decimal comma is taken for a point, and points between
 * thousands before it are left out.
 * @param {string} text
 */
export function amountOf(text) {
  const trimmed = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/^\d{1,3}(?:\.\d{3})+(?=,\d{1,2}$)/, (whole) => whole.replaceAll('.', ''))
    .replace(/^(\d+),(\d{1,2})$/, '$1.$2')
    .replaceAll(/,(?=\d{3}(?:\D|$))/g, '');
  if (trimmed === '') return '';
  return /^\d{1,7}(?:\.\d{1,2})?$/.test(trimmed) ? trimmed : null;
}

/** @typedef {{ id: string, cost: number | null }} PastedLine */

const MOST_LINES = 10_000;
/** No identifier is longer; what stands behind it would only be carried around. */
const LONGEST_LINE = 4_096;

/** An identifier, what stands behind it, and what it costs. What is in quotation marks is one identifier, whatever is in it. */
const QUOTED = /^\s*"([^"]+)("\s*)(?:[\t;,]\s*"?(\$?\s*[\d.,]+)"?\s*)?$/;
const BARE = /^\s*"?(.*?)"?\s*(?:([\t;,]\s*"?)(\$?\s*[\d.,]+)"?\s*)?$/;

/**
 * Shops' addresses end in commas and numbers of their own: whole digits right behind the comma belong to the address.
 * @param {string} id
 * @param {string} gap
 * @param {string} cost
 */
function isOfAddress(id, gap, cost) {
  return gap === ',' && /^https?:\/\//i.test(id) && /^[\d,]+$/.test(cost);
}

/**
 * An address that was typed, or copied from where browsers leave its beginning out: `shop.example/p/lamp`.
 * @param {string} id
 */
function whole(id) {
  const slash = id.indexOf('/');
  const host = slash < 0 ? id : id.slice(0, slash);
  const isHost = /^[\p{L}\d.-]+$/u.test(host) && /[\p{L}\d]\.\p{L}{2,}$/u.test(host);
  const isPage = slash > 0 && slash < id.length - 1;
  return isHost && (isPage || /^www\./i.test(host)) ? `https://${id}` : id;
}

/**
 * The lines of a pasted text: an identifier each, and behind a tab, semicolon or comma what it costs. Empty lines and
 * lines that were there already are left out.
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
