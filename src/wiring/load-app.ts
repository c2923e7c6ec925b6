// Loads the service in a process that listens already. In steps, because a file is loaded without a pause of the event loop:
// who asks meanwhile whether the process is alive waits for one of them and not for all.

import type { openApp } from '../app.ts';
import { createEventLoop } from './event-loop.ts';

type Program = { readonly openApp: typeof openApp };

const STEPS: readonly (() => Promise<unknown>)[] = [
  () => import('../identifiers/parse-identifier.ts'),
  () => import('./shared-parts.ts'),
  () => import('../collect/collect-barcode.ts'),
  () => import('../collect/collect-own.ts'),
  () => import('../collect/collect.ts'),
  () => import('../fetch/guarded-fetcher.ts'),
  () => import('../product/compose.ts'),
  () => import('../matching/compare.ts'),
  () => import('../matching/consensus.ts'),
  () => import('../matching/matcher.ts'),
  () => import('../lookup/lookup-product.ts'),
  () => import('./lookups.ts'),
  () => import('../http/door/endpoints.ts'),
];

let loading: Promise<Program> | null = null;

/** Begins when it is called for the first time. */
export function loadApp(): Promise<Program> {
  return (loading ??= loadInSteps());
}

async function loadInSteps(): Promise<Program> {
  const loop = createEventLoop();
  for (const load of STEPS) {
    await load();
    await loop.endOfTurn();
  }
  return await import('../app.ts');
}
