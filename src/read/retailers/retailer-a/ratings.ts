// Reads stars and review counts of retailer_a from product pages and result lists, and the only condition that a title
// states for certain: renewed.

import { cleanText } from '../../../base/listing/text/text.ts';
import { titleCondition } from '../../titles/title-condition.ts';
import type { PageParts } from './page-parts.ts';

/** How a rating is written, in the languages of the shop's countries. */
const STARS =
  /(?:^|\s)([0-5](?:[.,]\d{1,2})?) (?:out of|de(?: un máximo de)?|von|sur|su|van|av|z|från) 5\b/;
const STARS_AFTER = /5(?:つ星のうち| yıldız üzerinden)\s?([0-5](?:[.,]\d{1,2})?)/;

/** Parses "4.6 out of 5 stars"; null for anything else, and for zero, which means no reviews. */
export function starsIn(text: string | null): number | null {
  const line = cleanText(text ?? '', 200);
  const stars = (STARS.exec(line) ?? STARS_AFTER.exec(line))?.[1];
  const value = stars === undefined ? 0 : Number(stars.replace(',', '.'));
  return value > 0 && value <= 5 ? value : null;
}

/** Parses "8,249 ratings", "(226)", "1 rating"; null for rounded counts ("12.3K"). */
export function countIn(text: string | null): number | null {
  const line = cleanText(text ?? '', 200);
  if (/\d\s?[KM]\b/.test(line)) return null;
  const digits = /^\(?(\d{1,3}(?:[,.\u00a0 ]\d{3})+|\d{1,9})\)?(?:\s|$|\p{Script=Han})/u.exec(
    line,
  )?.[1];
  const count = digits === undefined ? 0 : Number(digits.replaceAll(/\D/g, ''));
  return count > 0 ? count : null;
}

export function ratingOf(parts: PageParts): number | null {
  return (
    starsIn(parts.attribute('acrPopover', 'title')) ??
    starsIn(parts.text('acrPopover', 200)) ??
    starsIn(parts.text('averageCustomerReviews', 300))
  );
}

export function reviewCountOf(parts: PageParts): number | null {
  return (
    countIn(parts.attribute('acrCustomerReviewText', 'aria-label')) ??
    countIn(parts.text('acrCustomerReviewText', 100))
  );
}

const PERCENT_OF_STARS = /\b(\d{1,3}) percent of reviews have ([1-5]) stars?\b/g;
const STARS_OF_PERCENT = /\b([1-5]) stars? represents? (\d{1,3})% of (?:rating|review)/g;
const STAR_ROW = /\b([1-5]) star\b[^%]{0,40}?\b(\d{1,3})%/g;

/** Returns review percentages by stars, five stars first; null unless all five are known. */
function sharesIn(html: string): readonly number[] | null {
  const shares = new Map<number, number>();
  const keep = (stars: number, percent: number): void => {
    if (!shares.has(stars) && percent <= 100) shares.set(stars, percent);
  };
  for (const [, percent, stars] of html.matchAll(PERCENT_OF_STARS)) {
    keep(Number(stars), Number(percent));
  }
  for (const [, stars, percent] of html.matchAll(STARS_OF_PERCENT)) {
    keep(Number(stars), Number(percent));
  }
  // A star without reviews has a row but no label.
  if (shares.size < 5) {
    for (const [, stars, percent] of cleanText(html, 6000, { tags: true }).matchAll(STAR_ROW)) {
      keep(Number(stars), Number(percent));
    }
  }
  const list = [5, 4, 3, 2, 1].map((stars) => shares.get(stars) ?? -1);
  const sum = list.reduce((a, b) => a + b, 0);
  return list.every((share) => share >= 0) && sum >= 97 && sum <= 103 ? list : null;
}

/**
 * Returns review counts by stars from the published percentages of the total. The largest share absorbs the rounding error,
 * so the counts add up to the total.
 */
export function starCounts(
  parts: PageParts,
  total: number | null,
): Readonly<Record<string, number>> | null {
  if (total === null) return null;
  for (const part of parts.all('histogramTable')) {
    const shares = sharesIn(part.inner.slice(0, 60_000));
    if (shares === null) continue;
    const counts = shares.map((share) => Math.round((share * total) / 100));
    const largest = shares.indexOf(Math.max(...shares));
    const rest = total - counts.reduce((a, b) => a + b, 0);
    counts[largest] = Math.max(0, (counts[largest] ?? 0) + rest);
    return Object.fromEntries(counts.map((count, index) => [String(5 - index), count]));
  }
  return null;
}

/**
 * Whether a title says that the whole listing is renewed goods: "(Renewed)", "(Renewed Premium)", or in another country's
 * language "(Generalüberholt)".
 */
export function isRenewedTitle(title: string): boolean {
  return (
    /[([]\s*(?:certified )?(?:renewed|refurbished)(?: premium)?\s*[)\]]/i.test(title) ||
    titleCondition(title) === 'refurbished'
  );
}
