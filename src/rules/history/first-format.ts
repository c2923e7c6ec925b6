// Reads the first format of an encoded year, which nothing writes any more. Its texts can be read until their year is compacted
// again. docs/price-history-storage.md describes it. Pure.

import { createBitReader, type BitReader } from './bit-text.ts';
import {
  COUNT_SHORT,
  GAP_SHORT,
  NO_PRICE,
  observationOf,
  readKind,
  readPrice,
  stateBefore,
  type KeptObservation,
  type ObservationState,
} from './year-state.ts';

/** Number of characters of the checksum, and of its bits. */
export const FIRST_CHECKSUM = { characters: 6, bits: 36 };

/** The checksum in the characters behind the version. */
export function firstChecksum(text: string): number {
  return createBitReader(text.slice(1, 1 + FIRST_CHECKSUM.characters), 0, 'single').bits(
    FIRST_CHECKSUM.bits,
  );
}

/** The observations of a text whose checksum is right. Throws BitTextError. */
export function decodeFirst(year: number, text: string): readonly KeptObservation[] {
  const reader = createBitReader(text, 1 + FIRST_CHECKSUM.characters, 'single');
  const count = reader.number(COUNT_SHORT);
  const shorts = { time: reader.bits(5), price: reader.bits(5) };
  const state = stateBefore(year);
  const observations: KeptObservation[] = [];
  while (observations.length < count) {
    readStep(reader, state, shorts);
    observations.push(observationOf(state, 1));
  }
  reader.end();
  return observations;
}

type Shorts = { readonly time: number; readonly price: number };

/* oxlint-disable no-param-reassign -- changing one state in place makes decoding a year cheap */
function readStep(reader: BitReader, state: ObservationState, shorts: Shorts): void {
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
  if (reader.bits(1) === 1) readKind(reader, state);
  if (state.kind !== NO_PRICE) readPrice(reader, state, shorts.price);
}
/* oxlint-enable no-param-reassign */
