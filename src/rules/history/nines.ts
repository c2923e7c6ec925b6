// Judges amounts of nines in a price history (D89): each against the level that the listing, or another retailer, had before it.
// Without a level such an amount is a price once it stood on two days; until then it is not judged. Pure.

import { DAY_MS } from '../../base/clock.ts';
import { isNines } from '../../base/listing/money/nines.ts';
import { createLevelTracker, isWithin, type LevelTracker, type SeenPrice } from './price-level.ts';
import { ACCEPTED_MS, ALIKE, TOO_HIGH } from './suspect-reason.ts';

/** So many believed prices are a level. */
const LEVEL_PRICES = 3;
/** Prices of other retailers count as long as they are at most so much older than the newest of them. */
const PEERS_MS = 30 * DAY_MS;

/**
 * `price`: a price. `placeholder`: stands for no price; `far_placeholder`: at five times the level, which no length of time makes
 * a price. `open`: not judged.
 */
type NinesVerdict = 'price' | 'placeholder' | 'far_placeholder' | 'open';

/** One pass over a history, oldest first. Each instance belongs to one pass. */
export type NinesJudge = {
  readonly judge: (place: number, seen: SeenPrice) => NinesVerdict;
  /** Takes note of a believed price. Call it for amounts of nines too, unless they are open. */
  readonly believe: (seen: SeenPrice) => void;
  /** Open amounts that turned out to be placeholders since the last call. */
  readonly takePlaceholders: () => readonly number[];
  /** Ends the pass: what other retailers stated later decides about what is still open. */
  readonly end: () => void;
  /** Places of amounts that are not judged. */
  readonly open: () => ReadonlySet<number>;
  /** Whether a price of another retailer could change what was judged. */
  readonly isUndecided: () => boolean;
  /** Whether nothing but nines was believed so far, and not for long: a level that may still turn out to be none. */
  readonly isUnsettled: (atMs: number) => boolean;
};

type Open = { readonly place: number; readonly seen: SeenPrice };

/** `peers` are believed prices of the same product at others of the seven retailers, in any order. */
export function createNinesJudge(peers: readonly SeenPrice[]): NinesJudge {
  let own: LevelTracker | null = null;
  let believed = 0;
  let firstMs = Number.POSITIVE_INFINITY;
  let hasOthers = false;
  let isUndecided = false;
  let open: Open[] = [];
  let placeholders: number[] = [];

  /** The most that is known of what the listing costs. The whole level is computed only where the newest prices do not decide. */
  const ownAt = (cents: number): number => {
    if (own === null) return 0;
    const now = Math.max(own.recent(), own.last()?.priceCents ?? 0);
    return cents <= now * ALIKE ? now : Math.max(now, own.level().high);
  };
  const againstLevel = ({ priceCents }: SeenPrice, atMs: number): NinesVerdict => {
    const top = ownAt(priceCents);
    if (priceCents <= top * ALIKE) return 'price';
    const others = peersAt(peers, atMs);
    if (others.some((cents) => isWithin(cents, priceCents, ALIKE))) return 'price';
    const isOwn = believed >= LEVEL_PRICES;
    if (!isOwn && others.length === 0) return 'open';
    const level = isOwn ? top : Math.max(top, ...others);
    if (priceCents <= level * ALIKE) return 'price';
    return priceCents >= level * TOO_HIGH ? 'far_placeholder' : 'placeholder';
  };
  const count = ({ observedAtMs }: SeenPrice): void => {
    believed += 1;
    firstMs = Math.min(firstMs, observedAtMs);
  };
  const settleOpen = (atMs: number): void => {
    open = open.filter(({ place, seen }) => {
      const verdict = againstLevel(seen, atMs);
      if (verdict === 'price') count(seen);
      else if (verdict !== 'open') placeholders.push(place);
      return verdict === 'open';
    });
  };
  return {
    judge(place, seen) {
      settleOpen(seen.observedAtMs);
      if (seen.isBacked === true) return 'price';
      const verdict = againstLevel(seen, seen.observedAtMs);
      if (verdict !== 'open') return verdict;
      isUndecided = true;
      const same = open.filter((each) => isSameAmount(each.seen, seen));
      if (same.some((each) => dayNumber(each.seen) !== dayNumber(seen))) {
        open = open.filter((each) => !same.includes(each));
        for (const each of same) count(each.seen);
        return 'price';
      }
      open.push({ place, seen });
      return 'open';
    },
    believe(seen) {
      own ??= createLevelTracker(seen.priceCents);
      own.add(seen);
      count(seen);
      if (!isNines(seen.priceCents)) hasOthers = true;
      if (open.length > 0) settleOpen(seen.observedAtMs);
    },
    takePlaceholders() {
      const taken = placeholders;
      placeholders = [];
      return taken;
    },
    end: () => settleOpen(Number.POSITIVE_INFINITY),
    open: () => new Set(open.map(({ place }) => place)),
    isUndecided: () => isUndecided,
    isUnsettled: (atMs) => !hasOthers && atMs - firstMs < ACCEPTED_MS && believed > 0,
  };
}

/** The prices that other retailers had stated by an instant, without those that are much older than the newest. */
function peersAt(peers: readonly SeenPrice[], atMs: number): readonly number[] {
  const stated = peers.filter(({ observedAtMs }) => observedAtMs <= atMs);
  const newestMs = stated.reduce((newest, each) => Math.max(newest, each.observedAtMs), 0);
  return stated
    .filter(({ observedAtMs }) => observedAtMs >= newestMs - PEERS_MS)
    .map(({ priceCents }) => priceCents);
}

/** Whether two amounts have the same whole dollars: 999 and 999.99. */
function isSameAmount(a: SeenPrice, b: SeenPrice): boolean {
  return Math.floor(a.priceCents / 100) === Math.floor(b.priceCents / 100);
}

const dayNumber = ({ observedAtMs }: SeenPrice): number => Math.floor(observedAtMs / DAY_MS);
