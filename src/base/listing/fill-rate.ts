// Counts how often a field that a kind of answer normally states was missing, by retailer, page kind and field. Comparing two
// periods reveals a reader that no longer finds a field.

/**
 * The result of reading an answer: the kinds of `PageVerdict`, and `moved` for one that was read but shows another product than
 * the address did before (D90).
 */
const READ_OUTCOMES = [
  'read',
  'moved',
  'follow',
  'not_found',
  'not_a_product',
  'blocked',
  'retry',
  'unreadable',
] as const;
export type ReadOutcome = (typeof READ_OUTCOMES)[number];

/** A field that such an answer normally states. */
export type FieldState = {
  readonly field: string;
  /** Whether the answer lacks the field. For a list: whether most of its entries lack it. */
  readonly isMissing: boolean;
};

type PageKind = {
  readonly retailer: string;
  /** The reader's name: `product`, `search`, `offers`, `seller`, `reviews`, `api:<name>`. */
  readonly pageKind: string;
};

/** A counted answer: its kind, its outcome and its fields. */
export type CountedAnswer = PageKind & {
  readonly outcome: ReadOutcome;
  /** The fields of an answer that was read; empty for every other outcome. */
  readonly fields: readonly FieldState[];
};

/** A number of answers of one kind with the same outcome and the same fields. */
export type AnswerCount = CountedAnswer & { readonly answers: number };

type OutcomeTotal = PageKind & {
  readonly outcome: ReadOutcome;
  readonly answers: number;
};
/** How many answers should have had a field, and how many of them lacked it. */
type FieldTotal = PageKind & {
  readonly field: string;
  readonly expected: number;
  readonly missing: number;
};
/** Totals for a period of days. */
export type FillTotals = {
  readonly outcomes: readonly OutcomeTotal[];
  readonly fields: readonly FieldTotal[];
};

/** Adds up the counts by retailer, page kind, outcome and field. */
export function totalsOf(counts: readonly AnswerCount[]): FillTotals {
  const outcomes = new Map<string, OutcomeTotal>();
  const fields = new Map<string, FieldTotal>();
  for (const { retailer, pageKind, outcome, fields: states, answers } of counts) {
    const place = `${retailer} ${pageKind}`;
    const earlier = outcomes.get(`${place} ${outcome}`)?.answers ?? 0;
    outcomes.set(`${place} ${outcome}`, {
      retailer,
      pageKind,
      outcome,
      answers: earlier + answers,
    });
    for (const { field, isMissing } of states) {
      const sum = fields.get(`${place} ${field}`) ?? { expected: 0, missing: 0 };
      fields.set(`${place} ${field}`, {
        retailer,
        pageKind,
        field,
        expected: sum.expected + answers,
        missing: sum.missing + (isMissing ? answers : 0),
      });
    }
  }
  return { outcomes: [...outcomes.values()], fields: [...fields.values()] };
}

/** The share of missing values in one period. */
export type MissingShare = {
  /** The number of answers that the share is based on. */
  readonly expected: number;
  /** 0 to 1; null when no answer was expected to state the field. */
  readonly share: number | null;
  /** Whether the share is based on fewer than `FEW` answers, too few to judge. */
  readonly isFew: boolean;
};

/** Fewer answers than this are not meaningful: with ten, one odd page is a tenth. */
export const FEW = 10;

export type FillChange = PageKind & {
  readonly field: string;
  readonly now: MissingShare;
  readonly before: MissingShare;
  /** The current share minus the previous share; null if either is unknown. */
  readonly change: number | null;
  /** Whether the field was present before and is mostly missing now, with enough answers in both periods. */
  readonly isLost: boolean;
  /** Whether the increase in missing values is too large to be chance. A lost field also counts as worse. */
  readonly isWorse: boolean;
};

/** A period compared with the previous one: a field is worse, none is, or no field has enough answers to compare. */
export type FillVerdict = 'worse' | 'steady' | 'too_few';

/**
 * A pseudo field for answers that should have been readable but were not. No reader's table has it, because such an answer has
 * no fields.
 */
const WHOLE_ANSWER = '(answer)';

/**
 * A field is lost when more than half of the answers lack it, less than half did before, and the share grew by at least this
 * much.
 */
const LOST_BY = 0.25;

/** A field is worse when its share grew by at least this much and both shares are based on at least this many answers. */
const WORSE_BY = [
  { answers: FEW, more: LOST_BY },
  { answers: 100, more: 0.1 },
] as const;

/** Returns the overall verdict on the changes. */
export function fillVerdict(changes: readonly FillChange[]): FillVerdict {
  if (changes.some(({ isWorse }) => isWorse)) return 'worse';
  return changes.some(({ now, before }) => !now.isFew && !before.isFew) ? 'steady' : 'too_few';
}

/**
 * Lists each field of either period once: largest change first, equal changes by name, and those that cannot be compared last.
 */
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

const NONE: MissingShare = { expected: 0, share: null, isFew: true };

type FieldKey = PageKind & { readonly field: string };

function compared(place: FieldKey, now: MissingShare, before: MissingShare): FillChange {
  const change = now.share === null || before.share === null ? null : now.share - before.share;
  const isLost =
    now.share !== null &&
    before.share !== null &&
    !now.isFew &&
    !before.isFew &&
    now.share > 0.5 &&
    before.share < 0.5 &&
    now.share - before.share >= LOST_BY;
  const isWorse =
    change !== null &&
    WORSE_BY.some(
      ({ answers, more }) => Math.min(now.expected, before.expected) >= answers && change >= more,
    );
  return { ...place, now, before, change, isLost, isWorse };
}

function sizeOf({ change, now, before, isLost }: FillChange): number {
  if (change === null) return -1;
  // A jump based on three answers must not rank above one based on thousands.
  const isSure = !now.isFew && !before.isFew;
  return (isLost ? 4 : isSure ? 2 : 0) + Math.abs(change);
}

type FieldShares = ReadonlyMap<
  string,
  { readonly place: FieldKey; readonly missing: MissingShare }
>;

/** Returns every field of a period, including the whole answer. */
function sharesOf({ outcomes, fields }: FillTotals): FieldShares {
  const wholeAnswers = new Map<string, FieldTotal>();
  for (const { retailer, pageKind, outcome, answers } of outcomes) {
    // A bot wall, a shop error or a removed product is not the reader's fault.
    const isUnread = outcome === 'unreadable' || outcome === 'not_a_product';
    if (outcome !== 'read' && !isUnread) continue;
    const { expected = 0, missing = 0 } = wholeAnswers.get(`${retailer} ${pageKind}`) ?? {};
    wholeAnswers.set(`${retailer} ${pageKind}`, {
      retailer,
      pageKind,
      field: WHOLE_ANSWER,
      expected: expected + answers,
      missing: missing + (isUnread ? answers : 0),
    });
  }
  return new Map([...wholeAnswers.values(), ...fields].map(entryOf));
}

function entryOf({ retailer, pageKind, field, expected, missing }: FieldTotal) {
  const share = expected === 0 ? null : missing / expected;
  return [
    `${retailer} ${pageKind} ${field}`,
    { place: { retailer, pageKind, field }, missing: { expected, share, isFew: expected < FEW } },
  ] as const;
}
