// Which sources decide for a barcode (D56 to D59): the retailers' answers, and neither the order of lookups nor an
// unrelated shop's page.

import assert from 'node:assert/strict';

import { KNOWN_SLUGS } from '../../../../src/base/retailer.ts';
import type { Gtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import { at, contractService, refused } from '../../support/contract-service.ts';
import { writeChanges } from '../../../../src/data/answers/answer-writes.ts';
import { answerOf, hold } from '../../support/store-item.ts';
import { OWN_SHOP, OWN_SLUG, productPage } from '../../support/own-shop.ts';
import { proves } from '../../support/proves.ts';

const GTIN = '00614141820009';
const ALONE = '4006381333931';
const SILENT = '4006381333948';
/** A product of the simulated market that no other test in this file requests. */
const FIRST = '00012345500213';
const TITLE = 'Halden HK1750 Electric Kettle 1.7 L Stainless Steel';

const KETTLE: Partial<Listing> = {
  title: TITLE,
  brand: 'Halden',
  model: 'HK1750',
  price: { cents: 3_999, currency: 'USD' },
  inStock: true,
};

/** The kettle's own title, and another price. */
const COPY = { name: TITLE, brand: { '@type': 'Brand', name: 'Halden' }, gtin14: GTIN };

const contract = contractService({
  pages: {
    '/copy': productPage(COPY, { price: '1.00' }),
    '/first': productPage({ name: 'A stranger', gtin14: FIRST }, { price: '0.99' }),
    '/silence': productPage({ name: 'A stranger in silence', gtin13: SILENT }, { price: '9.00' }),
    '/alone': productPage({ name: 'A lonely lamp', gtin13: ALONE }, { price: '20.00' }),
  },
});

type Cells = Readonly<Record<string, Record<string, unknown>>>;

const cellsOf = async (id: string): Promise<Cells> => {
  const record = await contract.record(id, '?include_cross_retailer=true&identifier_match=any');
  return at(record, 'cross_retailer') as Cells;
};

const linked = (record: Record<string, unknown>): readonly string[] =>
  (record['retailer_links'] as readonly { retailer: string }[]).map(({ retailer }) => retailer);

proves(
  'D57a',
  'a page of an unknown shop that copies title and barcode adds nothing to the record of the barcode',
  async () => {
    for (const [retailer, key] of [
      ['retailer_w', '910000801'],
      ['retailer_b', '6990801'],
    ] as const) {
      await hold(contract, { retailer, key, gtin: GTIN }, KETTLE);
    }
    const before = await contract.record(GTIN);
    assert.equal(at(await contract.record(`${OWN_SHOP}/copy`), 'current_price'), 1);
    await contract.untilQueueIdle();
    const record = await contract.record(GTIN);
    assert.equal(record['current_price'], 39.99);
    assert.equal(at(record, '_meta.price_source'), 'retailer_w');
    assert.ok(!linked(record).includes(OWN_SLUG));
    assert.deepEqual(at(record, '_meta.disagreements'), []);
    const score = at(record, '_meta.data_quality_score');
    assert.ok(Number(score) >= Number(at(before, '_meta.data_quality_score')));
    const cell = (await cellsOf(GTIN))[OWN_SLUG];
    assert.equal(at(cell, 'identity.state'), 'unconfirmed');
    assert.equal(at(cell, 'identity.method'), null);
    assert.equal(at(cell, 'identity.page_barcode'), GTIN);
    assert.match(String(at(cell, 'identity.note')), /does not count/);
  },
);

proves(
  'D57c',
  'an unknown shop answers for a bare barcode, unconfirmed, when no retailer has it',
  async () => {
    assert.equal((await contract.record(`${OWN_SHOP}/alone`))['title'], 'A lonely lamp');
    await contract.untilQueueIdle();
    const record = await contract.record(ALONE);
    assert.equal(record['title'], 'A lonely lamp');
    assert.equal(at(record, '_meta.price_source'), OWN_SLUG);
    const links = record['retailer_links'] as readonly Record<string, unknown>[];
    assert.deepEqual(
      links.map((each) => each['identity_state']),
      ['unconfirmed'],
    );
  },
);

proves(
  'D57d',
  'a page of an unknown shop that was looked up first does not answer for a barcode that a retailer has',
  async () => {
    assert.equal((await contract.record(`${OWN_SHOP}/first`))['title'], 'A stranger');
    const record = await contract.record(FIRST);
    assert.equal(at(record, '_meta.price_source'), 'retailer_w');
    assert.notEqual(record['title'], 'A stranger');
  },
);

proves(
  'D56a',
  'an item that prints the barcode of another product does not answer for that barcode',
  async () => {
    const { upc, gtin } = contract.world;
    const wrong = { ...KETTLE, title: 'A wrong product', itemId: '910000802' };
    const key = { retailer: 'retailer_w', key: '910000802', gtin, isAnswer: false } as const;
    await hold(contract, key, wrong);
    const record = await contract.record(upc);
    assert.notEqual(record['item_id'], '910000802');
    assert.notEqual(record['title'], 'A wrong product');
  },
);

proves(
  'D56b',
  'a retailer that was not asked for the barcode is indexing, whatever its listings print',
  async () => {
    const gtin = '00614141820023';
    await hold(contract, { retailer: 'retailer_w', key: '910000803', gtin }, KETTLE);
    const printing = { retailer: 'retailer_b', key: '6990803', gtin, isAnswer: false } as const;
    await hold(contract, printing, KETTLE);
    const record = await contract.record(gtin, '?include_cross_retailer=true&identifier_match=any');
    const cell = at(record, 'cross_retailer.retailer_b') as Record<string, unknown>;
    assert.deepEqual([cell['status'], cell['price']], ['indexing', null]);
    assert.ok(!linked(record).includes('retailer_b'), 'it is not linked');
    assert.equal(at(record, '_meta.data_quality_score'), null, 'it has no say in the score');
  },
);

proves('D56e', 'what is stored of others does not answer before retailer_w was asked', async () => {
  const listing = contract.sandbox
    .market()
    .listings('retailer_w')
    .findLast(
      ({ publishedGtin, product: { trouble, gtin14 } }) =>
        trouble === null && publishedGtin === gtin14,
    );
  assert.ok(listing !== undefined);
  const { gtin14: gtin } = listing.product;
  await hold(contract, { retailer: 'retailer_h', key: '319990810', gtin }, KETTLE);
  assert.equal(at(await contract.record(gtin), '_meta.price_source'), 'retailer_w');
});

proves(
  'D80d',
  'a retailer speaks by what it answered, whatever another of its listings prints',
  async () => {
    const gtin = '00614141820085';
    await hold(contract, { retailer: 'retailer_w', key: '910000811', gtin }, KETTLE);
    await hold(contract, { retailer: 'retailer_h', key: '319990812' }, KETTLE);
    const answer = answerOf(gtin as Gtin14, 'retailer_h', '319990812', contract.clock.now());
    assert.ok((await writeChanges(contract.app.store.sql, [answer])).done);
    const printing = { retailer: 'retailer_h', key: '319990811', gtin, isAnswer: false } as const;
    await hold(contract, printing, { ...KETTLE, mpn: 'MERELY-PRINTED' });
    const cell = (await cellsOf(gtin))['retailer_h'];
    assert.equal(at(cell, 'identity.state'), 'unconfirmed');
    assert.match(String(cell?.['url']), /319990812/);
    assert.equal((await contract.record(gtin))['mpn'], null);
  },
);

const SCREWDRIVER: Partial<Listing> = {
  title: 'Old Ferry Works Screwdriver PH2 x 100 mm OL900204',
  brand: 'Old Ferry Works',
  price: { cents: 899, currency: 'USD' },
  inStock: false,
};

/** In stock and cheaper, so that its vote or best price would be visible. */
const PRINTING: Partial<Listing> = {
  title: 'Quillbrook Recycled Steel Watering Can 2 gal QU800364',
  price: { cents: 100, currency: 'USD' },
  inStock: true,
  mpn: 'CAN-MPN',
  weightLbs: 77.7,
};

proves(
  'D80d',
  'a page of retailer_w that is looked up later and prints the code changes nothing, and is unconfirmed',
  async () => {
    const gtin = '00614141820092';
    await hold(contract, { retailer: 'retailer_e', key: '110000000814', gtin }, SCREWDRIVER);
    await hold(contract, { retailer: 'retailer_b', key: '6990814', gtin }, SCREWDRIVER);
    const first = await contract.record(gtin);
    await contract.untilQueueIdle();
    const before = await contract.record(gtin);
    assert.equal(before['title'], SCREWDRIVER.title);
    await hold(
      contract,
      { retailer: 'retailer_w', key: '910000814', gtin, isAnswer: false },
      { ...PRINTING, itemId: '910000814' },
    );
    const record = await contract.record(gtin);
    for (const answer of [first, before]) {
      for (const [name, value] of Object.entries(answer)) {
        if (!/^tokens|^request/.test(name)) assert.deepEqual(record[name], value, name);
      }
    }
    const cell = (await cellsOf(gtin))['retailer_w'];
    assert.deepEqual(
      [at(cell, 'identity.state'), at(cell, 'identity.method'), at(cell, 'identity.page_barcode')],
      ['unconfirmed', null, gtin],
    );
    assert.match(String(at(cell, 'identity.note')), /does not count/);
    const confirmed = await contract.record(gtin, '?include_cross_retailer=true');
    assert.ok(!('retailer_w' in (at(confirmed, 'cross_retailer') as Cells)));
    const own = await contract.record('910000814', '?include_cross_retailer=true');
    assert.equal(own['title'], PRINTING.title, 'its own id is answered by it');
    assert.equal(at(own, 'cross_retailer.retailer_w.identity.state'), 'confirmed');
    const named = await contract.record(gtin, '?retailer=retailer_w');
    assert.equal(named['title'], PRINTING.title, 'retailer= asks for nobody else');
  },
);

proves(
  'D80e',
  'where no retailer that was asked has the barcode, a page that prints it answers, unconfirmed',
  async () => {
    const gtin = '00614141820108';
    const key = { retailer: 'retailer_l', key: '5019990815', gtin, isAnswer: false } as const;
    await hold(contract, key, { ...KETTLE, inStock: true });
    const record = await contract.record(gtin, '?include_cross_retailer=true&identifier_match=any');
    assert.equal(record['title'], TITLE);
    const links = record['retailer_links'] as readonly Record<string, unknown>[];
    assert.deepEqual(
      links.map((each) => [each['retailer'], each['identity_state']]),
      [['retailer_l', 'unconfirmed']],
    );
    assert.equal(record['best_price'], null, 'only a confirmed price can be the best');
    assert.equal(at(record, 'cross_retailer.retailer_l.identity.state'), 'unconfirmed');
    assert.match(String(at(record, 'cross_retailer.retailer_l.identity.note')), /it counts/);
    await hold(contract, { retailer: 'retailer_e', key: '110000000815', gtin }, SCREWDRIVER);
    const later = await contract.record(gtin);
    assert.equal(later['title'], SCREWDRIVER.title, 'until one that was asked has it');
    assert.equal(at(later, '_meta.data_quality_score'), null);
  },
);

proves('D57e', 'where retailers fail, an unknown shop does not speak in their place', async () => {
  for (const slug of KNOWN_SLUGS) contract.sandbox.disturb(slug, 'down');
  try {
    assert.equal((await contract.record(`${OWN_SHOP}/silence`))['current_price'], 9);
    refused(await contract.lookup(SILENT), 503, 'upstream_unavailable');
    refused(await contract.lookup(SILENT), 503, 'upstream_unavailable');
  } finally {
    for (const slug of KNOWN_SLUGS) contract.sandbox.disturb(slug, null);
  }
});

proves(
  'D56d',
  'of several listings of a retailer that print the barcode the smallest key is shown, once',
  async () => {
    const gtin = '00614141820030';
    await hold(contract, { retailer: 'retailer_b', key: '6990805', gtin, isAnswer: false }, KETTLE);
    await hold(contract, { retailer: 'retailer_b', key: '6990804', gtin, isAnswer: false }, KETTLE);
    await contract.record(gtin);
    await contract.untilQueueIdle();
    const record = await contract.record(gtin);
    const links = record['retailer_links'] as readonly { retailer: string; url: string }[];
    const ofB = links.filter(({ retailer }) => retailer === 'retailer_b');
    assert.equal(ofB.length, 1, JSON.stringify(links));
    assert.match(ofB[0]?.url ?? '', /6990804/);
  },
);

proves(
  'D56c',
  'where retailer_w does not answer, the others are asked at once and the best tied row is served',
  async () => {
    const product = contract.sandbox
      .market()
      .listings('retailer_b')
      .find(
        ({ publishedGtin, product: { trouble, gtin14 } }) =>
          trouble === null && publishedGtin === gtin14 && gtin14 !== contract.world.gtin,
      )?.product;
    assert.ok(product !== undefined);
    contract.sandbox.disturb('retailer_w', 'down');
    try {
      const record = await contract.record(product.gtin14);
      assert.notEqual(at(record, '_meta.price_source'), 'retailer_w');
      assert.ok(linked(record).length > 0);
      await contract.untilQueueIdle();
      const asked = contract.sandbox.requestCount();
      const again = await contract.record(product.gtin14);
      assert.equal(at(again, '_meta.price_source'), at(record, '_meta.price_source'));
      assert.equal(contract.sandbox.requestCount(), asked, 'within the hour it is not asked again');
    } finally {
      contract.sandbox.disturb('retailer_w', null);
    }
  },
);

proves('D58a', 'another barcode is a mismatch at retailer_a and retailer_t too', async () => {
  const gtin = '00614141820047';
  await hold(contract, { retailer: 'retailer_w', key: '910000806', gtin }, KETTLE);
  for (const [retailer, key] of [
    ['retailer_a', 'B0HELD0806'],
    ['retailer_t', '90000806'],
  ] as const) {
    await hold(contract, { retailer, key, gtin }, { ...KETTLE, asin: key });
    await hold(contract, { retailer, key, gtin: '00614141820054' }, { ...KETTLE, asin: key });
  }
  const cells = await cellsOf(gtin);
  for (const retailer of ['retailer_a', 'retailer_t']) {
    const cell = cells[retailer];
    assert.equal(at(cell, 'identity.state'), 'mismatch', retailer);
    assert.equal(at(cell, 'identity.method'), 'page_barcode', retailer);
    assert.deepEqual([cell?.['price'], cell?.['url']], [null, null], retailer);
  }
});

proves(
  'D58b',
  'another packaging of the item does not anchor next to a listing that prints the code itself',
  async () => {
    const [gtin, box] = ['00614141820078', '10614141820075'];
    await hold(contract, { retailer: 'retailer_w', key: '910000809', gtin: box }, KETTLE);
    const answer = answerOf(gtin as Gtin14, 'retailer_w', '910000809', contract.clock.now());
    assert.ok((await writeChanges(contract.app.store.sql, [answer])).done);
    await hold(contract, { retailer: 'retailer_h', key: '319990809', gtin }, KETTLE);
    const record = await contract.record(gtin);
    assert.equal(at(record, '_meta.price_source'), 'retailer_h');
  },
);

proves(
  'D59a D59b',
  'a disputed listing supplies nothing, its cell and link say so, and the score is at most a half',
  async () => {
    const gtin = '00614141820061';
    await hold(contract, { retailer: 'retailer_w', key: '910000807', gtin }, KETTLE);
    await hold(contract, { retailer: 'retailer_h', key: '319990807', gtin }, KETTLE);
    const pack = { ...KETTLE, title: `${TITLE}, 12 Pack`, packCount: 12, mpn: 'PACK-MPN' };
    await hold(contract, { retailer: 'retailer_b', key: '6990807', gtin }, pack);
    const record = await contract.record(gtin);
    assert.equal(record['mpn'], null);
    assert.ok(Number(at(record, '_meta.data_quality_score')) <= 0.5);
    const links = record['retailer_links'] as readonly Record<string, unknown>[];
    const link = links.find((each) => each['retailer'] === 'retailer_b');
    assert.equal(link?.['identity_state'], 'disputed');
    const { retailer_b: cell, retailer_h: other } = await cellsOf(gtin);
    assert.equal(at(cell, 'identity.state'), 'confirmed');
    assert.equal(at(cell, 'identity.disputed.reason'), 'pack_count');
    assert.equal(at(other, 'identity.disputed'), null);
  },
);
