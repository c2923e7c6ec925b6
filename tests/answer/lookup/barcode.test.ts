import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { toGtin14 } from '../../../src/base/identifiers/gtin.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../../src/base/retailer.ts';
import { startService, type Answer } from '../../support/service.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';

const UNKNOWN = '4006381333931';

test('a barcode that no retailer has is searched once a day, and the answer names the retailers that cannot be searched', async () => {
  const clock = shiftedClock();
  await using service = await startService({ clock, withRetailers: true });
  const first = await service.lookup(UNKNOWN);
  assert.equal(first.status, 404, JSON.stringify(first.body));
  assert.equal(first.body['tokens_consumed'], 0);
  assert.match(String(first.body['detail']), /Not queried.*: .*retailer_t/);
  const asked = service.sandbox.requestCount();
  assert.ok(asked > 0);
  clock.advance(23 * HOUR_MS);
  const second = await service.lookup(UNKNOWN);
  assert.equal(second.status, 404);
  assert.equal(service.sandbox.requestCount(), asked);
  clock.advance(2 * HOUR_MS);
  await service.lookup(UNKNOWN);
  const again = service.sandbox.requestCount();
  assert.ok(again > asked, 'the next day it is asked for again');
  const forced = await service.lookup(UNKNOWN, '?retailer=retailer_a&force_refresh=true');
  assert.equal(forced.status, 404);
  assert.ok(service.sandbox.requestCount() > again, 'a forced refresh always asks');
});

test('a barcode is not called unknown while a retailer that could know it does not answer', async () => {
  const clock = shiftedClock();
  await using service = await startService({ clock, withRetailers: true });
  await service.sandbox.close();
  const answer = await service.lookup(UNKNOWN);
  assert.equal(answer.status, 503);
  assert.match(String(answer.body['detail']), /^No answer from .*retailer_w/);
  assert.ok(answer.headers.get('retry-after') !== null);
});

test('a retailer that is down does not undo what ties its listing to a barcode', async () => {
  const clock = shiftedClock();
  await using service = await startService({ clock, withRetailers: true });
  const { gtin: text } = service.sandbox.describe();
  const gtin = toGtin14(text);
  assert.ok(gtin !== null);
  const tried: { slug: KnownSlug; first: Answer }[] = [];
  // One after the other: what the first retailers confirm is used to judge the hits of those that are searched by words.
  for (const slug of KNOWN_SLUGS) {
    tried.push({ slug, first: await service.lookup(text, `?retailer=${slug}`) });
  }
  const known = tried.filter(({ first }) => first.status === 200);
  assert.ok(known.length > 1);
  // Answers judged before the later retailers were confirmed are requested again afterwards (D56).
  await service.untilQueueIdle();
  const cells = await service.app.store.barcodeAnswers.findAnswers(gtin);
  assert.ok(cells.some(({ identity }) => identity.state === 'unconfirmed'));
  await service.sandbox.close();
  clock.advance(15 * DAY_MS);
  for (const { slug, first } of known) {
    const second = await service.lookup(text, `?retailer=${slug}`);
    assert.equal(second.status, 200, `${slug}: ${JSON.stringify(second.body)}`);
    assert.equal(second.body['in_stock'], first.body['in_stock'], slug);
    const before = cells.find((each) => each.retailer === slug);
    const cell = await service.app.store.barcodeAnswers.findAnswer(gtin, slug);
    assert.deepEqual(cell, { ...before, status: 'error' }, slug);
  }
});

test('a search whose page does not answer is a failure, not "not found"', async () => {
  await using service = await startService({ withRetailers: true });
  const { retailers } = service.sandbox.describe();
  for (const slug of ['retailer_l', 'retailer_b'] as const) {
    const broken = retailers[slug].trouble.broken;
    assert.ok(broken !== undefined);
    const answer = await service.lookup(broken.gtin, `?retailer=${slug}`);
    assert.equal(answer.status, 503, JSON.stringify(answer.body));
    const gtin = toGtin14(broken.gtin);
    assert.ok(gtin !== null);
    assert.equal((await service.app.store.barcodeAnswers.findAnswer(gtin, slug))?.status, 'error');
  }
});

test('what a retailer has taken out is out of stock under its barcode two days later', async () => {
  const clock = shiftedClock();
  await using service = await startService({ clock, withRetailers: true });
  const market = service.sandbox.market();
  const found = market.catalog.find(({ isReliable, trouble }) => isReliable && trouble === null);
  assert.ok(found !== undefined);
  const { gtin14 } = found;
  const rowOf = async (slug: KnownSlug) => {
    const { body } = await service.lookup(
      gtin14,
      '?include_cross_retailer=true&identifier_match=any',
    );
    await service.untilQueueIdle();
    return (body['cross_retailer'] as Record<string, Record<string, unknown>>)[slug] ?? {};
  };
  const taken = ['retailer_b', 'retailer_h', 'retailer_l'] as const;
  await service.lookup(gtin14);
  await service.untilQueueIdle();
  for (const slug of taken) {
    assert.equal((await rowOf(slug))['in_stock'], true, slug);
    const [listing] = market.listingsOf(slug, found);
    assert.ok(listing !== undefined);
    Object.assign(listing, { product: { ...found, trouble: { slug, kind: 'gone' } } });
  }
  for (let day = 1; day <= 2; day += 1) {
    clock.advance(25 * HOUR_MS);
    await rowOf('retailer_w');
  }
  for (const slug of taken) {
    const { price, in_stock: inStock, unavailable } = await rowOf(slug);
    assert.deepEqual(
      { price, inStock, unavailable },
      { price: null, inStock: false, unavailable: true },
      slug,
    );
  }
});
