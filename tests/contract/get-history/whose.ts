// Whose prices a history shows, and which of them count (D62, D63).

import assert from 'node:assert/strict';

import { at, contractService, productPath, refused } from '../support/contract-service.ts';
import { hold } from '../support/store-item.ts';
import { OWN_SHOP, OWN_SLUG, productPage } from '../support/own-shop.ts';
import { appendPast } from '../support/past.ts';
import { proves } from '../support/proves.ts';

const GTIN = '00614141870004';

const contract = contractService({
  pages: {
    '/fan': productPage(
      { name: 'Orrin LK400 Desk Lamp, Matte Black', gtin14: GTIN },
      { price: '7.77' },
    ),
    '/lamp': productPage({ name: 'A lamp of nobody else' }, { price: '12.50' }),
  },
});

type Row = Readonly<Record<string, unknown>>;
type History = Row & { readonly observations: readonly Row[]; readonly stats: Row | null };

const historyOf = async (id: string, query = ''): Promise<History> =>
  (await contract.ok(productPath(id, `/history${query}`))) as History;

proves(
  'D62a',
  'an address has the history of its own shop, and a barcode that of retailer_w',
  async () => {
    const { gtin, asin, item_id: itemId, retailers } = contract.world;
    await contract.record(gtin);
    for (const slug of ['retailer_b', 'retailer_a', 'retailer_w'] as const) {
      const { url } = retailers[slug];
      const record = await contract.record(url);
      const history = await historyOf(url);
      assert.equal(history['retailer'], slug);
      assert.equal(history.stats?.['current'], record['current_price'], slug);
    }
    const page = `${OWN_SHOP}/lamp`;
    await contract.record(page);
    assert.deepEqual(
      [(await historyOf(page))['retailer'], (await historyOf(page)).stats?.['current']],
      [OWN_SLUG, 12.5],
    );
    for (const id of [gtin, asin, itemId])
      assert.equal((await historyOf(id))['retailer'], 'retailer_w');
  },
);

proves('D62a', 'a product without a known barcode has the history of its own listing', async () => {
  const price = { cents: 1_234, currency: 'USD' };
  await hold(
    contract,
    { retailer: 'retailer_a', key: 'B0WHOSE001' },
    { asin: 'B0WHOSE001', price, inStock: true },
  );
  await appendPast(contract, 'retailer_a', 'B0WHOSE001', [[0, 1_234, true]]);
  const history = await historyOf('B0WHOSE001');
  assert.deepEqual([history['retailer'], history.observations.length], ['retailer_a', 1]);
});

proves(
  'D62b',
  'a retailer that was never met is 400, unbilled, with the nearest name',
  async () => {
    const { gtin } = contract.world;
    await contract.record(gtin);
    const left = await contract.left();
    for (const [name, hint] of [
      ['foo', /Retailers are retailer_w/],
      ['walmrt', /Did you mean "walmart"\?/],
      ['retailerb', /Did you mean "retailer_b"\?/],
    ] as const) {
      const answer = await contract.call(productPath(gtin, `/history?retailer=${name}`));
      const body = refused(answer, 400, 'invalid_parameter');
      assert.equal(body['parameter'], 'retailer');
      assert.match(String(body['detail']), hint);
    }
    assert.equal(await contract.left(), left);
    await contract.record(`${OWN_SHOP}/lamp`);
    assert.equal(
      (await historyOf(gtin, `?retailer=${OWN_SLUG}`)).observations.length,
      0,
      'met, with nothing of this',
    );
  },
);

proves(
  'D80d D62c',
  'rows of a listing that merely prints the barcode are shown, and count only for its own id',
  async () => {
    const gtin = '00614141870035';
    const price = { cents: 899, currency: 'USD' };
    for (const [retailer, key, isAnswer] of [
      ['retailer_e', '110000000831', true],
      ['retailer_w', '970000831', false],
    ] as const) {
      const itemId = retailer === 'retailer_w' ? { itemId: key } : {};
      await hold(contract, { retailer, key, gtin, isAnswer }, { ...itemId, title: key, price });
      await appendPast(contract, retailer, key, [[0, 899, true]]);
    }
    const countedOf = async (id: string) =>
      (await historyOf(id, '?retailer=all')).observations
        .toSorted((a, b) => (String(a['retailer']) < String(b['retailer']) ? -1 : 1))
        .map(({ retailer, counted }) => [retailer, counted]);
    assert.deepEqual(await countedOf(gtin), [
      ['retailer_e', true],
      ['retailer_w', false],
    ]);
    assert.ok(
      (await countedOf('970000831')).some(
        ([retailer, counted]) => retailer === 'retailer_w' && counted,
      ),
    );
  },
);

proves(
  'D62c HO-02',
  'rows of what the others contradict and of unknown shops are shown and not counted',
  async () => {
    const stored = { brand: 'Orrin', inStock: true } as const;
    const lamp = { ...stored, title: 'Orrin LK400 Desk Lamp, Matte Black', model: 'LK400' };
    const fan = { ...lamp, title: `${lamp.title}, 12 Pack`, packCount: 12, mpn: 'PACK-MPN' };
    for (const [retailer, key, listing, cents] of [
      ['retailer_w', '970000801', lamp, 2_000],
      ['retailer_h', '970000802', lamp, 2_200],
      ['retailer_b', '6970803', fan, 100],
    ] as const) {
      await hold(
        contract,
        { retailer, key, gtin: GTIN },
        { ...listing, price: { cents, currency: 'USD' } },
      );
      await appendPast(contract, retailer, key, [[0, cents, true]]);
    }
    await contract.record(`${OWN_SHOP}/fan`);
    const { observations, stats } = await historyOf(GTIN, '?retailer=all');
    const counted = Object.fromEntries(
      observations.map((row) => [row['retailer'], row['counted']]),
    );
    assert.deepEqual(counted, {
      retailer_w: true,
      retailer_h: true,
      retailer_b: false,
      [OWN_SLUG]: false,
    });
    assert.deepEqual(
      [
        stats?.['lowest_30d'],
        stats?.['highest_30d'],
        stats?.['average_30d'],
        stats?.['observation_count'],
      ],
      [20, 22, 21, 2],
    );
    assert.equal(
      (await historyOf(GTIN, '?retailer=retailer_b')).stats?.['lowest_30d'],
      1,
      'asked by name',
    );
  },
);

proves(
  'D62c D59a',
  'of the listing that was sent the rows of all count as its record counts it, and so do the others next to it',
  async () => {
    const stored = {
      brand: 'Orrin',
      inStock: true,
      price: { cents: 2_000, currency: 'USD' },
    } as const;
    const lamp = { ...stored, title: 'Orrin LK400 Desk Lamp, Matte Black', model: 'LK400' };
    const fan = { ...lamp, title: `${lamp.title}, 12 Pack`, packCount: 12, mpn: 'PACK-MPN' };
    const [alike, unlike] = ['00614141870011', '00614141870028'];
    for (const [retailer, key, gtin, listing, isAnswer] of [
      ['retailer_w', '970000811', alike, lamp, true],
      ['retailer_b', '6970812', alike, lamp, true],
      ['retailer_b', '6970813', alike, lamp, false],
      ['retailer_w', '970000821', unlike, lamp, true],
      ['retailer_h', '970000822', unlike, fan, true],
    ] as const) {
      await hold(contract, { retailer, key, gtin, isAnswer }, listing);
      await appendPast(contract, retailer, key, [[0, 2_000, true]]);
    }
    const { retailer_b: b, retailer_h: h } = contract.sandbox.market().origins;
    const bOf = (sku: string) => `${b.page}/site/-/${sku}.p`;
    for (const id of [alike, bOf('6970812'), bOf('6970813'), unlike, `${h.page}/p/970000822`]) {
      const record = await contract.record(id, '?include_cross_retailer=true');
      const { observations, stats } = await historyOf(id, '?retailer=all');
      const cells = Object.entries(record['cross_retailer'] as Record<string, Row>);
      assert.deepEqual(
        Object.fromEntries(observations.map((row) => [row['retailer'], row['counted']])),
        Object.fromEntries(
          cells.map(([slug, cell]) => [slug, at(cell, 'identity.disputed') === null]),
        ),
        id,
      );
      assert.equal(
        stats?.['observation_count'],
        observations.filter((row) => row['counted']).length,
      );
    }
  },
);

proves(
  'D63a',
  'the name of a shop means the retailer wherever a slug is taken, and answers have the slug',
  async () => {
    const { gtin, retailers } = contract.world;
    for (const [slug, { url }] of Object.entries(retailers)) {
      const alias = new URL(url).hostname.split('.').at(-2) ?? '';
      const named = await contract.lookup(gtin, `?retailer=${alias}`);
      const spelt = await contract.lookup(gtin, `?retailer=${slug}`);
      assert.equal(named.status, spelt.status, alias);
      if (named.status !== 200) continue;
      const [one, other] = [named.body, spelt.body] as readonly Row[];
      assert.equal(at(one ?? {}, '_meta.price_source'), slug);
      assert.equal(one?.['current_price'], other?.['current_price']);
      const history = await historyOf(gtin, `?retailer=${alias}`);
      assert.equal(history['retailer'], slug);
    }
    const forced = await contract.record(gtin, '?retailer=walmart&force_refresh=true');
    assert.equal((forced['_meta'] as Row)['price_source'], 'retailer_w');
  },
);
