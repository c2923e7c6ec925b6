// A reading never depends on the order in which a page lists variants, offers, sellers or products.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { readStoreJson } from '../../../src/read/retailers/hosted-store.ts';
import { integerBelow, pick, randomFrom, seedOf, shuffled } from '../../support/random.ts';
import { html, ld, pageOf } from '../retailers/page-fixtures.ts';

type Random = ReturnType<typeof randomFrom>;

const TAILS = ['', '?color=red', '?size=m&color=blue', '?sku=V-1', '?utm_source=mail', '/red'];
const COLORS = ['Red', 'Blue', 'Green'];

const offerOf = (random: Random, id: string) => ({
  '@type': 'Offer',
  price: 10 + integerBelow(random, 4) * 5,
  priceCurrency: pick(random, ['EUR', 'EUR', 'USD']),
  availability: pick(random, ['InStock', 'OutOfStock', null]),
  itemCondition: pick(random, ['NewCondition', 'UsedCondition', null]),
  seller: { name: pick(random, ['Acme', 'Bolt']) },
  sku: pick(random, [`O-${id}`, null]),
});

type Variant = ReturnType<typeof variantOf>;

const variantOf = (random: Random, id: string, isNamed: boolean) => {
  const color = pick(random, COLORS);
  return {
    '@type': 'Product',
    name: isNamed ? `Pine Stool - ${color}` : 'Pine Stool',
    color,
    size: pick(random, ['S', 'M']),
    sku: pick(random, [`V-${id}`, null]),
    description: pick(random, [`Stool ${id}.`, null]),
    offers: [offerOf(random, `${id}a`), offerOf(random, `${id}b`)],
  };
};

/** The places where pages list variants: in a group, as offers of one product, as products side by side. */
const SHAPES: readonly ((variants: readonly Variant[]) => object)[] = [
  (hasVariant) => ({ '@type': 'ProductGroup', name: 'Pine Stool', hasVariant }),
  (all) => ({
    '@type': 'Product',
    name: 'Pine Stool',
    offers: all.flatMap(({ offers }) => offers),
  }),
  (all) => ({
    '@type': 'Product',
    name: 'Pine Stool',
    offers: { '@type': 'AggregateOffer', offers: all.flatMap(({ offers }) => offers) },
  }),
  (all) => ({ '@graph': all.map((one) => ({ ...one, name: 'Pine Stool' })) }),
];

function read(data: object, tail: string): unknown {
  const head = ld({ '@context': 'https://schema.org', ...data });
  const page = html(head, '<h1>Pine Stool</h1><button>Add to cart</button>', 'Pine Stool');
  const url = `https://shop.example/p/pine-stool${tail}`;
  const verdict = readGenericPage(pageOf(page, { url }), new UnknownWords());
  return verdict.kind === 'read' ? verdict.value : verdict.kind;
}

test('a page is read alike in whatever order its data lists variants, offers and products', () => {
  const seed = seedOf(20_261_130);
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 400; round += 1) {
    const shape = pick(random, SHAPES);
    const count = 2 + integerBelow(random, 3);
    const isNamed = integerBelow(random, 2) === 0;
    const variants = Array.from({ length: count }, (_, at) => variantOf(random, `${at}`, isNamed));
    const mixed = shuffled(variants, random).map((one) => ({
      ...one,
      offers: [...shuffled(one.offers, random)],
    }));
    const tail = pick(random, TAILS);
    const said = `seed ${seed}, round ${round}, ${tail}: ${JSON.stringify(shape(variants))}`;
    assert.deepEqual(read(shape(mixed), tail), read(shape(variants), tail), said);
  }
});

test('the JSON of a store is read alike in whatever order it lists variants', () => {
  const seed = seedOf(20_261_130);
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  const readStore = (variants: readonly object[], tail: string): unknown => {
    const product = { id: 1, title: 'Pine Stool', body_html: '', options: ['Color'], variants };
    const url = `https://shop.example/products/pine-stool.json${tail}`;
    const verdict = readStoreJson(pageOf(JSON.stringify({ product }), { url, headers: {} }));
    return verdict?.kind === 'read' ? verdict.value : verdict;
  };
  for (let round = 0; round < 200; round += 1) {
    const variants = Array.from({ length: 2 + integerBelow(random, 4) }, (_, at) => ({
      id: at + 1,
      title: 'Any',
      option1: pick(random, COLORS),
      price: `${10 + integerBelow(random, 3)}.00`,
      available: pick(random, [true, false]),
      sku: pick(random, [`V-${at}`, null]),
    }));
    const tail = pick(random, TAILS);
    const said = `seed ${seed}, round ${round}, ${tail}: ${JSON.stringify(variants)}`;
    const mixed = shuffled(variants, random);
    assert.deepEqual(readStore(mixed, tail), readStore(variants, tail), said);
  }
});

test('the cheapest in stock counts, then the cheapest, and the SKU decides between equal ones', () => {
  const offer = (price: number, availability: string, sku: string) => ({
    '@type': 'Offer',
    price,
    priceCurrency: 'EUR',
    availability,
    sku,
  });
  const priceOf = (...offers: readonly object[]): unknown => {
    const listing = read({ '@type': 'Product', name: 'Pine Stool', offers }, '');
    const { price, sku } = listing as { price: { cents: number }; sku: string };
    return [price.cents, sku];
  };
  const [sold, dear, cheap, same] = [
    offer(5, 'OutOfStock', 'A'),
    offer(9, 'InStock', 'B'),
    offer(7, 'InStock', 'D'),
    offer(7, 'InStock', 'C'),
  ] as const;
  assert.deepEqual(priceOf(sold, dear, cheap, same), [700, 'C']);
  assert.deepEqual(priceOf(same, cheap, dear, sold), [700, 'C']);
  assert.deepEqual(priceOf(offer(8, 'OutOfStock', 'E'), sold), [500, 'A']);
});
