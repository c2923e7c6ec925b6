// GET /v1/products/{id}/compare against the simulated market (D69, D74).

import assert from 'node:assert/strict';

import { DAY_MS } from '../../src/base/clock.ts';
import { gs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';
import type { Listing } from '../../src/base/listing/listing.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../src/base/retailer.ts';
import { WARNINGS, type Warning } from '../../src/rules/product/warnings.ts';
import { ComparisonBody } from '../../src/answer/wire/compare.ts';
import { at, contractService, productPath } from './support/contract-service.ts';
import { hold, storeItem } from './support/store-item.ts';
import { appendPast, importPast } from './support/past.ts';
import { proves } from './support/proves.ts';

const contract = contractService();

type Row = ComparisonBody['rows'][number];

async function compare(id: string, query = ''): Promise<ComparisonBody> {
  const body = await contract.ok(productPath(id, `/compare${query}`));
  return ComparisonBody.parse(body);
}

const rowOf = ({ rows }: ComparisonBody, slug: KnownSlug): Row => {
  const row = rows.find(({ retailer }) => retailer === slug);
  assert.ok(row, slug);
  return row;
};

const troubled = (slug: KnownSlug, kind: string): string => {
  const pointer = Object.entries(contract.world.retailers[slug].trouble).find(
    ([name]) => name === kind,
  );
  assert.ok(pointer, `${slug} ${kind}`);
  return pointer[1].gtin;
};

proves(
  'D69a D69b D74a',
  'the first comparison looks the product up, later ones ask nobody; costs give profit, return and margin',
  async () => {
    const { gtin } = contract.world;
    const first = await compare(gtin);
    assert.equal(first.tokens_consumed, 3);
    assert.ok(contract.sandbox.requestCount() > 0);
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    contract.clock.advance(2 * DAY_MS);
    const plain = await compare(gtin);
    assert.equal(plain.tokens_consumed, 3);
    const costed = await compare(gtin, '?cost=10.25&shipping=1.10&prep=0.40&roi=30');
    await contract.untilQueueIdle();
    assert.equal(contract.sandbox.requestCount(), asked, 'a stale product too');
    const retailers = plain.rows.map(({ retailer }) => retailer);
    assert.deepEqual(retailers.slice(0, KNOWN_SLUGS.length), [...KNOWN_SLUGS]);
    for (const row of plain.rows.filter(({ url }) => url !== null)) {
      assert.ok(row.warnings.includes('stale'), row.retailer);
      assert.deepEqual(
        [row.profit, row.roi, row.margin, row.break_even_price, row.outlay],
        [null, null, null, null, null],
      );
    }
    const priced = costed.rows.filter(({ profit }) => profit !== null);
    assert.ok(priced.length > 0, JSON.stringify(costed));
    for (const { price, fees, outlay, profit, roi, margin, cost_factor: factor } of priced) {
      assert.equal(outlay, Number(((factor ?? 1) * 11.75).toFixed(2)));
      assert.equal(profit, Number(((price ?? 0) - (fees?.total ?? 0) - outlay).toFixed(2)));
      assert.ok(Math.abs((roi ?? 0) - ((profit ?? 0) / outlay) * 100) < 0.006);
      assert.ok(Math.abs((margin ?? 0) - ((profit ?? 0) / (price ?? 1)) * 100) < 0.006);
      assert.match(fees?.referral_card ?? '', /^retailer_[wae]\./);
    }
  },
);

proves('D69c', 'every warning of the list stands on a row of the simulated market', async () => {
  const seen = new Map<Warning, string>();
  const note = (body: ComparisonBody) => {
    for (const row of body.rows) {
      for (const warning of row.warnings) seen.set(warning, `${row.retailer} of ${body.title}`);
    }
  };
  const lookUp = async (gtin: string) => {
    await contract.lookup(gtin);
    await contract.untilQueueIdle();
    return compare(gtin, '?cost=1');
  };
  const sold = rowOf(await lookUp(troubled('retailer_h', 'sold_out')), 'retailer_h');
  assert.ok(sold.warnings.includes('out_of_stock') && sold.price === null);
  assert.ok(sold.warnings.includes('no_fees'), 'it has no marketplace');
  const euro = rowOf(await lookUp(troubled('retailer_e', 'foreign_currency')), 'retailer_e');
  assert.ok(euro.warnings.includes('foreign_currency') && euro.price === null);
  const unsaid = rowOf(await lookUp(troubled('retailer_e', 'no_barcode')), 'retailer_e');
  assert.ok(unsaid.warnings.includes('unconfirmed'), JSON.stringify(unsaid));
  const pack = await lookUp(troubled('retailer_a', 'other_pack'));
  const packed = rowOf(pack, 'retailer_a');
  assert.ok(packed.warnings.includes('other_pack'), JSON.stringify(packed));
  assert.deepEqual([packed.outlay, packed.cost_factor], [3, 3], 'a pack of three needs three');
  note(pack);
  const heavy = rowOf(await lookUp(troubled('retailer_w', 'oversized')), 'retailer_w');
  assert.ok(heavy.warnings.includes('restricted'), JSON.stringify(heavy));
  assert.equal(heavy.profit, null);
  const slipped = troubled('retailer_h', 'lost_point');
  const isSlip = () => Math.floor(contract.clock.now() / DAY_MS) % 5 === 0;
  while (!isSlip()) contract.clock.advance(DAY_MS);
  contract.clock.advance(DAY_MS);
  for (let days = 0; days < 8 && !isSlip(); days += 1) {
    await contract.lookup(slipped, '?retailer=retailer_h&force_refresh=true');
    contract.clock.advance(DAY_MS);
  }
  await contract.lookup(slipped, '?retailer=retailer_h&force_refresh=true');
  await contract.untilQueueIdle();
  const suspect = rowOf(await compare(slipped), 'retailer_h');
  assert.ok(suspect.warnings.includes('suspect_price'), JSON.stringify(suspect));
  for (const row of [sold, euro, unsaid, heavy, suspect]) {
    for (const warning of row.warnings) seen.set(warning, row.retailer);
  }
  for (const slug of KNOWN_SLUGS) {
    for (const { gtin } of Object.values(contract.world.retailers[slug].trouble)) {
      if (WARNINGS.every((each) => seen.has(each))) break;
      const { status } = await contract.lookup(gtin);
      if (status !== 200) continue;
      await contract.untilQueueIdle();
      contract.clock.advance(1.5 * DAY_MS);
      note(await compare(gtin));
    }
  }
  assert.deepEqual(
    WARNINGS.filter((each) => !seen.has(each)),
    [],
  );
});

proves(
  'D69c',
  'a price is suspect in a comparison where it is in the record, by what was imported too',
  async () => {
    const gtin = '00614141777792';
    const facts = { price: { cents: 200_000, currency: 'USD' }, inStock: true };
    const id = await storeItem(contract, '910000520', facts, gtin);
    const past = [10, 8, 6, 4, 2].map((days) => [days, 2_000, true] as const);
    await importPast(contract, gtin, 'retailer_w', past);
    await appendPast(contract, 'retailer_w', id, [[0, 200_000, true]]);
    const suspect = await contract.record(id);
    assert.equal(at(suspect, '_meta.price_suspect.reason'), 'above_level');
    assert.ok(rowOf(await compare(id), 'retailer_w').warnings.includes('suspect_price'));
  },
);

proves('D69d', 'an amount that is not an amount is named, with what would be', async () => {
  const { gtin } = contract.world;
  for (const query of ['cost=-1', 'shipping=1.234', 'prep=1000000.01', 'roi=abc', 'cost=']) {
    const { status, body } = await contract.call(productPath(gtin, `/compare?${query}`));
    assert.equal(status, 400, query);
    assert.equal(body['code'], 'invalid_parameter');
    assert.equal(body['parameter'], query.split('=')[0]);
    assert.equal(body['tokens_consumed'], 0);
  }
  const twice = await contract.call(productPath(gtin, '/compare?cost=1&cost=2'));
  assert.match(String(twice.body['detail']), /more than once/);
});

proves('D69a', 'the pack that was asked for stands next to those of the rows', async () => {
  const packed = contract.sandbox
    .market()
    .listings('retailer_w')
    .find(({ product }) => product.packCount !== null && product.trouble === null);
  assert.ok(packed);
  const { product } = packed;
  const body = await compare(product.gtin14, '?cost=2');
  assert.equal(body.pack_count, product.packCount);
  const row = rowOf(body, 'retailer_w');
  assert.equal(row.pack_count, product.packCount);
  assert.deepEqual([row.outlay, row.cost_factor], [2, undefined], 'the code names the pack');
});

/** Facts of a set of six, so that its fees are known at every retailer. */
const GLASSES = {
  title: 'Orrin Tumbler Glasses, Set of 6',
  brand: 'Orrin',
  categories: ['Home & Garden'],
  price: { cents: 1_939, currency: 'USD' },
  inStock: true,
  weightPackageLbs: 0.9,
  dimensionsPackage: { lengthIn: 6, widthIn: 5, heightIn: 5 },
};

let stored = 0;

/** Stores a product at these retailers; returns its barcode. */
async function storedAt(listings: Partial<Record<KnownSlug, Partial<Listing>>>): Promise<string> {
  stored += 1;
  const body = `0061414191${String(stored).padStart(3, '0')}`;
  const gtin = `${body}${gs1CheckDigit(body)}`;
  for (const retailer of KNOWN_SLUGS) {
    const facts = listings[retailer];
    const key = `${6_770_000 + stored}`;
    if (facts !== undefined)
      await hold(contract, { retailer, key, gtin }, { ...GLASSES, ...facts });
  }
  return gtin;
}

const SPENT = '?cost=7.08&shipping=4&roi=30';

proves(
  'D77a',
  'a set of six with its own barcode pays its cost once, where a listing states no pack too',
  async () => {
    const gtin = await storedAt({ retailer_w: { packCount: 6 }, retailer_e: { packCount: 6 } });
    const stated = await compare(gtin, SPENT);
    assert.deepEqual([stated.pack_count, stated.cost_per], [6, undefined]);
    const set = rowOf(stated, 'retailer_e');
    assert.deepEqual(
      [set.fees?.total, set.outlay, set.profit, set.roi, set.highest_cost, set.cost_factor],
      [3.04, 11.08, 5.27, 47.56, 8.57, undefined],
    );
    assert.ok(!set.warnings.includes('other_pack'));
    assert.equal(set.unit_profit, 0.8783);
    const unsaid = await storedAt({ retailer_w: { packCount: 6 }, retailer_e: {} });
    const row = rowOf(await compare(unsaid, SPENT), 'retailer_e');
    assert.deepEqual(
      { ...row, pack_count: 6, url: set.url, refreshed_at: set.refreshed_at },
      set,
      'as if it stated the pack',
    );
    assert.equal(row.pack_count, null);
  },
);

proves(
  'D77b',
  'a listing of another pack pays its pack by the record’s, with the factor and a warning',
  async () => {
    const mug = { title: 'Orrin Stoneware Mug' };
    const one = await storedAt({ retailer_w: mug, retailer_e: { ...mug, packCount: 2 } });
    // The record's pack is stated by the best source that has one: only the anchor's own 1 leaves it at one.
    const pair = await storedAt({
      retailer_w: { ...mug, packCount: 1 },
      retailer_e: { ...mug, packCount: 2 },
    });
    const sold = rowOf(await compare(pair, '?cost=5&shipping=1&roi=30'), 'retailer_e');
    assert.deepEqual([sold.cost_factor, sold.outlay], [2, 12]);
    assert.equal(sold.profit, Number((19.39 - 3.04 - 12).toFixed(2)));
    assert.ok(sold.warnings.includes('other_pack'));
    const packs = (await compare(one)).pack_count;
    assert.equal(packs, at(await contract.record(one), 'pack_count'), 'that of the record');
    const six = await storedAt({ retailer_w: { packCount: 6 }, retailer_e: { packCount: 1 } });
    const piece = rowOf(await compare(six, SPENT), 'retailer_e');
    assert.deepEqual([piece.cost_factor, piece.outlay], [1 / 6, 1.85], 'rounded once');
    assert.ok(piece.warnings.includes('other_pack'));
    const highest = piece.highest_cost ?? 0;
    for (const [cost, isReached] of [
      [highest, true],
      [highest + 0.01, false],
    ] as const) {
      const query = `?cost=${cost.toFixed(2)}&shipping=4`;
      const { profit, outlay } = rowOf(await compare(six, query), 'retailer_e');
      assert.equal(Number(profit) >= 0.3 * Number(outlay), isReached, `${cost}`);
    }
  },
);

proves(
  'D77c',
  'with cost_per=piece a cost is of one piece, and any other word is 400',
  async () => {
    const gtin = await storedAt({ retailer_w: { packCount: 6 }, retailer_e: {} });
    const body = await compare(gtin, `${SPENT}&cost_per=piece`);
    assert.equal(body.cost_per, 'piece');
    const row = rowOf(body, 'retailer_e');
    assert.deepEqual([row.cost_factor, row.outlay, row.profit], [6, 66.48, -50.13]);
    assert.ok(row.warnings.includes('other_pack'));
    const plain = await compare(gtin, SPENT);
    const { tokens_remaining: _left, ...said } = await compare(gtin, `${SPENT}&cost_per=code`);
    const { tokens_remaining: _before, ...unsaid } = plain;
    assert.deepEqual(said, unsaid);
    for (const word of ['unit', 'Piece', '', '1']) {
      const { status, body: problem } = await contract.call(
        productPath(gtin, `/compare?cost=1&cost_per=${word}`),
      );
      assert.deepEqual(
        [status, problem['code'], problem['parameter'], problem['allowed']],
        [400, 'invalid_parameter', 'cost_per', ['code', 'piece']],
        word,
      );
      assert.equal(problem['tokens_consumed'], 0);
    }
  },
);

proves('D77d', 'without a barcode a cost is of the pack of the anchor', async () => {
  const id = await storeItem(contract, '910000771', { ...GLASSES, packCount: 6 });
  const body = await compare(id, SPENT);
  const row = rowOf(body, 'retailer_w');
  assert.deepEqual([body.gtin, body.pack_count, row.outlay], [null, 6, 11.08]);
  assert.ok(!('cost_factor' in row) && !row.warnings.includes('other_pack'));
});
