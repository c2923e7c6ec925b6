// openshelf quality: how often fields that pages normally state were missing, in these days and in the preceding days, so
// that a redesigned page is noticed on its first day.

import { withStore } from '../../wiring/open-store.ts';
import { dayOf, daysBefore } from '../../../base/clock.ts';
import {
  FEW,
  fillChanges,
  fillVerdict,
  type FillChange,
  type MissingShare,
} from '../../../base/listing/fill-rate.ts';
import { slugNamed } from '../../../read/retailers/addresses/aliases.ts';
import { DAYS_STORED } from '../../../data/answers/reading-counts.ts';
import {
  presentQuality,
  unknownBefore,
  type QualityReport,
} from '../../../answer/wire/installation/quality.ts';
import { answer, DONE, FAILED, type Command } from '../command.ts';
import { configWithData } from '../data-folder.ts';
import { DATA_OPTION, numberOption, slugOption } from '../options.ts';
import { textTable } from '../text-table.ts';

const MOST_DAYS = DAYS_STORED / 2;
/** A day is compared with at least a week: the previous day alone may be a Sunday, or empty. */
const LEAST_BEFORE = 7;

export const quality: Command = {
  name: 'quality',
  summary: 'print how often expected fields were missing, and what changed',
  synopsis: ['[--days N] [--retailer SLUG] [--strict] [--data DIR] [--json]'],
  options: {
    days: {
      value: 'N',
      help:
        `the number of days (UTC, including today), from 1 to ${MOST_DAYS}, that are compared with as many days ` +
        `before them, but at least ${LEAST_BEFORE} (default 1: today is compared with the week before)`,
    },
    retailer: { value: 'SLUG', help: 'print only this retailer or shop' },
    strict: { help: 'exit with code 1 if a field is worse than before' },
    data: DATA_OPTION,
    json: {
      help: 'print {"verdict", "fields", "unknown_words", "readings", ...} as one line of JSON, with every field',
    },
  },
  notes: [
    'The first lines are the verdict: each field that is missing in many more responses than before.',
    'The largest changes come first. LOST: the field was present and is now mostly missing. "few": fewer than',
    `${FEW} responses, too few to conclude anything. "(answer)": a response that no reader could read.`,
  ],
  run: async (input) => {
    const { values } = input;
    const days = numberOption(values, 'days', { min: 1, max: MOST_DAYS }) ?? 1;
    const named = slugOption(values);
    const retailer = named === undefined ? undefined : slugNamed(named);
    const report = await withStore(
      await configWithData(input),
      async ({ readingCounts }, nowMs) => {
        const today = dayOf(nowMs);
        const longBefore = Math.max(days, LEAST_BEFORE);
        const span = { from: daysBefore(today, days - 1), to: today };
        const earlier = {
          from: daysBefore(today, days + longBefore - 1),
          to: daysBefore(today, days),
        };
        const now = await readingCounts.findTotals(span, retailer);
        const changes = fillChanges(now, await readingCounts.findTotals(earlier, retailer));
        return {
          days,
          daysBefore: longBefore,
          verdict: fillVerdict(changes),
          changes,
          now,
          unknownWords: await readingCounts.findUnknownWords(span, retailer),
          unknownWordsBefore: await readingCounts.findUnknownWords(earlier, retailer),
        };
      },
    );
    answer(input, presentQuality(report), linesOf(report));
    return values['strict'] === true && report.verdict === 'worse' ? FAILED : DONE;
  },
};

function linesOf(report: QualityReport): readonly string[] {
  const { days, changes, now } = report;
  const span = days === 1 ? 'today' : `${days} days`;
  if (changes.length === 0)
    return [`No answers were read in this time (${span}) and the time before it.`];
  // A field that was never missing, in either period, gets no line.
  const rows = changes.filter((each) => (each.now.share ?? 0) > 0 || (each.before.share ?? 0) > 0);
  const complete = changes.length - rows.length;
  const head = ['retailer', 'page kind', 'field', `missing, ${span}`, 'before', 'change', ''];
  return [
    ...verdictLines(report),
    '',
    ...textTable([head, ...rows.map(cellsOf)]),
    `${complete} more fields were never missing.`,
    '',
    ...unknownLines(report),
    ...outcomeLines(now),
  ];
}

/** `worse than the week before: retailer_x product brand 0.98 -> 0.02`: shares of answers that stated the field. */
function verdictLines({ verdict, daysBefore: long, changes }: QualityReport): readonly string[] {
  const before = long === LEAST_BEFORE ? 'the week before' : `the ${long} days before`;
  const worse = changes.filter(({ isWorse }) => isWorse);
  switch (verdict) {
    case 'too_few':
      return [
        `verdict: too few answers to tell (no field has ${FEW} answers now and in ${before})`,
      ];
    case 'steady':
      return [`verdict: no field is worse than in ${before}`];
    case 'worse':
      return [
        `verdict: ${worse.length} ${worse.length === 1 ? 'field is' : 'fields are'} worse than in ${before}`,
        ...worse.map((row) => {
          const place = `${row.retailer} ${row.pageKind} ${row.field}`;
          return `worse than ${before}: ${place} ${filled(row.before)} -> ${filled(row.now)}`;
        }),
      ];
  }
}

function filled({ share }: MissingShare): string {
  return share === null ? '-' : (1 - share).toFixed(2);
}

/** Lists words that are in no vocabulary: in how many answers, and the most recent words. */
function unknownLines(report: QualityReport): readonly string[] {
  if (report.unknownWords.length === 0) return [];
  const lines = report.unknownWords.map((each) => {
    const { retailer, pageKind, vocabulary, answers: readings, word } = each;
    const before = unknownBefore(report, each);
    return `  ${retailer} ${pageKind} ${vocabulary}: ${readings} answers (before: ${before}), last "${word}"`;
  });
  return ['unknown words:', ...lines, ''];
}

function cellsOf(row: FillChange): readonly string[] {
  const { retailer, pageKind, field, now, before, change, isLost } = row;
  return [
    retailer,
    pageKind,
    field,
    shareText(now),
    shareText(before),
    change === null ? '-' : `${change > 0 ? '+' : ''}${percent(change)}`,
    isLost ? 'LOST' : '',
  ];
}

/** Formats `12.5 % of 40`, with `(few)` if that is too little for a conclusion. */
function shareText({ share, expected, isFew }: MissingShare): string {
  if (share === null) return '-';
  return `${percent(share)} of ${expected}${isFew ? ' (few)' : ''}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Counts the period's answers by outcome, a line for each page kind. */
function outcomeLines({ outcomes }: QualityReport['now']): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const { retailer, pageKind, outcome, answers: readings } of outcomes) {
    const name = `${retailer} ${pageKind}`;
    kinds.set(name, [...(kinds.get(name) ?? []), `${outcome} ${readings}`]);
  }
  return ['readings:', ...[...kinds].map(([name, counts]) => `  ${name}: ${counts.join(', ')}`)];
}
