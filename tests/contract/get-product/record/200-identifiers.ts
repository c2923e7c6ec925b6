import assert from 'node:assert/strict';

import { at, contractService, refused } from '../../support/contract-service.ts';
import { isbn10FromIsbn13 } from '../../support/codes.ts';
import { askedSince, ordinary } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

const moment = () => contract.sandbox.requests().length;

proves(
  'RR-02 D6f D6i',
  'a number is retailer_w’s; only when it has nothing is retailer_b asked for the SKU',
  async () => {
    const { retailer_b_sku: sku } = contract.world;
    const [item] = ordinary(contract, 'retailer_w').slice(60);
    assert.ok(item !== undefined);
    await contract.untilQueueIdle();
    let from = moment();
    const record = await contract.record(sku);
    assert.equal(at(record, '_meta.source'), 'retailer_b');
    assert.deepEqual(askedSince(contract, from).slice(0, 2), ['retailer_w', 'retailer_b']);
    await contract.untilQueueIdle();
    from = moment();
    const own = await contract.record(item.id);
    assert.equal(at(own, '_meta.price_source'), 'retailer_w');
    assert.equal(askedSince(contract, from)[0], 'retailer_w');
  },
);

proves(
  'D13b LI-04',
  'next to retailer= a short number is an item id and nothing else',
  async () => {
    await contract.untilQueueIdle();
    const from = moment();
    const answer = await contract.lookup(contract.world.retailer_b_sku, '?retailer=retailer_w');
    refused(answer, 404, 'not_found');
    assert.ok(!askedSince(contract, from).includes('retailer_b'));
  },
);

proves('D6e', 'twelve digits with a wrong check digit go on as an item id', async () => {
  const { upc } = contract.world;
  const wrong = `${upc.slice(0, -1)}${(Number(upc.at(-1)) + 1) % 10}`;
  await contract.untilQueueIdle();
  const from = moment();
  refused(await contract.lookup(wrong), 404, 'not_found');
  assert.ok(askedSince(contract, from).includes('retailer_w'));
});

proves('D6c', 'a valid ISBN-10 is the book, whatever number it could be', async () => {
  const { isbn } = contract.world;
  const record = await contract.record(isbn10FromIsbn13(isbn ?? ''));
  assert.equal(record['isbn'], isbn);
});

proves('D6j D7a', 'blanks and hyphens do not matter, nor does the case of a format', async () => {
  const { upc, ean } = contract.world;
  const spaced = `${upc.slice(0, 1)}-${upc.slice(1, 6)} ${upc.slice(6)}`;
  assert.equal((await contract.record(`  ${spaced} `))['upc'], upc);
  assert.equal((await contract.record(upc, '?format=upc'))['upc'], upc);
  assert.equal((await contract.record(ean ?? '', '?format=EaN'))['ean'], ean);
});

proves(
  'D6f D7a',
  'eleven digits are a UPC whose zero was lost, when nothing is an item of that number',
  async () => {
    const [listing] = ordinary(contract, 'retailer_w').filter(({ product }) =>
      product.gtin14.startsWith('000'),
    );
    assert.ok(listing !== undefined, 'a code that begins with a zero');
    const upc = listing.product.gtin14.slice(2);
    const record = await contract.record(upc.slice(1));
    assert.equal(record['upc'], upc);
    assert.equal((await contract.record(upc.slice(1), '?format=UPC'))['upc'], upc);
  },
);

proves('RR-05 PA-01 D7a', 'format decides what an ambiguous identifier is', async () => {
  const book = ordinary(contract, 'retailer_a', ({ product }) => product.isBook)[0];
  assert.ok(book !== undefined);
  await contract.untilQueueIdle();
  let from = moment();
  const asAsin = await contract.record(book.id, '?format=ASIN');
  assert.equal(asAsin['asin'], book.id);
  assert.equal(at(asAsin, '_meta.price_source'), 'retailer_a');
  assert.equal(askedSince(contract, from)[0], 'retailer_a');
  assert.equal(asAsin['tokens_consumed'], 1);
  await contract.untilQueueIdle();
  from = moment();
  const { item_id: itemId } = contract.world;
  const asItem = await contract.record(itemId, '?format=item_id');
  assert.equal(asItem['item_id'], itemId);
});

proves(
  'D6g LI-05',
  'ten characters with a letter that do not begin with B are retailer_b’s',
  async () => {
    await contract.untilQueueIdle();
    const from = moment();
    const { retailer_b_product_id: id } = contract.world;
    assert.equal(id.length, 10);
    const record = await contract.record(id.toLowerCase());
    assert.equal(at(record, '_meta.source'), 'retailer_b');
    assert.equal(askedSince(contract, from)[0], 'retailer_b');
  },
);

proves('D6a GP-03', 'www. and a host is an address read as https', async () => {
  const { url } = contract.world;
  const bare = url.json_ld.replace('https://', '');
  assert.ok(bare.startsWith('www.'));
  const [first, second] = [await contract.record(url.json_ld), await contract.record(bare)];
  assert.equal(first['title'], second['title']);
});

proves(
  'D6b D6i AM-01',
  'ten characters that begin with B are an ASIN first, and no other retailer is asked',
  async () => {
    const [listing] = ordinary(contract, 'retailer_a', ({ product }) => !product.isBook).slice(70);
    const asin = listing?.id ?? '';
    await contract.untilQueueIdle();
    const from = moment();
    const record = await contract.record(asin);
    assert.equal(record['asin'], asin);
    assert.equal(askedSince(contract, from)[0], 'retailer_a');
  },
);
