// Loads the service in a process that already listens.

import type { openApp } from '../app.ts';
import { inSteps } from './in-steps.ts';

type Program = { readonly openApp: typeof openApp };

const STEPS: readonly (() => Promise<unknown>)[] = [
  () => import('../../base/identifiers/parse-identifier.ts'),
  () => import('./shared-parts.ts'),
  () => import('../../rules/product/compose.ts'),
  () => import('../../answer/lookup/lookup-product.ts'),
  () => import('./lookups.ts'),
  () => import('../../server/listen/endpoints.ts'),
];

let loading: Promise<Program> | null = null;

/** Loads the service; loading begins with the first call. */
export function loadApp(): Promise<Program> {
  return (loading ??= inSteps(STEPS).then(() => import('../app.ts')));
}
