// Compares one row with the reader's answer: an outcome for every scored field of it.

import { compareField, isAnswer, VOCABULARY } from './compare.ts';
import type { Outcome } from './compare.ts';
import type { ManifestEntry, ManifestRow } from './manifest.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The result of a row's reader. */
export type Answer =
  | { readonly kind: 'answer'; readonly fields: Fields; readonly entries: readonly Fields[] }
  | { readonly kind: 'no_reader' }
  | { readonly kind: 'threw'; readonly error: string };

export type FieldScore = {
  readonly field: string;
  /** Position in the row: empty, `entry 2`, or `as product` for a page also given to the product reader. */
  readonly place: string;
  readonly outcome: Outcome;
  readonly expected: readonly unknown[];
  readonly got: unknown;
  /** `product` if another verdict is expected. */
  readonly falseProduct: boolean;
};

export type RowScore = {
  readonly row: ManifestRow;
  readonly answer: Answer['kind'];
  readonly error: string | null;
  readonly scores: readonly FieldScore[];
  /** Expected fields outside the vocabulary. */
  readonly unused: readonly string[];
  /** Vocabulary fields that the reader reported and the row does not contain. */
  readonly unexpected: readonly (readonly [string, unknown])[];
};

type Place = { readonly place: string; readonly fields: Fields | null };

/** A right amount in a currency other than the expected one is a wrong price. */
function outcomeOf(
  field: string,
  expected: ReadonlyMap<string, readonly unknown[]>,
  fields: Fields,
): Outcome {
  const outcome = compareField(field, expected.get(field) ?? [], fields[field]);
  const currencies = expected.get('currency');
  if (field !== 'price' || outcome !== 'right' || currencies === undefined) return outcome;
  if (!isAnswer(fields['price'])) return outcome;
  return compareField('currency', currencies, fields['currency']) === 'wrong' ? 'wrong' : 'right';
}

function scoreFields(
  expected: ReadonlyMap<string, readonly unknown[]>,
  { place, fields }: Place,
): readonly FieldScore[] {
  const scores: FieldScore[] = [];
  for (const [field, values] of expected) {
    if (!VOCABULARY.has(field)) continue;
    const got = fields?.[field] ?? null;
    const outcome = fields === null ? 'missing' : outcomeOf(field, expected, fields);
    const falseProduct = field === 'verdict' && got === 'product' && outcome === 'wrong';
    scores.push({ field, place, outcome, expected: values, got, falseProduct });
  }
  return scores;
}

const KEYS = ['offer_id', 'asin', 'item_id'] as const;

/** Finds the list entry that the expected one refers to, by the first of its keys. */
function findEntry(entry: ManifestEntry, entries: readonly Fields[]): Fields | null {
  const key = KEYS.find((each) => entry.expected.has(each));
  if (key === undefined) return null;
  const values = entry.expected.get(key) ?? [];
  return (
    entries.find(
      (each) => isAnswer(each[key]) && compareField(key, values, each[key]) === 'right',
    ) ?? null
  );
}

function unexpectedOf(row: ManifestRow, fields: Fields): readonly (readonly [string, unknown])[] {
  return [...VOCABULARY]
    .filter((field) => !row.expected.has(field) && isAnswer(fields[field]))
    .map((field) => [field, fields[field]] as const);
}

function unusedOf(row: ManifestRow): readonly string[] {
  const own = [...row.expected.keys()];
  const inner = row.entries.flatMap((entry) => [...entry.expected.keys()]);
  return [...new Set([...own, ...inner])].filter((field) => !VOCABULARY.has(field));
}

function verdictOfThrow(row: ManifestRow): readonly FieldScore[] {
  return scoreFields(row.expected, { place: '', fields: null }).map((score) =>
    score.field === 'verdict' ? { ...score, outcome: 'wrong', got: 'threw' } : score,
  );
}

/** An API without a reader is not queried by the service, so its recorded answers are not counted. */
function isOfApi({ reader }: ManifestRow): boolean {
  return reader.startsWith('api:');
}

/** Returns the outcomes of every expected field of the row. `asProduct` is the product reader's result for its page. */
export function scoreRow(row: ManifestRow, answer: Answer, asProduct: string | null): RowScore {
  const fields = answer.kind === 'answer' ? answer.fields : null;
  const entries = answer.kind === 'answer' ? answer.entries : [];
  const own =
    answer.kind === 'threw'
      ? verdictOfThrow(row)
      : scoreFields(row.expected, { place: '', fields });
  const inner = row.entries.flatMap((entry, index) =>
    scoreFields(entry.expected, {
      place: `entry ${index + 1}`,
      fields: findEntry(entry, entries),
    }),
  );
  const extra: FieldScore[] =
    asProduct === null
      ? []
      : [
          {
            field: 'verdict',
            place: 'as product',
            outcome: asProduct === 'product' || asProduct === 'threw' ? 'wrong' : 'right',
            expected: ['anything but product'],
            got: asProduct,
            falseProduct: asProduct === 'product',
          },
        ];
  return {
    row: answer.kind === 'no_reader' && isOfApi(row) ? { ...row, scored: false } : row,
    answer: answer.kind,
    error: answer.kind === 'threw' ? answer.error : null,
    scores: [...own, ...inner, ...extra],
    unused: unusedOf(row),
    unexpected: fields === null ? [] : unexpectedOf(row, fields),
  };
}
