// openshelf quality: how often what pages normally state was missing, these days against the days before, so that a
// redesigned page is noticed on the day it comes.

import { withStore } from '../app.ts';
import { dayOf, daysBefore } from '../domain/clock.ts';
import { FEW, fillChanges, type FillChange, type Missing } from '../domain/fill-rate.ts';
import { isSlug } from '../domain/retailer.ts';
import { KEPT_DAYS } from '../store/fill-rates.ts';
import { presentQuality, type QualityReport } from '../wire/quality.ts';
import { DONE, numberOption, printJson, textOption, UsageError, type Command } from './command.ts';
import { heldConfigOf } from './held-data.ts';

const MOST_DAYS = KEPT_DAYS / 2;

export const quality: Command = {
  name: 'quality',
  summary: 'print how often expected fields were missing, and what changed',
  usage: [
    'Usage: openshelf quality [--days N] [--retailer SLUG] [--data DIR] [--json]',
    '',
    `  --days N         days (UTC, today included) that are held against as many before, 1 to ${MOST_DAYS}`,
    '                   (default 1: today against yesterday)',
    '  --retailer SLUG  of this retailer or shop only',
    '  --data DIR       the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json           {"days", "fields", "readings"} on one line, every field',
    '',
    'What changed most comes first. LOST: the field was there and now is mostly missing. "few": made of',
    `fewer than ${FEW} answers, which means nothing yet. "(answer)" is an answer that no reader could read.`,
  ].join('\n'),
  options: {
    days: { type: 'string' },
    retailer: { type: 'string' },
    data: { type: 'string' },
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
      const to = dayOf(nowMs);
      const now = await fillRates.totals({ from: daysBefore(to, days - 1), to }, retailer);
      const span = { from: daysBefore(to, 2 * days - 1), to: daysBefore(to, days) };
      const before = await fillRates.totals(span, retailer);
      return { days, changes: fillChanges(now, before), now };
    });
    if (values['json'] === true) printJson(io, presentQuality(report));
    else linesOf(report).forEach((line) => io.out(line));
    return DONE;
  },
};

function linesOf({ days, changes, now }: QualityReport): readonly string[] {
  const span = days === 1 ? 'today' : `${days} days`;
  if (changes.length === 0)
    return [`nothing was read in this span (${span}) nor in the one before`];
  // What nobody misses, now or before, fills no line.
  const rows = changes.filter((each) => (each.now.share ?? 0) > 0 || (each.before.share ?? 0) > 0);
  const complete = changes.length - rows.length;
  const head = ['retailer', 'page kind', 'field', `missing, ${span}`, 'before', 'change', ''];
  return [
    ...tableOf([head, ...rows.map(cellsOf)]),
    `${complete} more fields were always there.`,
    '',
    ...outcomeLines(now),
  ];
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
function shareText({ share, expected, isFew }: Missing): string {
  if (share === null) return '-';
  return `${percent(share)} of ${expected}${isFew ? ' (few)' : ''}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** What became of the answers of the span, a line for each page kind. */
function outcomeLines({ outcomes }: QualityReport['now']): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const { retailer, pageKind, outcome, readings } of outcomes) {
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
