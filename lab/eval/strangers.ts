// npm run lab -- strangers [--pages N] [--seed S] [--show N] [--json]: whether pages that anybody could publish, with the
// barcodes, titles, brands and pictures of products that others sell, change the answer to a bare barcode (D57). The same
// lookups are made with and without them, and answers must be equal. Shops in OPENSHELF_TRUSTED_SHOPS must count like the
// seven. Exit code 1 if a page shows up or changes anything, or a trusted one does not count.

import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { readConfig, type Config } from '../../src/edge/config.ts';
import { withSandbox, withSandboxSearch } from '../../src/edge/cli/sandbox-config.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { SETTINGS } from '../../src/edge/settings/settings-table.ts';
import { randomFrom } from '../../tests/support/random.ts';
import { MARKET_MS } from './order/lookups.ts';
import { barcodeRun, influencesOn, type Influence } from './strangers/measure.ts';
import { soundProducts, strangerPages, trustedPages } from './strangers/pages.ts';
import { startStrangers, type StrangerShops } from './strangers/shops.ts';
import { missingOf } from './strangers/trusted.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '500' },
    seed: { type: 'string', default: '7' },
    show: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});

/** For each product, over all shops: a copy of every kind. */
const PAGES_OF_A_PRODUCT = 5;
const START_MS = Date.UTC(2026, 10, 20, 0, 5);
const TRUSTED_SHOPS = 'OPENSHELF_TRUSTED_SHOPS';

type RunPlace = { readonly sandbox: Sandbox; readonly scratch: string };

function configOf(
  { sandbox, scratch }: RunPlace,
  name: string,
  shops: StrangerShops,
  more: Readonly<Record<string, string>> = {},
): Config {
  const env = {
    OPENSHELF_DATA: join(scratch, name),
    OPENSHELF_ORIGINS: shops.origins,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
    ...more,
  };
  return withSandboxSearch(withSandbox(readConfig(env, { port: 0 }), sandbox), sandbox);
}

type UntrustedResult = {
  readonly pages: number;
  readonly pagesRead: number;
  readonly answers: number;
  readonly influences: readonly Influence[];
};

async function untrusted(place: RunPlace, count: number, seed: number): Promise<UntrustedResult> {
  const products = soundProducts(place.sandbox.market(), Math.ceil(count / PAGES_OF_A_PRODUCT));
  const pages = strangerPages(products, count, randomFrom(seed));
  await using shops = await startStrangers(pages);
  const control = await barcodeRun(configOf(place, 'control', shops), START_MS, products, []);
  const run = await barcodeRun(configOf(place, 'strangers', shops), START_MS, products, pages);
  return {
    pages: pages.length,
    pagesRead: run.pagesRead,
    answers: run.answers.length,
    influences: influencesOn(run, control),
  };
}

type TrustedResult = {
  readonly pages: number;
  /** What is missing → the number of pages that lack it. */
  readonly missing: Readonly<Record<string, number>>;
  readonly example: string | null;
};

/** Returns null if this checkout has no such setting. */
async function trusted(place: RunPlace, count: number): Promise<TrustedResult | null> {
  const settings: readonly { readonly name: string }[] = Object.values(SETTINGS);
  if (!settings.some(({ name }) => name === TRUSTED_SHOPS)) return null;
  const pages = trustedPages(soundProducts(place.sandbox.market(), count));
  const products = pages.map(({ product }) => product);
  await using shops = await startStrangers(pages);
  const hosts = new Set(pages.map(({ origin }) => new URL(origin).hostname));
  const config = configOf(place, 'trusted', shops, { [TRUSTED_SHOPS]: [...hosts].join(',') });
  const { answers } = await barcodeRun(config, START_MS, products, pages);
  const last = answers.slice(-products.length);
  const missing: Record<string, number> = {};
  let example: string | null = null;
  for (const [at, page] of pages.entries()) {
    const answer = last[at];
    const all = answer === undefined ? ['an answer'] : missingOf(page, answer);
    for (const what of all) missing[what] = (missing[what] ?? 0) + 1;
    if (all.length > 0) example ??= `${page.product.gtin14} and ${page.origin}: ${all.join(', ')}`;
  }
  return { pages: pages.length, missing, example };
}

function tellUntrusted({ pages, pagesRead, answers, influences }: UntrustedResult): void {
  const showing = influences.filter(({ kind }) => kind === 'shows');
  const records = new Set(influences.map(({ gtin, phase }) => `${gtin} ${phase}`));
  console.error(
    `not trusted: ${pages} pages, ${pagesRead} answered by themselves; of ${answers} answers to barcodes ` +
      `${records.size} are influenced: in ${showing.length} fields a page shows, ` +
      `${influences.length - showing.length} others differ from those without the pages`,
  );
  const groups = Map.groupBy(influences, ({ kind, field }) => `${kind} ${field}`);
  const ordered = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
  for (const [name, all] of ordered.slice(0, Number(values.show))) {
    const [first] = all;
    if (first === undefined) continue;
    const { gtin, phase, value, expected } = first;
    const shown = `${value.slice(0, 100)}, without the pages ${expected.slice(0, 100)}`;
    console.error(`  ${name}: ${all.length}\n      ${gtin} ${phase}: ${shown}`);
  }
}

function tellTrusted(result: TrustedResult | null): void {
  if (result === null) {
    console.error(`trusted: not measured, because this checkout has no setting ${TRUSTED_SHOPS}`);
    return;
  }
  const missing = Object.entries(result.missing).map(([what, count]) => `${what} ${count}`);
  console.error(`trusted: ${result.pages} pages, missing: ${missing.join(', ') || 'nothing'}`);
  if (result.example !== null) console.error(`      ${result.example}`);
}

async function main(): Promise<number> {
  const [pages, seed] = [Number(values.pages), Number(values.seed)];
  const products = Math.ceil(pages / PAGES_OF_A_PRODUCT);
  await using sandbox = await startSandbox({
    seed,
    products: Math.max(20, products * 3),
    now: () => MARKET_MS,
    retailers: publicOrigins(),
  });
  using folder = temporaryFolder();
  const scratch = folder.path;
  const place = { sandbox, scratch };
  const open = await untrusted(place, pages, seed);
  tellUntrusted(open);
  const listed = await trusted(place, products);
  tellTrusted(listed);
  const { influences, ...counts } = open;
  const shows = influences.filter(({ kind }) => kind === 'shows').length;
  const shown = { ...counts, shows, changes: influences.length - shows };
  if (values.json) console.log(JSON.stringify({ untrusted: shown, trusted: listed }));
  const isSound = influences.length === 0 && open.pagesRead === open.pages;
  const isCounted = listed === null || Object.keys(listed.missing).length === 0;
  return isSound && isCounted ? 0 : 1;
}

process.exitCode = await main();
