// Loads what an answer from the store does not need.

import { inSteps } from './in-steps.ts';
import type { wireOutside } from './outside.ts';

const STEPS: readonly (() => Promise<unknown>)[] = [
  () => import('../collect/collect-barcode.ts'),
  () => import('../collect/collect.ts'),
  () => import('../fetch/guarded-fetcher.ts'),
  () => import('./watching.ts'),
];

export async function loadOutside(): Promise<{ readonly wireOutside: typeof wireOutside }> {
  await inSteps(STEPS);
  return await import('./outside.ts');
}
