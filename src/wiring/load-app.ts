// Loads the service in a process that listens already. In steps, because a file is loaded without a pause of the event loop:
// who asks meanwhile whether the process is alive waits for one of them and not for all.

import type { openApp } from '../app.ts';
import { createEventLoop } from './event-loop.ts';
import type { wireOutside } from './outside.ts';

type Program = { readonly openApp: typeof openApp };

const STEPS: readonly (() => Promise<unknown>)[] = [
  () => import('../identifiers/parse-identifier.ts'),
  () => import('./shared-parts.ts'),
  () => import('../product/compose.ts'),
  () => import('../matching/compare.ts'),
  () => import('../matching/consensus.ts'),
  () => import('../matching/matcher.ts'),
  () => import('../lookup/lookup-product.ts'),
  () => import('./lookups.ts'),
  () => import('../http/door/endpoints.ts'),
];

const OUTSIDE_STEPS: readonly (() => Promise<unknown>)[] = [
  () => import('../collect/collect-barcode.ts'),
  () => import('../collect/collect.ts'),
  () => import('../fetch/guarded-fetcher.ts'),
  () => import('./watching.ts'),
];

let loading: Promise<Program> | null = null;

/** Begins when it is called for the first time. */
export function loadApp(): Promise<Program> {
  return (loading ??= inSteps(STEPS).then(() => import('../app.ts')));
}

/** What an answer from the store does not need. */
export async function loadOutside(): Promise<{ readonly wireOutside: typeof wireOutside }> {
  await inSteps(OUTSIDE_STEPS);
  return await import('./outside.ts');
}

async function inSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const loop = createEventLoop();
  for (const load of steps) {
    await load();
    await loop.endOfTurn();
  }
}
