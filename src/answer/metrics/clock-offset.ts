// How far this machine's clock is off, judged by the time stamps in the answers of shops.

import { SECOND_MS } from '../../base/clock.ts';

/** The answers that count. A single server may have a wrong clock, or send an answer that a cache has kept. */
const LAST = 8;
const LEAST = 3;

export type ClockOffset = {
  /** Notes the headers of an answer that arrived at `nowMs`. */
  hear(headers: Readonly<Record<string, string>>, nowMs: number): void;
  /** Returns by how much the clock is ahead, in ms; null while too few answers stated a time. */
  ms(): number | null;
};

export function createClockOffset(): ClockOffset {
  let offsets: readonly number[] = [];
  return {
    hear(headers, nowMs) {
      const sentMs = Date.parse(headers['date'] ?? '');
      if (Number.isNaN(sentMs)) return;
      const ageMs = (Number(headers['age']) || 0) * SECOND_MS;
      offsets = [...offsets.slice(1 - LAST), nowMs - sentMs - ageMs];
    },
    // The smallest one: if the clock is off, no server agrees with it.
    ms: () =>
      offsets.length < LEAST
        ? null
        : offsets.reduce((least, each) => (Math.abs(each) < Math.abs(least) ? each : least)),
  };
}
