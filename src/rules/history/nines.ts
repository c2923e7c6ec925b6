// Judges amounts of nines in a price history (D89): each against the previous level of the listing or of another retailer.
// Without a level such an amount becomes a price once it was seen on two days; until then it is not judged. Pure.

import { DAY_MS } from '../../base/clock.ts';
import { isNines } from '../../base/listing/money/nines.ts';
import { createLevelTracker, isWithin, type LevelTracker, type SeenPrice } from './price-level.ts';
import { ACCEPTED_MS, ALIKE, TOO_HIGH } from './suspect-reason.ts';

/** The number of believed prices that make a level. */
const LEVEL_PRICES = 3;
/** Prices of other retailers count if they are at most this much older than the newest of them. */
const PEERS_MS = 30 * DAY_MS;

/**
 * `price`: a price. `placeholder`: stands for no price; `far_placeholder`: at five times the level, which does not become a
 * price however long it lasts. `open`: not judged.
 */
type NinesVerdict = 'price' | 'placeholder' | 'far_placeholder' | 'open';

/** One pass over a history, oldest first. Each instance belongs to one pass. */
export type NinesJudge = {
  readonly judge: (place: number, seen: SeenPrice) => NinesVerdict;
  /** Records a believed price. Call it for amounts of nines too, unless they are open. */
  readonly believe: (seen: SeenPrice) => void;
  /** Returns open amounts that turned out to be placeholders since the last call. */
  readonly takePlaceholders: () => readonly number[];
  /** Ends the pass: later prices of other retailers decide the cases that are still open. */
  readonly end: () => void;
  /** Returns the places of amounts that are not judged. */
  readonly open: () => ReadonlySet<number>;
  /** Returns whether a price of another retailer could change a verdict. */
  readonly isUndecided: () => boolean;
  /**
   * Returns whether only nines have been believed so far, and not for long: such a level may still turn out to be wrong.
   */
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

  /**
   * Returns the highest known estimate of the listing's price. The whole level is computed only if the newest prices do not
   * decide.
   */
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
      if (!isOfNines(seen)) hasOthers = true;
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

/** Returns the prices that other retailers had stated by an instant, without those that are much older than the newest. */
function peersAt(peers: readonly SeenPrice[], atMs: number): readonly number[] {
  const stated = peers.filter(({ observedAtMs }) => observedAtMs <= atMs);
  const newestMs = stated.reduce((newest, each) => Math.max(newest, each.observedAtMs), 0);
  return stated
    .filter(({ observedAtMs }) => observedAtMs >= newestMs - PEERS_MS)
    .map(({ priceCents }) => priceCents);
}

/** Returns whether a price consists only of nines, in whole units of its currency. */
export function isOfNines({ priceCents, decimals }: SeenPrice): boolean {
  return isNines(priceCents, decimals);
}

/** Returns whether two amounts have the same whole units: 999 and 999.99. */
function isSameAmount(a: SeenPrice, b: SeenPrice): boolean {
  return wholeUnits(a) === wholeUnits(b);
}

function wholeUnits({ priceCents, decimals = 2 }: SeenPrice): number {
  return Math.floor(priceCents / 10 ** decimals);
}

const dayNumber = ({ observedAtMs }: SeenPrice): number => Math.floor(observedAtMs / DAY_MS);
