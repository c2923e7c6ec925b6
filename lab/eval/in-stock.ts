// npm run lab -- in-stock [--products N] [--seed N] [--show N] [--json]: records of the simulated market that are in stock
// and show no price, neither `current_price` nor `best_price` (D60). Each barcode is requested from every retailer, then
// looked up alone: immediately, and 20 hours later from the store. Exit code 1 if a record shows no price although a
// listing that may have the best price is stored. Which listing may is judged here independently, from the cells and the
// market.

import { parseArgs } from 'node:util';

import { openApp, type App } from '../../src/edge/app.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { withSandbox, withSandboxSearch } from '../../src/edge/cli/sandbox-config.ts';
import { readConfig } from '../../src/edge/config.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/clock.ts';
import { FaultError } from '../../src/base/fault.ts';
import { isKnownSlug, KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import type { CatalogProduct } from '../../sandbox/market/catalog.ts';
import type { Market } from '../../sandbox/market/market.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { SIMULATED_RETAILERS } from '../../sandbox/simulated-retailers.ts';
import { presentProduct } from '../../src/answer/wire/record/present.ts';
import type { RecordBody } from '../../src/answer/wire/record/present-record.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '7' },
    show: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
});

const LATER_MS = 20 * HOUR_MS;
/** Failing retailers would only make the run wait for deadlines. */
const SLOW = new Set(['slow', 'down', 'throttled']);

type Tally = {
  records: number;
  inStock: number;
  /** In stock, and the anchor shows no price. */
  anchorWithout: number;
  /** Of these, with another retailer's price. */
  best: number;
  without: number;
  /** Without a price although an admitted listing is stored. */
  readonly wrong: string[];
};

type Cell = NonNullable<RecordBody['cross_retailer']>[string];

/** Returns whether D60 admits the listing of a cell, as far as an answer and the market reveal. */
function isAdmitted(
  market: Market,
  product: CatalogProduct,
  { record, cell, nowMs }: { record: RecordBody; cell: Cell; nowMs: number },
): boolean {
  const refreshedMs = Date.parse(cell._freshness.refreshed_at ?? '');
  const listed = isKnownSlug(cell.retailer) ? market.listingsOf(cell.retailer, product) : [];
  const listing = listed.find(
    (each) => SIMULATED_RETAILERS[each.slug].address(market, each) === cell.url,
  );
  return (
    cell.identity?.state === 'confirmed' &&
    cell.identity.disputed === null &&
    cell.in_stock === true &&
    cell.price !== null &&
    listing?.condition === 'new' &&
    (cell.pack_count ?? record.pack_count ?? 1) === (record.pack_count ?? 1) &&
    nowMs - refreshedMs <= 2 * DAY_MS &&
    !record._meta.disagreements.some(({ retailer }) => retailer === cell.retailer)
  );
}

/** Returns the record of a barcode, null if there is none. `isHeld`: only from the store. */
async function recordOf(app: App, text: string, isHeld: boolean): Promise<RecordBody | null> {
  const addOns = { includeCrossRetailer: true };
  const request = { text, forceRefresh: false, addOns, identifierMatch: 'any' as const };
  const lookup = app.lookupProduct.parse(request);
  const product = isHeld
    ? await app.lookupProduct.fromStore(lookup)
    : await orNothing(app.lookupProduct.fromShops(lookup, app.lookupContext()));
  if (product === null) return null;
  return presentProduct(product, { includeHistory: false, includeStats: false });
}

async function orNothing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof FaultError) return null;
    throw error;
  }
}

function count(
  tally: Tally,
  market: Market,
  product: CatalogProduct,
  { record, nowMs }: { record: RecordBody; nowMs: number },
): void {
  tally.records += 1;
  if (record.in_stock !== true) return;
  tally.inStock += 1;
  if (record.current_price !== null) return;
  tally.anchorWithout += 1;
  if ((record.best_price ?? null) !== null) {
    tally.best += 1;
    return;
  }
  tally.without += 1;
  const admitted = Object.values(record.cross_retailer ?? {}).filter((cell) =>
    isAdmitted(market, product, { record, cell, nowMs }),
  );
  if (admitted.length > 0) {
    const names = admitted.map(({ retailer, price }) => `${retailer} at ${price}`);
    tally.wrong.push(`${product.gtin14}: no price, but ${names.join(', ')}`);
  }
}

const newTally = (): Tally => ({
  records: 0,
  inStock: 0,
  anchorWithout: 0,
  best: 0,
  without: 0,
  wrong: [],
});

function report(name: string, tally: Tally): void {
  const { records, inStock, anchorWithout, best, without, wrong } = tally;
  const share = ((100 * anchorWithout) / Math.max(1, inStock)).toFixed(1);
  console.error(
    `${name}: ${records} records, ${inStock} in stock; the anchor of ${anchorWithout} (${share} %) shows no price, ` +
      `${best} of these have a best_price, ${without} show none; of these ${wrong.length} have a listing that may supply it`,
  );
  for (const each of wrong.slice(0, Number(values.show))) console.error(`  ${each}`);
}

async function main(): Promise<number> {
  const startMs = Date.now();
  let nowMs = startMs;
  const clock = { ...systemClock, now: () => nowMs };
  await using sandbox = await startSandbox({
    seed: Number(values.seed),
    products: Number(values.products),
    now: () => nowMs,
    retailers: publicOrigins(),
  });
  using folder = temporaryFolder();
  const dataDir = folder.path;
  const [atOnce, later] = [newTally(), newTally()];
  const config = withSandbox(readConfig({}, { dataDir, port: 0 }), sandbox);
  await using app = await openApp(withSandboxSearch(config, sandbox), { clock });
  const market = sandbox.market();
  const products = market.catalog.filter(({ trouble }) => !SLOW.has(trouble?.kind ?? ''));
  for (const product of products) {
    for (const retailer of KNOWN_SLUGS) {
      const request = { text: product.gtin14, retailer, forceRefresh: false };
      const lookup = app.lookupProduct.parse(request);
      await orNothing(app.lookupProduct.fromShops(lookup, app.lookupContext()));
    }
    const record = await recordOf(app, product.gtin14, false);
    if (record !== null) count(atOnce, market, product, { record, nowMs });
  }
  nowMs = startMs + LATER_MS;
  for (const product of products) {
    const record = await recordOf(app, product.gtin14, true);
    if (record !== null) count(later, market, product, { record, nowMs });
  }
  report('at once', atOnce);
  report('20 hours later', later);
  if (values.json) console.log(JSON.stringify({ at_once: atOnce, later }));
  const isSeen = atOnce.anchorWithout > 0 && later.anchorWithout > 0;
  if (!isSeen)
    console.error('No record in stock without a price of its anchor: nothing was measured.');
  return isSeen && atOnce.wrong.length + later.wrong.length === 0 ? 0 : 1;
}

process.exitCode = await main();
