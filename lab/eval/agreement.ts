// npm run lab -- agreement [--groups N] [--held-out] [--clusters N] [--products N] [--seed N] [--json]: first invented groups
// of listings, then two and three products of the simulated market under one barcode, then wrong listings planted under its
// barcodes, in addition to those that it publishes itself. Counts the records that a fact of a wrong listing may reach, the
// correct listings that were excluded, and the search hits that are another product. Exits 1 if a goal of the invented groups
// or of two products under one barcode is missed, or a planted listing leaks.

import { parseArgs } from 'node:util';

import { originOf } from '../../src/base/listing/origin.ts';
import { openApp, type App } from '../../src/edge/app.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { readConfig } from '../../src/edge/config.ts';
import { FaultError } from '../../src/base/fault.ts';
import { toGtin14, type Gtin14 } from '../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../src/base/listing/listing.ts';
import type { Product } from '../../src/rules/product/product.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { listingChanges } from '../../src/answer/collect/storing/store-listing.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import type { CatalogProduct } from '../../sandbox/market/catalog.ts';
import type { Market } from '../../sandbox/market/market.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { presentProduct } from '../../src/answer/wire/record/present.ts';
import { clusterGoalsMissed, clusterLines, measureClusters } from './agreement/clusters.ts';
import { goalsMissed, madeLines, measureMade } from './agreement/made.ts';
import { hasMark, KINDS, marked, planted, soldAt, type Kind } from './agreement/planted.ts';
import type { StoredListing } from '../../src/base/listing/stored-listing.ts';
import { createMatching } from '../../src/rules/matching/matcher.ts';
import { modelFrom } from '../../src/rules/matching/model/model.ts';
import { matchModelText } from '../../src/edge/package-files.ts';
import { withSandbox, withSandboxSearch } from '../../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

/** `published`: the market itself publishes it under another product's barcode. */
const CAUSES = ['published', ...KINDS] as const;
type Cause = (typeof CAUSES)[number];

type Count = { wrong: number; leaked: number; named: number };

type Tally = {
  readonly counts: Record<Cause, Count>;
  /**
   * For products where the wrong listings cannot be determined, looked up by a correct listing: facts of other listings
   * must stay out.
   */
  readonly anchored: Record<Cause, Count>;
  products: number;
  undecidable: number;
  sound: number;
  left: number;
  hits: number;
  wrongHits: number;
};

function newTally(): Tally {
  const none = (): Count => ({ wrong: 0, leaked: 0, named: 0 });
  const each = (): Record<Cause, Count> => ({
    published: none(),
    other_product: none(),
    sibling: none(),
    other_pack: none(),
  });
  return {
    counts: each(),
    anchored: each(),
    products: 0,
    undecidable: 0,
    sound: 0,
    left: 0,
    hits: 0,
    wrongHits: 0,
  };
}

async function product(app: App, text: string, retailer?: string): Promise<Product | null> {
  try {
    const prepared = app.lookupProduct.parse({ text, retailer, forceRefresh: false });
    const held = await app.lookupProduct.fromStore(prepared);
    return held ?? (await app.lookupProduct.fromShops(prepared, app.lookupContext()));
  } catch (error) {
    if (error instanceof FaultError) return null;
    throw error;
  }
}

/** Stores it as a lookup that had just read it would: listing, price, cell. */
async function file(app: App, held: StoredListing, listing: Listing): Promise<void> {
  const notes = { missing: [], remarks: [] };
  const fetchedAtMs = systemClock.now();
  const origin = originOf(held.retailer, 'page', 'page');
  const filing = { ...held, source: 'primary', origin, fetchedAtMs, listing, notes } as const;
  await writeChanges(app.store.sql, listingChanges(filing));
}

function hasLeaked(found: Product): boolean {
  // The remaining parts mention the wrong listings by design.
  const {
    _meta,
    retailer_links: _,
    ...record
  } = presentProduct(found, { includeHistory: true, includeStats: true });
  return hasMark(JSON.stringify(record));
}

type Group = {
  readonly gtin: Gtin14;
  readonly truth: CatalogProduct;
  readonly sound: readonly StoredListing[];
  readonly wrong: readonly StoredListing[];
};

async function groupOf(app: App, market: Market, truth: CatalogProduct): Promise<Group | null> {
  const gtin = toGtin14(truth.gtin14);
  if (gtin === null) return null;
  const tied = await app.store.listings.findListingsTiedTo(gtin);
  const carriers = tied.filter(({ listing }) => listing.gtin === gtin);
  const isSound = (held: StoredListing): boolean => soldAt(market, held)?.index === truth.index;
  return {
    gtin,
    truth,
    sound: carriers.filter(isSound),
    wrong: carriers.filter((held) => !isSound(held)),
  };
}

/** Counts listings tied only by the search that found them. */
async function countHits(app: App, market: Market, { gtin, truth }: Group, tally: Tally) {
  for (const held of await app.store.listings.findListingsTiedTo(gtin)) {
    if (held.listing.gtin !== null) continue;
    tally.hits += 1;
    const sold = soldAt(market, held);
    if (sold?.index === truth.index) continue;
    tally.wrongHits += 1;
    console.error(`  wrong hit ${gtin}: "${held.listing.title}" for "${truth.title}"`);
  }
}

type Bench = { readonly app: App; readonly market: Market; readonly tally: Tally };

/** Returns whether the correct listings outnumber the wrong ones; otherwise no matcher can tell which are which. */
function isDecidable(sound: number, wrong: number): boolean {
  return sound >= 2 && sound > wrong;
}

/** Looked up by the barcode if the correct listings outnumber the wrong ones, otherwise by a correct listing. */
type Asked = { readonly by: Record<Cause, Count>; readonly url?: string | undefined };

function askedFor(tally: Tally, sound: readonly StoredListing[], wrong: number): Asked | null {
  if (isDecidable(sound.length, wrong)) return { by: tally.counts };
  const [anchor] = sound;
  return anchor === undefined ? null : { by: tally.anchored, url: anchor.listing.url ?? undefined };
}

/** Counts the outcomes for wrong listings under the barcode. */
async function count(
  app: App,
  { gtin, truth }: Group,
  wrong: readonly (readonly [Cause, StoredListing])[],
  { by, url }: Asked,
): Promise<void> {
  const found = await product(app, url ?? gtin);
  if (found === null) return;
  const leaked = hasLeaked(found);
  for (const [cause, held] of wrong) {
    const counted = by[cause];
    counted.wrong += 1;
    if (found.agreement.disagreements.some((each) => each.retailer === held.retailer)) {
      counted.named += 1;
    }
    if (leaked) counted.leaked += 1;
  }
  if (!leaked) return;
  const titles = wrong.map(([cause, { listing }]) => `${cause} "${listing.title}"`).join(', ');
  console.error(`  leak ${gtin} ${url ?? ''}: ${titles} among "${truth.title}"`);
}

async function measure({ app, market, tally }: Bench, group: Group, at: number): Promise<void> {
  const { gtin, truth, sound, wrong } = group;
  if (sound.length + wrong.length < 2) return;
  if (isDecidable(sound.length, wrong.length)) {
    tally.products += 1;
    tally.sound += sound.length;
    const clean = await product(app, gtin);
    const wrongRetailers = new Set(wrong.map(({ retailer }) => retailer));
    const named = clean?.agreement.disagreements ?? [];
    tally.left += named.filter(({ retailer }) => !wrongRetailers.has(retailer)).length;
  } else {
    tally.undecidable += 1;
  }
  for (const held of wrong) await file(app, held, marked(held.listing, gtin));
  const published = wrong.map((held) => ['published', held] as const);
  const asked = askedFor(tally, sound, wrong.length);
  if (wrong.length > 0 && asked !== null) await count(app, group, published, asked);

  const victim = sound[at % sound.length];
  const others = sound.filter((held) => held !== victim);
  const askedThen = askedFor(tally, others, wrong.length + 1);
  if (victim === undefined || askedThen === null) return;
  const kinds = KINDS.map((_, turn) => KINDS[(at + turn) % KINDS.length] as Kind);
  for (const kind of kinds) {
    const listing = planted(market, kind, victim, truth);
    if (listing === null) continue;
    await file(app, victim, listing);
    await count(app, group, [...published, [kind, { ...victim, listing }]], askedThen);
    return;
  }
}

async function run(app: App, market: Market): Promise<Tally> {
  const tally = newTally();
  for (const { gtin14 } of market.catalog) {
    const gtin = toGtin14(gtin14);
    if (gtin === null) continue;
    for (const slug of KNOWN_SLUGS) await product(app, gtin, slug);
  }
  for (const [at, truth] of market.catalog.entries()) {
    const group = await groupOf(app, market, truth);
    if (group === null) continue;
    await countHits(app, market, group, tally);
    await measure({ app, market, tally }, group, at);
  }
  return tally;
}

function print(tally: Tally): void {
  for (const [asked, counts] of [
    ['by barcode', tally.counts],
    ['by a sound listing, with no more sound ones than wrong ones', tally.anchored],
  ] as const) {
    console.error(`asked for ${asked}:`);
    for (const cause of CAUSES) {
      const { wrong, leaked, named } = counts[cause];
      console.error(`  ${cause}: ${wrong} wrong listings, ${leaked} in a record, ${named} named`);
    }
  }
  console.error(
    `${tally.sound} sound listings of ${tally.products} products, ${tally.left} left out; ` +
      `${tally.undecidable} products with as many wrong listings as sound ones`,
  );
  console.error(
    `${tally.hits} listings tied by a search only, ${tally.wrongHits} of another product`,
  );
}

function measureGroups(options: { groups: number; seed: number; heldOut: boolean }) {
  const tally = measureMade(createMatching(modelFrom(matchModelText())), options);
  const half = options.heldOut ? 'held-out' : 'development';
  console.error(`${options.groups} made groups, ${half} words, seed ${options.seed}:`);
  for (const line of madeLines(tally)) console.error(`  ${line}`);
  const missed = goalsMissed(tally);
  for (const each of missed) console.error(`  missed: ${each}`);
  return { tally, missed };
}

async function measureFiled(groups: number, seed: number) {
  await using sandbox = await startSandbox({ seed, products: 20, now: systemClock.now });
  using folder = temporaryFolder();
  const config = withSandbox(readConfig({}, { dataDir: folder.path }), sandbox);
  await using app = await openApp(config);
  const tally = await measureClusters(app, { groups, seed });
  console.error(`${groups} barcodes with two or three products, seed ${seed}:`);
  for (const line of clusterLines(tally)) console.error(`  ${line}`);
  const missed = clusterGoalsMissed(tally);
  for (const each of missed) console.error(`  missed: ${each}`);
  return { tally, missed };
}

async function measureMarket(products: number, seed: number): Promise<Tally> {
  const nowMs = Date.now();
  await using sandbox = await startSandbox({
    seed,
    products,
    now: () => nowMs,
    retailers: publicOrigins(),
  });
  using folder = temporaryFolder();
  const dataDir = folder.path;
  const config = withSandboxSearch(withSandbox(readConfig({}, { dataDir }), sandbox), sandbox);
  await using app = await openApp(config);
  return await run(app, sandbox.market());
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      groups: { type: 'string', default: '5100' },
      'held-out': { type: 'boolean', default: false },
      clusters: { type: 'string', default: '900' },
      products: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '7' },
      json: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  const made = measureGroups({ groups: Number(values.groups), seed, heldOut: values['held-out'] });
  const filed = await measureFiled(Number(values.clusters), seed);
  const products = Number(values.products);
  const market = products > 0 ? await measureMarket(products, seed) : newTally();
  if (products > 0) print(market);
  if (values.json) console.log(JSON.stringify({ made: made.tally, clusters: filed.tally, market }));
  const isClean = CAUSES.every((cause) => market.counts[cause].leaked === 0);
  return isClean && made.missed.length + filed.missed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
