import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import { offersToKeep, type SeenOffer } from '../../../src/rules/history/offer-archive.ts';
import { EMPTY_OFFER, shownOfferCents, type Offer } from '../../../src/base/listing/offer.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const NOON = Date.parse('2026-03-14T12:00:00Z');
const SELLER = 'A'.repeat(32);

function offer(cents: number | null, given: Partial<Offer> = {}): Offer {
  const price = cents === null ? null : { cents, currency: 'USD' };
  return {
    ...EMPTY_OFFER,
    offerId: 'one',
    sellerIdHex: SELLER,
    condition: 'new',
    inStock: true,
    price,
    ...given,
  };
}

const seen = (observedAtMs: number, one: Offer, isPartial = false): SeenOffer => ({
  observedAtMs,
  offer: one,
  isPartial,
});

/** Returns what an offer cost before, from what is stored of its listing; `held`: it is not stored again. */
function before(
  now: Offer,
  earlier: readonly SeenOffer[],
  list: readonly Offer[] = [],
  isPartial = false,
) {
  const fetched = { offers: [now, ...list], atMs: NOON, isPartial };
  const [kept] = offersToKeep(fetched, earlier).filter(({ place }) => place === 0);
  return kept === undefined ? 'held' : kept.beforeCents;
}

const YESTERDAY = NOON - 24 * HOUR_MS;

test('an offer is the same one by its id, else by seller and condition', () => {
  const past = [seen(YESTERDAY, offer(500))];
  const rows: readonly [string, Offer, number | null][] = [
    ['same id', offer(600), 500],
    ['same id, other seller', offer(600, { sellerIdHex: 'B'.repeat(32) }), 500],
    ['listed anew', offer(600, { offerId: 'two' }), 500],
    ['no id', offer(600, { offerId: null }), 500],
    ['another condition', offer(600, { offerId: 'two', condition: 'refurbished' }), null],
    ['another seller', offer(600, { offerId: 'two', sellerIdHex: 'B'.repeat(32) }), null],
    ['a seller without an id', offer(600, { offerId: 'two', sellerIdHex: null }), null],
  ];
  for (const [what, now, cents] of rows) assert.equal(before(now, past), cents, what);
  assert.equal(before(offer(600), []), null);
});

test('sellers are distinguished by the 32 characters, where both are known by the number, by that', () => {
  const byNumber = { offerId: null, sellerIdHex: null, sellerId: '101' };
  assert.equal(before(offer(600, byNumber), [seen(YESTERDAY, offer(500, byNumber))]), 500);
  const other = offer(500, { ...byNumber, sellerId: '102' });
  assert.equal(before(offer(600, byNumber), [seen(YESTERDAY, other)]), null);
});

test('of several times the last one counts, and a time out of stock has no price', () => {
  const times = [seen(NOON - HOUR_MS, offer(450)), seen(YESTERDAY, offer(500))];
  assert.equal(before(offer(600), times), 450);
  const soldOut = seen(NOON - HOUR_MS, offer(450, { inStock: false }));
  assert.equal(before(offer(600), [soldOut, ...times]), null);
  const pounds = offer(450, { price: { cents: 450, currency: 'GBP' } });
  assert.equal(before(offer(600), [seen(YESTERDAY, pounds)]), null);
});

test('of two offers of one seller nobody knows which is which once an id has changed', () => {
  const two = [
    seen(YESTERDAY, offer(500, { offerId: 'a' })),
    seen(YESTERDAY, offer(700, { offerId: 'b' })),
  ];
  assert.equal(before(offer(600, { offerId: 'c' }), two), null);
  // Stored minutes apart, they were in one list: a row makes another one unnecessary only within its hour.
  const apart = [
    seen(NOON - 10 * MINUTE_MS - HOUR_MS, offer(500, { offerId: 'a' })),
    seen(NOON - 50 * MINUTE_MS - HOUR_MS, offer(700, { offerId: 'b' })),
  ];
  assert.equal(before(offer(600, { offerId: 'c' }), apart), null);
  // An offer that is still there under its own id is not the other one's past.
  assert.equal(before(offer(600, { offerId: 'c' }), two, [offer(700, { offerId: 'b' })]), 500);
  const [first, second] = [offer(600, { offerId: 'c' }), offer(650, { offerId: 'd' })];
  assert.equal(before(first, [seen(YESTERDAY, offer(500))], [second]), null);
  // Of the seller's older offers, only the last counts.
  const relisted = [
    seen(NOON - 2 * HOUR_MS, offer(450, { offerId: 'b' })),
    seen(YESTERDAY, offer(500, { offerId: 'a' })),
  ];
  assert.equal(before(offer(600, { offerId: 'c' }), relisted), 450);
});

test('a partial list never means that a seller has gone or lists again', () => {
  const [one, two] = [offer(500, { offerId: 'a' }), offer(700, { offerId: 'b' })];
  const page = [seen(NOON - 2 * HOUR_MS, offer(450, { offerId: 'a' }), true)];
  const list = [seen(YESTERDAY, one), seen(YESTERDAY, two)];
  const again = offer(600, { offerId: 'c' });
  assert.equal(before(again, [...page, ...list]), null, 'the other one may be it');
  assert.equal(before(again, [...page, seen(YESTERDAY, one)]), 450, 'there was no other');
  assert.equal(before(again, [seen(YESTERDAY, one)]), 500);
  assert.equal(before(again, [seen(YESTERDAY, one)], [], true), null, 'it may be there still');
  assert.equal(before(offer(600, { offerId: 'a' }), list, [], true), 500);
});

test('a whole list keeps again what only a page showed in its hour, and a page nothing that a list did', () => {
  const now = offer(500);
  assert.equal(before(now, [seen(NOON, now, true)]), 500);
  assert.equal(before(now, [seen(NOON, now)], [], true), 'held');
  assert.equal(before(now, [seen(NOON, now, true)], [], true), 'held');
  const nameless = offer(500, { offerId: null, sellerIdHex: null });
  assert.equal(before(nameless, [seen(NOON, nameless, true)], [], true), 'held');
});

test('an offer that says the same in the same UTC hour is stored already', () => {
  const now = offer(500);
  assert.equal(before(now, [seen(NOON, now)]), 'held');
  assert.equal(before(now, [seen(NOON - 1, now)]), 500, 'the hour before');
  const swapped = { ...now, price: { currency: 'USD', cents: 500 } };
  assert.equal(before(now, [seen(NOON, swapped)]), 'held', 'whatever the order of writing');
  const changes: readonly Partial<Offer>[] = [
    { price: { cents: 501, currency: 'USD' } },
    { price: { cents: 500, currency: null } },
    { inStock: false },
    { quantityAvailable: 3 },
    { isBuyBox: true },
    { deliveryDate: '2026-03-16' },
    { sellerRating: 4.5 },
  ];
  for (const change of changes) {
    assert.notEqual(before(now, [seen(NOON, { ...now, ...change })]), 'held');
  }
});

test('whatever lists come, the archive ends with the last list, and each price with the one before', (t) => {
  const seed = seedOf(20_260_314);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 200; round += 1) {
    let archive: readonly SeenOffer[] = [];
    let now = NOON;
    const last = new Map<string | null, Offer>();
    for (let fetch = 0; fetch < 12; fetch += 1) {
      now += 1 + integerBelow(random, HOUR_MS);
      const list = ['a', 'b', 'c', 'd']
        .filter(() => random() < 0.7)
        .map((offerId) => {
          const cents = pick(random, [100, 200, 300]);
          const inStock = random() < 0.8;
          // Separate sellers, so that only the id ties an offer to its past.
          return offer(cents, { offerId, inStock, sellerIdHex: offerId.repeat(32) });
        });
      const isPartial = random() < 0.3;
      const kept = offersToKeep({ offers: list, atMs: now, isPartial }, archive);
      for (const { offer: one, place, beforeCents } of kept) {
        assert.equal(list[place], one);
        const previous = last.get(one.offerId);
        assert.equal(beforeCents, previous === undefined ? null : shownOfferCents(previous, 'USD'));
      }
      archive = [...kept.map((each) => seen(now, each.offer, isPartial)), ...archive];
      for (const one of list) {
        last.set(one.offerId, one);
        const newest = archive.find((each) => each.offer.offerId === one.offerId);
        assert.deepEqual(newest?.offer, one);
        assert.equal(Math.floor((newest?.observedAtMs ?? 0) / HOUR_MS), Math.floor(now / HOUR_MS));
      }
    }
  }
});
