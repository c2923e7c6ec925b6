// The output of `openshelf quality --json`: how often expected fields were missing, in a period of days and in the
// preceding period.

import type {
  FillChange,
  FillTotals,
  FillVerdict,
  MissingShare,
} from '../../../base/listing/fill-rate.ts';
import type { UnknownWordTotal } from '../../../base/listing/vocabularies/unknown-words.ts';

export type QualityReport = {
  readonly days: number;
  /** Number of days in the preceding period, with which they are compared. */
  readonly daysBefore: number;
  readonly verdict: FillVerdict;
  readonly changes: readonly FillChange[];
  readonly now: FillTotals;
  readonly unknownWords: readonly UnknownWordTotal[];
  readonly unknownWordsBefore: readonly UnknownWordTotal[];
};

/** Returns the preceding period's number of answers in which the same vocabulary had unknown words. */
export function unknownBefore(report: QualityReport, total: UnknownWordTotal): number {
  const same = (each: UnknownWordTotal) =>
    each.retailer === total.retailer &&
    each.pageKind === total.pageKind &&
    each.vocabulary === total.vocabulary;
  return report.unknownWordsBefore.find(same)?.answers ?? 0;
}

export function presentQuality(report: QualityReport) {
  const { days, changes, now, verdict, unknownWords } = report;
  return {
    days,
    days_before: report.daysBefore,
    verdict,
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
      worse: each.isWorse,
    })),
    unknown_words: unknownWords.map((each) => ({
      retailer: each.retailer,
      page_kind: each.pageKind,
      vocabulary: each.vocabulary,
      answers: each.answers,
      answers_before: unknownBefore(report, each),
      last_word: each.word,
    })),
    readings: now.outcomes.map(({ retailer, pageKind, outcome, answers: readings }) => ({
      retailer,
      page_kind: pageKind,
      outcome,
      count: readings,
    })),
  };
}

/** Checks whether either share is based on so few answers that the difference means nothing. */
function isTooFew(now: MissingShare, before: MissingShare): boolean {
  return now.isFew || before.isFew;
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}
