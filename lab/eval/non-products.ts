// npm run lab -- non-products --manifest PATH [--manifest PATH ...] [--count N] [--seed N] [--json]: how often a page that is
// not a product page is read as one: the recorded ones of corpora, and N seeded mutations of them. Every such page is listed.

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { savedPage } from '../../src/edge/cli/products/saved-page.ts';
import { isKnownSlug } from '../../src/base/retailer.ts';
import type { Page } from '../../src/base/listing/page.ts';
import { readAnswer } from '../../src/read/retailers/registry.ts';
import { integerBelow, pick, randomFrom } from '../../tests/support/random.ts';
import { bodyOf, isHtmlRow } from './parsing/feed.ts';
import { parseManifest } from './parsing/manifest.ts';
import type { ManifestRow } from './parsing/manifest.ts';

type Sample = { readonly name: string; readonly page: Page; readonly slug: string | undefined };

const NO_PRODUCT = new Set<unknown>(['not_product', 'not_found', 'blocked']);

/** Returns whether a row's page is not a product page: it has another verdict, or is an answer of another reader. */
function isNoProduct(row: ManifestRow): boolean {
  const verdicts = row.expected.get('verdict') ?? [];
  if (row.reader !== 'product') return row.reader === 'search' || row.reader === 'reviews';
  return verdicts.length > 0 && verdicts.every((verdict) => NO_PRODUCT.has(verdict));
}

async function samplesOf(manifest: string): Promise<readonly Sample[]> {
  const { rows, problems } = parseManifest(await readFile(manifest, 'utf8'));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const samples: Sample[] = [];
  for (const row of rows.filter(isNoProduct)) {
    const body = bodyOf(await readFile(resolve(dirname(manifest), row.file)), row.feed);
    if (!isHtmlRow(body, row.feed)) continue;
    const page = savedPage(body, { url: row.url ?? 'https://shop.invalid/page' });
    samples.push({ name: row.file, page, slug: isKnownSlug(row.slug) ? row.slug : undefined });
  }
  return samples;
}

const TAGS = [
  '<meta property="og:type" content="product">',
  '<meta property="og:type" content="article">',
  '<button>Add to cart</button>',
  '<span class="price">$19.99</span>',
  '<p>From $12.50 a month</p>',
  '<del>$20.00</del>',
  '<h1>Oak Tray</h1>',
];

/**
 * Returns the page with one realistic change: a piece removed or moved, the page truncated, doubled, without a script, or
 * with a tag that shops use in a meaningless place. At most one such tag: with a heading, a price and a button it would be a
 * product page.
 */
function changed(html: string, random: () => number): string {
  const at = integerBelow(random, html.length + 1);
  const near = html.indexOf('>', at) + 1;
  switch (integerBelow(random, 6)) {
    case 0:
      return html.slice(0, at);
    case 1:
      return html.slice(0, at) + html.slice(at + integerBelow(random, 4000));
    case 2: {
      const piece = html.slice(at, at + integerBelow(random, 4000));
      const to = integerBelow(random, html.length + 1);
      return html.slice(0, to) + piece + html.slice(to);
    }
    case 3:
      return html.replace(/<script\b[\s\S]*?<\/script>/i, '');
    case 4:
      return html.replaceAll(/<script\b[^>]*ld\+json[\s\S]*?<\/script>/gi, '');
    default:
      return html.slice(0, near) + pick(random, TAGS) + html.slice(near);
  }
}

const isProduct = ({ page, slug }: Sample): boolean =>
  readAnswer(page, 'product', slug)?.kind === 'read';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      manifest: { type: 'string', multiple: true },
      count: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '20261123' },
      json: { type: 'boolean', default: false },
    },
  });
  const manifests = values.manifest ?? [];
  if (manifests.length === 0) {
    process.stderr.write('usage: npm run lab -- non-products --manifest PATH [--manifest PATH]\n');
    return 2;
  }
  const samples = (await Promise.all(manifests.map(samplesOf))).flat();
  if (samples.length === 0) throw new Error('no row of the manifests is a non-product page');
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const recorded = samples.filter(isProduct);
  for (const { name } of recorded) say(`read as a product: ${name}`);
  const random = randomFrom(Number(values.seed));
  const decoder = new TextDecoder();
  const texts = samples.map(({ page }) => decoder.decode(page.body));
  const count = Number(values.count);
  const wrong = new Map<string, number>();
  for (let run = 0; run < count; run += 1) {
    const index = integerBelow(random, samples.length);
    const sample = samples[index];
    if (sample === undefined) continue;
    const body = new TextEncoder().encode(changed(texts[index] ?? '', random));
    if (!isProduct({ ...sample, page: { ...sample.page, body } })) continue;
    wrong.set(sample.name, (wrong.get(sample.name) ?? 0) + 1);
  }
  const mutations = [...wrong.values()].reduce((sum, each) => sum + each, 0);
  for (const [name, times] of wrong) say(`${times} mutations read as a product: ${name}`);
  say(
    `seed ${values.seed}: ${recorded.length} of ${samples.length} recorded pages and ${mutations} of ` +
      `${count} mutations read as products`,
  );
  if (values.json) {
    const summary = {
      recorded: samples.length,
      recorded_wrong: recorded.length,
      mutations: count,
      mutations_wrong: mutations,
    };
    process.stdout.write(`${JSON.stringify(summary)}\n`);
  }
  return 0;
}

process.exitCode = await main();
