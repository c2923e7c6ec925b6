// Loads what the first answer from the store does not need: the way to shops, the matcher with the model of the package, and
// calls that are rarer.

import { later } from '../core/once.ts';
import type { Matching } from '../matching/matcher.ts';
import { matchModelText } from '../package-files.ts';
import { inSteps } from './in-steps.ts';
import type { wireOutside } from './outside.ts';

type Steps = readonly (() => Promise<unknown>)[];

const OUTSIDE: Steps = [
  () => import('../collect/collect-barcode.ts'),
  () => import('../collect/collect.ts'),
  () => import('../fetch/guarded-fetcher.ts'),
  () => import('./watching.ts'),
];
const MATCHING: Steps = [
  () => import('../matching/pair/compare.ts'),
  () => import('../matching/group/consensus.ts'),
  () => import('../matching/matcher.ts'),
];

export const historyLookup = later(() => import('../lookup/history/lookup-history.ts'));
export const compareProduct = later(() => import('../lookup/compare-product.ts'));

export async function loadOutside(): Promise<{ readonly wireOutside: typeof wireOutside }> {
  await inSteps(OUTSIDE);
  return await import('./outside.ts');
}

export async function loadMatching(): Promise<Matching> {
  await inSteps(MATCHING);
  const { createMatching } = await import('../matching/matcher.ts');
  const { modelFrom } = await import('../matching/model/model.ts');
  return createMatching(modelFrom(matchModelText()));
}
