// What a retailer's own reader takes from the state in its page's scripts is a candidate too (D85).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startSandbox } from '../../../sandbox/server.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { savedPage } from '../../../src/edge/cli/products/saved-page.ts';
import { readCandidates } from '../../../src/read/candidates/candidates.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { readProductPage } from '../../../src/read/retailers/registry.ts';

test('of a page of each retailer the price, stock and barcode that were read are candidates that were taken', async () => {
  const nowMs = Date.UTC(2026, 10, 20, 12);
  await using sandbox = await startSandbox({
    seed: 7,
    now: () => nowMs,
    retailers: publicOrigins(),
  });
  const { url: urls } = sandbox.describe();
  const places = new Set<string | null>();
  for (const slug of KNOWN_SLUGS) {
    const url = urls[slug] ?? '';
    const { origin, pathname } = new URL(url);
    const answer = await fetch(`${sandbox.origins[origin]}${pathname}`);
    const page = savedPage(await answer.bytes(), { url, contentType: 'text/html' });
    const read = readProductPage(page, slug);
    const seen = readCandidates(page, slug);
    assert.ok(read.kind === 'read' && seen.kind === 'read', slug);
    const { price, inStock, gtin } = read.value;
    const taken = seen.value.candidates.filter(({ isTaken }) => isTaken);
    for (const { said, readFrom, why } of taken) {
      if (said.field === 'price') assert.equal(said.money.cents, price?.cents, slug);
      if (said.field === 'stock') assert.equal(said.inStock, inStock, slug);
      if (said.field === 'barcode') assert.equal(said.gtin, gtin, slug);
      if (readFrom === 'state') assert.equal(why, 'It was taken.');
    }
    const fields = new Set(taken.map(({ said }) => said.field));
    const wanted = [
      ...(gtin === null ? [] : ['barcode']),
      ...(price === null ? [] : ['price']),
      ...(inStock === null ? [] : ['stock']),
    ];
    const isState = read.value.priceReadFrom === 'state';
    if (isState) assert.deepEqual([...fields].sort(), wanted, slug);
    taken.forEach(({ readFrom }) => places.add(readFrom));
  }
  assert.ok(places.has('state') && places.has('visible'), [...places].join());
});
