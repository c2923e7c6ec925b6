// Two processes over one database read an address that shows another product (D90): one new listing, one notice.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HOUR_MS } from '../../../src/base/clock.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { newDatabase } from '../../support/databases.ts';
import { openScriptedShop } from '../../support/scripted-shop.ts';
import { startService, type Service } from '../../support/service.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';

const SHOP = 'https://www.lamps.example';

function page(name: string, sku: string, price: string): string {
  const offers = { '@type': 'Offer', price, priceCurrency: 'USD' };
  const data = { '@context': 'https://schema.org', '@type': 'Product', name, sku, offers };
  return `<!doctype html><title>${name}</title><script type="application/ld+json">${JSON.stringify(data)}</script><h1>${name}</h1>`;
}

/** Sends a forced lookup with one service's key. */
async function force(service: Service, key: string, address: string): Promise<unknown> {
  const path = `/v1/products/${encodeURIComponent(address)}?force_refresh=true&retailer=lamps`;
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${service.url}${path}`, { headers });
  assert.equal(response.status, 200);
  return ((await response.json()) as { title: unknown }).title;
}

test('two processes that read a moved address at the same time make one listing and one notice', async () => {
  await using database = await newDatabase('migrated');
  const shop = await openScriptedShop([SHOP]);
  try {
    const clock = shiftedClock(Date.UTC(2026, 10, 20, 12));
    const env = {
      DATABASE_URL: database.url,
      OPENSHELF_ORIGINS: shop.origins,
      OPENSHELF_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    await using first = await startService({ clock, env });
    await using second = await startService({ clock, env });
    const services = [first, second, first, second];
    const { key } = first;
    const address = `${SHOP}/p/1`;
    const forceAll = () => Promise.all(services.map((each) => force(each, key, address)));
    shop.answer(address, page('Aurora Desk Lamp', 'AL-204', '89.00'));
    const made = await fetch(`${first.url}/v1/watches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: address, below: 50 }),
    });
    assert.equal(made.status, 200);
    await first.app.checkWatches();
    await first.untilQueueIdle();
    const light = 'Moon Night Light';
    shop.answer(address, page(light, 'NL-19', '19.00'));
    assert.deepEqual(await forceAll(), [light, light, light, light]);
    clock.advance(HOUR_MS + 1_000);
    assert.deepEqual(await forceAll(), [light, light, light, light]);
    await first.untilQueueIdle();
    await second.untilQueueIdle();
    const { sql } = first.app.store;
    const listings = await sql.all(
      'select listing_key, outcome from listings order by listing_key',
    );
    assert.deepEqual(
      listings.map((row) => [row['listing_key'], row['outcome']]),
      [
        [address, 'moved'],
        [`${address}#000002`, 'read'],
      ],
    );
    assert.deepEqual(await checkStore(sql), []);
    const notices = await sql.all('select kind from notices');
    assert.deepEqual(
      notices.map((row) => row['kind']),
      ['moved'],
    );
    const ended = await sql.all('select count(*) as n from observations where price_cents is null');
    assert.equal(Number(ended[0]?.['n']), 1, 'the history ends once');
  } finally {
    await shop.close();
  }
});
