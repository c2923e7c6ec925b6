// Reads the text of an element whose property is an amount. Omits struck-through parts, and appends cents from a separate
// element and a rate right after the amount.

import { isRateAfter } from '../../../base/listing/money/other-charges.ts';
import { plainTextOfHtml } from '../../../base/listing/text/text.ts';

/** Maximum length of an amount's source text. */
export const AMOUNT_SOURCE = 1000;
/** Cents in a separate element: `49<sup>90</sup>`, `1.249<span class="cents"> 90</span>`. */
const OWN_CENTS = /(?<![.,]\d?)(\d)(?:<[^<>!]*>)+(\d{2})(?=<|$)/;
const RAISED_CENTS =
  /(?<![.,]\d?)(\d)\s*<(?:sup\b[^<>]*|[a-z]+ class=["'][^"'<>]*(?:cent|dec|frac)[^"'<>]*["'][^<>]*)>\s*(\d{2})(?=\s*<|$)/i;

const STRUCK_TAG = /<(del|s|strike)(?=[\s>])[^<>]*>/gi;
/** Length of the source after an amount that may have its rate: `</span><small>/mo</small>`. */
export const TAIL = 120;

/**
 * Returns the source without struck-through parts, which are former prices. An unclosed element strikes nothing through.
 */
function withoutStruck(source: string): string {
  const lower = source.toLowerCase();
  let left = '';
  let from = 0;
  for (const tag of source.matchAll(STRUCK_TAG)) {
    if (tag.index < from) continue;
    const close = lower.indexOf(`</${(tag[1] ?? '').toLowerCase()}`, tag.index);
    if (close < 0) break;
    left += `${source.slice(from, tag.index)} `;
    const end = source.indexOf('>', close);
    from = end < 0 ? source.length : end + 1;
  }
  return left + source.slice(from);
}

/** Returns the text of an element containing an amount, plus the rate right after it. */
export function amountText(source: string, tail: string): string {
  const left = withoutStruck(source);
  const now = /\d/.test(left) ? left : source;
  // In "1.249<sup>90</sup>" the point separates thousands, so the cents need a comma as separator.
  const mark = /\d\.\d{3}(?!\d)/.test(now) ? ',' : '.';
  const withCents = `$1${mark}$2`;
  const text = plainTextOfHtml(
    now.replace(OWN_CENTS, withCents).replace(RAISED_CENTS, withCents),
    AMOUNT_SOURCE,
  );
  const after = plainTextOfHtml(tail.replace(/<[^<>]*$/, ''), TAIL).trim();
  return isRateAfter(after) ? `${text} ${after}` : text;
}
