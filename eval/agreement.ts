// npm run eval:agreement -- [--products N] [--seed N] [--json]: wrong listings are planted under the barcodes of the
// simulated market, another product's and the same in another pack. Counts the records that a fact of a planted listing
// reached, and the sound listings that were left out. Exits 1 on a leak.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openApp, systemClock, type App } from '../src/app.ts';
import { withSandbox } from '../src/cli/serve.ts';
import { readConfig } from '../src/config.ts';
import { FaultError } from '../src/domain/fault.ts';
import { toGtin14, type Gtin14 } from '../src/domain/gtin.ts';
import type { Listing } from '../src/domain/listing.ts';
import type { Product, StoredListing } from '../src/domain/product.ts';
import { KNOWN_SLUGS, RETAILERS } from '../src/domain/retailer.ts';
import { publicOrigins } from '../src/retailers/public-origins.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { fileListing } from '../src/store/catalog.ts';
import { presentProduct } from '../src/wire/present.ts';

const KINDS = ['other_product', 'other_pack'] as const;
type Kind = (typeof KINDS)[number];
type Count = { planted: number; leaked: number; named: number };

/** What nothing but a planted listing says; a record that holds one has drawn on it. */
const MARK = 'PLANTED';
const MARKED_WEIGHT = 77.777;

const CONFIRMABLE = KNOWN_SLUGS.filter((slug) => RETAILERS[slug].identityMethod !== null);

async function product(app: App, gtin: Gtin14, retailer?: string): Promise<Product | null> {
  try {
    const prepared = app.lookupProduct.prepare({ text: gtin, retailer, forceRefresh: false });
    const held = await app.lookupProduct.held(prepared);
    return held ?? (await app.lookupProduct.fetched(prepared, app.lookupDeadline()));
  } catch (error) {
    if (error instanceof FaultError) return null;
    throw error;
  }
}

function marked(listing: Listing, gtin: Gtin14): Listing {
  const dimensions = { heightIn: MARKED_WEIGHT, widthIn: MARKED_WEIGHT, lengthIn: MARKED_WEIGHT };
  return {
    ...listing,
    gtin,
    mpn: MARK,
    description: MARK,
    imageUrl: `https://${MARK}.example/1.jpg`,
    categories: [MARK],
    specs: [{ name: MARK, value: MARK }],
    price: { cents: 7_777_700, currency: 'USD' },
    inStock: true,
    weightLbs: MARKED_WEIGHT,
    weightAssembledLbs: MARKED_WEIGHT,
    weightPackageLbs: MARKED_WEIGHT,
    dimensions,
    dimensionsAssembled: dimensions,
    dimensionsPackage: dimensions,
  };
}

/** The listing that is planted in the place of `victim`. */
function plantedAs(kind: Kind, victim: StoredListing, other: StoredListing, gtin: Gtin14): Listing {
  if (kind === 'other_product') return marked(other.listing, gtin);
  const title = `${victim.listing.title ?? ''}, Pack of 12`;
  return { ...marked(victim.listing, gtin), title, packCount: 12 };
}

async function readAll(app: App, gtins: readonly Gtin14[]): Promise<void> {
  for (const gtin of gtins) {
    for (const slug of CONFIRMABLE) await product(app, gtin, slug);
  }
}

type Tally = {
  readonly counts: Record<Kind, Count>;
  products: number;
  sound: number;
  lost: number;
};

async function plantAll(app: App, gtins: readonly Gtin14[]): Promise<Tally> {
  const counts = {
    other_product: { planted: 0, leaked: 0, named: 0 },
    other_pack: { planted: 0, leaked: 0, named: 0 },
  };
  const tally: Tally = { counts, products: 0, sound: 0, lost: 0 };
  let before: readonly StoredListing[] = [];
  for (const [at, gtin] of gtins.entries()) {
    const listings = await app.store.catalog.findListingsTiedTo(gtin);
    const carriers = listings.filter((each) => each.listing.gtin === gtin);
    const clean = await product(app, gtin);
    const kind = KINDS[at % KINDS.length] ?? 'other_product';
    const victim = carriers[at % Math.max(1, carriers.length)];
    const other = before.find((each) => each.retailer === victim?.retailer) ?? before[0];
    before = carriers.length > 0 ? carriers : before;
    // Two listings that contradict each other: nobody could know which one is wrong.
    if (clean === null || victim === undefined || other === undefined || carriers.length < 3)
      continue;
    // Of what is sold in packs, another pack of twelve may be the very same.
    if (kind === 'other_pack' && (victim.listing.packCount ?? 1) > 1) continue;
    tally.products += 1;
    tally.sound += carriers.length;
    tally.lost += clean.agreement.disagreements.length;
    const listing = plantedAs(kind, victim, other, gtin);
    const fetchedAtMs = systemClock.now();
    const notes = { missing: [], remarks: [] };
    await app.store.sql.write([fileListing({ ...victim, listing, fetchedAtMs, notes })]);
    const spoilt = await product(app, gtin);
    if (spoilt === null) continue;
    const count = counts[kind];
    count.planted += 1;
    const {
      _meta,
      retailer_links: _,
      ...record
    } = presentProduct(spoilt, {
      includeHistory: false,
      includeStats: false,
    });
    const text = JSON.stringify(record);
    if (text.includes(MARK) || text.includes(String(MARKED_WEIGHT)) || text.includes('77777')) {
      count.leaked += 1;
      console.error(`  leak (${kind}) ${gtin}: "${listing.title}" among "${victim.listing.title}"`);
    }
    const { disagreements } = spoilt.agreement;
    if (disagreements.some(({ retailer }) => retailer === victim.retailer)) count.named += 1;
  }
  return tally;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      products: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '7' },
      json: { type: 'boolean', default: false },
    },
  });
  const nowMs = Date.now();
  await using sandbox = await startSandbox({
    seed: Number(values.seed),
    products: Number(values.products),
    now: () => nowMs,
    retailers: publicOrigins(),
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'openshelf-eval-'));
  try {
    await using app = await openApp(withSandbox(readConfig({}, { dataDir }), sandbox));
    const gtins = sandbox
      .market()
      .catalog.map(({ gtin14 }) => toGtin14(gtin14))
      .filter((each) => each !== null);
    await readAll(app, gtins);
    const tally = await plantAll(app, gtins);
    for (const kind of KINDS) {
      const { planted, leaked, named } = tally.counts[kind];
      console.error(`${kind}: ${planted} planted, ${leaked} reached a record, ${named} named`);
    }
    console.error(
      `${tally.sound} sound listings of ${tally.products} products, ${tally.lost} left out`,
    );
    if (values.json) console.log(JSON.stringify(tally));
    return KINDS.every((kind) => tally.counts[kind].leaked === 0) ? 0 : 1;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

process.exitCode = await main();
