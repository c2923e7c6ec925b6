// Pack counts on the wire: retailer_b's pages state none in a field, its titles do.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ProductRecord } from '../../src/wire/product-record.ts';
import { startService, type Service } from '../support/service.ts';

type Truth = {
  readonly url: string;
  readonly trouble: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
};

let service: Service;
let truths: readonly Truth[];

before(async () => {
  service = await startService({ withRetailers: true });
  const [base = ''] = Object.values(service.sandbox.origins);
  const path = '/__truth/retailer?retailer=retailer_b&offset=0&limit=500';
  const rows = (await (await fetch(base + path)).json()) as readonly Truth[];
  truths = rows.filter(({ trouble }) => trouble === null);
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

async function recordOf(url: string) {
  const { status, body } = await service.lookup(
    url,
    '?include_cross_retailer=true&identifier_match=any',
  );
  assert.equal(status, 200, JSON.stringify(body));
  return ProductRecord.parse(body);
}

test('the count that only a title states stands in the record and in the retailer’s cell', async () => {
  const packs = truths.filter(({ facts }) => Number(facts['pack_count']) > 1).slice(0, 5);
  assert.ok(packs.length > 2, 'packs are sold');
  for (const { url, facts } of packs) {
    const record = await recordOf(url);
    assert.equal(record.pack_count, facts['pack_count'], record.title ?? url);
    assert.equal(record.cross_retailer?.['retailer_b']?.pack_count, facts['pack_count'], url);
  }
});

test('a title that states no count leaves it null in both', async () => {
  const singles = truths.filter(({ facts }) => facts['pack_count'] === null).slice(0, 5);
  assert.ok(singles.length > 2);
  for (const { url } of singles) {
    const record = await recordOf(url);
    assert.equal(record.pack_count, null, record.title ?? url);
    assert.equal(record.cross_retailer?.['retailer_b']?.pack_count, null, url);
  }
});
