// Loads what compares listings, with the model that the package has.

import type { Matching } from '../matching/matcher.ts';
import { matchModelText } from '../package-files.ts';
import { inSteps } from './in-steps.ts';

const STEPS: readonly (() => Promise<unknown>)[] = [
  () => import('../matching/pair/compare.ts'),
  () => import('../matching/group/consensus.ts'),
  () => import('../matching/matcher.ts'),
];

export async function loadMatching(): Promise<Matching> {
  await inSteps(STEPS);
  const { createMatching } = await import('../matching/matcher.ts');
  const { modelFrom } = await import('../matching/model/model.ts');
  return createMatching(modelFrom(matchModelText()));
}
