// The digest of an API answer that an agent sees: identity, price, age, doubts. Page text appears only under `page_text`,
// and is left out for shops that do not want it to be given to language models (D83).

import type { ComparisonBody } from '../wire/compare.ts';
import type { HistoryBody } from '../wire/history/history.ts';
import type { ProductRecord } from '../wire/record/product-record.ts';
import { pageText, shortUrl, type DigestRoom } from './answer.ts';
import type { Candidates } from './shelf.ts';

type Facts<Body> = Omit<Body, 'tokens_consumed' | 'tokens_remaining'>;
type Digest = Record<string, unknown>;
type ProductFacts = Facts<ProductRecord>;

/** Returns the digest of a product. */
export function productDigest(record: ProductFacts, room: DigestRoom): Digest {
  const { _meta: meta, retailer_links: links = [] } = record;
  return {
    ...idsOf(record),
    ...moneyOf(record),
    ...textOf(meta, pageTextOf(record, room)),
    best_price: bestOf(record),
    price: record.current_price,
    price_at: meta.price_source,
    in_stock: record.in_stock,
    condition: record.condition,
    pack_count: record.pack_count,
    fetched_at: record._freshness.refreshed_at,
    identity: Object.fromEntries(
      links.slice(0, room.rows + 1).map(({ retailer, identity_state: state }) => [retailer, state]),
    ),
    unsure: unsureOf(record, meta.price_source),
    ...identifiedBy(record),
    ...notAskedIn(meta.indexing ?? []),
  };
}

/** States which database names a product that no retailer has, and the licence of its facts. */
const identifiedBy = ({ identity_only: isOnly, _meta: meta }: ProductFacts): Digest =>
  isOnly === undefined
    ? {}
    : { identity_only: true, identity_from: meta.identity_from, no_answer_from: meta.upstream };

/** Seconds after which most retailers have answered a background job. */
const ASK_AGAIN_SECONDS = 10;

/** States which retailers are missing because they were not asked yet, and when to ask again. */
const notAskedIn = (slugs: readonly string[]): Digest =>
  slugs.length === 0 ? {} : { not_asked_yet: slugs, ask_again_after_seconds: ASK_AGAIN_SECONDS };

/** Returns the product with what a digest leaves out. */
export function productDetail(record: ProductFacts, room: DigestRoom): Digest {
  const { specs, retailer_links: links = [], _meta: meta } = record;
  return {
    ...productDigest(record, room),
    links: links.slice(0, room.rows).map(({ retailer, url }) => ({ retailer, url: shortUrl(url) })),
    msrp: record.msrp,
    rating: record.average_rating,
    reviews: record.review_count,
    weight_lbs: record.weight_lbs,
    dimensions: record.dimensions,
    referral_fee: record.referral_fee_usd,
    fulfillment_fee: record.fulfillment_fee_usd,
    hazmat: record.hazmat,
    ...textOf(meta, {
      ...pageTextOf(record, room),
      seller: pageText(record.seller_name, room),
      description: pageText(record.description, { ...room, text: room.text * 5 }),
      specs: specs
        .slice(0, room.rows)
        .map(({ name, value }) => `${pageText(name, room)}: ${pageText(value, room)}`),
    }),
  };
}

/** Returns live offers, cheapest first. */
export function offersDigest(record: ProductFacts, room: DigestRoom): Digest {
  const { _meta: meta } = record;
  const offers = [...(record.offers ?? [])].sort(
    (one, other) =>
      (one.price ?? Number.POSITIVE_INFINITY) - (other.price ?? Number.POSITIVE_INFINITY),
  );
  return {
    ...idsOf(record),
    ...moneyOf(record),
    ...textOf(meta, pageTextOf(record, room)),
    retailer: record.offers_retailer,
    complete: record.offers_complete,
    offers_count: offers.length,
    total_offers: record.total_offers,
    // The offers are from this call, but the listing's page may be days old.
    listing_fetched_at: record._freshness.refreshed_at,
    offers: offers.slice(0, room.rows).map((offer) => ({
      price: offer.price,
      shipping: offer.shipping_cost,
      in_stock: offer.in_stock,
      buy_box: offer.is_buy_box,
      condition: offer.condition,
      kind: offer.seller_type,
      ...textOf(meta, { seller: pageText(offer.seller_name, { ...room, text: 40 }) }),
    })),
    not_shown: Math.max(0, offers.length - room.rows) || null,
    unsure: unsureOf(record, record.offers_retailer),
    ...identifiedBy(record),
  };
}

/**
 * A marketplace sale at a loss is known to lose money; without fees the profit is unknown. So unknown profits come last.
 */
const profitOf = ({ unit_profit: profit }: ComparisonBody['rows'][number]): number =>
  profit ?? -Number.MAX_VALUE;

/** Returns rows with a price, by highest profit, else by lowest price; then rows without a price. */
export function comparisonDigest(comparison: Facts<ComparisonBody>, room: DigestRoom): Digest {
  const priced = comparison.rows
    .filter(({ price }) => price !== null)
    .sort(
      (one, other) =>
        profitOf(other) - profitOf(one) || (one.unit_price ?? 0) - (other.unit_price ?? 0),
    );
  const waiting = comparison.rows.filter(({ status }) => status === 'indexing');
  const unpriced = comparison.rows.filter((row) => row.price === null && !waiting.includes(row));
  return {
    gtin: comparison.gtin,
    ...moneyOf(comparison),
    ...textOf(comparison, { title: pageText(comparison.title, room) }),
    pack_count: comparison.pack_count,
    rows: priced.slice(0, room.rows).map(rowDigest),
    ...(comparison.apart === undefined ? {} : { apart: comparison.apart.map(rowDigest) }),
    not_shown: Math.max(0, priced.length - room.rows) || null,
    without_price: unpriced.map(({ retailer, status }) => `${retailer}: ${status}`),
    ...notAskedIn(waiting.map(({ retailer }) => retailer)),
  };
}

function rowDigest(row: ComparisonBody['rows'][number]) {
  return {
    retailer: row.retailer,
    price: row.price,
    ...(row.pack_count === null || row.pack_count === 1 ? {} : { pack: row.pack_count }),
    ...(row.cost_factor === undefined ? {} : { cost_factor: row.cost_factor }),
    ...(row.fees?.total === undefined || row.fees.total === null ? {} : { fees: row.fees.total }),
    ...(row.profit === null ? {} : { profit: row.profit }),
    ...(row.roi === null ? {} : { roi: row.roi }),
    ...(row.highest_cost === null ? {} : { highest_cost: row.highest_cost }),
    identity: row.identity,
    fetched_at: row.refreshed_at,
    warnings: row.warnings,
    ...(row.withheld === undefined ? {} : { withheld: row.withheld }),
  };
}

/** Returns the comparison with its addresses. */
export function comparisonDetail(comparison: Facts<ComparisonBody>, room: DigestRoom): Digest {
  const links = comparison.rows.filter(({ url }) => url !== null).slice(0, room.rows);
  return {
    ...comparisonDigest(comparison, room),
    links: links.map(({ retailer, url }) => ({ retailer, url: shortUrl(url) })),
    break_even: Object.fromEntries(
      links.map(({ retailer, break_even_price: price }) => [retailer, price]),
    ),
  };
}

/** Returns a history's figures and newest rows. */
export function historyDigest(history: Facts<HistoryBody>, room: DigestRoom): Digest {
  const { identifier, retailer, timeframe, stats, observations, next } = history;
  return {
    identifier: identifier.slice(0, 200),
    retailer,
    timeframe,
    ...moneyOf(history),
    ...(stats ?? { stats: 'no price is stored' }),
    newest: observations.slice(0, room.rows).map((row) => ({
      at: row.observed_at,
      ...(row.retailer === undefined ? {} : { retailer: row.retailer }),
      price: row.price,
      ...(row.in_stock === false ? { in_stock: false } : {}),
      ...(row.counted === false ? { counted: false } : {}),
      ...(row.suspect === undefined ? {} : { suspect: row.suspect }),
    })),
    not_shown: Math.max(0, observations.length - room.rows) || null,
    more_is_stored: next === null ? null : true,
  };
}

export function candidatesDigest({ candidates }: Candidates, room: DigestRoom): Digest {
  return {
    candidates: candidates.slice(0, Math.max(1, room.rows)).map(({ retailer, url, title }) => ({
      retailer,
      url: shortUrl(url),
      page_text: { title: pageText(title, room) },
    })),
    note: 'These candidates are not verified. Call lookup with the url of the one that fits.',
  };
}

/** The currency of the prices, where the answer states it; else they are US dollars. */
const moneyOf = ({ currency }: { readonly currency?: string | undefined }): Digest =>
  currency === undefined ? {} : { currency };

const idsOf = ({ gtin, asin, item_id: item }: ProductFacts): Digest => {
  const named = { gtin, asin: gtin === null ? asin : null, item_id: gtin === null ? item : null };
  return Object.fromEntries(Object.entries(named).filter(([, id]) => id !== null));
};

/** Returns the text of pages, or why there is none. */
const textOf = ({ signals }: Pick<ComparisonBody, 'signals'>, text: Digest): Digest =>
  signals?.ai_input === false
    ? { no_page_text: 'the shop does not allow its text to be given to language models' }
    : { page_text: text };

const pageTextOf = ({ title, brand }: ProductFacts, room: DigestRoom): Digest => ({
  title: pageText(title, room),
  brand: pageText(brand, { ...room, text: 40 }),
});

function bestOf({ best_price: best }: ProductFacts): Digest | null {
  if (best === null || best === undefined) return null;
  const { retailer, price, url, refreshed_at: at } = best;
  return { retailer, price, url: shortUrl(url), fetched_at: at };
}

/**
 * Lists reasons not to rely on the answer, in the API's words. `shown` names the retailers whose prices are in the digest. An
 * unconfirmed barcode at another retailer says nothing about them; nearly every product has one, because some retailers can
 * never be confirmed.
 */
function unsureOf(record: ProductFacts, shown: string | null | undefined): readonly string[] {
  const { _meta: meta, retailer_links: links = [], gtin } = record;
  const { price_suspect: suspect, data_quality_score: score, disagreements } = meta;
  const disputed = links.filter((link) => link.identity_state === 'disputed');
  const unconfirmed = links.filter(
    (link) => link.identity_state === 'unconfirmed' && link.retailer === shown,
  );
  return [
    ...(suspect === undefined ? [] : [`price is suspect: ${suspect.reason}`]),
    ...(meta.moved_from === undefined
      ? []
      : ['the address that was sent used to show another product']),
    ...(meta.native_price === undefined
      ? []
      : [`price is not known to be ${record.currency ?? 'US dollars'}`]),
    ...(score !== null && score < LOW_SCORE ? [`sources agree only ${score} of 1`] : []),
    ...(gtin === null ? ['no barcode is known'] : []),
    ...(disputed.length === 0 ? [] : [`disputed: ${slugs(disputed)}`]),
    ...(unconfirmed.length === 0 ? [] : [`barcode not confirmed: ${slugs(unconfirmed)}`]),
    ...(disagreements.length > disputed.length ? ['some listings seem to be another product'] : []),
  ];
}

const LOW_SCORE = 0.8;

const slugs = (links: readonly { readonly retailer: string }[]): string =>
  links
    .slice(0, 7)
    .map(({ retailer }) => retailer)
    .join(', ');
