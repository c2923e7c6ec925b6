// A price is written once, in src/base/call-cost.ts: the service's texts use it, and documents state the same.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import {
  ADD_ON_TOKENS,
  BASE_TOKENS,
  mostItCanCost,
  tokensInWords,
  type PricedCall,
} from '../../src/base/call-cost.ts';
import { ROUTES } from '../../src/server/routes.ts';
import { routeName } from '../../src/server/route.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** A number of tokens. `costs a token`, because a token of another kind is `a token` too. */
const COUNTED = new RegExp(
  String.raw`\b(?:\d+(?:,\d{3})*|costs? a|${WORDS.slice(1).join('|')})(?: more)? tokens?\b|\((\d+)\)(?=[,.;]| and )`,
  'gi',
);

/** Returns the texts of a file, each in one piece, without comments. */
function textsOf(source: string): string {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return code.replaceAll(/['`] \+\s*['`]/g, '').replaceAll(/\s+/g, ' ');
}

const numbersIn = (text: string): readonly string[] =>
  [...text.matchAll(COUNTED)].map(([found]) => found);

test('no text of the service writes a number of tokens itself', () => {
  // console/prices.js is what formats prices there.
  const files = globSync(['src/{server,answer,edge}/**/*.ts', 'console/*.js'], {
    cwd: ROOT,
  }).filter((path) => path !== 'console/prices.js');
  assert.ok(files.length > 300, String(files.length));
  const written = files.flatMap((path) => {
    // Code calls functions with numbers in parentheses; this text lists prices that way.
    const isListed = path.endsWith('llms-text.ts');
    const found = numbersIn(textsOf(read(path))).filter((each) => isListed || /token/i.test(each));
    return found.map((each) => `${path}: ${each}`);
  });
  assert.deepEqual(written, []);
});

test('the search for numbers of tokens finds them however they are written', () => {
  const texts = [
    "'Adds it. 5 tokens.'",
    "'It takes ' +\n  'one token.'",
    '`Nine ` +\n `tokens: 1 for it`',
    'Each check costs a token.',
    '10 more tokens',
    'compare (3), history',
  ];
  for (const text of texts) assert.equal(numbersIn(textsOf(text)).length, 1, text);
  const others = [
    '// 5 tokens',
    '`${tokensInWords(price)}.`',
    'A token has 256 characters',
    'at(3)',
  ];
  for (const text of others) assert.deepEqual(numbersIn(textsOf(text)), [], text);
});

const inWord = (count: number): string => WORDS[count] ?? String(count);
const more = (count: number): string => `${tokensInWords(count)} more`;
const plain: PricedCall = { kind: 'product', addOns: {} };
const line = BASE_TOKENS.product + ADD_ON_TOKENS.includeCrossRetailer;
const refreshed: PricedCall = { kind: 'refresh', addOns: { includeOffersReviews: true } };
const checked = tokensInWords({ kind: 'watchedRead' });

/** The prices in the documents, as they must be written. */
const STATED: Readonly<Record<string, readonly string[]>> = {
  'docs/use/lookups.md': [
    `ASIN, item id or SKU; ${tokensInWords(plain)} |`,
    `fetched during the call; ${more(ADD_ON_TOKENS.includeOffers)}.`,
    `the product's reviews, also ${ADD_ON_TOKENS.includeOffersReviews} |`,
    `how each is tied to it; ${more(ADD_ON_TOKENS.includeCrossRetailer)} |`,
    `would fulfil it; ${more(ADD_ON_TOKENS.includeSellerContext)} |`,
    `live calls observed; ${more(ADD_ON_TOKENS.includeOffersHistory)} |`,
    `price bars of retailer_w; ${more(ADD_ON_TOKENS.includePriceSeries)} when`,
    `fetched now, or a 503; ${tokensInWords(refreshed)} |`,
    `with their statistics; ${tokensInWords({ kind: 'history' })} |`,
    `break-even price; ${tokensInWords({ kind: 'compare' })} |`,
    `in total and by month; ${tokensInWords({ kind: 'reviews' })} |`,
    `seller of retailer_w; ${tokensInWords({ kind: 'seller' })} |`,
    `a check that reads something costs ${checked} |`,
    `fetched now, or a 503; ${more(ADD_ON_TOKENS.includeForceRefresh)}.`,
  ],
  'docs/use/agents.md': [`each check costs ${checked} of the key`],
  'docs/use/console.md': [
    `A card costs ${tokensInWords(line)}, its chart ${BASE_TOKENS.history}, each further lookup while shops are still being queried ${line};`,
  ],
  'docs/use/fees.md': [`roi=30\` (${tokensInWords({ kind: 'compare' })})`],
  'docs/use/pages.md': [`A page costs ${BASE_TOKENS.page} token and`],
  'docs/use/sheets.md': [
    `${inWord(BASE_TOKENS.product)} token starts the queries for a product and ${inWord(line)} fetch the results, so ` +
      `${inWord(BASE_TOKENS.product + line)} for each product`,
    `is requested again for ${inWord(line)} more,`,
    `of a [lookup](lookups.md), ${inWord(ADD_ON_TOKENS.includeSellerContext)} tokens each.`,
  ],
  'docs/how/rules.md': [
    `A page that is handed in costs ${BASE_TOKENS.page} token and`,
    `Each read that a check causes costs ${checked}, paid`,
    `A check of a watch on request costs ${tokensInWords({ kind: 'look' })}, at most`,
  ],
  'docs/use/watches.md': [
    `A read that a check causes costs ${checked} for each listing`,
    `during the call, for ${tokensInWords({ kind: 'look' })}, at most`,
  ],
};

/** Numbers of tokens that are not prices. tests/server/readme.test.ts makes the walk through the API. */
const NO_PRICE =
  /^\d\. \d tokens: .*$|four token figures|1,863 and 1,155 tokens|Short: 1 token, 1,000 callers|at most 400 tokens/gm;

test('what the documents say of prices is what calls are charged', () => {
  for (const path of globSync(['README.md', 'docs/{,use/,run/,how/}*.md', 'clients/*/README.md'], {
    cwd: ROOT,
  })) {
    let text = read(path).replaceAll(NO_PRICE, '').replaceAll(/\s+/g, ' ');
    for (const stated of STATED[path] ?? []) {
      assert.ok(text.includes(stated), `${path} does not say: ${stated}`);
      text = text.replace(stated, '');
    }
    const left = numbersIn(text).filter((each) => /token/i.test(each));
    assert.deepEqual(left, [], `${path}: a price that this test does not know`);
  }
});

test('the tools of agents cost what their document says', () => {
  const most: Readonly<Record<string, PricedCall>> = {
    lookup: plain,
    compare: { kind: 'compare' },
    history: { kind: 'history' },
    offers: { kind: 'product', addOns: { includeOffers: true } },
    find: { kind: 'free' },
    watch: { kind: 'free' },
    watches: { kind: 'free' },
    change_watch: { kind: 'free' },
    remove_watch: { kind: 'free' },
  };
  const rows = [...read('docs/use/agents.md').matchAll(/^\| (`[^|]+) \|.*\| (\d+) \|$/gm)];
  const stated = rows.flatMap(([, tools = '', tokens]) =>
    [...tools.matchAll(/`(\w+)`/g)].map(([, tool = '']) => [tool, Number(tokens)] as const),
  );
  const charged = Object.entries(most).map(([tool, call]) => [tool, mostItCanCost(call)]);
  assert.deepEqual(Object.fromEntries(stated), Object.fromEntries(charged));
});

test('a route whose price has words of its own states its number too', () => {
  const worded = ROUTES.filter(({ priceInWords }) => priceInWords !== undefined);
  assert.ok(worded.length > 4);
  for (const each of worded) {
    const { price, priceInWords = '' } = each;
    const first = price.kind === 'free' ? 'Free' : tokensInWords(price);
    assert.ok(priceInWords.startsWith(first), routeName(each));
  }
});
