import assert from 'node:assert/strict';

import { contractService } from '../../support/contract-service.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

type Link = Record<string, unknown>;

async function linksOf(id: string, query = ''): Promise<readonly Link[]> {
  const record = await contract.record(id, query);
  assert.equal(record['tokens_consumed'], 1);
  assert.ok(Array.isArray(record['retailer_links']), id);
  return record['retailer_links'] as readonly Link[];
}

proves(
  'PR-39 PR-41 D39a D39c D39d',
  'links stand on every lookup of a known barcode, each with how it was found and how it is tied',
  async () => {
    const { gtin, upc, asin, retailers, url } = contract.world;
    for (const slug of ['retailer_w', 'retailer_a', 'retailer_b'] as const) {
      await contract.record(gtin, `?retailer=${slug}`);
    }
    const links = await linksOf(upc);
    const found = new Map(links.map((link) => [link['retailer'], link]));
    for (const [slug, via, state] of [
      ['retailer_w', 'native_catalog', 'confirmed'],
      ['retailer_b', 'native_catalog', 'confirmed'],
      ['retailer_a', 'retailer_a_catalog', 'unconfirmed'],
    ] as const) {
      const link = found.get(slug);
      assert.deepEqual([link?.['found_via'], link?.['identity_state']], [via, state], slug);
      assert.equal(link?.['url'], retailers[slug].url);
    }
    for (const id of [asin, retailers.retailer_b.url]) {
      assert.ok((await linksOf(id)).length > 0, id);
    }
    assert.ok((await linksOf(gtin, '?retailer=retailer_b')).length > 0, 'beside retailer= too');
    const shop = await linksOf(url.json_ld);
    assert.ok(shop.some((link) => link['found_via'] === 'submitted_url'));
    const { gtin: code, title } = await contract.record(url.open_graph);
    const byCode = await contract.record(String(code));
    assert.equal(byCode['title'], title, 'a barcode is answered from a submitted address');
  },
);

proves(
  'PR-40 D39a D9c',
  'links are absent on a lookup by item id, its address included',
  async () => {
    const { item_id: itemId, retailers } = contract.world;
    for (const id of [itemId, retailers.retailer_w.url]) {
      assert.ok(!('retailer_links' in (await contract.record(id))), id);
    }
  },
);
