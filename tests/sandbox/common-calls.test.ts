// The official APIs that take several items in one call: what is asked together reads as what is asked alone, and the common
// request is the documented one.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toGtin14, type Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { UnknownWords } from '../../src/base/listing/vocabularies/unknown-words.ts';
import type { Page, PageRequest } from '../../src/base/listing/page.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import type { RetailerQuestion, Source } from '../../src/read/retailers/adapter.ts';
import { ADAPTERS } from '../../src/read/retailers/adapters.ts';
import { READERS } from '../../src/read/retailers/registry.ts';
import { SIMULATED_RETAILERS } from '../../sandbox/simulated-retailers.ts';
import { troubleAt } from '../../sandbox/simulated-retailer.ts';
import type { MarketListing } from '../../sandbox/market/market.ts';
import { seedOf } from '../support/random.ts';
import { retailerWorld, sourceOf } from './retailer-world.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const WORLD = retailerWorld(seedOf(41), 300);

/** Troubles of which an answer to several says nothing: the simulation has them at single requests. */
const listingsOf = (slug: KnownSlug): readonly MarketListing[] =>
  WORLD.listings(slug).filter((each) => {
    const trouble = troubleAt(each);
    return trouble === null || /gone|ended|sold_out|barcode|currency|offers/.test(trouble);
  });

/** A code that an item states which is not its own, or does not state, is found here all the same, unlike at the retailer. */
const isFoundByItsCode = ({ product: { gtin14 } }: MarketListing): boolean =>
  WORLD.listings('retailer_a').every(
    (each) => (each.publishedGtin === gtin14) === (each.product.gtin14 === gtin14),
  );

function identifierOf(listing: MarketListing) {
  const address = SIMULATED_RETAILERS[listing.slug].address(WORLD.state.market, listing);
  const identifier = ADAPTERS[listing.slug].book.reduce(new URL(address));
  assert.ok(identifier, address);
  return identifier;
}

const product = (listing: MarketListing): RetailerQuestion => {
  return { kind: 'product', identifier: identifierOf(listing) };
};
const offers = (listing: MarketListing): RetailerQuestion => {
  return { kind: 'offers', identifier: identifierOf(listing) };
};
const barcode = (listing: MarketListing): RetailerQuestion => {
  return { kind: 'barcode', gtin: gtinOf(listing.product.gtin14) };
};

function gtinOf(text: string): Gtin14 {
  return toGtin14(text) ?? assert.fail(text);
}

type Row = {
  readonly slug: KnownSlug;
  readonly source: string;
  readonly question: (listing: MarketListing) => RetailerQuestion;
  readonly unknown: RetailerQuestion;
  /** The documented most of one call. */
  readonly most: number;
  /** Calls a second and burst, alone and together, as documented. */
  readonly limits: readonly (readonly [number, number] | null)[];
  readonly sent: RegExp;
};

const asin = { kind: 'asin', value: 'B0NOTHERE0', retailer: 'retailer_a' } as const;
const UNKNOWN_CODE = gtinOf('036000291452');

const ROWS: readonly Row[] = [
  {
    slug: 'retailer_a',
    source: 'selling_partner',
    question: barcode,
    unknown: { kind: 'barcode', gtin: UNKNOWN_CODE },
    most: 20,
    limits: [
      [2, 2],
      [2, 2],
    ],
    sent: /^GET \/catalog\/2022-04-01\/items\?identifiers=[\d%C]+&identifiersType=(?:UPC|EAN|ISBN)&marketplaceIds=ATVPDKIKX0DER&.*pageSize=20/,
  },
  {
    slug: 'retailer_a',
    source: 'selling_partner',
    question: product,
    unknown: { kind: 'product', identifier: asin },
    most: 20,
    limits: [
      [2, 2],
      [2, 2],
    ],
    sent: /^GET \/catalog\/2022-04-01\/items\?identifiers=[A-Z0-9%]+&identifiersType=ASIN&/,
  },
  {
    slug: 'retailer_a',
    source: 'selling_partner',
    question: offers,
    unknown: { kind: 'offers', identifier: asin },
    most: 20,
    limits: [
      [0.5, 1],
      [0.1, 1],
    ],
    sent: /^POST \/batches\/products\/pricing\/v0\/itemOffers \{"requests":\[\{"uri":"\/products\/pricing\/v0\/items\/[A-Z0-9]{10}\/offers","method":"GET","MarketplaceId":"ATVPDKIKX0DER","ItemCondition":"New"\}/,
  },
  {
    slug: 'retailer_a',
    source: 'creators',
    question: product,
    unknown: { kind: 'product', identifier: asin },
    most: 10,
    limits: [
      [1, 1],
      [1, 1],
    ],
    sent: /^POST \/catalog\/v1\/getItems \{"itemIds":\["[A-Z0-9]{10}","/,
  },
  {
    slug: 'retailer_b',
    source: 'products',
    question: product,
    unknown: {
      kind: 'product',
      identifier: { kind: 'retailer_b_sku', value: '9999999', retailer: 'retailer_b' },
    },
    most: 20,
    limits: [
      [5, 1],
      [5, 1],
    ],
    sent: /^GET \/v1\/products\(sku%20in\(\d+(?:,\d+)+\)&active=\*\)\?.*apiKey=.*format=json/,
  },
  {
    slug: 'retailer_w',
    source: 'affiliate',
    question: product,
    unknown: {
      kind: 'product',
      identifier: { kind: 'item_id', value: '999999999', retailer: 'retailer_w' },
    },
    most: 20,
    limits: [null, null],
    sent: /^GET \/api-proxy\/service\/affil\/product\/v2\/items\?ids=\d+(?:%2C\d+)+&format=json$/,
  },
];

function togetherOf(source: Source, request: PageRequest) {
  const operation = source.operationOf?.(request);
  assert.ok(operation?.together, source.name);
  return { alone: operation.limit, together: operation.together };
}

const answered = (slug: KnownSlug, request: PageRequest): Page => {
  const page = WORLD.fetch(slug, request, AT);
  assert.ok(page);
  return page;
};

for (const row of ROWS) {
  const { slug, source: name, question, unknown, most } = row;
  test(`${slug}.${name}: a ${unknown.kind} asked with others reads as asked alone`, () => {
    const source = sourceOf(slug, name);
    const read = (page: Page) => {
      const verdict = READERS[slug][source.readerOf(unknown.kind)]?.(page, new UnknownWords());
      return JSON.stringify(verdict).replaceAll(/"why":"[^"]*"/g, '');
    };
    const isAsked = unknown.kind === 'barcode' ? isFoundByItsCode : () => true;
    const requests = [...listingsOf(slug).filter(isAsked).map(question), unknown]
      .map((each) => WORLD.requestOf(slug, source, each, AT))
      .filter((each) => each !== null);
    const byKind = Map.groupBy(requests, (each) => togetherOf(source, each).together.kind);
    let shared = 0;
    for (const ofKind of byKind.values()) {
      for (let from = 0; from < ofKind.length; from += most) {
        const group = ofKind.slice(from, from + most);
        const [first] = group;
        if (first === undefined || group.length === 1) continue;
        const { alone, together } = togetherOf(source, first);
        assert.equal(together.most, most);
        assert.deepEqual(
          [alone, together.limit].map((each) => each && [each.perSecond, each.burst]),
          row.limits,
        );
        const items = group.map((each) => togetherOf(source, each).together.item);
        const request = together.request(items);
        const { pathname, search } = new URL(request.url);
        assert.match(
          `${request.method ?? 'GET'} ${pathname}${search}${request.body === undefined ? '' : ` ${request.body}`}`,
          row.sent,
        );
        const pages = [answered(slug, request)];
        for (const page of pages) {
          const next = together.next?.(items, page) ?? null;
          if (next !== null) pages.push(answered(slug, next));
        }
        const shareOf = together.shares(pages, items);
        for (const [at, each] of group.entries()) {
          const item = items[at] ?? '';
          const page = shareOf(item);
          if (page === null) continue;
          shared += 1;
          assert.equal(read(page), read(answered(slug, each)), item);
        }
      }
    }
    assert.ok(shared > requests.length / 2, `${shared} of ${requests.length} were shared`);
  });
}

test('a failure of one item in a common answer is that of the item alone', () => {
  const source = sourceOf('retailer_a', 'selling_partner');
  const [one, other] = WORLD.listings('retailer_a')
    .filter((each) => troubleAt(each) === null)
    .map((each) => WORLD.requestOf('retailer_a', source, offers(each), AT))
    .filter((each) => each !== null);
  const gone = WORLD.requestOf('retailer_a', source, { kind: 'offers', identifier: asin }, AT);
  assert.ok(one && other && gone);
  const { together } = togetherOf(source, one);
  const items = [one, other, gone].map((each) => togetherOf(source, each).together.item);
  const page = answered('retailer_a', together.request(items));
  const share = together.shares([page], items);
  assert.deepEqual(
    items.map((item) => share(item)?.status),
    [200, 200, 404],
  );
  assert.equal(share('B0OTHER000'), null, 'what was not answered is open');
});

test('codes without items are open as long as an item may be theirs', () => {
  const source = sourceOf('retailer_a', 'selling_partner');
  const asked = WORLD.requestOf('retailer_a', source, { kind: 'barcode', gtin: UNKNOWN_CODE }, AT);
  assert.ok(asked);
  const { together } = togetherOf(source, asked);
  const codes = ['614141000005', '036000291452'];
  const shareOf = (value: object) => {
    const page = { ...answered('retailer_a', asked), body: Buffer.from(JSON.stringify(value)) };
    return together.shares([page], codes);
  };
  const withCode = (identifier: string) => ({
    asin: 'B000000001',
    identifiers: [{ identifiers: [{ identifierType: 'EAN', identifier }] }],
  });
  const hits = (page: Page | null): number | null => {
    const text = new TextDecoder().decode(page?.body);
    return page === null ? null : (JSON.parse(text) as { items: object[] }).items.length;
  };
  const both = (value: object) => codes.map((code) => hits(shareOf(value)(code)));
  const own = withCode('0036000291452');
  assert.deepEqual(both({ items: [own] }), [0, 1]);
  assert.deepEqual(both({ items: [own, own] }), [0, 2]);
  assert.deepEqual(both({ items: [own, { asin: 'B000000002' }] }), [null, 1]);
  assert.deepEqual(both({ items: [own, withCode('4006381333931')] }), [null, 1]);
  assert.deepEqual(both({ items: [own], pagination: { nextToken: 'more' } }), [null, 1]);
  assert.deepEqual(both({ items: [] }), [0, 0]);
});
