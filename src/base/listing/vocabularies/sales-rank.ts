// Sales ranks: a listing's position among the products its retailer sells in a category, 1 being the best seller. A page
// writes them as one text, widest category first.

import { cleanText } from '../text/text.ts';

export type SalesRank = {
  /** The category as the retailer names it; null when it names none. */
  readonly category: string | null;
  readonly rank: number;
};

/** The most ranks per listing: it has one in its department and a few in narrower categories. */
const MOST_RANKS = 10;
/** D66: a larger number is not a rank. */
const LARGEST = 2 ** 31;

const CATEGORY_LENGTH = 200;
/** "#13,846 in Video Games (See Top 100 in Video Games)", "#57 in Adapters", "#1,234 Paid in Books". */
const ENTRY =
  /#\s?(\d{1,3}(?:,\d{3})+|\d{1,10})\s+(?:(?:paid|free)\s+)?in\s+([^#]{1,300}?)\s*(?=\(\s*see top|#\s?\d|$)/gi;

/** Returns the ranks in a text, in order. */
export function readSalesRanks(text: string): readonly SalesRank[] {
  const found = [...cleanText(text, 2_000).matchAll(ENTRY)];
  return ranksOf(found.map(([, rank = '', name = '']) => [name, Number(rank.replaceAll(',', ''))]));
}

/** Returns ranks as an API states them; omits invalid ranks and repeated categories. */
export function ranksOf(
  stated: readonly (readonly [category: string | null, rank: number | null])[],
): readonly SalesRank[] {
  const ranks = new Map<string | null, SalesRank>();
  for (const [name, rank] of stated) {
    if (rank === null || !Number.isInteger(rank) || rank < 1 || rank > LARGEST) continue;
    const category = cleanText(name ?? '', CATEGORY_LENGTH) || null;
    if (!ranks.has(category)) ranks.set(category, { category, rank });
  }
  return [...ranks.values()].slice(0, MOST_RANKS);
}
