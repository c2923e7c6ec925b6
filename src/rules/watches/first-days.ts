// The first days of a watched listing (D89): until three of its prices, an hour apart, are believed, watches use a price below
// half or above double the one before only if a second reading at least an hour later repeats it. Pure.

import { HOUR_MS } from '../../base/clock.ts';
import {
  barsOf,
  believedObservations,
  judgedOf,
  newestDoubt,
  type Observation,
  type Peers,
  type PriceBar,
} from '../history/daily-bars.ts';
import { isWithin } from '../history/price-level.ts';

/** This many believed prices end the first days. */
const SETTLED = 3;
/** A change within this factor needs no second reading. One reading repeats another within it. */
const NEAR = 2;

/** What keeps watches from using a price (D68, D89). */
type WatchDoubt = NonNullable<ReturnType<typeof newestDoubt>> | 'unrepeated';

/** Returns why watches do not use the newest price; null if they do, or there is none. The input may be in any order. */
export function watchDoubt(observations: readonly Observation[], peers: Peers): WatchDoubt | null {
  const doubt = newestDoubt(observations, peers);
  if (doubt !== null) return doubt;
  const believed = believedObservations(observations, peers);
  const newest = believed.at(-1);
  return newest !== undefined && unrepeatedOf(believed).has(newest) ? 'unrepeated' : null;
}

/** Returns the bars of the prices that watches use or that are marked in them. */
export function watchedBars(
  observations: readonly Observation[],
  peers: Peers,
): readonly PriceBar[] {
  const unrepeated = unrepeatedOf(believedObservations(observations, peers));
  return barsOf(judgedOf(observations, peers).filter((each) => !unrepeated.has(each)));
}

/** Returns the prices of the first days that no second reading has repeated; the believed prices are given, oldest first. */
function unrepeatedOf(believed: readonly Observation[]): ReadonlySet<Observation> {
  const unrepeated = new Set<Observation>();
  let run: readonly Observation[] = [];
  let settled: readonly Observation[] = [];
  let before: Observation | null = null;
  for (const seen of believed) {
    if (settled.length === SETTLED) break;
    if (before !== null && !isNear(seen, before)) {
      const [first] = run;
      run = first !== undefined && isNear(seen, first) ? [...run, seen] : [seen];
      unrepeated.add(seen);
      if (seen.observedAtMs - (run[0] ?? seen).observedAtMs < HOUR_MS) continue;
    } else run = [seen];
    for (const each of run) {
      unrepeated.delete(each);
      const isApart = each.observedAtMs - (settled.at(-1)?.observedAtMs ?? -HOUR_MS) >= HOUR_MS;
      if (isApart) settled = [...settled, each];
    }
    run = [];
    before = seen;
  }
  return unrepeated;
}

function isNear(a: Observation, b: Observation): boolean {
  return isWithin(a.priceCents ?? 0, b.priceCents ?? 0, NEAR);
}
