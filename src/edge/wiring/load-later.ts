// Loads what the first answer from the store does not need: the way to shops, the matcher with the package's model, and less
// frequent calls.

import { later } from '../../base/once.ts';
import type { Matching } from '../../rules/matching/matcher.ts';
import { matchModelText } from '../package-files.ts';
import { inSteps } from './in-steps.ts';
import type { wireOutside } from './outside.ts';

type Steps = readonly (() => Promise<unknown>)[];

const OUTSIDE: Steps = [
  () => import('../../answer/collect/collect-barcode.ts'),
  () => import('../../answer/collect/collect.ts'),
  () => import('../../egress/guarded-fetcher.ts'),
];
const MATCHING: Steps = [
  () => import('../../rules/matching/pair/compare.ts'),
  () => import('../../rules/matching/group/consensus.ts'),
  () => import('../../rules/matching/matcher.ts'),
];

export const historyLookup = later(() => import('../../answer/lookup/history/lookup-history.ts'));
export const identifying = later(() => import('../../answer/lookup/steps/identify.ts'));
export const compareProduct = later(() => import('../../answer/lookup/compare-product.ts'));

export async function loadOutside(): Promise<{ readonly wireOutside: typeof wireOutside }> {
  await inSteps(OUTSIDE);
  return await import('./outside.ts');
}

export async function loadMatching(): Promise<Matching> {
  await inSteps(MATCHING);
  const { createMatching } = await import('../../rules/matching/matcher.ts');
  const { modelFrom } = await import('../../rules/matching/model/model.ts');
  return createMatching(modelFrom(matchModelText()));
}
