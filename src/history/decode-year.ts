// The text of a year -> its observations (packed-observations.ts): all of them as they were, or an error. Pure.

import { BitTextError, createBitReader, type BitReader } from './bit-text.ts';
import { DAY_MS } from '../core/clock.ts';
import {
  CHECKSUM_BITS,
  checksumOf,
  COUNT_SHORT,
  DOLLARS,
  GAP_SHORT,
  HEAD,
  NATIVE,
  NO_PRICE,
  PackError,
  stateBefore,
  VERSION,
  type KeptObservation,
  type PackPlace,
  type State,
} from './encoded-year.ts';

/** What was packed, oldest first. Throws PackError on a text that is not exactly what was written for the place. */
export function unpackObservations(place: PackPlace, text: string): readonly KeptObservation[] {
  if (!text.startsWith(VERSION)) {
    throw new PackError(`version "${text.slice(0, 1)}" is not known to this program`);
  }
  try {
    const told = createBitReader(text.slice(VERSION.length, HEAD)).bits(CHECKSUM_BITS);
    if (told !== checksumOf(place, VERSION, text, HEAD)) throw new PackError('damaged');
    const reader = createBitReader(text, HEAD);
    const count = reader.number(COUNT_SHORT);
    const shorts = { time: reader.bits(5), price: reader.bits(5) };
    const state = stateBefore(place.year);
    const observations: KeptObservation[] = [];
    while (observations.length < count) {
      readStep(reader, state, shorts);
      observations.push(observationOf(state));
    }
    reader.end();
    return observations;
  } catch (error) {
    if (error instanceof PackError) throw error;
    const why = error instanceof BitTextError ? error.message : 'damaged';
    throw new PackError(why, { cause: error });
  }
}

type Shorts = { readonly time: number; readonly price: number };

/* oxlint-disable no-param-reassign -- one state that moves on is what makes reading a year cheap */
function readStep(reader: BitReader, state: State, shorts: Shorts): void {
  if (reader.bits(1) === 0) {
    state.day += 1;
    return;
  }
  const gap = reader.bits(1) === 1 ? 1 : reader.bits(1) === 1 ? 0 : 2 + reader.number(GAP_SHORT);
  state.day += gap;
  if (gap === 0) state.time += 1 + reader.number(shorts.time);
  else if (reader.bits(1) === 1) {
    const sign = reader.bits(1) === 1 ? -1 : 1;
    state.time += sign * (1 + reader.number(shorts.time));
  }
  if (reader.bits(1) === 1) readState(reader, state);
  if (state.kind === NO_PRICE || reader.bits(1) === 0) return;
  const { cents } = state;
  if (reader.bits(1) === 0) state.cents = state.centsBefore;
  else {
    const sign = reader.bits(1) === 1 ? -1 : 1;
    state.cents += sign * (1 + reader.number(shorts.price));
  }
  state.centsBefore = cents;
}

function readState(reader: BitReader, state: State): void {
  state.kind = reader.bits(2);
  state.stock = reader.bits(2);
  state.currency = '';
  if (state.kind !== NATIVE) return;
  const units = Array.from({ length: reader.number(2) }, () => reader.number(7));
  state.currency = String.fromCharCode(...units);
}
/* oxlint-enable no-param-reassign */

function observationOf({ day, time, kind, stock, currency, cents }: State): KeptObservation {
  const observedAtMs = day * DAY_MS + time;
  const inStock = stock === 2 ? null : stock === 1;
  if (kind === DOLLARS) return { observedAtMs, priceCents: cents, inStock, native: null };
  if (kind === NO_PRICE) return { observedAtMs, priceCents: null, inStock, native: null };
  const native = { cents, currency: kind === NATIVE ? currency : null };
  return { observedAtMs, priceCents: null, inStock, native };
}
