// Steps that import an operator's own prices in addition to fetched ones: every row is immediately in each process's history,
// no existing row is lost, and the figures of records are those of all rows (docs/use/sheets.md, D29).

import { DAY_MS } from '../../../src/base/clock.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import type { GivenEntry } from '../../../src/rules/history/given-entry.ts';
import { createHistoryImport } from '../../../src/answer/lookup/history/import-history.ts';
import { integerBelow, pick } from '../../../tests/support/random.ts';
import { listOf, textAt } from './bodies.ts';
import { judgeWindows } from './cross-checks.ts';
import { pricedAt } from './goods.ts';
import { lookupOf, READ } from './lookups.ts';
import { path, rowText, settle, type Step, type World } from './world.ts';

/** Inside and outside each window, in packed years and in the current one. */
const DAYS_BACK = [0, 1, 2, 29, 30, 31, 60, 89, 90, 91, 180, 181, 364, 400, 800];
const MOST_ROWS = 6;

const NOTHING_TAKEN_DOWN = {
  isTakenDown: () => false,
  isRetailerTakenDown: () => false,
  refresh: () => Promise.resolve(),
};

export async function importHistory(step: Step): Promise<void> {
  const { world } = step;
  const { stage, takenDown } = world;
  const drawn = takenDown.size > 0 ? null : drawRows(step);
  if (drawn === null) return;
  const { text, slug, rows } = drawn;
  // The same requests are made before and after, so that answers are cached in between.
  await settle(world);
  const record = lookupOf(world.keys[0]!, text, new URLSearchParams());
  await world.caller.call(record);
  const before = await rowsAt(world, stage.urls()[0] ?? '', text, slug);
  const importing = createHistoryImport(stage.store, NOTHING_TAKEN_DOWN, stage.now());
  const entries = await Promise.all(rows.map((row) => importing.resolve(row)));
  const outcomes = await importing.insert(entries.flatMap((each) => (each.ok ? [each.entry] : [])));
  const added = rows.filter((_, at) => outcomes[at] === 'added').map(shownRow);
  const where = `rows of ${slug} imported for ${text}`;
  if (outcomes.length < rows.length) world.differs(where, 'a row was refused');
  for (const url of stage.urls()) {
    const after = await rowsAt(world, url, text, slug);
    if (after === null) {
      world.differs(where, 'there is no history of them');
      continue;
    }
    const held = new Set(after.map(rowText));
    for (const row of before ?? [])
      if (!held.has(rowText(row))) world.differs(where, `the row ${rowText(row)} is lost`);
    for (const row of added) if (!held.has(row)) world.differs(where, `${row} is missing`);
    const said = await world.caller.call({ ...record, at: url });
    if (said.status === 200 && textAt(said.body, '_meta', 'price_source') === slug)
      judgeWindows(world, where, said.body, after);
  }
  const again = await importing.insert(entries.flatMap((each) => (each.ok ? [each.entry] : [])));
  if (again.includes('added')) world.differs(where, 'a row was added twice');
}

type Drawn = {
  readonly text: string;
  readonly slug: string;
  readonly rows: readonly GivenEntry[];
};

/** Rows of a page, or of a barcode at a retailer. */
function drawRows({ world, random }: Step): Drawn | null {
  const { goods, stage } = world;
  const { product } = pick(random, goods.all);
  const slug = pick(random, KNOWN_SLUGS);
  const [listing] = stage.sandbox.market().listingsOf(slug, product);
  if (listing === undefined) return null;
  const isPage = random() < 0.6;
  const url = isPage ? goods.addressOf(listing) : null;
  const about = { retailer: slug, retailerId: null, url, gtin: isPage ? null : product.gtin14 };
  const now = stage.now();
  const cents = Math.round(100 * (pricedAt(stage.sandbox, listing, now).price ?? 20));
  const rows = Array.from({ length: 1 + integerBelow(random, MOST_ROWS) }, (): GivenEntry => {
    const days = pick(random, DAYS_BACK);
    const atMs = now - days * DAY_MS - integerBelow(random, DAY_MS);
    const isInStock = random() < 0.8;
    const amount = Math.max(1, Math.round(cents * (0.8 + 0.4 * random())));
    return {
      ...about,
      observedAtMs: random() < 0.3 ? atMs - (atMs % DAY_MS) : atMs,
      price: isInStock ? { cents: amount, currency: 'USD' } : null,
      inStock: isInStock,
    };
  });
  return { text: url ?? product.gtin14, slug, rows };
}

/** Formats a file's row as a history shows it. */
function shownRow({ observedAtMs, price, inStock }: GivenEntry): string {
  const dollars = price === null ? null : price.cents / 100;
  return rowText({
    observed_at: new Date(observedAtMs).toISOString(),
    price: dollars,
    in_stock: inStock,
  });
}

async function rowsAt(world: World, at: string, text: string, slug: string) {
  const said = await world.caller.call({
    at,
    key: world.keys[0]!,
    method: 'GET',
    target: path(text, `/history?timeframe=all&retailer=${slug}`),
    route: 'GET /v1/products/{id}/history',
    scope: READ,
    least: 2,
  });
  return said.status === 200 ? listOf(said.body['observations']) : null;
}
