// Sums over scored fields: counts, share, weighted loss.

import type { FieldScore, RowScore } from './row-score.ts';

export type Tally = {
  readonly fields: number;
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
  readonly wrong_prices: number;
  readonly wrong_barcodes: number;
  readonly false_products: number;
};

type Summary = Tally & { readonly by_slug: Readonly<Record<string, Tally>> };

export function tallyOf(scores: readonly FieldScore[]): Tally {
  const count = (test: (score: FieldScore) => boolean): number => scores.filter(test).length;
  return {
    fields: scores.length,
    right: count((score) => score.outcome === 'right'),
    wrong: count((score) => score.outcome === 'wrong'),
    missing: count((score) => score.outcome === 'missing'),
    wrong_prices: count((score) => score.field === 'price' && score.outcome === 'wrong'),
    wrong_barcodes: count((score) => score.field === 'gtin' && score.outcome === 'wrong'),
    false_products: count((score) => score.falseProduct),
  };
}

/** Returns scored rows only: the others are printed but not counted. */
export function countedScores(rows: readonly RowScore[]): readonly FieldScore[] {
  return rows.filter(({ row }) => row.scored).flatMap(({ scores }) => scores);
}

export function summaryOf(rows: readonly RowScore[]): Summary {
  const slugs = [...new Set(rows.filter(({ row }) => row.scored).map(({ row }) => row.slug))];
  const ofSlug = (slug: string): Tally =>
    tallyOf(countedScores(rows.filter(({ row }) => row.slug === slug)));
  return {
    ...tallyOf(countedScores(rows)),
    by_slug: Object.fromEntries(slugs.map((slug) => [slug, ofSlug(slug)])),
  };
}

/** Returns right / (right + wrong + missing); 0 if nothing is scored: no field is not a success. */
export function shareOf(tally: Tally): number {
  return tally.fields === 0 ? 0 : tally.right / tally.fields;
}

/** Returns 1 - loss / fields: a wrong price, barcode or false product costs 3, every other fault 1. */
export function weightedOf(tally: Tally): number {
  if (tally.fields === 0) return 0;
  const grave = tally.wrong_prices + tally.wrong_barcodes + tally.false_products;
  return 1 - (tally.missing + tally.wrong + 2 * grave) / tally.fields;
}

/** Groups tallies by a key of each score, in order of first appearance. */
export function tallyBy(
  rows: readonly RowScore[],
  key: (score: FieldScore, row: RowScore) => string,
): ReadonlyMap<string, Tally> {
  const groups = new Map<string, FieldScore[]>();
  for (const row of rows) {
    if (!row.row.scored) continue;
    for (const score of row.scores) {
      const name = key(score, row);
      groups.set(name, [...(groups.get(name) ?? []), score]);
    }
  }
  return new Map([...groups].map(([name, scores]) => [name, tallyOf(scores)]));
}
