// No kept answer is ever given that the ordinary way would not give at that moment: whatever is written, in whichever order,
// and however time passes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/clock.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../src/core/retailer.ts';
import type { Gtin14 } from '../../src/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../src/listing/listing.ts';
import { tie } from '../../src/product/identity.ts';
import { writeChanges, type AnswerChange } from '../../src/store/answer-writes.ts';
import { barcodeKey } from '../../src/store/imported-history.ts';
import { enqueueJob } from '../../src/store/jobs.ts';
import { listingIdOf } from '../../src/store/listings.ts';
import { compactSlice } from '../../src/store/maintenance/compact-observations.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';
import { startService, type Service } from '../support/service.ts';
import { stillClock } from '../support/shifted-clock.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const GTINS = ['00614141000012', '00614141000029', '10614141000019'] as const;
const KEYS = ['4000001', '4000002'] as const;
const STEPS = 300;
/** Spans that ages are measured in, and a little more or less than each. */
const SPANS = [1, MINUTE_MS, HOUR_MS, DAY_MS, 2 * DAY_MS, 14 * DAY_MS] as const;

type Random = () => number;

const isTrue = (random: Random, share: number): boolean => random() < share;

function someChange(random: Random, nowMs: number): AnswerChange {
  const retailer: KnownSlug = pick(random, KNOWN_SLUGS.slice(0, 4));
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
    case 1: {
      const listed = isTrue(random, 0.7);
      const record = { retailer, pageBarcode: gtin, checkedAtMs: atMs, isTrusted: true };
      return {
        kind: 'cell',
        cell: {
          gtin,
          retailer,
          status: listed ? 'ok' : 'not_found',
          listingId: listed ? listingId : null,
          identity: tie(gtin, record),
          source: 'primary',
          foundVia: 'native_catalog',
          checkedAtMs: atMs,
          askedAtMs: atMs,
          judgedBy: null,
        },
      };
    }
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

function listingChange(random: Random, { retailer, key, gtin, atMs }: Read): AnswerChange {
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

/** Writes something, in transactions of one or a few changes; a change that breaks a rule of the schema is none. */
async function write(service: Service, random: Random, nowMs: number): Promise<string> {
  const { sql } = service.app.store;
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

function targets(): readonly string[] {
  const rests = ['', '?include_cross_retailer=true&identifier_match=any', '?retailer=retailer_w'];
  return [
    ...GTINS.flatMap((gtin) => rests.map((rest) => `/v1/products/${gtin}${rest}`)),
    ...KEYS.map((key) => `/v1/products/${key}?include_price_series=true`),
    ...GTINS.map((gtin) => `/v1/products/${gtin}/history?retailer=all&timeframe=1y`),
    ...KEYS.map((key) => `/v1/products/${key}/history`),
  ];
}

test('whatever is written and however time passes, a kept answer is the one of now', async (t) => {
  const seed = seedOf(1_717);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const clock = stillClock(NOON);
  await using service = await startService({ clock });
  const ask = async (target: string, headers: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await service.get(target, headers);
    const { tokens_remaining: _, request_id: id, ...same } = body;
    assert.ok(status === 200 || id !== undefined);
    return { status, same };
  };
  const prepared = async (): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^openshelf_prepared_answers_total (\d+)/m.exec(text)?.[1] ?? 0);
  };
  const all = targets();
  let target = pick(random, all);
  let done = 'nothing';
  for (let step = 0; step < STEPS; step += 1) {
    if (isTrue(random, 0.2)) target = pick(random, all);
    if (isTrue(random, 0.25)) done = await write(service, random, clock.now());
    if (isTrue(random, 0.15)) {
      clock.advance(pick(random, SPANS) + integerBelow(random, 3) - 1);
      done = `time ${new Date(clock.now()).toISOString()}`;
    }
    await service.worked();
    const before = await prepared();
    const kept = await ask(target);
    // One that was made schedules work, which may change the next one.
    if ((await prepared()) === before) continue;
    const made = await ask(target, { 'x-ordinary': '1' });
    assert.deepEqual(kept, made, `step ${step}: ${target} after ${done}`);
  }
  const count = await prepared();
  t.diagnostic(`${count} of ${STEPS} answers were kept ones`);
  assert.ok(count > STEPS / 20, `only ${count} kept answers were given`);
});
