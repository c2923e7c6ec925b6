// Counts how retailers' answers were read, which fields were missing and which of their words the readers do not know, by
// UTC day, retailer and page kind. Counts are added in the transaction that stores the reading. Answers with the same
// fields share a row, so an answer costs one upsert, plus one for each vocabulary with an unknown word.

import { daysBefore, type Day } from '../../base/clock.ts';
import {
  totalsOf,
  type FieldState,
  type FillTotals,
  type AnswerCount,
  type CountedAnswer,
  type ReadOutcome,
} from '../../base/listing/fill-rate.ts';
import type {
  UnknownWord,
  UnknownWordTotal,
  VocabularyName,
} from '../../base/listing/vocabularies/unknown-words.ts';
import type { Row, Sql, Statement } from '../sql.ts';

/** Days stored, including today. */
export const DAYS_STORED = 90;

/** Both days included. */
type DaySpan = { readonly from: Day; readonly to: Day };

export type ReadingCounts = {
  /** Sums over the days, for one retailer if given. */
  findTotals(span: DaySpan, retailer?: string): Promise<FillTotals>;
  /** Sums the answers with unknown words per vocabulary of a page kind, for one retailer if given. */
  findUnknownWords(span: DaySpan, retailer?: string): Promise<readonly UnknownWordTotal[]>;
  /** Deletes the days before the last 90. */
  sweep(today: Day): Promise<void>;
};

export function createReadingCounts(sql: Sql): ReadingCounts {
  return {
    async findTotals({ from, to }, retailer) {
      const ofOne = retailer === undefined ? '' : 'and retailer = $3';
      const rows = await sql.all(
        `select retailer, page_kind, outcome, fields, sum(readings) as readings from reading_counts
         where day >= $1 and day <= $2 ${ofOne} group by retailer, page_kind, outcome, fields
         order by retailer, page_kind, outcome, fields`,
        [from, to, ...(retailer === undefined ? [] : [retailer])],
      );
      return totalsOf(rows.map(toCount));
    },
    async findUnknownWords({ from, to }, retailer) {
      const ofOne = retailer === undefined ? '' : 'and retailer = $3';
      const rows = await sql.all(
        `select retailer, page_kind, vocabulary, word, readings from unknown_words
         where day >= $1 and day <= $2 ${ofOne} order by retailer, page_kind, vocabulary, day`,
        [from, to, ...(retailer === undefined ? [] : [retailer])],
      );
      return unknownTotals(rows);
    },
    async sweep(today) {
      const oldest = daysBefore(today, DAYS_STORED - 1);
      for (const table of ['reading_counts', 'unknown_words']) {
        const some = await sql.all(`select 1 as found from ${table} where day < $1 limit 1`, [
          oldest,
        ]);
        // Rows expire once a day: this avoids empty commits in between.
        if (some.length === 0) continue;
        await sql.write([{ text: `delete from ${table} where day < $1`, params: [oldest] }]);
      }
    },
  };
}

/** Sums rows ordered by day. */
function unknownTotals(rows: readonly Row[]): readonly UnknownWordTotal[] {
  const totals = new Map<string, UnknownWordTotal>();
  for (const row of rows) {
    const [retailer, pageKind] = [String(row['retailer']), String(row['page_kind'])];
    // SAFETY: only `addUnknownWords` writes it, from the same union.
    const vocabulary = String(row['vocabulary']) as VocabularyName;
    const key = `${retailer} ${pageKind} ${vocabulary}`;
    const readings = (totals.get(key)?.answers ?? 0) + Number(row['readings']);
    totals.set(key, {
      retailer,
      pageKind,
      vocabulary,
      word: String(row['word']),
      answers: readings,
    });
  }
  return [...totals.values()];
}

/** The unknown words of one answer. */
export type UnknownNote = {
  readonly retailer: string;
  readonly pageKind: string;
  readonly words: readonly UnknownWord[];
};

/**
 * Adds answers with unknown words to a day's counts; returns no statements if there are none. All processes write rows in the
 * same order.
 */
export function addUnknownWords(notes: readonly UnknownNote[], day: Day): readonly Statement[] {
  const rows = new Map<string, UnknownWordTotal>();
  for (const { retailer, pageKind, words } of notes) {
    const last = new Map(words.map(({ vocabulary, word }) => [vocabulary, word]));
    for (const [vocabulary, word] of last) {
      const key = [retailer, pageKind, vocabulary].join('\n');
      const readings = (rows.get(key)?.answers ?? 0) + 1;
      rows.set(key, { retailer, pageKind, vocabulary, word, answers: readings });
    }
  }
  const sorted = [...rows.keys()].toSorted().flatMap((key) => rows.get(key) ?? []);
  return sorted.map(({ retailer, pageKind, vocabulary, word, answers: readings }) => ({
    text: `insert into unknown_words (day, retailer, page_kind, vocabulary, word, readings)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (day, retailer, page_kind, vocabulary) do update
        set readings = unknown_words.readings + excluded.readings, word = excluded.word`,
    params: [day, retailer, pageKind, vocabulary, word, readings],
  }));
}

function toCount(row: Row): AnswerCount {
  return {
    retailer: String(row['retailer']),
    pageKind: String(row['page_kind']),
    // SAFETY: only `addReadingCounts` writes it, from the same union.
    outcome: String(row['outcome']) as ReadOutcome,
    fields: fieldsOf(String(row['fields'])),
    answers: Number(row['readings']),
  };
}

function fieldsOf(text: string): readonly FieldState[] {
  if (text === '') return [];
  return text.split(' ').map((word) => ({
    field: word.replace(/^-/, ''),
    isMissing: word.startsWith('-'),
  }));
}

/**
 * Adds answers to a day's counts; returns no statements if there are none. All processes write rows in the same order, so
 * that two transactions adding to the same rows never deadlock.
 */
export function addReadingCounts(notes: readonly CountedAnswer[], day: Day): readonly Statement[] {
  const sums = new Map<string, { readonly note: CountedAnswer; readonly readings: number }>();
  for (const note of notes) {
    const key = keyOf(note).join('\n');
    sums.set(key, { note, readings: (sums.get(key)?.readings ?? 0) + 1 });
  }
  const keys = [...sums.keys()].toSorted();
  const rows = keys.flatMap((key) => sums.get(key) ?? []);
  if (rows.length === 0) return [];
  let last = 1;
  const next = () => `$${(last += 1)}`;
  const values = rows.map(() => `($1, ${[next(), next(), next(), next(), next()].join(', ')})`);
  return [
    {
      text: `insert into reading_counts (day, retailer, page_kind, outcome, fields, readings)
        values ${values.join(', ')}
        on conflict (day, retailer, page_kind, outcome, fields) do update
          set readings = reading_counts.readings + excluded.readings`,
      params: [day, ...rows.flatMap(({ note, readings }) => [...keyOf(note), readings])],
    },
  ];
}

function keyOf({ retailer, pageKind, outcome, fields }: CountedAnswer): readonly string[] {
  const words = fields.map(({ field, isMissing }) => `${isMissing ? '-' : ''}${field}`);
  return [retailer, pageKind, outcome, words.join(' ')];
}

/** Deletes the counts of a retailer that was taken down. */
export function deleteCountsOf(retailer: string): readonly Statement[] {
  return ['reading_counts', 'unknown_words'].map((table) => ({
    text: `delete from ${table} where retailer = $1`,
    params: [retailer],
  }));
}
