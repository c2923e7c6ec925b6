// Compares the speed of reading pages with that of public packages for the same purpose, on the same bytes and pages in the
// same run. They extract less (a title, an image, tags) than a listing. Their packages are installed when this benchmark is
// requested.

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Page } from '../../src/base/listing/page.ts';
import { readProductPage } from '../../src/read/retailers/registry.ts';
import { figureOf, sink, type Figure, type Pair, type Sample } from './measurement.ts';
import { largePage, plainPage } from './page-generator.ts';

const PEERS = join(import.meta.dirname, 'peers');
const MOST_PAGES = 20;
/** One of them accepts no URL whose top-level domain is not real. */
const ADDRESS = 'https://www.example.com/product/1';

type PeersEffort = {
  readonly pairs: number;
  /** For each side, before timing: after only a few passes ours took 1.2 to 1.8 times as long as next to the next peer. */
  readonly warmUpMs: number;
  /** A folder with recorded `.html` pages, of which the largest are read; null: two invented pages. */
  readonly pages: string | null;
};

type Read = (html: Buffer, url: string) => unknown;

/** Each reads the body as it was received. */
function peers(): Readonly<Record<string, Read>> {
  installPeers();
  const from = createRequire(join(PEERS, 'package.json'));
  // SAFETY: the functions that these packages document, in the versions of the lock file.
  const cheerio = from('cheerio') as {
    readonly load: (html: string) => (selector: string) => {
      readonly text: () => string;
      readonly attr: (name: string) => string | undefined;
    };
  };
  const scrape = from('open-graph-scraper') as (options: object) => Promise<unknown>;
  type Rule = (options?: object) => object;
  const rules = ['title', 'image', 'description', 'url', 'publisher'].map((name) =>
    (from(`metascraper-${name}`) as Rule)(),
  );
  const metascraper = (from('metascraper') as (rules: readonly object[]) => Scrape)(rules);
  return {
    cheerio: (html) => {
      const page = cheerio.load(html.toString());
      const title = page('meta[property="og:title"]').attr('content') ?? page('h1').text();
      return [title, page('script[type="application/ld+json"]').text(), page('[itemprop]').text()];
    },
    'open-graph-scraper': (html) => scrape({ html: html.toString() }),
    metascraper: (html, url) => metascraper({ html: html.toString(), url }),
  };
}

type Scrape = (page: { readonly html: string; readonly url: string }) => Promise<unknown>;

function installPeers(): void {
  if (existsSync(join(PEERS, 'node_modules', 'cheerio'))) return;
  const install = ['ci', '--ignore-scripts', '--prefix', PEERS];
  const { status } = spawnSync('npm', install, { stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new Error(`the packages to compare with are missing: npm ${install.join(' ')}`);
}

type Recorded = { readonly name: string; readonly url: string; readonly body: Buffer };

function recordedIn(folder: string): readonly Recorded[] {
  const files = globSync(join(folder, '**/*.html'))
    .map((path) => ({ path, size: statSync(path).size }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, MOST_PAGES);
  if (files.length === 0) throw new Error(`there are no .html files in ${folder}`);
  return files.map(({ path }) => ({
    name: path,
    url: ADDRESS,
    body: readFileSync(path),
  }));
}

function inventedPages(): readonly Recorded[] {
  return [largePage(1_500), plainPage(1_500)].map(({ product, body }) => ({
    name: product.title,
    url: ADDRESS,
    body: Buffer.from(body),
  }));
}

/** Reads all pages with our reader, then with the peer; pages that the peer fails on are skipped for both. */
export async function benchPeers({
  pairs,
  warmUpMs,
  pages: folder,
}: PeersEffort): Promise<readonly Figure[]> {
  const pages = folder === null ? inventedPages() : recordedIn(folder);
  const figures: Figure[] = [];
  for (const [name, read] of Object.entries(peers())) {
    const readable: Recorded[] = [];
    for (const page of pages) if (await canRead(read, page)) readable.push(page);
    const ours: Read = (body, url) => readProductPage(asPage(body, url));
    if (readable.length === 0) throw new Error(`${name} reads none of the pages`);
    for (const each of [ours, read]) {
      const until = performance.now() + warmUpMs;
      do await timed(each, readable);
      while (performance.now() < until);
    }
    const found: Pair[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      found.push({ measured: await timed(read, readable), baseline: await timed(ours, readable) });
    }
    const what = folder === null ? 'invented' : 'the largest recorded';
    const measured = `${name} over ${readable.length} of ${pages.length} pages (${what})`;
    const goal = { is: 'at least', value: 15, stretch: 40 } as const;
    const baseline = 'our reader over the same pages';
    figures.push(
      figureOf({ name: `peer-${name}`, measured, baseline, ratioOf: 'time', goal }, found),
    );
  }
  return figures;
}

async function canRead(read: Read, { body, url }: Recorded): Promise<boolean> {
  try {
    await read(body, url);
    return true;
  } catch {
    return false;
  }
}

function asPage(body: Buffer, url: string): Page {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  return { requestedUrl: url, url, status: 200, headers, body, fetchedAtMs: 0 };
}

/** Returns the mean time per page. */
async function timed(read: Read, pages: readonly Recorded[]): Promise<Sample> {
  const cpuFrom = process.cpuUsage();
  const from = performance.now();
  for (const { body, url } of pages) sink.last = await read(body, url);
  const us = (performance.now() - from) * 1e3;
  const { user, system } = process.cpuUsage(cpuFrom);
  return { usPerCall: us / pages.length, cpuUsPerCall: (user + system) / pages.length };
}
