// Two or three products under one barcode (lab/eval/agreement.ts): listings with random titles from the simulated market are
// stored as the retailers' answers, and the barcode is looked up. Every fact of a listing identifies its product, so that a
// record with a fact of another product is detected. Counts what D80 forbids.

import type { App } from '../../../src/edge/app.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../../src/base/retailer.ts';
import { toGtin14, type Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import type { Product } from '../../../src/rules/product/product.ts';
import { NOT_CHECKED } from '../../../src/rules/product/identity.ts';
import { ANCHOR_ORDER } from '../../../src/rules/product/source-order.ts';
import { inventCatalog, type CatalogProduct } from '../../../sandbox/market/catalog.ts';
import { writeChanges, type AnswerChange } from '../../../src/data/answers/answer-writes.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { withPackCount } from '../../../src/read/titles/pack-count.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { presentProduct } from '../../../src/answer/wire/record/present.ts';
import { between, drawFrom, oneOf, type Draw } from './products.ts';

/** How many retailers list each product; the first four may be used to develop rules. */
const SPLITS = ['2:3', '2:2', '2:4', '3:3', '1:2', '1:1:1', '2:2:2', '3:4', '1:5'] as const;
type Split = (typeof SPLITS)[number];

type ClusterCount = {
  records: number;
  /** Records with a score below 0.2 that report no listing. */
  unnamed: number;
  /** Records with a fact of a product other than the anchor's. */
  mixed: number;
  /**
   * Records of a product other than the one with more than half of the listings, or without such a one the first listing's.
   */
  other: number;
  /** Disputed listings of the anchor's product, out of `sound`. */
  disputed: number;
  sound: number;
};

/** By lookup: the barcode, or the item or ASIN of one of the listings. */
type ClusterTally = Record<Split, Record<'barcode' | 'own', ClusterCount>>;

const newCount = (): ClusterCount => ({
  records: 0,
  unnamed: 0,
  mixed: 0,
  other: 0,
  disputed: 0,
  sound: 0,
});

/** A listing of a group, in anchor order. */
type Filed = { readonly retailer: KnownSlug; readonly key: string; readonly product: number };

/** Stores `groups` groups and looks them up; kinds alternate. */
export async function measureClusters(
  app: App,
  { groups, seed }: { readonly groups: number; readonly seed: number },
): Promise<ClusterTally> {
  const tally = Object.fromEntries(
    SPLITS.map((split) => [split, { barcode: newCount(), own: newCount() }]),
  ) as ClusterTally;
  const catalog = inventCatalog(seed, TITLES, []);
  for (let turn = 0; turn < groups; turn += 1) {
    const split = SPLITS[turn % SPLITS.length] as Split;
    const draw = drawFrom(seed * 100_003 + turn);
    const gtin = toGtin14(barcodeOf(turn)) as Gtin14;
    const filed = placesOf(draw, split, turn);
    const speaking = mostOrFirst(filed);
    await file(app, { gtin, filed, speaking, draw, catalog });
    const group = { filed, outOfStock: speaking };
    await count(app, gtin, { ...group, speaking }, tally[split].barcode);
    const own = filed.find(({ retailer }) => ['retailer_w', 'retailer_a'].includes(retailer));
    if (own === undefined) continue;
    await count(app, own.key, { ...group, speaking: own.product }, tally[split].own);
  }
  return tally;
}

const TITLES = 2_000;

/** Returns a barcode with the company number that GS1 uses in examples: no product of the market has it. */
function barcodeOf(turn: number): string {
  const digits = `614141${String(turn).padStart(5, '0')}`;
  const sum = digits
    .split('')
    .reduce((all, each, at) => all + Number(each) * (at % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Returns random retailers, each with the product that it lists. */
function placesOf(draw: Draw, split: Split, turn: number): readonly Filed[] {
  const products = split.split(':').flatMap((size, at) => Array<number>(Number(size)).fill(at));
  const retailers = shuffled(draw, ANCHOR_ORDER).slice(0, products.length);
  const drawn = shuffled(draw, products);
  return ANCHOR_ORDER.filter((slug) => retailers.includes(slug)).map((retailer, at) => ({
    retailer,
    key: retailer === 'retailer_a' ? `B0${String(turn).padStart(8, '0')}` : `${930_000_000 + turn}`,
    product: drawn[at] as number,
  }));
}

function shuffled<T>(draw: Draw, list: readonly T[]): readonly T[] {
  return list
    .map((each) => [draw(), each] as const)
    .toSorted(([one], [two]) => one - two)
    .map(([, each]) => each);
}

/** Returns the product whose record answers for the barcode (D80). */
function mostOrFirst(filed: readonly Filed[]): number {
  const most = filed.find(
    ({ product }) => 2 * filed.filter((each) => each.product === product).length > filed.length,
  );
  return (most ?? filed[0])?.product ?? 0;
}

type Filing = {
  readonly gtin: Gtin14;
  readonly filed: readonly Filed[];
  readonly speaking: number;
  readonly draw: Draw;
  readonly catalog: readonly CatalogProduct[];
};

/** Stores the listings as the answers of their retailers; the other retailers have nothing. */
async function file(app: App, { gtin, filed, speaking, draw, catalog }: Filing): Promise<void> {
  const nowMs = systemClock.now();
  const sold = soldUnder(draw, catalog);
  const changes = KNOWN_SLUGS.flatMap((retailer): AnswerChange[] => {
    const place = filed.find((each) => each.retailer === retailer);
    const asked = {
      gtin,
      retailer,
      source: 'primary',
      checkedAtMs: nowMs,
      askedAtMs: nowMs,
    } as const;
    const answer = {
      ...asked,
      identity: NOT_CHECKED,
      foundVia: 'native_catalog',
      judgedBy: null,
    } as const;
    if (place === undefined) {
      return [
        { kind: 'barcode-answer', answer: { ...answer, status: 'not_found', listingId: null } },
      ];
    }
    const { key, product } = place;
    const facts = factsOf(draw, sold[product] as CatalogProduct, product);
    // Out of stock, so that a vote or a best price of another product is detected.
    const listing = { ...facts, gtin, inStock: product !== speaking, ...ownIdOf(place) };
    const read = { retailer, key, url: `https://${retailer}.example/${key}`, fetchedAtMs: nowMs };
    const notes = { missing: [], remarks: [] };
    return [
      { kind: 'listing', listing: { ...read, foundVia: 'native_catalog', listing, notes } },
      {
        kind: 'barcode-answer',
        answer: { ...answer, status: 'ok', listingId: listingIdOf(retailer, key) },
      },
    ];
  });
  const { done } = await writeChanges(app.store.sql, changes);
  if (!done) throw new Error(`The listings of ${gtin} were not written.`);
}

/** Returns three products with different titles: two books with the same title would be indistinguishable. */
function soldUnder(draw: Draw, catalog: readonly CatalogProduct[]): readonly CatalogProduct[] {
  const sold = new Map<string, CatalogProduct>();
  while (sold.size < 3) {
    const product = oneOf(draw, catalog);
    if (!sold.has(product.title)) sold.set(product.title, product);
  }
  return [...sold.values()];
}

function ownIdOf({ retailer, key }: Filed): Partial<Listing> {
  if (retailer === 'retailer_w') return { itemId: key };
  return retailer === 'retailer_a' ? { asin: key } : {};
}

/** Values unique to a product, so that a record reveals their source. */
const markOf = (product: number): string => `PRODUCT-${product}`;
const poundsOf = (product: number): number => 17.357 + product;
const centsOf = (product: number): number => 1_357_911 + product;

function factsOf(draw: Draw, { title, brand, model }: CatalogProduct, product: number): Listing {
  const [mark, pounds] = [markOf(product), poundsOf(product)];
  const dimensions = { heightIn: pounds, widthIn: pounds, lengthIn: pounds };
  return withPackCount({
    ...EMPTY_LISTING,
    title,
    brand: draw() < 0.3 ? brand : null,
    model: draw() < 0.2 ? model : null,
    mpn: draw() < 0.5 ? mark : null,
    // The model reads descriptions, so that only some have one.
    description: draw() < 0.3 ? mark : null,
    imageUrl: `https://${mark}.example/${between(draw, 1, 9)}.jpg`,
    specs: [{ name: mark, value: mark }],
    sellerName: mark,
    price: { cents: centsOf(product), currency: 'USD' },
    weightLbs: pounds,
    weightPackageLbs: pounds,
    dimensions,
    dimensionsPackage: dimensions,
  });
}

type Expected = {
  readonly filed: readonly Filed[];
  readonly outOfStock: number;
  /** The product whose record must be the answer. */
  readonly speaking: number;
};

async function count(
  app: App,
  text: string,
  { filed, outOfStock, speaking }: Expected,
  counted: ClusterCount,
): Promise<void> {
  const found = await app.lookupProduct.fromStore(
    app.lookupProduct.parse({ text, retailer: undefined, forceRefresh: false }),
  );
  if (found === null) throw new Error(`Nothing is stored for ${text}.`);
  const { disagreements, score } = found.agreement;
  const productOf = (slug: string): number =>
    (filed.find(({ retailer }) => retailer === slug) as Filed).product;
  const anchored = productOf(found.anchor.retailer);
  const own = filed.filter(({ product }) => product === anchored);
  counted.records += 1;
  counted.sound += own.length;
  if ((score ?? 1) < 0.2 && disagreements.length === 0) counted.unnamed += 1;
  if (anchored !== speaking) counted.other += 1;
  const isVoted = anchored === outOfStock && found.inStock === true;
  if (isVoted || isMixed(found, filed, anchored)) counted.mixed += 1;
  counted.disputed += disagreements.filter(
    ({ isDoubt, retailer }) => !isDoubt && productOf(retailer) === anchored,
  ).length;
}

/** Returns whether a record has a fact or an undisputed link of another product. */
function isMixed(found: Product, filed: readonly Filed[], anchored: number): boolean {
  const {
    _meta,
    retailer_links: links,
    ...record
  } = presentProduct(found, {
    includeHistory: true,
    includeStats: true,
  });
  const text = JSON.stringify(record);
  const others = filed.filter(({ product }) => product !== anchored);
  const isSaid = others.some(({ product }) =>
    [markOf(product), String(poundsOf(product)), String(centsOf(product) / 100)].some((each) =>
      text.includes(each),
    ),
  );
  const isLinked = (links ?? []).some(
    ({ retailer, identity_state: state }) =>
      state !== 'disputed' && others.some((each) => each.retailer === retailer),
  );
  return isSaid || isLinked;
}

/** Formats one line for each kind of group and lookup. */
export function clusterLines(tally: ClusterTally): readonly string[] {
  const head = ['records', 'unnamed', 'mixed', 'other', 'disputed', 'sound'];
  const line = (name: string, cells: readonly (string | number)[]): string =>
    name.padEnd(20) + cells.map((each) => String(each).padStart(9)).join('');
  return [
    line('split, asked for', head),
    ...SPLITS.flatMap((split) =>
      (['barcode', 'own'] as const).map((asked) => {
        const { records, unnamed, mixed, other, disputed, sound } = tally[split][asked];
        return line(`${split} ${asked}`, [records, unnamed, mixed, other, disputed, sound]);
      }),
    ),
  ];
}

/**
 * Returns the goals that a measurement misses, in words. A listing without a second one of its product may pass for another
 * product, as two listings may; where each product has two, nothing may be mixed.
 */
export function clusterGoalsMissed(tally: ClusterTally): readonly string[] {
  const sum = (splits: readonly Split[], key: 'unnamed' | 'mixed'): number =>
    splits
      .flatMap((split) => Object.values(tally[split]))
      .reduce((all, count) => all + count[key], 0);
  const unnamed = sum(SPLITS, 'unnamed');
  const twins = SPLITS.filter((split) => !split.split(':').includes('1'));
  const mixed = sum(twins, 'mixed');
  return [
    ...(unnamed === 0 ? [] : [`${unnamed} scores below 0.2 name no listing, goal 0`]),
    ...(mixed === 0 ? [] : [`${mixed} records of products with two listings are mixed, goal 0`]),
  ];
}
