// Compares offers of the simulated market through the service with the truth: the list of all sellers where it can be
// requested, and otherwise what the product page states (D64).

import type { App } from '../../../src/edge/app.ts';
import type { KnownSlug } from '../../../src/base/retailer.ts';
import { presentOffers } from '../../../src/answer/wire/record/offer.ts';
import { isSame, type Difference, type Truth } from './facts.ts';
import { STATED_OFFER_FACTS } from '../../../tests/support/stated-offer-facts.ts';

type OfferTruth = Readonly<Record<string, unknown>>;

/** Retailers that show a list of all sellers: retailer_w's contains the new ones, retailer_a's those that can be bought. */
const LISTED = {
  retailer_w: (offer: OfferTruth) => offer['condition'] === 'new',
  retailer_a: (offer: OfferTruth) => offer['in_stock'] === true,
} as const;

type WithOffers = keyof typeof LISTED;

export const hasOffers = (slug: KnownSlug): slug is WithOffers => Object.hasOwn(LISTED, slug);

type ComparedOffers = {
  readonly offers: number;
  readonly facts: number;
  readonly differences: readonly Difference[];
};

async function truthOf(origin: string, slug: WithOffers, truth: Truth) {
  const query = `retailer=${slug}&url=${encodeURIComponent(truth.url)}`;
  const id = String(truth.facts['item_id'] ?? truth.facts['asin']);
  const rows = await fetch(`${origin}/__truth/offers?${query}&id=${id}`);
  return (await rows.json()) as readonly OfferTruth[];
}

/** Returns what a marketplace page states: its buy box, then the lowest other price. */
function statedByPage(all: readonly OfferTruth[], truth: Truth): readonly OfferTruth[] {
  const other = truth.facts['secondary_offer_price'] ?? null;
  return [
    ...all.filter((offer) => offer['is_buy_box'] === true),
    ...(other === null ? [] : [{ price: other }]),
  ];
}

/** Returns a listing's offers as the service answers them, by its URL. `isListed`: a source for the list is configured. */
export async function comparedOffers(
  app: App,
  { origin, slug, truth }: { origin: string; slug: WithOffers; truth: Truth },
  isListed: boolean,
): Promise<ComparedOffers> {
  const addOns = { includeOffers: true };
  const lookup = app.lookupProduct.parse({ text: truth.url, forceRefresh: false, addOns });
  const { offers: live } = await app.lookupProduct.fromShops(lookup, app.lookupContext());
  const got: readonly Record<string, unknown>[] = live === null ? [] : presentOffers(live, 'USD');
  const all = await truthOf(origin, slug, truth);
  const wanted = isListed ? all.filter(LISTED[slug]) : statedByPage(all, truth);
  const way = isListed ? 'list of offers' : 'offers of the page';
  const differences: Difference[] = [];
  const differ = (field: string, expected: unknown, found: unknown) => {
    differences.push({ retailer: slug, way, url: truth.url, field, expected, got: found });
  };
  if (live?.isComplete !== isListed) differ('offers_complete', isListed, live?.isComplete);
  if (live?.retailer !== slug) differ('offers_retailer', slug, live?.retailer);
  if (got.length !== wanted.length) differ('offers_count', wanted.length, got.length);
  let facts = 3;
  for (const [place, offer] of wanted.entries()) {
    const shown = got[place] ?? {};
    for (const field of STATED_OFFER_FACTS[slug].filter((name) => name in offer)) {
      const name = field === 'fulfilled_by_retailer' ? 'fulfilled_by_marketplace' : field;
      const isHidden = field === 'price' && offer['in_stock'] === false;
      const expected = isHidden ? null : offer[field];
      facts += 1;
      if (!isSame(field, expected ?? null, shown[name] ?? null)) {
        differ(`offers[${place}].${field}`, expected, shown[name]);
      }
    }
  }
  return { offers: wanted.length, facts, differences };
}
