// openshelf quality: how often what pages normally state was missing, these days against the days before, so that a
// redesigned page is noticed on the day it comes.

import { withStore } from '../app.ts';
import { dayOf, daysBefore } from '../core/clock.ts';
import {
  FEW,
  fillChanges,
  fillVerdict,
  type FillChange,
  type MissingShare,
} from '../listing/fill-rate.ts';
import { isSlug } from '../core/retailer.ts';
import { KEPT_DAYS } from '../store/fill-rates.ts';
import { presentQuality, unknownBefore, type QualityReport } from '../wire/quality.ts';
import {
  DONE,
  FAILED,
  numberOption,
  printJson,
  textOption,
  UsageError,
  type Command,
} from './command.ts';
import { heldConfigOf } from './held-data.ts';

const MOST_DAYS = KEPT_DAYS / 2;
/** A day is held against a week: yesterday alone may be a Sunday, or empty. */
const LEAST_BEFORE = 7;

export const quality: Command = {
  name: 'quality',
  summary: 'print how often expected fields were missing, and what changed',
  usage: [
    'Usage: openshelf quality [--days N] [--retailer SLUG] [--data DIR] [--json]',
    '',
    `  --days N         days (UTC, today included) that are held against as many before, 1 to ${MOST_DAYS};`,
    `                   against at least ${LEAST_BEFORE} (default 1: today against the week before)`,
    '  --retailer SLUG  of this retailer or shop only',
    '  --data DIR       the data folder (default OPENSHELF_DATA, else ./data)',
    '  --strict         exit 1 when a field is worse than before',
    '  --json           {"verdict", "fields", "unknown_words", "readings", ...} on one line, every field',
    '',
    'The first lines are the verdict: each field that is missing in many more answers than before.',
    'What changed most comes first. LOST: the field was there and now is mostly missing. "few": made of',
    `fewer than ${FEW} answers, which means nothing yet. "(answer)" is an answer that no reader could read.`,
  ].join('\n'),
  options: {
    days: { type: 'string' },
    retailer: { type: 'string' },
    data: { type: 'string' },
    strict: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (input) => {
    const { values, io } = input;
    const days = numberOption(values, 'days', { min: 1, max: MOST_DAYS }) ?? 1;
    const retailer = textOption(values, 'retailer');
    if (retailer !== undefined && !isSlug(retailer)) {
      throw new UsageError('--retailer is not a slug: 2 to 30 of a-z and 0-9');
    }
    const report = await withStore(await heldConfigOf(input), async ({ fillRates }, nowMs) => {
      const today = dayOf(nowMs);
      const longBefore = Math.max(days, LEAST_BEFORE);
      const span = { from: daysBefore(today, days - 1), to: today };
      const earlier = {
        from: daysBefore(today, days + longBefore - 1),
        to: daysBefore(today, days),
      };
      const now = await fillRates.totals(span, retailer);
      const changes = fillChanges(now, await fillRates.totals(earlier, retailer));
      return {
        days,
        daysBefore: longBefore,
        verdict: fillVerdict(changes),
        changes,
        now,
        unknownWords: await fillRates.unknownWords(span, retailer),
        unknownWordsBefore: await fillRates.unknownWords(earlier, retailer),
      };
    });
    if (values['json'] === true) printJson(io, presentQuality(report));
    else linesOf(report).forEach((line) => io.out(line));
    return values['strict'] === true && report.verdict === 'worse' ? FAILED : DONE;
  },
};

function linesOf(report: QualityReport): readonly string[] {
  const { days, changes, now } = report;
  const span = days === 1 ? 'today' : `${days} days`;
  if (changes.length === 0)
    return [`nothing was read in this span (${span}) nor in the one before`];
  // What nobody misses, now or before, fills no line.
  const rows = changes.filter((each) => (each.now.share ?? 0) > 0 || (each.before.share ?? 0) > 0);
  const complete = changes.length - rows.length;
  const head = ['retailer', 'page kind', 'field', `missing, ${span}`, 'before', 'change', ''];
  return [
    ...verdictLines(report),
    '',
    ...tableOf([head, ...rows.map(cellsOf)]),
    `${complete} more fields were always there.`,
    '',
    ...unknownLines(report),
    ...outcomeLines(now),
  ];
}

/** `worse than the week before: retailer_x product brand 0.98 -> 0.02`: shares of answers that stated it. */
function verdictLines({ verdict, daysBefore: long, changes }: QualityReport): readonly string[] {
  const before = long === LEAST_BEFORE ? 'the week before' : `the ${long} days before`;
  const worse = changes.filter(({ isWorse }) => isWorse);
  switch (verdict) {
    case 'too_few':
      return [`verdict: too few answers to tell (no field has ${FEW} now and in ${before})`];
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

/** Words that no vocabulary holds: in how many answers, and the last of them. */
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

/** `12.5 % of 40`; `few` where that means nothing. */
function shareText({ share, expected, isFew }: MissingShare): string {
  if (share === null) return '-';
  return `${percent(share)} of ${expected}${isFew ? ' (few)' : ''}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** What became of the answers of the span, a line for each page kind. */
function outcomeLines({ outcomes }: QualityReport['now']): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const { retailer, pageKind, outcome, answers: readings } of outcomes) {
    const name = `${retailer} ${pageKind}`;
    kinds.set(name, [...(kinds.get(name) ?? []), `${outcome} ${readings}`]);
  }
  return ['readings:', ...[...kinds].map(([name, counts]) => `  ${name}: ${counts.join(', ')}`)];
}

function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
