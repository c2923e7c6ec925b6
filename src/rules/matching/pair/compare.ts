// Compares two prepared listings: how likely they are one product, and the contradictions (D40). Takes a few microseconds
// and does not read any text again. Measurements are in docs/figures.md.

import { conflictOf, isVetoed } from './conflicts.ts';
import type { Reason } from './conflicts.ts';
import { Near, nearness } from '../features/change-features.ts';
import { ModelRelation } from '../features/code-features.ts';
import { F } from '../features/feature-names.ts';
import { featureRow, measureFacts, measureNames } from '../features/features.ts';
import { isHopeless, LEAF_STEPS, nameScore, scoreFrom } from '../model/forest.ts';
import { At } from '../prepared/layout.ts';
import type { Calibration, MatchModel } from '../model/model.ts';
import { haveOtherSigns, otherValue } from './other-values.ts';
import type { Prepared } from '../prepared/prepared.ts';
import { distinguishingDifference } from './distinguishing-differences.ts';

type PairComparison = {
  /** 0 to 1, calibrated on pairs like those in training; on other goods it is too certain (docs/figures.md). */
  readonly similarity: number;
  /** The difference that distinguishes them; null at or above the model's threshold. */
  readonly reason: Reason | null;
  /** The reason in words, such as `model qn65 vs qn55`; null without a reason. */
  readonly detail: string | null;
};

type Band = 'strong' | 'unclear' | 'disagree';

/** The similarity of a vetoed pair: 2 of 100 such training pairs are labelled matches nevertheless. */
export const VETOED = 0.01;

/**
 * The minimum similarity of two listings with one title, however few titles have its words. Of the labelled pairs with one
 * title of four and more words, without Amazon-Google, 340 of 366 are matches; a shorter one names a kind of goods as often
 * as a product.
 */
export const SAME_TITLE = 0.93;
const SAME_SHORT_TITLE = 0.5;

/**
 * The maximum similarity of two listings with a difference that shows two products (`distinguishing-differences.ts`) or another
 * value in one place (`other-values.ts`).
 */
const DISTINGUISHED = 0.15;

const ROW = featureRow();

/**
 * The largest share of unknown words that counts. The measured pairs hardly exceed it, so the effect of a larger share is
 * unknown.
 */
export const MOST_UNKNOWN = 0.6;

/** Symmetric, except for the order of the two sides in `detail`. Never throws. */
export function comparePair(model: MatchModel, a: Prepared, b: Prepared): PairComparison {
  const likeness = similarityOf(model, a, b);
  if (likeness >= model.threshold) return { similarity: likeness, reason: null, detail: null };
  const conflict = conflictOf(a, b);
  return {
    similarity: likeness,
    reason: conflict?.reason ?? 'title',
    detail: conflict?.detail ?? `title "${a.title.slice(0, 80)}" vs "${b.title.slice(0, 80)}"`,
  };
}

/** Returns only the similarity, for choosing among many. */
export function similarityOf(model: MatchModel, a: Prepared, b: Prepared): number {
  if (isVetoed(a, b)) return VETOED;
  return Math.max(likenessOf(model, a, b), leastOf(a, b));
}

/** Returns the minimum similarity of a pair without a veto, due to an equal barcode or an equal title; 0 without either. */
export function leastOf(a: Prepared, b: Prepared): number {
  if (a.gtin !== null && a.gtin === b.gtin) return BARCODE;
  if (!haveSameTitle(a, b)) return 0;
  return (a.numbers[At.words] as number) < LEAST_TITLE ? SAME_SHORT_TITLE : SAME_TITLE;
}

/** The fewest words for an equal title to count. Shorter titles name a kind of goods: "Ruled notebook A5". */
const LEAST_TITLE = 4;

/**
 * The most repeated words in a title. A title with more is a page title, and the difference follows the words that all pages
 * of the shop share.
 */
const MOST_REPEATED = 2;

/**
 * Returns whether two listings have the same title, word for word. The model alone is uncertain about such a pair if the words
 * are new to it. The words must be the same in the same order, no number may have another sign, and the model fields may not
 * contain sibling numbers.
 */
function haveSameTitle(a: Prepared, b: Prepared): boolean {
  const [one, two] = [a.numbers, b.numbers];
  const count = one[At.words] as number;
  if (count === 0 || count !== two[At.words] || one[At.firstWord] !== two[At.firstWord])
    return false;
  if (one[At.orderTotal] !== two[At.orderTotal]) return false;
  for (let at = 0; at < count; at += 1) {
    const place = At.startWords + at;
    // The words are sorted by hash, followed by their positions.
    if (one[place] !== two[place] || one[place + 3 * count] !== two[place + 3 * count])
      return false;
  }
  if (Math.max(one[At.repeated] as number, two[At.repeated] as number) > MOST_REPEATED)
    return false;
  if (haveOtherSigns(a.title, b.title)) return false;
  return a.model === null || b.model === null || !areSiblings(a.model, b.model);
}

/** `hk1750` and `hk1850` are siblings; a shop's own number next to the maker's is not evidence. */
function areSiblings(one: string, two: string): boolean {
  return one !== two && nearness(one, two) !== Near.no;
}

/**
 * Writes the features of a pair into `row`. Returns false, with only some of them written, if the pair is settled without
 * the trees: by a veto, by a difference that shows two products, or because the two have nothing in common.
 */
export function measureUnsettled(a: Prepared, b: Prepared, row: Int32Array): boolean {
  if (isVetoed(a, b)) return false;
  const overlap = measureNames(a, b, row);
  if (areUnrelated(row)) return false;
  measureFacts(a, b, overlap, row);
  return !areDistinguished(a, b);
}

/** Returns the mean share, 0 to 1, of the words of two titles that are in no counted title, or only in one. */
export function unknownOf({ numbers: one }: Prepared, { numbers: two }: Prepared): number {
  return ((one[At.unknown] as number) + (two[At.unknown] as number)) / 500;
}

/** The minimum similarity with equal barcodes. Below 1 because shops mistype barcodes and reuse them for bundles. */
const BARCODE = 0.98;

function likenessOf({ forest, calibration }: MatchModel, a: Prepared, b: Prepared): number {
  const overlap = measureNames(a, b, ROW);
  if (areUnrelated(ROW)) return VETOED;
  const names = nameScore(forest, ROW);
  const unknown = Math.min(MOST_UNKNOWN, unknownOf(a, b));
  if (isHopeless(forest, names)) return likenessAt(calibration, names, unknown);
  measureFacts(a, b, overlap, ROW);
  const likeness = likenessAt(calibration, scoreFrom(forest, ROW, names), unknown);
  return likeness > DISTINGUISHED && areDistinguished(a, b) ? DISTINGUISHED : likeness;
}

/**
 * Returns whether a difference between the titles shows two products. Differing model numbers are left to the trees, because
 * one product may have the maker's number and a shop's.
 */
function areDistinguished(a: Prepared, b: Prepared): boolean {
  return distinguishingDifference(a, b) !== null || otherValue(a, b)?.areCodes === false;
}

function likenessAt(calibration: Calibration, score: number, share: number): number {
  const { slope, offset, unknown } = calibration;
  return 1 / (1 + Math.exp(-(slope * (score / LEAF_STEPS) + offset + unknown * share)));
}

/**
 * Returns whether there is no common model number, and less than a tenth of the shorter title anywhere in the other
 * listing: one in a hundred such training pairs is a match. A rule, because the training pairs come from searches and
 * contain few unrelated listings, and the model is uncertain about unseen words.
 */
function areUnrelated(row: Int32Array): boolean {
  if ((row[F.shortCoverTold] as number) >= TENTH) return false;
  // Scripts without spaces, and words with different endings, share letters but no words.
  if ((row[F.gramCover] as number) >= HALF) return false;
  const relation = row[F.modelRelation] as number;
  if (relation === ModelRelation.inOther || relation > ModelRelation.siblings) return false;
  return row[F.codeEqual] === 0 && row[F.codeInside] === 0 && row[F.codeInTold] === 0;
}

/** Shares are 0 to 250. */
const TENTH = 25;
const HALF = 125;

/**
 * Below this similarity two listings contradict each other. Among listings of one product, in seven kinds of goods unknown
 * to the model and without prices, 97.3 of 100 are above (98.9 of those not settled by a veto), and 40 of 100 pairs of two
 * products are below.
 */
export const DISAGREES_BELOW = 0.011;

/** Returns whether a similarity is sufficient for one product on its own, needs further evidence, or contradicts it. */
export function bandOf(model: MatchModel, similarity: number): Band {
  if (similarity >= model.strong) return 'strong';
  return similarity < DISAGREES_BELOW ? 'disagree' : 'unclear';
}
