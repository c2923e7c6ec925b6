// Item pages of retailer_e on the hosts of other countries: what a buyer there can pay, and nothing from the US shop.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Listing } from '../../../../src/base/listing/listing.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { assertHolds } from '../own-readers.ts';
import { pageOf } from '../page-fixtures.ts';
import * as e from './fixtures.ts';

/** Returns the same address on another country's host. */
const abroad = (ending: string, query = ''): string =>
  `${e.URL_OF_ITEM.replace('.com/', `.${ending}/`)}${query}`;

function listingOf(parts: e.PageParts, ending: string, query = ''): Listing {
  const url = abroad(ending, query);
  const body = e.itemBody(parts).replaceAll(`"${e.URL_OF_ITEM}"`, `"${abroad(ending)}"`);
  const verdict = readAnswer(pageOf(body, { url }), 'product', 'shopabroad');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product', JSON.stringify(verdict));
  return verdict.value.listing;
}

const euros = (price: string) =>
  e.data({
    price,
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
    itemCondition: 'https://schema.org/UsedCondition',
  });
const price = (text: string) => `<div class="x-price-primary"><span>${text}</span></div>`;
const bid = (text: string, bids: string) =>
  `<div class="x-bid-price">${price(text)}<div class="x-bid-count">${bids}</div></div>`;
const atOnce = (text: string) => `<div class="x-bin-price">${price(text)}</div>`;

test('an item abroad has the price and the seller that its page shows, and no id of the US shop', () => {
  const listing = listingOf(
    { price: 'EUR 18,50', quantity: 'Mehr als 10 verfügbar', data: euros('18.50') },
    'de',
  );
  assertHolds(listing, {
    price: { cents: 1850, currency: 'EUR' },
    inStock: true,
    sellerName: 'Drill Depot',
    sellerType: '3p',
    url: abroad('de'),
    itemId: null,
    fulfillment: null,
  });
});

test('what an auction abroad stands at is not a price; the price to buy at once is', () => {
  const auction = { buyBox: bid('EUR 18,50', '5 Gebote'), data: euros('18.50') };
  assert.equal(listingOf(auction, 'de').price, null);
  const both = {
    buyBox: bid('EUR 18,50', '5 Gebote') + atOnce('EUR 45,00'),
    data: euros('18.50'),
  };
  assert.deepEqual(listingOf(both, 'de').price, { cents: 4500, currency: 'EUR' });
});

const ENDED = [
  ['co.uk', 'This listing sold on Fri, 11 Sep at 6:09 PM.'],
  ['de', 'Dieses Angebot wurde beendet.'],
  ['de', 'Dieses Angebot wurde vom Verkäufer am Do, 6. Aug um 08:17 beendet'],
  ['de', 'Diese Auktion ist beendet'],
  ['de', 'Dieser Artikel wurde am Do, 6. Aug um 08:17 verkauft.'],
  ['fr', "Le vendeur a terminé cette vente, car l'objet n'est plus disponible."],
  ['it', "Questa inserzione è stata chiusa dal venditore perché l'oggetto non è più disponibile."],
  ['es', 'El vendedor ha terminado esta lista porque el artículo ya no está disponible.'],
] as const;

for (const [ending, status] of ENDED) {
  test(`a listing abroad that is over is gone and costs nothing: ${status}`, () => {
    const listing = listingOf({ status, price: '€ 18,50', data: euros('18.50') }, ending);
    assertHolds(listing, { price: null, inStock: false, unavailable: true });
  });
}

test('what a listing was sold for is not a price, in whatever words the page says so', () => {
  const buyBox =
    '<div class="x-item-condensed-card"><div class="x-item-condensed-card__sold-price">180,50 zł</div></div>';
  const listing = listingOf({ buyBox, data: euros('180.50') }, 'pl');
  assertHolds(listing, { price: null, inStock: false, unavailable: true });
});

const RUNNING = [
  ['de', 'Dieser Artikel wird schnell verkauft. Angebot endet in 2 Tagen.'],
  ['fr', 'La vente se termine dans 2 jours.'],
  ['it', "L'asta termina tra 2 giorni."],
  ['es', 'La subasta finaliza en 2 días.'],
] as const;

for (const [ending, status] of RUNNING) {
  test(`a notice above a listing that still runs ends nothing: ${status}`, () => {
    const listing = listingOf({ status, price: 'EUR 18,50', data: euros('18.50') }, ending);
    assert.deepEqual(listing.price, { cents: 1850, currency: 'EUR' });
    assert.equal(listing.unavailable, false);
  });
}

test('the variation that an address abroad chooses has its own price and stock', () => {
  const map = {
    1001: { binModel: { price: { value: { value: 12.99, currency: 'EUR' } } }, outOfStock: false },
    1002: { binModel: { price: { value: { value: 24.99, currency: 'EUR' } } }, outOfStock: true },
  };
  const parts = {
    price: 'EUR 12,99 bis EUR 24,99',
    data: euros('12.99'),
    script: `var x={"variationsMap":${JSON.stringify(map)}}`,
  };
  assertHolds(listingOf(parts, 'de', '?var=1002'), {
    price: { cents: 2499, currency: 'EUR' },
    inStock: false,
    variantId: '1002',
  });
});
