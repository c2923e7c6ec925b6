// The precedence table holds: of the sources that state a field, the strongest that the table names counts, and one that
// the table does not name is never used.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { NO_FACTS } from '../../../src/read/page-data/facts.ts';
import type { Facts } from '../../../src/read/page-data/facts.ts';
import type { OpenGraph } from '../../../src/read/page-data/open-graph.ts';
import { PRECEDENCE, weighFacts } from '../../../src/read/page-data/precedence.ts';
import type { FactSource, StatedFacts } from '../../../src/read/page-data/precedence.ts';

type StatedField = keyof typeof PRECEDENCE;

const SOURCES: readonly FactSource[] = [
  'JSON-LD',
  'microdata',
  'OpenGraph',
  'store script',
  'asked variant',
  'heading',
  'card',
  'visible',
  'page state',
];

const NO_TAGS: OpenGraph = {
  types: [],
  siteName: null,
  url: null,
  facts: NO_FACTS,
  regular: null,
  otherSale: null,
  sale: null,
  plain: null,
  card: null,
  currency: null,
  named: null,
};

/** A price for which a former price may be stated. */
const PRICE = { money: { cents: 100, currency: 'USD' }, isWhole: false };

/** Returns facts that state this field, different ones for each number. */
function stating(statement: StatedField, number: number): Facts {
  switch (statement) {
    case 'price':
      return {
        ...NO_FACTS,
        price: { ...PRICE, money: { cents: 1_000 + number, currency: 'USD' } },
      };
    case 'listPrice':
      return { ...NO_FACTS, listPrice: { cents: 1_000 + number, currency: 'USD' } };
    case 'stock':
      return { ...NO_FACTS, inStock: number % 2 === 0, unavailable: number % 4 === 1 };
    case 'rating':
      return { ...NO_FACTS, rating: number / 10, reviewCount: number };
    case 'categories':
      return { ...NO_FACTS, categories: [`category ${number}`] };
    case 'specs':
      return { ...NO_FACTS, specs: [{ name: 'Size', value: String(number) }] };
    default:
      return { ...NO_FACTS, [statement]: `${statement} ${number}` };
  }
}

/** Returns the facts that belong to a statement. */
function statedIn(statement: StatedField, facts: Facts): unknown {
  if (statement === 'stock') return [facts.inStock, facts.unavailable];
  if (statement === 'rating') return [facts.rating, facts.reviewCount];
  return facts[statement];
}

function weighed(statement: StatedField, sources: readonly FactSource[]): unknown {
  const stated = Object.fromEntries(
    SOURCES.map((source, at): [FactSource, Facts] => {
      const facts = sources.includes(source) ? stating(statement, at) : NO_FACTS;
      const isPriced = statement === 'listPrice' && source === 'asked variant';
      return [source, isPriced ? { ...facts, price: PRICE } : facts];
    }),
  ) as StatedFacts;
  return statedIn(statement, weighFacts(stated, NO_TAGS).facts);
}

for (const [name, order] of Object.entries(PRECEDENCE)) {
  const statement = name as StatedField;
  test(`${statement}: ${order.join(', ')}`, () => {
    for (const [at, source] of order.entries()) {
      const left = SOURCES.filter((other) => !order.slice(0, at).includes(other));
      const wanted = statedIn(statement, stating(statement, SOURCES.indexOf(source)));
      assert.deepEqual(weighed(statement, left), wanted, `${source} before ${left.join(', ')}`);
    }
    const others = SOURCES.filter((source) => !order.includes(source));
    const nothing = statedIn(statement, NO_FACTS);
    assert.deepEqual(weighed(statement, others), nothing, `not ${others.join(', ')}`);
  });
}

test('rating and count, stock and its end come from one source each', () => {
  const stated: StatedFacts = {
    'JSON-LD': { ...NO_FACTS, reviewCount: 7, unavailable: true },
    microdata: { ...NO_FACTS, rating: 4.5, inStock: true, unavailable: false },
    OpenGraph: NO_FACTS,
    'store script': NO_FACTS,
    'asked variant': NO_FACTS,
    heading: NO_FACTS,
    card: NO_FACTS,
    visible: NO_FACTS,
    'page state': NO_FACTS,
  };
  const { facts } = weighFacts(stated, NO_TAGS);
  assert.deepEqual([facts.rating, facts.reviewCount], [4.5, null]);
  assert.deepEqual([facts.inStock, facts.unavailable], [null, true]);
});

test('a price of zero in a stronger source is not a price, and none of a weaker one', () => {
  const stated = Object.fromEntries(SOURCES.map((source) => [source, NO_FACTS])) as StatedFacts;
  const zero = { ...stated, 'JSON-LD': { ...NO_FACTS, isPriceZero: true } };
  const { facts, remarks } = weighFacts(
    { ...zero, microdata: { ...NO_FACTS, price: PRICE } },
    NO_TAGS,
  );
  assert.deepEqual([facts.price, facts.isPriceZero], [null, true]);
  assert.deepEqual(remarks, ['price 0 in JSON-LD: no price']);
});
