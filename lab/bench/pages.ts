// Measures how fast pages are read: bytes in, listing out, through the reader that the service uses, against the minimum
// work on the same bytes.

import type { Page } from '../../src/base/listing/page.ts';
import { readProductPage } from '../../src/read/retailers/registry.ts';
import { parseScripts, scanTags } from './baselines.ts';
import { figureOf, pairedCalls, type Effort, type Figure, type Goal } from './measurement.ts';
import { largePage, plainPage, type InventedPage } from './page-generator.ts';

const SEED = 1_500;

function asPage({ product, body }: InventedPage): Page {
  return {
    requestedUrl: product.url,
    url: product.url,
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body,
    fetchedAtMs: 0,
  };
}

/** Checks the reading: a reader that is fast because it finds nothing must not be measured. */
function checkReading(page: Page, { product }: InventedPage): void {
  const verdict = readProductPage(page);
  if (verdict.kind !== 'read') throw new Error(`the invented page is ${verdict.kind}`);
  const { title, gtin, price, inStock } = verdict.value;
  const cents = Math.round(Number(product.price) * 100);
  const isRight =
    title === product.title &&
    gtin?.endsWith(product.ean) === true &&
    price?.cents === cents &&
    inStock === true;
  if (!isRight) throw new Error(`the invented page is misread: ${JSON.stringify(verdict.value)}`);
}

type Comparison = {
  readonly name: string;
  readonly page: InventedPage;
  readonly what: string;
  readonly baseline: string;
  readonly run: (body: Uint8Array) => unknown;
  readonly goal: Goal | null;
};

function compare(comparison: Comparison, effort: Effort): Figure {
  const { name, page: invented, what, baseline, run, goal } = comparison;
  const page = asPage(invented);
  checkReading(page, invented);
  const kilobytes = Math.round(invented.body.length / 1_000).toLocaleString('en-US');
  const measured = `reading ${what} of ${kilobytes} KB`;
  const pairs = pairedCalls(
    () => readProductPage(page),
    () => run(page.body),
    effort,
  );
  return figureOf({ name, measured, baseline, goal, ratioOf: 'time' }, pairs);
}

/** Returns three figures: two of the large page (they differ in the baseline), one of the plain page. */
export function benchPages(effort: Effort): readonly Figure[] {
  const large = largePage(SEED);
  return [
    compare(
      {
        name: 'page',
        page: large,
        what: 'a page with JSON-LD, state, OpenGraph and microdata',
        baseline: 'UTF-8 decode, indexOf of the scripts, JSON.parse of the JSON-LD blocks',
        run: (body) => parseScripts(body, 'json-ld'),
        goal: { is: 'at most', value: 3, stretch: 2 },
      },
      effort,
    ),
    compare(
      {
        name: 'page-all-json',
        page: large,
        what: 'the same page',
        baseline: 'the same with JSON.parse of the state object too',
        run: (body) => parseScripts(body, 'all json'),
        goal: null,
      },
      effort,
    ),
    compare(
      {
        name: 'page-plain',
        page: plainPage(SEED),
        what: 'a page with OpenGraph and microdata only',
        baseline: 'UTF-8 decode and one bare scan of the tags',
        run: scanTags,
        goal: { is: 'at most', value: 2, stretch: 1.5 },
      },
      effort,
    ),
  ];
}
