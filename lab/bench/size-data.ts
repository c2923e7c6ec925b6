// Invented products for lab/bench/size.ts: barcode, listings at several retailers with records of the usual length, cells,
// offers, and price histories. A product is a function of the seed and its number alone, so that a database of N products
// holds exactly the first N of a larger one.

import { originOf } from '../../src/base/listing/origin.ts';
import { gs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';
import { DAY_MS } from '../../src/base/clock.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING, type Listing } from '../../src/base/listing/listing.ts';
import { EMPTY_OFFER, type Offer } from '../../src/base/listing/offer.ts';
import type { StoredObservation } from '../../src/rules/history/year-state.ts';
import { wholeSecond } from '../../src/rules/history/recorded-instant.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../src/base/retailer.ts';
import { listingChanges } from '../../src/answer/collect/storing/store-listing.ts';
import type { AnswerChange } from '../../src/data/answers/answer-writes.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { tie } from '../../src/rules/product/identity.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import type { StoredBarcodeAnswer } from '../../src/data/answers/barcode-answers.ts';
import { chanceFrom, seenDays } from './series-data.ts';

export type World = {
  readonly seed: number;
  /** For each product: the first so many of `WITH_LISTINGS`. */
  readonly listings: number;
  /** When the newest listing was read; all others were read in the hour before. */
  readonly nowMs: number;
};

const WITH_LISTINGS = [
  'retailer_w',
  'retailer_e',
  'retailer_b',
  'retailer_h',
  'retailer_l',
] as const;
type Lister = (typeof WITH_LISTINGS)[number];
export const MAX_LISTINGS = WITH_LISTINGS.length;

/** Where each shop's listing numbers begin. */
const FIRST_KEY: Readonly<Record<Lister, number>> = {
  retailer_w: 300_000_000,
  retailer_e: 355_000_000_000,
  retailer_b: 6_000_000,
  retailer_h: 310_000_000,
  retailer_l: 5_000_000_000,
};
const SHOPS = publicOrigins();

const WORDS = (
  'amber basin cedar drift ember fable grove haven inlet juniper kettle lantern meadow nimbus orchard pebble quartz ' +
  'ridge saddle timber umber velvet willow yarrow zephyr anchor bramble copper dune fennel garnet harbor ivory jasper'
).split(' ');

/** Returns a valid barcode for each number below ten billion, without duplicates, in no order. */
export function barcodeOf(product: number): Gtin14 {
  const digits = (BigInt(product) * 7_919_311n + 104_729n) % 10_000_000_000n;
  const body = `006${String(digits).padStart(10, '0')}`;
  // SAFETY: fourteen digits with their check digit.
  return `${body}${gs1CheckDigit(body)}` as Gtin14;
}

function keyOf(retailer: Lister, product: number): string {
  return String(FIRST_KEY[retailer] + product);
}

/** Returns the id of a listing by its number: those of product 0 first. */
export function idOfListing({ listings }: World, listing: number): string {
  const retailer = WITH_LISTINGS[listing % listings] ?? 'retailer_w';
  return listingIdOf(retailer, keyOf(retailer, Math.floor(listing / listings)));
}

/** Returns the rows that the program writes for a product that was found at some retailers and not at the others. */
export function changesOf(world: World, product: number): readonly AnswerChange[] {
  const chance = chanceFrom(world.seed ^ Math.imul(product + 1, 2_654_435_761));
  const readAtMs = world.nowMs - Math.floor(chance() * 3_600_000);
  const gtin = barcodeOf(product);
  const about = aboutOf(product, chance);
  return KNOWN_SLUGS.flatMap((retailer) => {
    const at = WITH_LISTINGS.findIndex((each) => each === retailer);
    const lister = WITH_LISTINGS[at];
    if (lister === undefined || at >= world.listings) return [notFound(gtin, retailer, readAtMs)];
    const key = keyOf(lister, product);
    const url = `${SHOPS[lister].page}/ip/${key}`;
    const listing = listingOf(about, { gtin, url, key, retailer: lister, chance });
    const fetchedAtMs = readAtMs + at;
    const origin = originOf(retailer, 'page', 'page');
    const filing = { retailer, key, url, origin, fetchedAtMs, listing, notes: NOTES } as const;
    return [
      ...listingChanges({ ...filing, foundVia: 'native_catalog', source: 'primary' }).map(asRow),
      found(gtin, retailer, { id: listingIdOf(retailer, key), atMs: fetchedAtMs }),
      ...(lister === 'retailer_w'
        ? offersOf(listing, listingIdOf(retailer, key), fetchedAtMs)
        : []),
    ];
  });
}

/**
 * Returns a fetch's observation as the row it becomes if the listing has no other of the same second: values for an insert
 * statement can be loaded directly.
 */
function asRow(change: AnswerChange): AnswerChange {
  if (change.kind !== 'fetched') return change;
  const { fetchedAtMs, ...seen } = change.observation;
  const observation = { ...seen, observedAtMs: wholeSecond(fetchedAtMs) };
  return { kind: 'observation', observation };
}

const NOTES = { missing: [], remarks: ['price from the page state'] } as const;

/** The retailer was asked for the barcode and has it. */
function found(
  gtin: Gtin14,
  retailer: KnownSlug,
  { id, atMs }: { readonly id: string; readonly atMs: number },
): AnswerChange {
  const identity = tie(gtin, { retailer, listing: { gtin }, fetchedAtMs: atMs }, true);
  const own = { listingId: id, identity, foundVia: 'native_catalog' } as const;
  return {
    kind: 'barcode-answer',
    answer: { ...nothing(gtin, retailer, atMs), ...own, status: 'ok' },
  };
}

function notFound(gtin: Gtin14, retailer: KnownSlug, checkedAtMs: number): AnswerChange {
  return { kind: 'barcode-answer', answer: nothing(gtin, retailer, checkedAtMs) };
}

function nothing(gtin: Gtin14, retailer: KnownSlug, checkedAtMs: number): StoredBarcodeAnswer {
  return {
    gtin,
    retailer,
    status: 'not_found',
    listingId: null,
    identity: { state: 'unconfirmed', method: null, pageBarcode: null, checkedAtMs },
    source: 'primary',
    foundVia: null,
    checkedAtMs,
    askedAtMs: checkedAtMs,
    judgedBy: null,
  };
}

type About = {
  readonly title: string;
  readonly brand: string;
  readonly model: string;
  readonly description: string;
  readonly cents: number;
};

function aboutOf(product: number, chance: () => number): About {
  const word = () => WORDS[Math.floor(chance() * WORDS.length)] ?? '';
  const words = (count: number) => Array.from({ length: count }, word).join(' ');
  const brand = `${word()}${word()}`;
  const model = `${brand.slice(0, 2).toUpperCase()}${100_000 + product}`;
  return {
    brand,
    model,
    title: `${brand} ${words(4)} ${model}`,
    description: words(20 + Math.floor(chance() * 40)),
    cents: 300 + Math.floor(chance() * 20_000),
  };
}

type Place = {
  readonly gtin: Gtin14;
  readonly url: string;
  readonly key: string;
  readonly retailer: Lister;
  readonly chance: () => number;
};

function listingOf(about: About, { gtin, url, key, retailer, chance }: Place): Listing {
  const { title, brand, model, description, cents } = about;
  const [height, width, length] = [
    1 + Math.floor(chance() * 30),
    12,
    1 + Math.floor(chance() * 40),
  ];
  const dimensions = { heightIn: height, widthIn: width, lengthIn: length };
  const sides = `${height} x ${width} x ${length} inches`;
  const isMarket = retailer === 'retailer_w' || retailer === 'retailer_e';
  return {
    ...EMPTY_LISTING,
    url,
    itemId: key,
    gtin,
    mpn: `${model}-1`,
    model,
    title,
    brand,
    description,
    imageUrl: `${url}-1.jpg`,
    categories: ['Household', 'Desk'],
    specs: [
      { name: 'Brand', value: brand },
      { name: 'Model', value: model },
      { name: 'Manufacturer Part Number', value: `${model}-1` },
      { name: 'Condition', value: 'New' },
      { name: 'Assembled Product Dimensions', value: sides },
      { name: 'Item Weight', value: `${(chance() * 20).toFixed(2)} lb` },
    ],
    price: { cents: cents + Math.floor(chance() * 300), currency: 'USD' },
    inStock: true,
    unavailable: false,
    condition: 'new',
    rating: Math.round(chance() * 50) / 10,
    reviewCount: Math.floor(chance() * 900),
    sellerName: isMarket ? 'Harbor Supply' : null,
    sellerId: retailer === 'retailer_w' ? sellerOf(0) : null,
    sellerType: isMarket ? '3p' : null,
    deliveryDate: '2026-11-26',
    fulfillment: {
      shipping: { available: true, costCents: 0, date: '2026-11-26' },
      delivery: null,
      pickup: { available: false, costCents: null, date: null },
    },
    weightAssembledLbs: Math.round(chance() * 2_000) / 100,
    dimensionsAssembled: dimensions,
  };
}

function sellerOf(number: number): string {
  return `F55CDC31AB754BB68FE0B39041159D${String(number).padStart(2, '0')}`;
}

function offersOf(listing: Listing, id: string, atMs: number): readonly AnswerChange[] {
  const offers = [0, 1].map((place): Offer => ({
    ...EMPTY_OFFER,
    offerId: `${id}${place}`.toUpperCase().padEnd(32, '0'),
    sellerId: `1010000${place}`,
    sellerIdHex: sellerOf(place),
    sellerName: `Harbor Supply ${place}`,
    sellerType: '3p',
    price: { cents: (listing.price?.cents ?? 100) + place * 90, currency: 'USD' },
    shipping: { cents: 0, currency: 'USD' },
    isBuyBox: place === 0,
    inStock: true,
    condition: 'new',
    fulfillmentType: 'fc',
    deliveryDate: '2026-11-26',
    maxOrderQuantity: 8,
    returnable: true,
    returnWindowDays: 30,
    freeReturns: true,
  }));
  const kept = offers.map((offer, place) => ({ offer, place, beforeCents: null }));
  return [
    { kind: 'offer-list', listingId: id, list: { fetchedAtMs: atMs, offersCount: 2 } },
    { kind: 'archived-offers', listingId: id, offers: kept, observedAtMs: atMs, isPartial: false },
  ];
}

/** Listings that are invented together: one of them has a price that changes every day. */
export const GROUP = 10;
export const DAYS_OF_HISTORY = 365;

/** Returns a year of one fetch per day, for ten listings; all of it is old enough to be compacted. Oldest first. */
export function historiesOf(
  world: World,
  group: number,
): readonly (readonly StoredObservation[])[] {
  const lastDay = Math.floor(world.nowMs / DAY_MS) - 3 - 1;
  const shape = {
    kind: 'fetched',
    listings: GROUP,
    days: DAYS_OF_HISTORY,
    firstDay: lastDay - DAYS_OF_HISTORY + 1,
  } as const;
  const histories = Array.from({ length: GROUP }, (): StoredObservation[] => []);
  for (const seen of seenDays(shape, world.seed ^ Math.imul(group + 1, 40_503))) {
    for (const { listing, observedAtMs, priceCents, inStock } of seen) {
      histories[listing]?.push({ observedAtMs, priceCents, inStock, native: null });
    }
  }
  return histories;
}
