// The report for people: tables by slug and by field, then every fault with the expected and actual value.

import type { FieldScore, RowScore } from './row-score.ts';
import { countedScores, shareOf, tallyBy, tallyOf, weightedOf } from './score.ts';
import type { Tally } from './score.ts';

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function line(name: string, tally: Tally): string {
  const counts = [tally.fields, tally.right, tally.wrong, tally.missing]
    .map((count) => String(count).padStart(8))
    .join('');
  return `${name.padEnd(22)}${counts}${shareOf(tally).toFixed(4).padStart(9)}`;
}

function table(title: string, tallies: ReadonlyMap<string, Tally>): readonly string[] {
  const head = 'fields   right   wrong missing    share';
  return [
    '',
    `${title.padEnd(24)}${head}`,
    ...[...tallies].map(([name, tally]) => line(name, tally)),
  ];
}

function expectedText(score: FieldScore): string {
  return score.expected.map(show).join(' or ');
}

function faults(rows: readonly RowScore[]): readonly string[] {
  return rows.flatMap(({ row, error, answer, scores }) => {
    const bad = scores.filter(({ outcome }) => outcome !== 'right');
    if (bad.length === 0) return [];
    const state = answer === 'no_reader' ? ` (no reader for ${row.reader} yet)` : '';
    const thrown = error === null ? '' : ` threw: ${error}`;
    const head = `row ${row.line} ${row.file} [${row.reader}]${state}${thrown}`;
    return [
      head,
      ...bad.map((score) => {
        const place = score.place === '' ? '' : `${score.place}: `;
        const got = score.outcome === 'missing' ? '' : `, got ${show(score.got)}`;
        const name = `${score.outcome.padEnd(8)}${place}${score.field}`;
        return `  ${name}: expected ${expectedText(score)}${got}`;
      }),
    ];
  });
}

function unexpected(rows: readonly RowScore[]): readonly string[] {
  return rows
    .filter((row) => row.unexpected.length > 0)
    .map(({ row, unexpected }) => {
      // Barcodes first: an unexpected barcode is the most important finding.
      const sorted = [...unexpected].sort(
        ([a], [b]) => Number(b === 'gtin') - Number(a === 'gtin'),
      );
      const fields = sorted.map(([field, value]) => `${field}=${show(value)}`).join(', ');
      return `row ${row.line} ${row.file}: ${fields}`;
    });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

/** Returns the lines of the report, in reading order. */
export function reportLines(rows: readonly RowScore[]): readonly string[] {
  const scored = rows.filter(({ row }) => row.scored);
  const rest = rows.filter(({ row }) => !row.scored);
  const total = tallyOf(countedScores(rows));
  const unknownShops = tallyOf(
    countedScores(rows.filter(({ row }) => row.slug === 'generic' || row.slug === 'shopify')),
  );
  const unused = scored.flatMap(({ row, unused }) =>
    unused.map((field) => `row ${row.line} ${row.file}: ${field}`),
  );
  const noReader = new Map<string, number>();
  for (const { row, answer } of scored) {
    if (answer === 'no_reader') noReader.set(row.reader, (noReader.get(row.reader) ?? 0) + 1);
  }
  return [
    `${scored.length} scored rows, ${rest.length} others`,
    ...table(
      'by slug',
      tallyBy(rows, (_score, { row }) => row.slug),
    ),
    ...table(
      'by field',
      tallyBy(rows, ({ field }) => field),
    ),
    '',
    line('all', total),
    line('generic + shopify', unknownShops),
    `wrong prices ${total.wrong_prices}, wrong barcodes ${total.wrong_barcodes}, ` +
      `false products ${total.false_products}, weighted ${weightedOf(total).toFixed(4)}`,
    ...section(
      'No reader (every field counts as missing)',
      [...noReader].map(([reader, count]) => `${reader}: ${count} rows`),
    ),
    ...section('Wrong and missing', faults(scored)),
    ...section('Unexpected (reported, not named by the row, not counted)', unexpected(scored)),
    ...section('Unused (expected fields outside the vocabulary)', unused),
    ...section('Not scored rows, for reference: wrong and missing', faults(rest)),
  ];
}
