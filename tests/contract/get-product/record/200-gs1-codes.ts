import assert from 'node:assert/strict';

import { at, contractService, productPath, refused } from '../../support/contract-service.ts';
import { OWN_SHOP, OWN_SLUG, productPage } from '../../support/own-shop.ts';
import { proves } from '../../support/proves.ts';

/** No retailer of the market has it. */
const ONLY_HERE = '04006381333931';
const PAGE = `/01/${ONLY_HERE}/10/LOT-1`;

const UNASKED = '/01/4012345678918';
/** A store assigns such codes to its own goods. */
const RESTRICTED = '/01/00212345678909';

const contract = contractService({
  pages: {
    [UNASKED]: productPage({ name: 'Oak Shelf' }),
    [RESTRICTED]: productPage({ name: 'Oak Stool' }),
    [PAGE]: productPage({ name: 'Oak Desk Lamp', gtin14: ONLY_HERE }),
  },
});

const gtinHere = () => contract.world.upc.padStart(14, '0');

proves('D75a', 'an element string is its GTIN in every route', async () => {
  const gtin = gtinHere();
  const plain = await contract.record(contract.world.upc);
  await contract.untilQueueIdle();
  for (const text of [
    `(01)${gtin}(17)251231(10)A/B`,
    `]d201${gtin}10A/B\u001d21x`,
    `]C101${gtin}`,
    `01${gtin}`,
  ]) {
    const record = await contract.record(text);
    assert.deepEqual([record['gtin'], record['title']], [gtin, plain['title']], text);
  }
  const text = `(01)${gtin}(10)A`;
  const history = await contract.ok(productPath(text, '/history'));
  assert.equal(history['identifier'], gtin);
  const reviews = await contract.ok(productPath(text, '/reviews'));
  assert.equal(reviews['identifier'], gtin);
  const refreshed = await contract.refresh(text, '?include_offers_reviews=false');
  assert.deepEqual([refreshed.status, refreshed.body['gtin']], [200, gtin]);
  const forced = await contract.record(text, '?retailer=retailer_w&force_refresh=true');
  assert.equal(forced['gtin'], gtin);
});

proves('D75b', 'a Digital Link is answered as its barcode, and its page is not asked', async () => {
  const gtin = gtinHere();
  for (const address of [`https://id.gs1.org/01/${gtin}`, `${OWN_SHOP}/gtin/${gtin.slice(2)}`]) {
    const record = await contract.record(address);
    assert.equal(record['gtin'], gtin);
    assert.notEqual(at(record, '_meta.source'), OWN_SLUG);
    const query = new URLSearchParams({ url: address });
    assert.equal((await contract.ok(`/v1/products?${query.toString()}`))['gtin'], gtin);
    const there = await contract.record(address, '?retailer=retailer_w');
    assert.equal(there['gtin'], gtin);
    const history = await contract.ok(productPath(address, '/history'));
    assert.equal(history['identifier'], gtin);
  }
});

proves('D75b', 'a Digital Link whose barcode nobody has, or answers for, is its page', async () => {
  const address = OWN_SHOP + PAGE;
  const record = await contract.record(address);
  assert.deepEqual([record['title'], record['gtin']], ['Oak Desk Lamp', ONLY_HERE]);
  const own = await contract.record(address, `?retailer=${OWN_SLUG}`);
  assert.equal(own['title'], 'Oak Desk Lamp');
  contract.sandbox.disturb('retailer_w', 'down');
  try {
    assert.equal((await contract.record(OWN_SHOP + UNASKED))['title'], 'Oak Shelf');
    refused(await contract.lookup(`${OWN_SHOP}/01/04012345678901`), 503, 'upstream_unavailable');
  } finally {
    contract.sandbox.disturb('retailer_w', null);
  }
  const missing = refused(await contract.lookup(`${OWN_SHOP}/01/04012345678925`), 404, 'not_found');
  assert.match(String(missing['detail']), /None of the retailers queried has a product/);
});

proves(
  'D75b',
  'a watch of a Digital Link watches its barcode, and of one among addresses its page',
  async () => {
    const watched = async (body: Readonly<Record<string, unknown>>) => {
      const headers = { 'content-type': 'application/json' };
      const call = { method: 'POST', headers, body: JSON.stringify(body) };
      const made = await contract.ok('/v1/watches', call);
      await contract.app.checkWatches();
      await contract.untilQueueIdle();
      const path = `/v1/watches/${String(at(made, 'watch.id'))}`;
      const seen = at(await contract.ok(path), 'watch.listings') as Record<string, unknown>[];
      await contract.ok(path, { method: 'DELETE' });
      return seen.map(({ retailer }) => retailer);
    };
    const link = `https://id.gs1.org/01/${gtinHere()}`;
    assert.deepEqual(await watched({ identifier: link, retailer: 'retailer_h' }), ['retailer_h']);
    assert.deepEqual(await watched({ addresses: [OWN_SHOP + PAGE] }), [OWN_SLUG]);
    // No product has such a code: only the page can be meant.
    assert.deepEqual(await watched({ identifier: OWN_SHOP + RESTRICTED }), [OWN_SLUG]);
  },
);

proves('D75c', 'a malformed element string and a compressed link are 400, with words', async () => {
  for (const [text, said] of [
    ['(01)00614141000006', /check digit of \(01\)00614141000006 is wrong: 5 would be right/],
    ['(01)614141000005', /with its leading zeros it is \(01\)00614141000005/],
    ['(00)106141412345678908', /no \(01\)/],
    [']d2010061414100000517ABCDEF', /\(17\) USE BY or EXPIRY takes 6 digits/],
    ['https://id.gs1.org/ARHKVAdpQg', /compressed GS1 Digital Link.*09780345418913/],
  ] as const) {
    for (const suffix of ['', '/history', '/reviews']) {
      const body = refused(
        await contract.call(productPath(text, suffix)),
        400,
        'invalid_identifier',
      );
      assert.match(String(body['detail']), said);
    }
  }
  assert.equal(
    refused(await contract.lookup('http://10.0.0.1/01/00614141000005'), 400, 'url_not_allowed')[
      'parameter'
    ],
    'id',
  );
});
