// How often what a kind of answer normally states was missing: counts by retailer, page kind and field, and two
// spans of days against each other, so that a reader that grew blind is noticed.

/** What became of an answer that a reader was given: the kinds of `PageVerdict`. */
export const READING_OUTCOMES = [
  'read',
  'follow',
  'not_found',
  'not_a_product',
  'blocked',
  'retry',
  'unreadable',
] as const;
export type ReadingOutcome = (typeof READING_OUTCOMES)[number];

/** How often a field was to be expected, and how often it was not there. In a list every entry counts. */
export type FieldCount = {
  readonly field: string;
  readonly expected: number;
  readonly missing: number;
};

/** One answer as its reader took it. */
export type ReadingNote = {
  readonly retailer: string;
  /** The reader's name: `product`, `search`, `offers`, `seller`, `reviews`, `api:<name>`. */
  readonly pageKind: string;
  readonly outcome: ReadingOutcome;
  /** Of an answer that was read; empty for every other outcome. */
  readonly fields: readonly FieldCount[];
};

type PageKind = { readonly retailer: string; readonly pageKind: string };
export type OutcomeTotal = PageKind & {
  readonly outcome: ReadingOutcome;
  readonly readings: number;
};
export type FieldTotal = PageKind & FieldCount;
/** Sums over some days. */
export type FillTotals = {
  readonly outcomes: readonly OutcomeTotal[];
  readonly fields: readonly FieldTotal[];
};

/** Several notes as sums: each retailer, page kind, outcome and field once. */
export function totalsOf(notes: readonly ReadingNote[]): FillTotals {
  const outcomes = new Map<string, OutcomeTotal>();
  const fields = new Map<string, FieldTotal>();
  for (const { retailer, pageKind, outcome, fields: counted } of notes) {
    const place = `${retailer} ${pageKind}`;
    const { readings = 0 } = outcomes.get(`${place} ${outcome}`) ?? {};
    outcomes.set(`${place} ${outcome}`, { retailer, pageKind, outcome, readings: readings + 1 });
    for (const { field, expected, missing } of counted) {
      const sum = fields.get(`${place} ${field}`) ?? { expected: 0, missing: 0 };
      fields.set(`${place} ${field}`, {
        retailer,
        pageKind,
        field,
        expected: sum.expected + expected,
        missing: sum.missing + missing,
      });
    }
  }
  return { outcomes: [...outcomes.values()], fields: [...fields.values()] };
}

/** A share of missing things in one span. */
export type Missing = {
  /** How many the share is made of. */
  readonly expected: number;
  /** 0 to 1; null: none was to be expected. */
  readonly share: number | null;
  /** Made of fewer than `FEW` readings: says nothing yet. */
  readonly isFew: boolean;
};

/** Fewer readings than this mean nothing: at ten, one odd page is a tenth. */
export const FEW = 10;

export type FillChange = PageKind & {
  readonly field: string;
  readonly now: Missing;
  readonly before: Missing;
  /** Share now less share before; null when either is unknown. */
  readonly change: number | null;
  /** It was filled and now is mostly missing, by enough readings on both sides. */
  readonly isLost: boolean;
};

/**
 * The field under which answers count that nobody could read at all, of those that should have been: not in a
 * reader's table, because such an answer has no fields.
 */
export const WHOLE_ANSWER = '(answer)';

/** Lost: more than half is missing, at least this much more than before, when it was less than half. */
const LOST_BY = 0.25;

/** Each field of either span once: what changed most first, then by name; what cannot be compared comes last. */
export function fillChanges(now: FillTotals, before: FillTotals): readonly FillChange[] {
  const spans = [sharesOf(now), sharesOf(before)] as const;
  const places = new Map([...spans[0], ...spans[1]].map(([key, { place }]) => [key, place]));
  const rows = [...places].map(([key, place]) =>
    compared(place, spans[0].get(key)?.missing ?? NONE, spans[1].get(key)?.missing ?? NONE),
  );
  const nameOf = (row: FillChange) => `${row.retailer} ${row.pageKind} ${row.field}`;
  return rows.toSorted(
    (a, b) => sizeOf(b) - sizeOf(a) || (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0),
  );
}

const NONE: Missing = { expected: 0, share: null, isFew: true };

type Place = PageKind & { readonly field: string };

function compared(place: Place, now: Missing, before: Missing): FillChange {
  const change = now.share === null || before.share === null ? null : now.share - before.share;
  const isLost =
    now.share !== null &&
    before.share !== null &&
    !now.isFew &&
    !before.isFew &&
    now.share > 0.5 &&
    before.share < 0.5 &&
    now.share - before.share >= LOST_BY;
  return { ...place, now, before, change, isLost };
}

function sizeOf({ change, now, before, isLost }: FillChange): number {
  if (change === null) return -1;
  // A jump that is made of three readings must not stand above one that is made of thousands.
  const isSure = !now.isFew && !before.isFew;
  return (isLost ? 4 : isSure ? 2 : 0) + Math.abs(change);
}

type Shares = ReadonlyMap<string, { readonly place: Place; readonly missing: Missing }>;

/** Every field of a span, the whole answer among them. */
function sharesOf({ outcomes, fields }: FillTotals): Shares {
  const readings = new Map<string, number>();
  const answers = new Map<string, FieldTotal>();
  for (const { retailer, pageKind, outcome, readings: count } of outcomes) {
    const key = `${retailer} ${pageKind}`;
    if (outcome === 'read') readings.set(key, count);
    // A wall, a fault of the shop and a product that is gone say nothing about the reader.
    const isUnread = outcome === 'unreadable' || outcome === 'not_a_product';
    if (outcome !== 'read' && !isUnread) continue;
    const { expected = 0, missing = 0 } = answers.get(key) ?? {};
    answers.set(key, {
      retailer,
      pageKind,
      field: WHOLE_ANSWER,
      expected: expected + count,
      missing: missing + (isUnread ? count : 0),
    });
  }
  const ofFields = fields.map((total): [FieldTotal, number] => {
    const read = readings.get(`${total.retailer} ${total.pageKind}`) ?? 0;
    // Entries of one list stand or fall together: what counts is how many lists there were.
    return [total, Math.min(read, total.expected)];
  });
  const ofAnswers = [...answers.values()].map((total): [FieldTotal, number] => [
    total,
    total.expected,
  ]);
  return new Map([...ofFields, ...ofAnswers].map((each) => entryOf(...each)));
}

function entryOf({ retailer, pageKind, field, expected, missing }: FieldTotal, readings: number) {
  const share = expected === 0 ? null : missing / expected;
  return [
    `${retailer} ${pageKind} ${field}`,
    { place: { retailer, pageKind, field }, missing: { expected, share, isFew: readings < FEW } },
  ] as const;
}
