// The concurrent changes while answers are cached: prices, listings without a barcode, cells, keys, limits, and the clock. Each
// change is acknowledged before the next one begins, so that it is known which answers must reflect it.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { writeChanges } from '../../../src/data/answers/answer-writes.ts';
import type { Store } from '../../../src/data/store.ts';
import type { ShiftedClock } from '../../../tests/support/shifted-clock.ts';
import { integerBelow, pick } from '../../../tests/support/random.ts';
import type { Counted, Product } from './judged.ts';

export type CallerKey = {
  readonly text: string;
  readonly id: string;
  /** By the machine's clock; null: it is valid. */
  revokedMs: number | null;
};

export type World = {
  readonly store: Store;
  readonly clock: ShiftedClock;
  readonly random: () => number;
  readonly products: readonly Product[];
  /** The last changed product. */
  changed: Product;
  readonly keys: CallerKey[];
  /**
   * A separate organization, whose quota is taken away at times. Each change counts two turns, one at its beginning and one at
   * its end: at 2, 6, 10 it has no tokens.
   */
  readonly limited: { readonly name: string; readonly key: string; turns: number };
  /** Jumps of the clock. */
  moves: number;
  readonly made: Record<string, number>;
};

const SPANS = [1_000, MINUTE_MS, HOUR_MS, DAY_MS] as const;

/**
 * Limits that no caller reaches. The throttle budget is longer than any clock jump: a call that read the time before a jump and
 * is charged after it appears to the throttle to come that much too early.
 */
export const WIDE = {
  monthlyQuota: 1_000_000_000,
  throttlePerMinute: 600,
  throttleBurst: 1_000_000,
};

/** Changes the stored data of a product; meanwhile answers about it are not compared with each other. */
async function changeOf(
  world: World,
  product: Product,
  write: () => Promise<unknown>,
): Promise<void> {
  world.changed = product;
  product.steps += 1;
  await write();
  product.steps += 1;
}

/** Writes the next version of a listing, as if its page had just been read. */
export async function writeVersion(
  { store, clock }: Pick<World, 'store' | 'clock'>,
  counted: Counted,
  more: { readonly hasBarcode: boolean; readonly inStock: boolean },
): Promise<void> {
  counted.begun += 1;
  const version = counted.begun;
  const { listing, fromCents, stock } = counted;
  const { inStock } = more;
  stock[version] = inStock;
  const price = { cents: fromCents + version, currency: 'USD' };
  const fetchedAtMs = Math.max(clock.now(), counted.seenAtMs + 1);
  const gtin = more.hasBarcode ? listing.listing.gtin : null;
  await writeChanges(store.sql, [
    {
      kind: 'listing',
      listing: { ...listing, fetchedAtMs, listing: { ...listing.listing, gtin, price, inStock } },
    },
    {
      kind: 'observation',
      observation: { listingId: listing.id, observedAtMs: fetchedAtMs, price, inStock },
    },
  ]);
  counted.acknowledged = version;
  counted.seenAtMs = fetchedAtMs;
}

async function writePrice(world: World): Promise<void> {
  const product = pick(world.random, world.products);
  await changeOf(world, product, () =>
    writeVersion(world, product.listings[0], { hasBarcode: true, inStock: true }),
  );
}

/** Makes a listing of another retailer lose or regain its barcode and its stock. */
async function writeTurbulence(world: World): Promise<void> {
  const { random } = world;
  const product = pick(random, world.products);
  const counted = pick(random, product.listings.slice(1));
  const more = { hasBarcode: random() < 0.5, inStock: random() < 0.5 };
  await changeOf(world, product, () => writeVersion(world, counted, more));
}

async function writeAnswer(world: World): Promise<void> {
  const { store, clock, random } = world;
  const product = pick(random, world.products);
  const { id, retailer, listing } = pick(random, product.listings.slice(1)).listing;
  if (listing.gtin === null) return;
  const nowMs = clock.now();
  const isListed = random() < 0.5;
  const [before] = (await store.barcodeAnswers.findAnswers(listing.gtin)).filter(
    (answer) => answer.retailer === retailer,
  );
  if (before === undefined) return;
  const answer = {
    ...before,
    status: isListed ? ('ok' as const) : ('not_found' as const),
    listingId: isListed ? id : null,
    checkedAtMs: nowMs,
    askedAtMs: nowMs,
  };
  await changeOf(world, product, () =>
    writeChanges(store.sql, [{ kind: 'barcode-answer', answer }]),
  );
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
  const monthlyQuota = limited.turns % 4 === 2 ? WIDE.monthlyQuota : 0;
  limited.turns += 1;
  await store.accounts.updateOrganization({ name: limited.name, monthlyQuota }, clock.now());
  limited.turns += 1;
}

function moveClock(world: World): Promise<void> {
  const { clock, random } = world;
  clock.advance(1 + integerBelow(random, pick(random, SPANS)));
  world.moves += 1;
  return Promise.resolve();
}

const CHANGES: readonly (readonly [string, number, (world: World) => Promise<void>])[] = [
  ['price', 60, writePrice],
  ['listing', 12, writeTurbulence],
  ['answer for a barcode', 12, writeAnswer],
  ['key', 6, replaceKey],
  ['limit', 5, turnLimit],
  ['clock', 5, moveClock],
];
const ALL = CHANGES.reduce((sum, [, share]) => sum + share, 0);

/** Resolves after that many more answers. */
export type Answered = (count: number) => Promise<void>;

/**
 * Makes one change after another until the signal, with up to twice `answers` answers between two changes, so that as many of
 * them can be cached on a slow machine as on a fast one.
 */
export async function keepChanging(
  world: World,
  { answers, answered }: { readonly answers: number; readonly answered: Answered },
  stop: AbortSignal,
): Promise<void> {
  const { random, made } = world;
  while (!stop.aborted) {
    let drawn = integerBelow(random, ALL);
    const [name, , change] = CHANGES.find(([, share]) => (drawn -= share) < 0) ?? CHANGES[0]!;
    await change(world);
    made[name] = (made[name] ?? 0) + 1;
    await answered(integerBelow(random, 2 * answers));
  }
}
