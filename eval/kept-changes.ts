// What somebody else changes while answers are kept: prices, listings without a barcode, cells, keys, limits, and the clock. Each
// change is acknowledged before the next one begins, so that it is known which answers must know of it.

import { setTimeout as wait } from 'node:timers/promises';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/core/clock.ts';
import { issueKey } from '../src/metering/keys.ts';
import { writeChanges } from '../src/store/answer-writes.ts';
import type { HeldListing } from '../src/store/listings.ts';
import type { Store } from '../src/store/store.ts';
import type { ShiftedClock } from '../tests/support/shifted-clock.ts';
import { integerBelow, pick } from '../tests/support/random.ts';

/** A price in cents of at least this is a version that was written here. */
export const FIRST_VERSION = 10_000_000;

/** A product whose anchor's price is a count: the versions that were begun and that were acknowledged. */
export type Product = {
  readonly path: string;
  readonly history: string;
  readonly listing: HeldListing;
  begun: number;
  acknowledged: number;
};

export type CallerKey = {
  readonly text: string;
  readonly id: string;
  /** By the machine's clock; null: it is good. */
  revokedMs: number | null;
};

export type World = {
  readonly store: Store;
  readonly clock: ShiftedClock;
  readonly random: () => number;
  /** Their prices are counts, and nothing else of them changes. */
  readonly counted: readonly Product[];
  /** Listings that lose and get back their barcode and stock. */
  readonly turbulent: readonly HeldListing[];
  readonly keys: CallerKey[];
  /** An organization of its own, whose quota is taken away at times. */
  readonly limited: { readonly name: string; readonly key: string; isSpent: boolean };
  /** Changes that were begun or ended: while it stands still, nothing was changed from outside. */
  steps: number;
  readonly made: Record<string, number>;
};

const WIDE = {
  monthlyQuota: 1_000_000_000,
  throttlePerMinute: 60_000_000,
  throttleBurst: 1_000_000,
};
const SPANS = [1_000, MINUTE_MS, HOUR_MS, DAY_MS] as const;

/** The newest price of a listing, as a page that was just read gives it. */
async function writePrice({ store, clock, random, counted }: World): Promise<void> {
  const product = pick(random, counted);
  product.begun += 1;
  const version = product.begun;
  const price = { cents: FIRST_VERSION + version, currency: 'USD' };
  const fetchedAtMs = clock.now();
  const { listing } = product;
  await writeChanges(store.sql, [
    {
      kind: 'listing',
      listing: { ...listing, fetchedAtMs, listing: { ...listing.listing, price, inStock: true } },
    },
    {
      kind: 'observation',
      observation: { listingId: listing.id, observedAtMs: fetchedAtMs, price, inStock: true },
    },
  ]);
  product.acknowledged = version;
}

async function writeTurbulence({ store, clock, random, turbulent }: World): Promise<void> {
  const held = pick(random, turbulent);
  const hasBarcode = random() < 0.5;
  const listing = {
    ...held.listing,
    gtin: hasBarcode ? held.listing.gtin : null,
    inStock: random() < 0.5,
  };
  await writeChanges(store.sql, [
    { kind: 'listing', listing: { ...held, fetchedAtMs: clock.now(), listing } },
  ]);
}

async function writeCell({ store, clock, random, turbulent }: World): Promise<void> {
  const { id, retailer, listing } = pick(random, turbulent);
  if (listing.gtin === null) return;
  const nowMs = clock.now();
  const isListed = random() < 0.5;
  const [before] = (await store.cells.findCells(listing.gtin)).filter(
    (cell) => cell.retailer === retailer,
  );
  if (before === undefined) return;
  await writeChanges(store.sql, [
    {
      kind: 'cell',
      cell: {
        ...before,
        status: isListed ? 'ok' : 'not_found',
        listingId: isListed ? id : null,
        checkedAtMs: nowMs,
        askedAtMs: nowMs,
      },
    },
  ]);
}

async function replaceKey({ store, clock, random, keys }: World): Promise<void> {
  const old = pick(
    random,
    keys.filter(({ revokedMs }) => revokedMs === null),
  );
  const made = await issueKey(
    store.accounts,
    { organization: 'readers', note: null, ...WIDE },
    clock.now(),
  );
  keys.push({ ...made, revokedMs: null });
  await store.accounts.revokeKey(old.id, clock.now());
  old.revokedMs = performance.now();
}

async function turnLimit({ store, clock, limited }: World): Promise<void> {
  const monthlyQuota = limited.isSpent ? WIDE.monthlyQuota : 0;
  limited.isSpent = false;
  await store.accounts.updateOrganization({ name: limited.name, monthlyQuota }, clock.now());
  limited.isSpent = monthlyQuota === 0;
}

async function moveClock({ clock, random }: World): Promise<void> {
  clock.advance(1 + integerBelow(random, pick(random, SPANS)));
  return Promise.resolve();
}

const CHANGES: readonly (readonly [string, number, (world: World) => Promise<void>])[] = [
  ['price', 60, writePrice],
  ['listing', 12, writeTurbulence],
  ['cell', 12, writeCell],
  ['key', 6, replaceKey],
  ['limit', 5, turnLimit],
  ['clock', 5, moveClock],
];
const ALL = CHANGES.reduce((sum, [, share]) => sum + share, 0);

/** Changes one thing after the other, with pauses of up to `mostPauseMs`, until the signal. */
export async function keepChanging(
  world: World,
  mostPauseMs: number,
  stop: AbortSignal,
): Promise<void> {
  const { random, made } = world;
  while (!stop.aborted) {
    let drawn = integerBelow(random, ALL);
    const [name, , change] = CHANGES.find(([, share]) => (drawn -= share) < 0) ?? CHANGES[0]!;
    world.steps += 1;
    await change(world);
    world.steps += 1;
    made[name] = (made[name] ?? 0) + 1;
    await wait(integerBelow(random, mostPauseMs));
  }
}
