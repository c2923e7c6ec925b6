// Every set of official credentials that people have, asked every kind of question, while pages answer, refuse or are switched off:
// what an API can answer is answered, whatever the pages do (D78).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';

import {
  credentialCells,
  QUESTIONS,
  type Cell,
  type OfficialSource,
  type Question,
} from '../../../build/credential-cells.ts';
import { withCredentialTable } from '../../../build/credentials-page.ts';

let cells: readonly Cell[];
/** No credentials, each of six APIs alone, three pairs, all. */
const MIX_COUNT = 11;

before(async () => {
  cells = await credentialCells();
});

const SELLERS: readonly OfficialSource[] = ['selling_partner', 'creators'];
const EVERY: readonly OfficialSource[] = [
  ...SELLERS,
  'affiliate',
  'marketplace',
  'browse',
  'products',
];

/** The sources whose documented answers settle a question; every one alone is enough. */
const ANSWERED_BY: Readonly<Record<Question, readonly OfficialSource[]>> = {
  barcode: EVERY,
  ASIN: SELLERS,
  // The marketplace API has items of the seller's own only.
  'item id': ['affiliate'],
  SKU: ['products'],
  'retailer_e address': ['browse'],
  offers: SELLERS,
  reviews: ['affiliate'],
  'seller context': SELLERS,
  refresh: EVERY,
  batch: SELLERS,
  watch: [],
};

/** A bare number is an item id of retailer_w first, as long as its pages can be asked and do not say that there is none. */
function isUnambiguous({ question, mix, pages }: Cell): boolean {
  return question !== 'SKU' || pages !== 'refusing' || mix.includes('affiliate');
}

const canAnswer = (cell: Cell): boolean =>
  isUnambiguous(cell) && ANSWERED_BY[cell.question].some((source) => cell.mix.includes(source));

const nameOf = ({ mix, pages, question }: Cell): string =>
  `${mix.join('+') || 'none'}, pages ${pages}, ${question}`;

function cellOf(mix: readonly OfficialSource[], pages: Cell['pages'], question: Question): Cell {
  const isSame = (cell: Cell) => cell.mix.join() === mix.join() && cell.pages === pages;
  return cells.find((cell) => isSame(cell) && cell.question === question) ?? assert.fail();
}

test('there is a cell for each', () => {
  const answering = cells.filter(({ pages }) => pages === 'answering');
  assert.equal(cells.length, 3 * answering.length);
  assert.equal(answering.length, MIX_COUNT * QUESTIONS.length);
});

test('what an API can answer is a record, whatever the pages do', () => {
  const failed = cells.filter((cell) => canAnswer(cell) && cell.status !== 200);
  assert.deepEqual(failed.map(nameOf), []);
  assert.equal(cells.filter(canAnswer).length, 167);
});

test('anything else is a record by the pages, a 404, a 503 with words, or terms that forbid a watch', () => {
  for (const cell of cells) {
    const { status, body, question, pages } = cell;
    if (status === 200) continue;
    assert.notEqual(pages, 'answering', nameOf(cell));
    const isOfTerms = status === 422 && question === 'watch';
    assert.ok([404, 503].includes(status) || isOfTerms, `${nameOf(cell)}: ${status}`);
    const said = question === 'batch' ? (body['problem'] ?? body) : body;
    assert.ok(JSON.stringify(said).length > 40, nameOf(cell));
  }
});

test('an API is asked the same, whether pages answer, refuse or are off', () => {
  for (const cell of cells) {
    // Where pages answer, another retailer may supply the record that is refreshed.
    if (!canAnswer(cell) || cell.question === 'refresh') continue;
    const off = cellOf(cell.mix, 'off', cell.question);
    for (const source of cell.mix) {
      if (!isUnambiguous(off)) continue;
      assert.equal(cell.requests[source], off.requests[source], `${nameOf(cell)}: ${source}`);
    }
  }
});

test('a watch is checked by the sources whose terms allow it, and pages are not needed', () => {
  const checks = cells.filter(({ pages, question }) => pages === 'off' && question === 'watch');
  assert.equal(checks.length, MIX_COUNT);
  for (const { mix, requests, status } of checks) {
    const isOwn = mix.includes('selling_partner');
    assert.equal(requests.selling_partner ?? 0, isOwn ? 2 : 0, mix.join('+'));
    assert.equal(requests.creators ?? 0, 0);
    assert.equal(status, !isOwn && mix.includes('creators') ? 422 : 200, mix.join('+'));
  }
});

test('with pages switched off no page is asked', () => {
  const asked = cells.filter(({ pages, requests }) => pages === 'off' && requests.page);
  assert.deepEqual(asked.map(nameOf), []);
});

const BARCODE_REQUESTS: Readonly<Record<OfficialSource, number>> = {
  selling_partner: 2,
  creators: 1,
  affiliate: 1,
  marketplace: 1,
  browse: 2,
  products: 1,
};

test('a barcode costs two requests to the APIs that state price or barcode apart, one to the others', () => {
  for (const source of EVERY) {
    const { requests } = cellOf([source], 'off', 'barcode');
    assert.equal(requests[source], BARCODE_REQUESTS[source], source);
  }
  const { requests } = cellOf(EVERY, 'off', 'barcode');
  const asked: Cell['requests'] = {
    affiliate: 1,
    selling_partner: 2,
    browse: 2,
    products: 1,
    token: 2,
  };
  assert.deepEqual(
    requests,
    asked,
    'where a first source has price and stock, no second one is asked',
  );
});

test('a record by the Selling Partner API alone has what its catalogue and its featured offer state', () => {
  const { body } = cellOf(['selling_partner'], 'refusing', 'ASIN');
  const facts = [
    'title',
    'brand',
    'image_url',
    'current_price',
    'in_stock',
    'weight_lbs',
    'sales_rank',
  ];
  const missing = facts.filter((name) => (body[name] ?? null) === null);
  assert.deepEqual(missing, []);
});

test('docs/run/retailers.md is what `npm run docs -- credentials` writes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/run/retailers.md'), 'utf8');
  assert.equal(page, withCredentialTable(page, cells));
});
