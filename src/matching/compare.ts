// Two prepared listings -> how likely they are one product, and what speaks against it (D40). A few
// microseconds, no text is looked at again. docs/matching.md has the figures.

import { conflictOf, isVetoed } from './conflicts.ts';
import type { Reason } from './conflicts.ts';
import { ModelRelation } from './code-features.ts';
import { F } from './feature-names.ts';
import { featureRow, measureFacts, measureNames } from './features.ts';
import { isHopeless, LEAF_STEPS, nameScore, scoreFrom } from './forest.ts';
import type { Calibration, MatchModel } from './model.ts';
import type { Prepared } from './prepared.ts';

export type Comparison = {
  /** 0 to 1, calibrated: of pairs at 0.9, nine of ten are one product. */
  readonly similarity: number;
  /** What tells them apart; null from the model's threshold on. */
  readonly reason: Reason | null;
  /** The reason in words, `model qn65 vs qn55`; null with it. */
  readonly detail: string | null;
};

export type Band = 'strong' | 'unclear' | 'disagree';

/** What is left when the matter is settled: 2 of 100 such training pairs are labelled matches all the same. */
const SETTLED = 0.01;

const ROW = featureRow();

/** The same for (a, b) and (b, a), but for the order in `detail`. Total. */
export function compare(model: MatchModel, a: Prepared, b: Prepared): Comparison {
  const likeness = similarityOf(model, a, b);
  if (likeness >= model.threshold) return { similarity: likeness, reason: null, detail: null };
  const conflict = conflictOf(a, b);
  return {
    similarity: likeness,
    reason: conflict?.reason ?? 'title',
    detail: conflict?.detail ?? `title "${a.title.slice(0, 80)}" vs "${b.title.slice(0, 80)}"`,
  };
}

/** Only the number of `compare`: for choosing among many. */
export function similarityOf(model: MatchModel, a: Prepared, b: Prepared): number {
  if (isVetoed(a, b)) return SETTLED;
  if (a.gtin !== null && a.gtin === b.gtin) return Math.max(likenessOf(model, a, b), BARCODE);
  return likenessOf(model, a, b);
}

/** Barcodes that agree leave this much doubt: shops mistype them, and reuse them for bundles. */
const BARCODE = 0.98;

function likenessOf({ forest, calibration }: MatchModel, a: Prepared, b: Prepared): number {
  measureNames(a, b, ROW);
  if (areStrangers(ROW)) return SETTLED;
  const names = nameScore(forest, ROW);
  if (isHopeless(forest, names)) return likenessAt(calibration, names);
  measureFacts(a, b, ROW);
  return likenessAt(calibration, scoreFrom(forest, ROW, names));
}

function likenessAt({ slope, offset }: Calibration, score: number): number {
  return 1 / (1 + Math.exp(-(slope * (score / LEAF_STEPS) + offset)));
}

/**
 * No model number in common, and not a tenth of the shorter title anywhere in the other listing: one in a hundred
 * such training pairs is a match. Said outright, because a model that was shown what searches found alike knows
 * little of it, least of all with words that it never saw.
 */
function areStrangers(row: Int32Array): boolean {
  if ((row[F.shortCoverTold] as number) >= TENTH) return false;
  // Scripts without blanks and words with another ending share letters, not words.
  if ((row[F.gramCover] as number) >= HALF) return false;
  const relation = row[F.modelRelation] as number;
  if (relation === ModelRelation.inOther || relation > ModelRelation.siblings) return false;
  return row[F.codeEqual] === 0 && row[F.codeInside] === 0 && row[F.codeInTold] === 0;
}

/** Shares are 0 to 250. */
const TENTH = 25;
const HALF = 125;

/** Below it, two listings contradict each other: 98 of 100 listings of one product are above. */
export const DISAGREES_BELOW = 0.03;

/** What a similarity may be used for: taken for one product as it is, with further signs, or not at all. */
export function bandOf(model: MatchModel, similarity: number): Band {
  if (similarity >= model.strong) return 'strong';
  return similarity < DISAGREES_BELOW ? 'disagree' : 'unclear';
}
