// A small store in which listings, cells, misses, prices, imports, compaction and time change at random, so that cached
// answers can be compared with what is stored.

import { listingName } from '../../src/answer/collect/listing-key.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/clock.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import { tie } from '../../src/rules/product/identity.ts';
import { writeChanges, type AnswerChange } from '../../src/data/answers/answer-writes.ts';
import { barcodeKey } from '../../src/data/history/imported-history.ts';
import { enqueueJob } from '../../src/data/turns/jobs.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import { deleteMiss, upsertMiss } from '../../src/data/answers/misses.ts';
import type { Store } from '../../src/data/store.ts';
import { compactSlice } from './compact-slice.ts';
import { integerBelow, pick } from './random.ts';
import type { stillClock } from './shifted-clock.ts';

export const NOON = Date.UTC(2026, 10, 20, 12);
/** The third is the barcode that the text of the third key may mean, if no such item exists. */
export const GTINS = [
  '00614141000012',
  '00614141000029',
  '00036000291452',
  '10614141000019',
] as const;
export const KEYS = ['4000001', '4000002', '36000291452'] as const;
const RETAILERS: readonly KnownSlug[] = ['retailer_w', 'retailer_e'];
/** Spans used to measure ages, varied by a little more or less. */
const SPANS = [1, MINUTE_MS, HOUR_MS, DAY_MS, 2 * DAY_MS, 14 * DAY_MS] as const;

type Random = () => number;

export const isTrue = (random: Random, share: number): boolean => random() < share;

function someChange(random: Random, nowMs: number): AnswerChange {
  const retailer: KnownSlug = pick(random, RETAILERS);
  const key = pick(random, KEYS);
  const gtin = pick(random, GTINS) as Gtin14;
  const listingId = listingIdOf(retailer, key);
  const atMs = nowMs - integerBelow(random, 3) * pick(random, SPANS);
  const price = { cents: 100 + integerBelow(random, 3) * 900, currency: 'USD' };
  switch (integerBelow(random, 6)) {
    case 0:
      return {
        kind: 'observation',
        observation: { listingId, observedAtMs: atMs, price, inStock: true },
      };
    case 1:
      return answerChange({ retailer, key, gtin, atMs }, isTrue(random, 0.7));
    case 2:
      return {
        kind: 'imported-listing',
        listing: { retailer, key: barcodeKey(gtin), url: '', gtin },
      };
    case 3:
      return {
        kind: 'observation',
        observation: {
          listingId: listingIdOf(retailer, barcodeKey(gtin)),
          observedAtMs: atMs - 40 * DAY_MS,
          price,
          inStock: true,
        },
      };
    case 4:
      return {
        kind: 'offer-list',
        listingId,
        list: { fetchedAtMs: atMs, offersCount: integerBelow(random, 9) },
      };
    default:
      return listingChange(random, { retailer, key, gtin, atMs });
  }
}

type Read = {
  readonly retailer: KnownSlug;
  readonly key: string;
  readonly gtin: Gtin14;
  readonly atMs: number;
};

export function answerChange({ retailer, key, gtin, atMs }: Read, isListed: boolean): AnswerChange {
  return {
    kind: 'barcode-answer',
    answer: {
      gtin,
      retailer,
      status: isListed ? 'ok' : 'not_found',
      listingId: isListed ? listingIdOf(retailer, key) : null,
      identity: tie(gtin, { retailer, listing: { gtin }, fetchedAtMs: atMs }, true),
      source: 'primary',
      foundVia: 'native_catalog',
      checkedAtMs: atMs,
      askedAtMs: atMs,
      judgedBy: null,
    },
  };
}

export function listingChange(random: Random, { retailer, key, gtin, atMs }: Read): AnswerChange {
  const price = { cents: 100 + integerBelow(random, 9) * 100, currency: 'USD' };
  return {
    kind: 'listing',
    listing: {
      retailer,
      key,
      url: `https://www.example.com/ip/${key}`,
      foundVia: 'native_catalog',
      fetchedAtMs: atMs,
      listing: {
        ...EMPTY_LISTING,
        title: pick(random, ['Desk lamp 40 W', 'Desk lamp 40 W black', 'Garden hose 20 m']),
        gtin: isTrue(random, 0.8) ? gtin : null,
        itemId: retailer === 'retailer_w' ? key : null,
        price,
        inStock: isTrue(random, 0.8),
      },
      notes: { missing: [], remarks: [] },
    },
  };
}

/** Stores every listing as read just now, and as the answer for one barcode. */
export async function refill(store: Store, random: Random, nowMs: number): Promise<void> {
  const changes = RETAILERS.flatMap((retailer) =>
    KEYS.slice(0, 2).flatMap((key, at) => {
      const gtin = pick(random, GTINS.slice(0, 2)) as Gtin14;
      const read = listingChange(random, { retailer, key, gtin, atMs: nowMs });
      const asked = (GTINS[at] ?? gtin) as Gtin14;
      return [read, answerChange({ retailer, key, gtin: asked, atMs: nowMs }, true)];
    }),
  );
  await writeChanges(store.sql, changes);
}

/** Makes a random change, in transactions of one or a few changes. A change that breaks a rule of the schema is not made. */
export async function write(store: Store, random: Random, nowMs: number): Promise<string> {
  const { sql } = store;
  if (isTrue(random, 0.05)) {
    await compactSlice(sql, Math.floor(nowMs / DAY_MS), { listings: 9, observations: 99 });
    return 'compaction';
  }
  if (isTrue(random, 0.05)) {
    const gtin = pick(random, GTINS) as Gtin14;
    const subject = { kind: 'barcode', retailer: 'retailer_h', gtin } as const;
    const job = { subject, organizationId: null, priority: 1, runAtMs: nowMs + 365 * DAY_MS };
    await sql.write(enqueueJob(job, nowMs));
    return `job ${gtin}`;
  }
  const key = pick(random, KEYS);
  const name = listingName('retailer_w', key);
  if (isTrue(random, 0.07)) {
    await sql.write(upsertMiss(name, { detail: 'gone', upstream: null }, nowMs));
    return `miss ${name}`;
  }
  if (isTrue(random, 0.07)) {
    const gtin = pick(random, GTINS) as Gtin14;
    const read = listingChange(random, { retailer: 'retailer_w', key, gtin, atMs: nowMs });
    await writeChanges(sql, [read], deleteMiss(name));
    return `read after all ${JSON.stringify(read)}`;
  }
  const changes = Array.from({ length: 1 + integerBelow(random, 2) }, () =>
    someChange(random, nowMs),
  );
  try {
    await writeChanges(sql, changes);
  } catch {
    return 'refused';
  }
  return JSON.stringify(changes);
}

export function passTime(clock: ReturnType<typeof stillClock>, random: Random): string {
  clock.advance(pick(random, SPANS) + integerBelow(random, 3) - 1);
  return `time ${new Date(clock.now()).toISOString()}`;
}
