// What `openshelf quality --json` prints: how often expected fields were missing, in a span of days and the one
// before it.

import type { FillChange, FillTotals, Missing } from '../domain/fill-rate.ts';

export type QualityReport = {
  readonly days: number;
  readonly changes: readonly FillChange[];
  readonly now: FillTotals;
};

export function presentQuality({ days, changes, now }: QualityReport) {
  return {
    days,
    fields: changes.map((each) => ({
      retailer: each.retailer,
      page_kind: each.pageKind,
      field: each.field,
      missing_share: rounded(each.now.share),
      missing_share_before: rounded(each.before.share),
      change: rounded(each.change),
      answers: each.now.expected,
      answers_before: each.before.expected,
      too_few: isTooFew(each.now, each.before),
      lost: each.isLost,
    })),
    readings: now.outcomes.map(({ retailer, pageKind, outcome, readings }) => ({
      retailer,
      page_kind: pageKind,
      outcome,
      count: readings,
    })),
  };
}

/** One of the two shares is made of so few answers that their difference means nothing. */
export function isTooFew(now: Missing, before: Missing): boolean {
  return now.isFew || before.isFew;
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}
