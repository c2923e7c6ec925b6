// The only direction in which a feature can be evidence: more in common never makes two listings less likely to be one
// product, and a rarer word that only one has never makes them more likely. Trees that cannot learn the opposite from their
// training goods are right more often on unseen goods.

import { F } from '../../src/rules/matching/features/feature-names.ts';
import type { FeatureName } from '../../src/rules/matching/features/feature-names.ts';

const FOR: readonly FeatureName[] = [
  'jaccard',
  'sharedSum',
  'sharedRarest',
  'sharedSecond',
  'sharedDigits',
  'sharedNumbers',
  'shortCover',
  'shortCoverTold',
  'longCover',
  'longCoverTold',
  'weighted',
  'balance',
  'grams',
  'gramCover',
  'codeEqual',
  'codeInside',
  'codeInTold',
  'codeSharedCount',
];

const AGAINST: readonly FeatureName[] = [
  'shortRarest',
  'shortSecond',
  'shortDigits',
  'shortNumbers',
  'longRarest',
  'longDigits',
  'longNumbers',
  'codeSiblings',
  'shortCodeLeft',
  'longCodeLeft',
  'amountsOther',
  'editionsOne',
  'accessoriesOne',
  'swaps',
  'swapNumber',
  'swapPlain',
  'swapFramed',
  'putInBehindShort',
  'nearRarity',
  'usedOne',
  'imitationOne',
  'bundleOne',
  'bareOne',
];

const DIRECTIONS: ReadonlyMap<number, number> = new Map([
  ...FOR.map((name) => [F[name], 1] as const),
  ...AGAINST.map((name) => [F[name], -1] as const),
]);

/** Returns 1 if a larger value of the feature can only be evidence for one product, -1 if only against it, otherwise 0. */
export function directionOf(feature: number): number {
  return DIRECTIONS.get(feature) ?? 0;
}
