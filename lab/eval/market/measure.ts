// One retailer of the simulated market through the whole service: every listing by its URL, by the retailer's own
// identifier and by barcode, compared with the truth.

import { join } from 'node:path';

import { openApp, type App } from '../../../src/edge/app.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { toGtin14 } from '../../../src/base/identifiers/gtin.ts';
import { RETAILERS, type KnownSlug } from '../../../src/base/retailer.ts';
import { parseInput } from '../../../src/answer/lookup/steps/parse-input.ts';
import { listingKeyOf } from '../../../src/answer/collect/listing-key.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { presentListing } from '../../../src/answer/wire/record/listing.ts';
import { differencesOf, type Difference, type Truth } from './facts.ts';
import { comparedOffers, hasOffers } from './offers.ts';
import { withSandbox } from '../../../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts';

/** The required outcome of each kind of trouble; a listing without trouble must return its record. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  blocked: ['upstream_unavailable'],
  wall_in_200: ['upstream_unavailable'],
  throttled: ['upstream_unavailable'],
  broken: ['upstream_unavailable'],
  slow: ['upstream_unavailable'],
  down: ['upstream_unavailable'],
  gone: ['not_found'],
  redesigned: ['source_unusable'],
  substituted: ['identity_mismatch'],
};

export type Tally = {
  listings: number;
  facts: number;
  /** Compared offers, from lists and from pages. */
  offers: number;
  differences: Difference[];
  trouble: Map<string, Map<string, number>>;
  failures: string[];
  ties: {
    confirmed: number;
    wrongly: number;
    confirmable: number;
    missed: number;
    mismatch: number;
  };
};

const newTally = (): Tally => ({
  listings: 0,
  facts: 0,
  offers: 0,
  differences: [],
  trouble: new Map(),
  failures: [],
  ties: { confirmed: 0, wrongly: 0, confirmable: 0, missed: 0, mismatch: 0 },
});

async function truthsOf(sandbox: Sandbox, slug: KnownSlug): Promise<readonly Truth[]> {
  const [base = ''] = Object.values(sandbox.origins);
  const all: Truth[] = [];
  for (;;) {
    const page = `${base}/__truth/retailer?retailer=${slug}&offset=${all.length}&limit=2000`;
    const rows = (await (await fetch(page)).json()) as readonly Truth[];
    all.push(...rows);
    if (rows.length < 2_000) return all;
  }
}

/** Returns the service's answer to one identifier: `ok`, or the fault's code. */
async function outcomeOf(app: App, text: string, retailer?: string): Promise<string> {
  try {
    const prepared = app.lookupProduct.parse({ text, retailer, forceRefresh: false });
    await app.lookupProduct.fromShops(prepared, app.lookupContext());
    return 'ok';
  } catch (error) {
    if (error instanceof FaultError) return error.fault.code;
    throw error;
  }
}

/** Returns the store's content for a URL. */
async function storedAt(app: App, url: string): Promise<Record<string, unknown> | null> {
  const identified = parseInput(url);
  const identifier = identified.ok ? identified.identifiers[0] : undefined;
  const target = identifier === undefined ? null : listingKeyOf(identifier);
  if (target === null || target.kind !== 'retailer') return null;
  const held = await app.store.listings.findListing(target.retailer, target.key);
  return held === null ? null : { ...presentListing(held.listing) };
}

function noteTrouble(tally: Tally, kind: string, outcome: string): void {
  const outcomes = tally.trouble.get(kind) ?? new Map<string, number>();
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  tally.trouble.set(kind, outcomes);
}

async function byAddress(app: App, truth: Truth, tally: Tally): Promise<void> {
  tally.listings += 1;
  const outcome = await outcomeOf(app, truth.url);
  const expected = OUTCOMES[truth.trouble ?? ''] ?? ['ok'];
  if (truth.trouble !== null) noteTrouble(tally, truth.trouble, outcome);
  if (!expected.includes(outcome)) {
    tally.failures.push(`${truth.url} (${truth.trouble ?? 'no trouble'}): ${outcome}`);
    return;
  }
  if (outcome !== 'ok') return;
  compare(truth, 'address', await storedAt(app, truth.url), tally);
}

function compare(
  truth: Truth,
  way: string,
  held: Record<string, unknown> | null,
  tally: Tally,
): void {
  if (held === null) {
    tally.failures.push(`${truth.url}: nothing is stored after a lookup by ${way}`);
    return;
  }
  const { compared, differences } = differencesOf(truth, held, way, ['page']);
  tally.facts += compared;
  tally.differences.push(...differences);
}

/** Troubles of the market that leave the list of offers unchanged. */
const WITH_OFFERS: readonly (string | null)[] = [null, 'no_barcode', 'sold_out'];

/** `isListed`: the service has a source for the list of all sellers. */
async function withOffers(
  app: App,
  { origin, truth, isListed }: { origin: string; truth: Truth; isListed: boolean },
  tally: Tally,
): Promise<void> {
  const slug = truth.retailer as KnownSlug;
  if (!hasOffers(slug) || !WITH_OFFERS.includes(truth.trouble)) return;
  const compared = await comparedOffers(app, { origin, slug, truth }, isListed);
  tally.offers += compared.offers;
  tally.facts += compared.facts;
  tally.differences.push(...compared.differences);
}

/** Returns the retailer's own identifiers, as a caller types them. */
function ownIdentifiers(truth: Truth): readonly string[] {
  const fact = (name: string) => {
    const value = truth.facts[name];
    return typeof value === 'string' ? [value] : [];
  };
  switch (truth.retailer) {
    case 'retailer_w':
      return fact('item_id');
    case 'retailer_a':
      // A book's ASIN is its ISBN-10, which is a barcode before it is an ASIN (D6).
      return fact('asin').filter((asin) => asin.startsWith('B'));
    case 'retailer_b':
      return fact('product_id');
    default:
      return [];
  }
}

/** Checks ties of barcodes: every confirmed one must publish the barcode that was sent. */
async function byBarcode(app: App, truth: Truth, tally: Tally): Promise<void> {
  const slug = truth.retailer as KnownSlug;
  const gtin = toGtin14(truth.true_gtin);
  if (gtin === null || truth.trouble !== null) return;
  await outcomeOf(app, truth.true_gtin, slug);
  const cell = await app.store.barcodeAnswers.findAnswer(gtin, slug);
  const published = truth.facts['gtin'];
  const canConfirm = RETAILERS[slug].identityMethod !== null && published === gtin;
  if (canConfirm) tally.ties.confirmable += 1;
  const state = cell?.identity.state ?? null;
  if (state === 'mismatch') tally.ties.mismatch += 1;
  if (state === 'confirmed') {
    tally.ties.confirmed += 1;
    const stored = cell?.listingId
      ? await app.store.listings.findListingById(cell.listingId)
      : null;
    if (stored?.listing.gtin !== gtin) tally.ties.wrongly += 1;
  } else if (canConfirm) {
    tally.ties.missed += 1;
    if (tally.failures.length < 50) {
      tally.failures.push(`${truth.url}: barcode ${gtin} is ${state ?? 'not tied'}`);
    }
  }
}

/** `without`: kinds of trouble that are skipped (the slow ones wait for deadlines). */
export async function measure(
  slug: KnownSlug,
  sandbox: Sandbox,
  nowMs: number,
  without: readonly string[] = [],
): Promise<Tally> {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  const tally = newTally();
  const config = withSandbox(readConfig({}, { dataDir, port: 0 }), sandbox);
  await using app = await openApp(config, { clock: { ...systemClock, now: () => nowMs } });
  const all = await truthsOf(sandbox, slug);
  const truths = all.filter(({ trouble }) => trouble === null || !without.includes(trouble));
  const [origin = ''] = Object.values(sandbox.origins);
  for (const truth of truths) {
    await byAddress(app, truth, tally);
    await withOffers(app, { origin, truth, isListed: true }, tally);
  }
  // A second service, so that every identifier is fetched and none is answered from the first one's store.
  const { dataDir: _, ...rest } = config;
  // As for a newcomer: without the setting that retailer_w's list of sellers needs.
  const credentials = { ...config.credentials, retailer_w: {} };
  await using second = await openApp(
    { ...rest, dataDir: join(dataDir, 'second'), credentials },
    { clock: { ...systemClock, now: () => nowMs } },
  );
  for (const truth of truths) {
    if (truth.trouble !== null) continue;
    for (const id of ownIdentifiers(truth)) {
      const outcome = await outcomeOf(second, id);
      if (outcome !== 'ok') tally.failures.push(`${id} of ${truth.url}: ${outcome}`);
      else if (truth.retailer !== 'retailer_b') {
        compare(truth, 'identifier', await storedAt(second, truth.url), tally);
      }
    }
    if (slug === 'retailer_w') {
      await withOffers(second, { origin, truth, isListed: false }, tally);
    }
    await byBarcode(second, truth, tally);
  }
  return tally;
}
