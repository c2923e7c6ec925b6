import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readJsonLd } from '../../../src/read/page-data/schema-org/json-ld.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { ADDRESS, html, ld, mug, offer, pageOf } from '../retailers/page-fixtures.ts';
import { textOf } from './shown-page.ts';

const SCHEMA = 'https://schema.org';
const MUG = JSON.parse(JSON.stringify(mug({ '@context': undefined, offers: undefined }))) as Record<
  string,
  unknown
>;

function listingOf(blocks: readonly unknown[], head = '') {
  const page = html(head + blocks.map(ld).join(''), '<h1>Blue Mug</h1>');
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  return verdict.kind === 'read' ? verdict.value : null;
}

/** The price that the blocks of a page state. */
function priceOf(blocks: readonly unknown[], head = ''): string | null {
  return textOf(listingOf(blocks, head)?.price ?? null);
}

/** The product and its offer with every name in another form. */
function named(name: (bare: string) => string, type = name): Record<string, unknown> {
  return {
    '@type': type('Product'),
    [name('name')]: 'Blue Mug',
    [name('offers')]: {
      '@type': type('Offer'),
      [name('price')]: '12.50',
      [name('priceCurrency')]: 'USD',
      [name('availability')]: { '@id': type('InStock') },
    },
  };
}

const upper = (name: string): string => name.toUpperCase();
const TERMS = ['Product', 'Offer', 'name', 'offers', 'price', 'priceCurrency', 'availability'];

describe('a document may choose its own names', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['the prefix of schema.org, not defined', named((name) => `schema:${name}`)],
    [
      'a prefix that the context defines',
      { '@context': { s: 'http://schema.org/' }, ...named((name) => `s:${name}`) },
    ],
    ['full names', named((name) => `http://schema.org/${name}`)],
    [
      'terms that the context defines by others of it',
      {
        '@context': {
          ...Object.fromEntries(TERMS.map((term) => [upper(term), { '@id': `so:${term}` }])),
          so: 'https://schema.org/',
        },
        ...named(upper, (name) => (name === 'InStock' ? `so:${name}` : upper(name))),
      },
    ],
    [
      'a context of a node further in',
      {
        '@graph': [{ '@context': [null, { s: `${SCHEMA}/` }], ...named((name) => `s:${name}`) }],
      },
    ],
    [
      'type and id, which schema.org defines',
      {
        '@context': SCHEMA,
        graph: [
          { type: 'Product', name: 'Blue Mug', offers: { id: '#offer' } },
          { ...offer({ '@type': undefined }), type: 'Offer', id: '#offer' },
        ],
      },
    ],
    [
      'aliases of keywords',
      {
        '@context': [SCHEMA, { kind: '@type', all: '@graph', is: '@value' }],
        all: [
          { kind: 'Product', name: { is: 'Blue Mug' }, offers: offer({ price: { is: 12.5 } }) },
        ],
      },
    ],
  ];
  for (const [name, block] of rows) {
    test(name, () => assert.equal(priceOf([block]), '12.50 USD'));
  }
});

test('a name that the context gives to another vocabulary is not the price', () => {
  const context = [SCHEMA, { price: 'https://tills.example/cost', asked: 'schema:price' }];
  const block = { '@context': context, ...MUG, offers: offer({ price: '7.00', asked: '12.50' }) };
  assert.equal(priceOf([block]), '12.50 USD');
});

test('beside a keyword its alias is a property, and value is always one', () => {
  const additionalProperty = { type: 'PropertyValue', name: 'Height', value: '9 cm' };
  const block = mug({ type: 'Event', id: 4711, additionalProperty });
  assert.deepEqual(listingOf([block])?.specs, [{ name: 'Height', value: '9 cm' }]);
});

describe('values may be wrapped', () => {
  const arranged = (kind: string) => [
    SCHEMA,
    { offers: { '@id': 'schema:offers', '@container': kind } },
  ];
  const rows: readonly (readonly [string, unknown])[] = [
    ['in a set', mug({ offers: { '@set': [offer({})] } })],
    ['in a list', { '@context': SCHEMA, '@graph': { '@list': [mug({})] } }],
    [
      'with their data type',
      mug({ offers: offer({ price: { '@value': '12.50', '@type': 'x:d' } }) }),
    ],
    ['in a map by index', mug({ '@context': arranged('@index'), offers: { retail: offer({}) } })],
    ['in a map by id', mug({ '@context': arranged('@id'), offers: { '#retail': offer({}) } })],
    ['in an object by number', { '@context': SCHEMA, '@graph': { 0: { name: 'x' }, 1: mug({}) } }],
    [
      'in an object by number, with a name for all',
      mug({
        offers: {
          ...offer({ price: undefined, priceCurrency: undefined }),
          priceSpecification: { 0: { price: 12.5 }, priceCurrency: 'USD' },
        },
      }),
    ],
    [
      'in a group of properties',
      { '@context': [SCHEMA, { card: '@nest' }], card: mug({ '@context': undefined }) },
    ],
  ];
  for (const [name, block] of rows) {
    test(name, () => assert.equal(priceOf([block]), '12.50 USD'));
  }
});

test('amounts by number of pieces are not a list of prices', () => {
  assert.equal(priceOf([mug({ offers: offer({ price: { 10: '9.00', 50: '8.00' } }) })]), null);
});

test('of texts in several languages the one of the page counts', () => {
  const texts = [
    { '@value': 'Blauer Becher', '@language': 'de' },
    { '@value': 'A mug for tea.', '@language': 'en-GB' },
  ];
  const map = { '@id': 'schema:description', '@container': '@language' };
  const inMap = { de: 'Blauer Becher', en: 'A mug for tea.' };
  for (const changes of [
    { description: texts },
    { '@context': [SCHEMA, { description: map }], description: inMap },
  ]) {
    assert.equal(listingOf([mug(changes)])?.description, 'A mug for tea.');
  }
});

describe('an offer and its product may be apart', () => {
  const product = { '@context': SCHEMA, ...MUG, '@id': '#mug' };
  const apart = (changes: Readonly<Record<string, unknown>>) => ({
    '@context': SCHEMA,
    ...offer(changes),
  });
  const rows: readonly (readonly [string, readonly unknown[]])[] = [
    [
      'the product names the offer by its whole address',
      [{ ...product, offers: { '@id': `${ADDRESS}#offer` } }, apart({ '@id': '#offer' })],
    ],
    ['the offer names the product', [product, apart({ itemOffered: { '@id': '#mug' } })]],
    [
      'the offer repeats the product in short',
      [apart({ itemOffered: { '@id': '#mug', '@type': 'Product', name: 'Blue Mug' } }), product],
    ],
    ['the property is reversed', [{ ...product, '@reverse': { itemOffered: offer({}) } }]],
    [
      'a term is reversed, and the product has no id',
      [
        {
          ...MUG,
          '@context': [SCHEMA, { sold: { '@reverse': 'schema:itemOffered' } }],
          sold: [offer({})],
        },
      ],
    ],
    ['both are included in a page', [{ '@type': 'WebPage', '@included': [mug({})] }]],
    ['two blocks describe one id', [product, { '@id': `${ADDRESS}#mug`, offers: offer({}) }]],
  ];
  for (const [name, blocks] of rows) {
    test(name, () => assert.equal(priceOf(blocks), '12.50 USD'));
  }

  test('ids are relative to the base of the page', () => {
    const blocks = [
      { ...product, offers: { '@id': 'o' } },
      apart({ '@id': 'https://shop.example/b/o' }),
    ];
    assert.equal(priceOf(blocks, '<base href="/b/">'), '12.50 USD');
  });

  const refused: readonly (readonly [string, readonly unknown[]])[] = [
    ['an offer of another product', [product, apart({ itemOffered: { '@id': '#cup' } })]],
    [
      'an offer of two products together',
      [
        product,
        { ...product, '@id': '#cup', name: 'Green Cup' },
        apart({ itemOffered: [{ '@id': '#mug' }, { '@id': '#cup' }] }),
      ],
    ],
    [
      'another product that shares the id',
      [product, { ...product, name: 'Green Cup', offers: offer({ price: '7.00' }) }],
    ],
    [
      'an offer to rent it',
      [product, apart({ itemOffered: { '@id': '#mug' }, businessFunction: 'gr:LeaseOut' })],
    ],
  ];
  for (const [name, blocks] of refused) {
    test(`${name} gives no price`, () => assert.equal(priceOf(blocks), null));
  }
});

test('an offer that its product names as well is read once', () => {
  const graph = readJsonLd([
    '{"@graph":[{"@id":"#p","@type":"Product","offers":{"@type":"AggregateOffer","offers":[{"@id":"#o"}]}},' +
      '{"@id":"#o","@type":"Offer","price":1,"itemOffered":{"@id":"#p"}}]}',
  ]);
  assert.equal(Array.isArray(graph.nodes[1]?.node['offers']), false);
});

test('names, contexts and reversals without end are read in a moment', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => at);
  const prefixes = Object.fromEntries(many.map((at) => [`p${at}`, 'https://schema.org/']));
  const blocks = [
    { '@reverse': { itemOffered: many.map((at) => ({ price: at })) } },
    { '@context': prefixes, ...Object.fromEntries(many.map((at) => [`p${at}:name`, at])) },
    { '@context': { a: 'b', b: 'a', c: 'c:c' }, a: 1, 'c:d': 2 },
    { '@graph': many.slice(0, 9000).map((at) => ({ '@context': { [`t${at}`]: 'x:y' } })) },
  ];
  for (const block of blocks) {
    const startedMs = cpuMs();
    readJsonLd([JSON.stringify(block)]);
    assert.ok(cpuMs() - startedMs < 2_000);
  }
});
