import assert from 'node:assert/strict';

import type { Gtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { KnownSlug } from '../../../../src/base/retailer.ts';
import { at, contractService } from '../../support/contract-service.ts';
import { writeChanges } from '../../../../src/data/answers/answer-writes.ts';
import { answerOf, hold } from '../../support/store-item.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

const KETTLE: Partial<Listing> = {
  title: 'Halden HK1750 Electric Kettle 1.7 L Stainless Steel',
  brand: 'Halden',
  model: 'HK1750',
  price: { cents: 3_999, currency: 'USD' },
  inStock: false,
};

/** Probably the kettle, so it is a guess; not certain enough for a vote. */
const LIKELY = 'Halden HK1750 Kettle';

/** A different product stored under the kettle's barcode: nothing of it may appear in the record. */
const INTRUDER: Partial<Listing> = {
  title: 'Brooksby Trail 28 Daypack Hiking Backpack Blue',
  brand: 'Brooksby',
  model: 'BT28',
  price: { cents: 7_777, currency: 'USD' },
  inStock: true,
  mpn: 'INTRUDER-MPN',
  description: 'Intruder description.',
  weightLbs: 77.7,
  dimensions: { heightIn: 77, widthIn: 77, lengthIn: 77 },
  packCount: 77,
  categories: ['Intruders'],
  specs: [{ name: 'Intruder', value: 'yes' }],
  imageUrl: 'https://intruder.example/1.jpg',
};

async function file(
  retailer: KnownSlug,
  key: string,
  gtin: string | null,
  facts: Partial<Listing>,
) {
  const id = retailer === 'retailer_w' ? { itemId: key } : {};
  await hold(contract, { retailer, key, gtin }, { ...id, ...facts });
}

const leaksOf = (record: unknown): boolean =>
  /Intruder|Brooksby|BT28|INTRUDER|\b77(?:\.7+)?\b/i.test(JSON.stringify(record));

proves(
  'ME-03 ME-04 D40a',
  'what contradicts the others is named with a reason, its likeness and both titles, and lowers the score',
  async () => {
    const gtin = '00614141810000';
    for (const [retailer, key] of [
      ['retailer_w', '910000601'],
      ['retailer_b', '6990601'],
      ['retailer_h', '319990601'],
    ] as const) {
      await file(retailer, key, gtin, KETTLE);
    }
    const together = await contract.record(gtin);
    const before = Number(at(together, '_meta.data_quality_score'));
    assert.ok(before > 0.5 && before <= 1);
    assert.deepEqual(at(together, '_meta.disagreements'), []);
    await file('retailer_l', '5019990601', gtin, { ...KETTLE, ...INTRUDER });
    const record = await contract.record(gtin);
    const after = Number(at(record, '_meta.data_quality_score'));
    assert.ok(after >= 0 && after < before);
    const [found, ...more] = at(record, '_meta.disagreements') as readonly Record<
      string,
      unknown
    >[];
    assert.deepEqual(more, []);
    assert.equal(found?.['retailer'], 'retailer_l');
    const reasons = 'title brand model capacity size pack_count colour platform barcode'.split(' ');
    assert.ok(reasons.includes(String(found['reason'])));
    assert.ok(String(found['detail']).length > 0);
    assert.ok(Number(found['similarity']) < 0.1);
    assert.deepEqual(
      [found['their_title'], found['consensus_title']],
      [INTRUDER.title, KETTLE.title],
    );
    const { _meta, retailer_links: _, ...rest } = record;
    assert.ok(!leaksOf(rest), JSON.stringify(rest));
    assert.equal(record['in_stock'], false, 'it has no vote');
  },
);

proves(
  'ME-04',
  'retailer_w’s own listing anchors nothing once the others show that it is another product',
  async () => {
    const gtin = '00614141810017';
    await file('retailer_w', '910000602', gtin, { ...KETTLE, ...INTRUDER });
    await file('retailer_b', '6990602', gtin, KETTLE);
    await file('retailer_h', '319990602', gtin, KETTLE);
    const record = await contract.record(gtin);
    assert.equal(at(record, '_meta.price_source'), 'retailer_b');
    const { _meta, retailer_links: _, item_id: __, retailer_w_url: ___, ...rest } = record;
    assert.ok(!leaksOf(rest), JSON.stringify(rest));
    const own = await contract.record('910000602');
    assert.equal(own['title'], INTRUDER.title, 'asked for itself it is what it is');
    assert.ok(!JSON.stringify(own['specs']).includes('Halden'));
    assert.equal(own['brand'], INTRUDER.brand);
  },
);

proves(
  'ME-04',
  'a pack of another size under the same barcode supplies neither its count nor its measures',
  async () => {
    const gtin = '00614141810024';
    const title = 'Halden Descaler Tablets for Kettles';
    await file('retailer_w', '910000603', gtin, {
      ...KETTLE,
      title: `${title}, Pack of 2`,
      packCount: 2,
    });
    await file('retailer_b', '6990603', gtin, {
      ...KETTLE,
      title: `${title}, Pack of 2`,
      packCount: 2,
    });
    await file('retailer_a', 'B0HELD0603', gtin, {
      ...KETTLE,
      title: `${title}, Pack of 12`,
      packCount: 12,
      weightLbs: 77.7,
    });
    const record = await contract.record(gtin);
    assert.equal(record['pack_count'], 2);
    assert.equal(record['weight_lbs'], null);
    assert.equal(at(record, '_meta.disagreements.0.reason'), 'pack_count');
  },
);

proves(
  'D35e',
  'a guessed listing votes on the stock only where the matcher is sure of it',
  async () => {
    const votes = [
      ['00614141810031', 'B0HELD0604', KETTLE, true],
      ['00614141810048', 'B0HELD0605', INTRUDER, false],
      ['00614141810123', 'B0HELD0606', { ...KETTLE, title: LIKELY, model: null }, false],
    ] as const;
    for (const [gtin, key, facts, expected] of votes) {
      await file('retailer_w', `91000060${key.at(-1)}`, gtin, KETTLE);
      await file('retailer_a', key, null, { ...facts, asin: key, inStock: true });
      const cell = answerOf(gtin as Gtin14, 'retailer_a', key, contract.clock.now());
      assert.ok((await writeChanges(contract.app.store.sql, [cell])).done);
      const record = await contract.record(gtin);
      assert.equal(at(record, '_meta.price_source'), 'retailer_w');
      assert.equal(record['in_stock'], expected, String(facts.title));
    }
  },
);

const SKILLET: Partial<Listing> = {
  title: 'Cobbleton Walnut 10" Skillet CO700466, Slate',
  price: { cents: 1_900, currency: 'USD' },
  inStock: false,
};

/** In stock, cheaper and with measures, so that its vote, best price or measures would be visible. */
const CAN: Partial<Listing> = {
  title: 'Quillbrook Recycled Steel Watering Can 2 gal QU800363',
  mpn: 'CAN-MPN',
  weightLbs: 77.7,
  imageUrl: 'https://can.example/1.jpg',
  price: { cents: 777, currency: 'USD' },
  inStock: true,
};

const disputedOf = (record: Record<string, unknown>): readonly string[] =>
  (record['retailer_links'] as readonly Record<string, string>[])
    .filter((link) => link['identity_state'] === 'disputed')
    .map((link) => link['retailer'] ?? '')
    .toSorted();

const namedOf = (record: Record<string, unknown>): readonly string[] =>
  (at(record, '_meta.disagreements') as readonly Record<string, string>[])
    .map((each) => each['retailer'] ?? '')
    .toSorted();

proves(
  'D80a D80b',
  'of two skillets and two watering cans under one barcode each lookup is of one product alone',
  async () => {
    const gtin = '00614141810130';
    await file('retailer_w', '910000611', gtin, SKILLET);
    await file('retailer_l', '5019990611', gtin, SKILLET);
    await file('retailer_e', '110000000611', gtin, CAN);
    await file('retailer_a', 'B0HELD0611', gtin, { ...CAN, asin: 'B0HELD0611' });
    const record = await contract.record(gtin);
    assert.equal(record['title'], SKILLET.title);
    assert.deepEqual(
      [record['mpn'], record['weight_lbs'], record['in_stock'], record['best_price']],
      [null, null, false, null],
    );
    assert.deepEqual(namedOf(record), ['retailer_a', 'retailer_e']);
    assert.deepEqual(disputedOf(record), ['retailer_a', 'retailer_e']);
    assert.ok(Number(at(record, '_meta.data_quality_score')) <= 0.5);
    const can = await contract.record('B0HELD0611');
    assert.deepEqual([can['title'], can['weight_lbs']], [CAN.title, 77.7]);
    assert.deepEqual(namedOf(can), ['retailer_l', 'retailer_w']);
    assert.deepEqual(disputedOf(can), ['retailer_l', 'retailer_w']);
    assert.equal(at(can, 'best_price.price'), 7.77);
  },
);

proves(
  'D80a D80b',
  'two watering cans outnumber retailer_w’s skillet, which answers for itself alone',
  async () => {
    const gtin = '00614141810147';
    await file('retailer_w', '910000612', gtin, SKILLET);
    await file('retailer_e', '110000000612', gtin, CAN);
    await file('retailer_a', 'B0HELD0612', gtin, { ...CAN, asin: 'B0HELD0612' });
    const record = await contract.record(gtin);
    assert.equal(record['title'], CAN.title);
    assert.equal(at(record, '_meta.price_source'), 'retailer_e');
    assert.deepEqual(disputedOf(record), ['retailer_w']);
    const own = await contract.record('910000612');
    assert.deepEqual([own['title'], own['weight_lbs']], [SKILLET.title, null]);
    assert.deepEqual(namedOf(own), ['retailer_a', 'retailer_e']);
  },
);

proves(
  'D80c',
  'two listings with a score below 0.2 name the one that is not the anchor',
  async () => {
    const gtin = '00614141810154';
    await file('retailer_w', '910000613', gtin, { title: 'A Field Guide to Old Bridges' });
    const title = 'Old Ferry Works Recycled Steel Claw Hammer 16 oz OL900118';
    await file('retailer_b', '6990613', gtin, { title });
    const record = await contract.record(gtin);
    assert.ok(Number(at(record, '_meta.data_quality_score')) < 0.2);
    assert.deepEqual(namedOf(record), ['retailer_b']);
    assert.equal(at(record, '_meta.disagreements.0.reason'), 'title');
  },
);
