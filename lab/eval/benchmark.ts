// npm run lab -- benchmark --dir DIR [--json] [--errors]: scores the readers on a folder in the format of the public
// product-extraction benchmark (`html/*.html.gz`, `ground-truth.json`), with the benchmark's own metric for each attribute,
// next to its published table.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

import { messageOf } from '../../src/base/fault.ts';
import { savedPage } from '../../src/edge/cli/products/saved-page.ts';
import type { Listing } from '../../src/base/listing/listing.ts';
import { dollars } from '../../src/base/dollars.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { bookOf } from '../../src/read/retailers/addresses/address-books.ts';
import { readProductPage } from '../../src/read/retailers/registry.ts';
import { countsOf, decimalOf, scoresOf } from './benchmark-metric.ts';
import type { Scores } from './benchmark-metric.ts';

const USAGE = 'usage: npm run lab -- benchmark --dir DIR [--json] [--errors]';

const ATTRIBUTES = ['price', 'sku', 'availability', 'InStock', 'OutOfStock'] as const;
type Attribute = (typeof ATTRIBUTES)[number];

/** The benchmark's published table (2021): F1, precision, recall. */
const PUBLISHED: Readonly<
  Record<Attribute, readonly (readonly [string, number, number, number])[]>
> = {
  price: [
    ['Zyte', 0.918, 0.918, 0.918],
    ['Diffbot', 0.824, 0.844, 0.806],
    ['extruct', 0.685, 0.864, 0.567],
  ],
  sku: [
    ['Zyte', 0.841, 0.86, 0.822],
    ['Diffbot', 0.765, 0.828, 0.711],
    ['extruct', 0.537, 0.786, 0.407],
  ],
  availability: [
    ['Zyte', 0.957, 0.957, 0.957],
    ['Diffbot', 0.943, 0.943, 0.943],
    ['extruct', 0.626, 0.905, 0.479],
  ],
  InStock: [
    ['Zyte', 0.977, 0.97, 0.985],
    ['Diffbot', 0.97, 0.956, 0.985],
    ['extruct', 0.954, 0.954, 0.954],
  ],
  OutOfStock: [
    ['Zyte', 0.625, 0.714, 0.556],
    ['Diffbot', 0.429, 0.6, 0.333],
    ['extruct', 0.333, 0.333, 0.333],
  ],
};

type Truth = Readonly<Record<string, unknown>>;
type Prediction = Readonly<Record<Attribute, string | null>>;

function valuesOf(truth: Truth, attribute: Attribute): readonly string[] {
  const value = truth[attribute];
  const all: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const texts = all.filter((one) => typeof one === 'string' || typeof one === 'number').map(String);
  return attribute === 'price' ? texts.map((text) => decimalOf(text) ?? text) : texts;
}

/** Returns the retailer of these pages; undefined for any other shop. */
function slugOf(address: string): string | undefined {
  const url = URL.parse(address);
  const host = url?.hostname.replace(/^(?:www|m)\./, '') ?? '';
  return KNOWN_SLUGS.find((slug) => bookOf(slug).hosts.some((own) => own === host));
}

function predictionOf(listing: Listing | null): Prediction {
  const price = listing?.price ?? null;
  const sku = listing?.sku ?? listing?.itemId ?? listing?.asin ?? listing?.productId ?? null;
  // The benchmark fills in a missing availability: anything not clearly out of stock is in stock.
  const isOut = listing?.inStock === false;
  return {
    price: price === null ? null : decimalOf(String(dollars(price.cents))),
    sku: sku ?? listing?.gtin?.replace(/^0+/, '') ?? null,
    availability: isOut ? 'OutOfStock' : 'InStock',
    InStock: isOut ? null : 'InStock',
    OutOfStock: isOut ? 'OutOfStock' : null,
  };
}

type PageResult = { readonly id: string; readonly truth: Truth; readonly predicted: Prediction };

/** Parses the folder's annotations, by page. Throws with the problem found in the folder. */
async function truthsOf(dir: string): Promise<readonly (readonly [string, Truth])[]> {
  const path = join(dir, 'ground-truth.json');
  let truths: unknown;
  try {
    truths = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(truths)) throw new Error(`${path} is not an object of pages`);
  return Object.entries(truths).map(([id, truth]) => {
    if (!isObject(truth)) throw new Error(`${path}: "${id}" is not an object of attributes`);
    return [id, truth] as const;
  });
}

async function readPages(dir: string): Promise<readonly PageResult[]> {
  const truths = await truthsOf(dir);
  const files = new Set(await readdir(join(dir, 'html')));
  const results: PageResult[] = [];
  for (const [id, truth] of truths) {
    if (!files.has(`${id}.html.gz`)) throw new Error(`html/${id}.html.gz is missing`);
    const body = gunzipSync(await readFile(join(dir, 'html', `${id}.html.gz`)));
    const url = typeof truth['url'] === 'string' ? truth['url'] : 'https://shop.invalid/';
    const page = savedPage(body, { url, contentType: 'text/html' });
    const verdict = readProductPage(page, slugOf(url));
    const listing = verdict.kind === 'read' ? verdict.value : null;
    results.push({ id, truth, predicted: predictionOf(listing) });
  }
  return results;
}

function line(attribute: string, system: string, { f1, precision, recall }: Scores): string {
  const figures = [f1, precision, recall].map((figure) => figure.toFixed(3).padStart(10));
  return `${attribute.padEnd(14)}${system.padEnd(11)}${figures.join('')}`;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      json: { type: 'boolean', default: false },
      errors: { type: 'boolean', default: false },
    },
  });
  if (values.dir === undefined) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const pages = await readPages(values.dir);
  const out = (text: string) => (values.json ? process.stderr : process.stdout).write(`${text}\n`);
  out(`${pages.length} pages`);
  out(`${'attribute'.padEnd(14)}${'system'.padEnd(11)}${'F1'.padStart(10)} precision    recall`);
  const summary: Record<string, Scores & { readonly support: number }> = {};
  for (const attribute of ATTRIBUTES) {
    const counts = pages.map(({ truth, predicted }) =>
      countsOf(valuesOf(truth, attribute), predicted[attribute]),
    );
    const scores = scoresOf(counts);
    const support = pages.filter(({ truth }) => valuesOf(truth, attribute).length > 0).length;
    summary[attribute] = { ...scores, support };
    out(`${line(attribute, 'openshelf', scores)}   of ${support}`);
    for (const [system, f1, precision, recall] of PUBLISHED[attribute]) {
      out(line('', system, { f1, precision, recall }));
    }
    if (!values.errors) continue;
    for (const { id, truth, predicted } of pages) {
      const right = valuesOf(truth, attribute);
      const { fp, fn } = countsOf(right, predicted[attribute]);
      if (fp + fn > 0)
        out(`  ${id.slice(0, 12)} ${right.join(' or ')}: ${String(predicted[attribute])}`);
    }
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ pages: pages.length, ...summary })}\n`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
  process.exitCode = 1;
}
