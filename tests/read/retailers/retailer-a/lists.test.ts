// retailer_a: result lists and the list of all sellers.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Offer, OfferList } from '../../../../src/base/listing/offer.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { pageOf } from '../page-fixtures.ts';
import * as a from './fixtures.ts';

function searchOf(html: string): { hits: readonly Listing[]; total: number | null } {
  const verdict = readAnswer(pageOf(html), 'search', 'retailer_a');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'search', JSON.stringify(verdict));
  return verdict.value;
}

function offersOf(html: string): OfferList {
  const verdict = readAnswer(pageOf(html), 'offers', 'retailer_a');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'offers', JSON.stringify(verdict));
  return verdict.value.offers;
}

const usd = (cents: number) => ({ cents, currency: 'USD' });

describe('result lists', () => {
  test('hits are what was found: no advertisements, no placeholders', () => {
    const { hits, total } = searchOf(a.SEARCH);
    assert.equal(total, 4);
    assert.deepEqual(
      hits.map(({ asin }) => asin),
      [a.ASIN, 'B0ACME0003'],
    );
    const [first, second] = hits;
    assert.deepEqual(
      [first?.title, first?.price, first?.listPrice, first?.rating, first?.reviewCount],
      ['Acme Anvil, 10 lb', usd(2450), usd(2999), 4.6, 1234],
    );
    assert.equal(first?.url, a.URL_OF_PAGE);
    assert.equal(first?.soldTag, '1K+ bought in past month');
    assert.equal(first?.imageUrl, `https://pictures.example/${a.ASIN}.jpg`);
    const unmarked = searchOf(a.SEARCH.replace('puis-sponsored-label-text', 'label'));
    assert.deepEqual(unmarked.hits, hits);
    // Other sellers' prices are not the card's price.
    assert.deepEqual([second?.price, second?.condition], [null, 'refurbished']);
  });

  test('"over" is not a count; a page that found nothing has no hits, whatever it shows instead', () => {
    assert.equal(searchOf(a.SEARCH.replace('of 4 results', 'of over 20,000 results')).total, null);
    const nothing = a.SEARCH.replace(
      '1-4 of',
      '<span>No results for </span><span>099900000012</span> 1-4 of',
    );
    assert.deepEqual([searchOf(nothing).hits, searchOf(nothing).total], [[], 0]);
    const other = a.SEARCH.replace('1-4 of', 'Your search did not match any products. 1-4 of');
    assert.deepEqual(searchOf(other).hits, []);
    const elsewhere = nothing.replace(
      '</span> 1-4',
      '</span> in Books. Showing other departments 1-4',
    );
    assert.equal(searchOf(elsewhere).hits.length, 2);
    assert.deepEqual(searchOf('<div class="s-main-slot"></div>').hits, []);
  });

  test('other pages are not result lists', () => {
    const kinds = [
      pageOf('<p>hello</p>'),
      pageOf('Enter the characters you see below'),
      a.productPage(),
    ].map((page) => readAnswer(page, 'search', 'retailer_a')?.kind);
    assert.deepEqual(kinds, ['unreadable', 'blocked', 'unreadable']);
  });
});

describe('all sellers', () => {
  test('each offer has its own price, seller, sender, condition and delivery', () => {
    const { offers, totalOffers } = offersOf(a.OFFERS);
    // Two others and the buy box's.
    assert.equal(totalOffers, 3);
    const expected: readonly Partial<Offer>[] = [
      {
        isBuyBox: true,
        price: usd(2450),
        condition: 'new',
        sellerName: a.OWN_NAME,
        sellerId: null,
        sellerIdHex: null,
        sellerType: '1p',
        fulfilledA: true,
        fulfilledW: null,
        fulfilledByMarketplace: true,
        shipping: usd(0),
        deliveryDate: '2026-11-27',
        inStock: true,
        quantityAvailable: null,
      },
      {
        isBuyBox: false,
        price: usd(1900),
        condition: 'used_very_good',
        sellerName: 'Bolt Trading',
        sellerId: 'A2BOLTTRADING',
        sellerType: '3p',
        sellerRating: 4.5,
        sellerReviewCount: 1234,
        fulfilledA: false,
        fulfilledByMarketplace: false,
        shipping: usd(499),
        deliveryDate: '2026-12-01',
        quantityAvailable: 3,
        offerId: 'abc%2Fdef',
      },
      {
        price: usd(2100),
        condition: 'refurbished',
        sellerName: 'Anvil World',
        sellerId: 'A3ANVILWORLD',
        sellerType: '3p',
        fulfilledA: true,
        shipping: null,
      },
    ];
    assert.equal(offers.length, expected.length);
    for (const [index, facts] of expected.entries()) {
      for (const [name, value] of Object.entries(facts)) {
        assert.deepEqual(offers[index]?.[name as keyof Offer], value, `${index} ${name}`);
      }
    }
  });

  test('nought others next to a priced offer of the buy box is one; an empty list is not one', () => {
    const alone = a.OFFERS.slice(0, a.OFFERS.indexOf('<div id="aod-offer-list">')).replace(
      'value="2"',
      'value="0"',
    );
    assert.deepEqual([offersOf(alone).offers.length, offersOf(alone).totalOffers], [1, 1]);
    const empty =
      '<div id="aod-container"><span id="aod-filter-no-offer-count-heading">No offers</span></div>';
    assert.deepEqual(offersOf(empty), { offers: [], totalOffers: 0 });
    const { offers, totalOffers } = offersOf(a.OFFERS.replace('aod-total-offer-count', 'x'));
    assert.deepEqual([offers.length, totalOffers], [3, null]);
  });

  test('the pinned offer counts once; its seller may stand after it', () => {
    const price = `<div id="aod-offer-price">${a.amount('$24.50')}</div>`;
    const seller =
      '<div id="aod-offer-soldBy"><a href="?seller=A1ACMEOUTLET1">Acme Outlet</a></div>';
    const heading = '<div id="aod-offer-heading">New</div>';
    const behind =
      `<div id="aod-pinned-offer">${heading}${price}</div>` +
      `<div id="aod-pinned-offer-additional-content">${seller}</div>` +
      `<div id="aod-offer">${heading}${price}${seller}</div>`;
    const { offers } = offersOf(`<div id="aod-container">${behind}</div>`);
    assert.deepEqual(
      offers.map((offer) => [offer.isBuyBox, offer.sellerId, offer.price?.cents]),
      [[true, 'A1ACMEOUTLET1', 2450]],
    );
  });

  test('the seller is named next to "Sold by", not by the link about what the delivery costs', () => {
    const beside = (id: string, label: string, name: string) =>
      `<div id="${id}"><div class="a-fixed-left-grid-col a-col-left"><span>${label}</span></div>` +
      `<div class="a-fixed-left-grid-col a-col-right">${name}</div></div>`;
    const costs =
      '<span data-csa-c-delivery-price="$3.99" data-csa-c-delivery-time="December 1 - 4">$3.99 delivery ' +
      '<a href="/gp/aag/details/?seller=A2BOLTTRADING&amp;sshmPath=shipping-rates">Details</a></span>';
    const profile = '<a href="/gp/aag/main?ie=UTF8&amp;seller=A2BOLTTRADING">Bolt Trading </a>';
    const ofBolt =
      `<div id="aod-offer"><div id="aod-offer-price">${a.amount('$19.00')}${costs}</div>` +
      beside('aod-offer-shipsFrom', 'Ships from', 'Bolt Trading') +
      `${beside('aod-offer-soldBy', 'Sold by', profile)}</div>`;
    const inSpanish =
      `<div id="aod-offer"><div id="aod-offer-price">${a.amount('$21.00')}</div>` +
      beside('aod-offer-shipsFrom', 'Envío por', a.OWN_NAME) +
      `${beside('aod-offer-soldBy', 'Vendedor', a.OWN_NAME)}</div>`;
    const { offers } = offersOf(`<div id="aod-container">${ofBolt}${inSpanish}</div>`);
    assert.deepEqual(
      offers.map((offer) => [
        offer.sellerName,
        offer.sellerId,
        offer.sellerType,
        offer.fulfilledA,
        offer.shipping?.cents ?? null,
      ]),
      [
        ['Bolt Trading', 'A2BOLTTRADING', '3p', false, 399],
        [a.OWN_NAME, null, '1p', true, null],
      ],
    );
  });

  test('other answers are not a list of sellers', () => {
    const wall = pageOf('<form action="/errors/validateCaptcha">');
    assert.equal(readAnswer(wall, 'offers', 'retailer_a')?.kind, 'blocked');
    assert.equal(readAnswer(a.productPage(), 'offers', 'retailer_a')?.kind, 'unreadable');
    assert.equal(
      readAnswer(pageOf('x', { status: 404 }), 'offers', 'retailer_a')?.kind,
      'not_found',
    );
  });
});
