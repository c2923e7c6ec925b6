// Limits the state of a watch to the facts that the terms of their sources still allow (D81). Pure.

import { HOUR_MS } from '../../base/clock.ts';
import type { TermsInForce } from '../terms/profiles.ts';
import type { Known, WatchState } from './watch.ts';

type Limits = { readonly terms: TermsInForce; readonly nowMs: number };

/** Whether terms do not allow, or no longer allow, a known state of a listing. */
export function isKnownWithheld(
  { source, atMs }: Pick<Known, 'source' | 'atMs'>,
  { terms, nowMs }: Limits,
): boolean {
  const inForce = source === undefined ? null : terms(source);
  if (inForce === null) return false;
  const { alerts, identityHours } = inForce;
  return !alerts || (identityHours !== null && nowMs >= atMs + identityHours * HOUR_MS);
}

/** Returns a state without the listings that are withheld, and without notified values of them. */
export function stateWithin(state: WatchState, limits: Limits): WatchState {
  const withheld = Object.values(state.known).filter((known) => isKnownWithheld(known, limits));
  if (withheld.length === 0) return state;
  const ids = new Set(withheld.map(({ listingId }) => listingId));
  const known = Object.entries(state.known).filter(([id]) => !ids.has(id));
  const told = Object.entries(state.told).filter(([, { listingId }]) => !ids.has(listingId ?? ''));
  return { known: Object.fromEntries(known), told: Object.fromEntries(told) };
}
