// Observations of one year -> their text (packed-observations.ts). Pure.

import { bitLength, createBitWriter, numberCost, type BitWriter } from './bit-text.ts';
import { DAY_MS } from '../core/clock.ts';
import type { Money } from '../listing/money.ts';
import {
  CHECKSUM_BITS,
  checksumOf,
  COUNT_SHORT,
  DOLLARS,
  firstDayOf,
  GAP_SHORT,
  NATIVE,
  NATIVE_UNKNOWN,
  NO_PRICE,
  stateBefore,
  VERSION,
  type KeptObservation,
  type PackPlace,
  type State,
} from './encoded-year.ts';

/**
 * Packs the observations of one year: at least one, oldest first, no instant twice. Throws RangeError on anything
 * else, because a text that cannot be read back must not replace what it was made from.
 */
export function packObservations(
  place: PackPlace,
  observations: readonly KeptObservation[],
): string {
  const writer = createBitWriter();
  const steps = stepsOf(place.year, observations);
  const timeShort = bestShort(steps.map((step) => step.timeMagnitude));
  const priceShort = bestShort(steps.map((step) => step.priceMagnitude));
  writer.number(observations.length, COUNT_SHORT);
  writer.bits(timeShort, 5);
  writer.bits(priceShort, 5);
  for (const step of steps) writeStep(writer, step, timeShort, priceShort);
  const payload = writer.text();
  const head = createBitWriter();
  head.bits(checksumOf(place, VERSION, payload), CHECKSUM_BITS);
  return VERSION + head.text() + payload;
}

/** One observation as differences; magnitudes are null where nothing of the kind is written. */
type Step = {
  readonly gap: number;
  readonly timeBack: boolean;
  readonly timeMagnitude: number | null;
  readonly state: State | null;
  readonly hasPrice: boolean;
  readonly isPriceBefore: boolean;
  readonly priceDown: boolean;
  readonly priceMagnitude: number | null;
};

function stepsOf(year: number, observations: readonly KeptObservation[]): readonly Step[] {
  if (observations.length === 0) throw new RangeError('nothing to pack');
  const [from, to] = [firstDayOf(year), firstDayOf(year + 1)];
  let before = stateBefore(year);
  return observations.map((seen) => {
    const after = stateAfter(before, seen);
    if (!(after.day >= from && after.day < to)) throw new RangeError(`not of the year ${year}`);
    const gap = after.day - before.day;
    const later = after.time - before.time;
    if (gap < 0 || (gap === 0 && later <= 0)) throw new RangeError('not oldest first');
    const isSame =
      after.kind === before.kind &&
      after.stock === before.stock &&
      after.currency === before.currency;
    const up = after.cents - before.cents;
    const isPriceBefore = up !== 0 && after.cents === before.centsBefore;
    const step: Step = {
      gap,
      timeBack: later < 0,
      timeMagnitude: later === 0 ? null : Math.abs(later) - 1,
      state: isSame ? null : after,
      hasPrice: after.kind !== NO_PRICE,
      isPriceBefore,
      priceDown: up < 0,
      priceMagnitude: up === 0 || isPriceBefore ? null : Math.abs(up) - 1,
    };
    before = after;
    return step;
  });
}

function stateAfter(before: State, seen: KeptObservation): State {
  const { observedAtMs, priceCents, native, inStock } = seen;
  if (!Number.isSafeInteger(observedAtMs)) throw new RangeError(`${observedAtMs} is no instant`);
  if (priceCents !== null && native !== null) throw new RangeError('two prices at once');
  const day = Math.floor(observedAtMs / DAY_MS);
  const price = priceCents ?? native?.cents ?? null;
  if (price !== null && !(Number.isSafeInteger(price) && price > 0)) {
    throw new RangeError(`${price} is no price`);
  }
  const cents = price ?? before.cents;
  return {
    day,
    time: observedAtMs - day * DAY_MS,
    kind: kindOf(priceCents, native),
    stock: inStock === null ? 2 : Number(inStock),
    currency: native?.currency ?? '',
    cents,
    centsBefore: cents === before.cents ? before.centsBefore : before.cents,
  };
}

function kindOf(priceCents: number | null, native: Money | null): number {
  if (priceCents !== null) return DOLLARS;
  if (native === null) return NO_PRICE;
  return native.currency === null ? NATIVE_UNKNOWN : NATIVE;
}

/** The length for which the numbers take the fewest bits together. */
function bestShort(magnitudes: readonly (number | null)[]): number {
  const counts = new Map<number, number>();
  for (const magnitude of magnitudes) {
    if (magnitude === null) continue;
    const length = bitLength(magnitude);
    counts.set(length, (counts.get(length) ?? 0) + 1);
  }
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let short = 0; short < 32; short += 1) {
    let cost = 0;
    for (const [length, count] of counts) cost += count * numberCost(length, short);
    if (cost >= least) continue;
    best = short;
    least = cost;
  }
  return best;
}

function writeStep(writer: BitWriter, step: Step, timeShort: number, priceShort: number): void {
  const { gap, timeMagnitude, state, hasPrice, isPriceBefore, priceMagnitude } = step;
  const isPriceSame = !isPriceBefore && priceMagnitude === null;
  if (gap === 1 && timeMagnitude === null && state === null && isPriceSame) {
    writer.bits(0, 1);
    return;
  }
  writer.bits(1, 1);
  if (gap === 1) writer.bits(1, 1);
  else writer.bits(gap === 0 ? 1 : 0, 2);
  if (gap > 1) writer.number(gap - 2, GAP_SHORT);
  // Two of one day differ in time, and the second is the later one.
  if (gap > 0) writer.bits(timeMagnitude === null ? 0 : 1, 1);
  if (gap > 0 && timeMagnitude !== null) writer.bits(Number(step.timeBack), 1);
  if (timeMagnitude !== null) writer.number(timeMagnitude, timeShort);
  writer.bits(state === null ? 0 : 1, 1);
  if (state !== null) writeState(writer, state);
  if (!hasPrice) return;
  if (isPriceSame) return writer.bits(0, 1);
  writer.bits(isPriceBefore ? 2 : 3, 2);
  if (priceMagnitude === null) return;
  writer.bits(Number(step.priceDown), 1);
  writer.number(priceMagnitude, priceShort);
}

function writeState(writer: BitWriter, { kind, stock, currency }: State): void {
  writer.bits(kind, 2);
  writer.bits(stock, 2);
  if (kind !== NATIVE) return;
  writer.number(currency.length, 2);
  for (let at = 0; at < currency.length; at += 1) writer.number(currency.charCodeAt(at), 7);
}
