// What the lab programs order and strangers count as a difference and what not, on written answers and on a tiny run.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  answeredRetailers,
  comparable,
  differencesBetween,
  fieldsWhere,
  isOfAnchor,
  isTiedAtTheSeven,
  isTiedByAnswer,
  strangerAnchorOf,
} from '../../lab/eval/order/compare.ts';
import { lookupSetOf, MARKET_MS } from '../../lab/eval/order/lookups.ts';
import { runOrder } from '../../lab/eval/order/run.ts';
import { barcodeRun, influencesOn } from '../../lab/eval/strangers/measure.ts';
import { soundProducts, strangerPages } from '../../lab/eval/strangers/pages.ts';
import { startStrangers } from '../../lab/eval/strangers/shops.ts';
import { readConfig } from '../../src/edge/config.ts';
import { withSandbox } from '../../src/edge/cli/sandbox-config.ts';
import { hasGs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { randomFrom, seedOf } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BODY = {
  title: 'Cup',
  current_price: 4.5,
  _meta: { price_source: 'retailer_w', disagreements: [{ retailer: 'shop', reason: 'size' }] },
  _freshness: { refreshed_at: '2026-11-20T10:00:00.000Z' },
  stats: { windows: { '30d': { low: 4, observation_count: 2 } } },
  retailer_links: [
    { retailer: 'retailer_w', url: 'https://w.example/1', found_via: 'native_catalog' },
    { retailer: 'shop', url: 'https://shop.example/1', found_via: 'submitted_url' },
  ],
  cross_retailer: {
    retailer_w: { status: 'ok', url: 'https://w.example/1', identity: { state: 'confirmed' } },
    retailer_b: { status: 'not_found', url: null, identity: { state: 'unconfirmed' } },
    retailer_h: { status: 'indexing', url: null, identity: null },
  },
  tokens_consumed: 1,
};

type Body = Record<string, unknown>;

/** Returns the fields that differ between BODY and the changed copy of it. */
function differing(change: (body: Body) => void, slug = 'shop'): readonly string[] {
  const changed = structuredClone(BODY) as Body;
  change(changed);
  const answersOf = (body: unknown, name: string) =>
    new Map([
      ['/v1/products/1', comparable({ status: 200, body }, new Map([[name, 'shop.example']]))],
    ]);
  return differencesBetween([
    { order: 0, answers: answersOf(BODY, 'shop') },
    { order: 1, answers: answersOf(changed, slug) },
  ]).map(({ field }) => field);
}

test('costs, time stamps, observation counts and the slug of a shop are not differences', () => {
  const changes: readonly ((body: Body) => void)[] = [
    (body) => (body['tokens_consumed'] = 7),
    (body) => (body['_freshness'] = { refreshed_at: '2026-11-20T11:30:00.500Z' }),
    (body) => (body['stats'] = { windows: { '30d': { low: 4, observation_count: 3 } } }),
  ];
  for (const change of changes) assert.deepEqual(differing(change), []);
  const renamed = JSON.parse(JSON.stringify(BODY).replaceAll('"shop"', '"shopexample"')) as Body;
  assert.deepEqual(
    differing((body) => Object.assign(body, renamed), 'shopexample'),
    [],
  );
});

test('every other field is a difference, and what follows from it is not listed', () => {
  const table: readonly (readonly [(body: Body) => void, readonly string[]])[] = [
    [(body) => (body['title'] = 'Mug'), ['title']],
    [(body) => (body['_freshness'] = { refreshed_at: null }), ['_freshness.refreshed_at']],
    [
      (body) => (body['stats'] = { windows: { '30d': { low: 1, observation_count: 2 } } }),
      ['stats.windows.30d.low'],
    ],
    [
      (body) => (body['retailer_links'] = BODY.retailer_links.slice(0, 1)),
      ['retailer_links.order', 'retailer_links[]'],
    ],
    [
      (body) => (body['retailer_links'] = BODY.retailer_links.toReversed()),
      ['retailer_links.order'],
    ],
    [
      (body) => {
        const cell = { status: 'ok', url: 'https://w.example/2', identity: null, price: 3 };
        body['cross_retailer'] = { ...BODY.cross_retailer, retailer_w: cell };
      },
      ['cross_retailer[].url', 'cross_retailer[].identity.state'],
    ],
  ];
  for (const [change, fields] of table) {
    assert.deepEqual(differing(change).toSorted(), [...fields].toSorted());
  }
});

test('of two answers with different statuses only the status differs; a problem is its status and code', () => {
  const missing = comparable({ status: 404, body: { code: 'not_found', detail: 'a' } }, new Map());
  const other = comparable({ status: 404, body: { code: 'not_found', detail: 'b' } }, new Map());
  const found = comparable({ status: 200, body: BODY }, new Map());
  const between = (one: typeof missing, two: typeof missing) =>
    differencesBetween([
      { order: 0, answers: new Map([['x', one]]) },
      { order: 1, answers: new Map([['x', two]]) },
    ]).map(({ field }) => field);
  assert.deepEqual(between(missing, other), []);
  assert.deepEqual(between(missing, found), ['status']);
});

test('what is known of a first answer: the anchor, and which retailers had answered', () => {
  const answer = { status: 200, body: BODY };
  assert.deepEqual(answeredRetailers(answer), ['retailer_b', 'retailer_w']);
  assert.equal(answeredRetailers({ status: 404, body: {} }), null);
  assert.equal(isTiedAtTheSeven(answer), true);
  assert.equal(isTiedByAnswer(answer), false, 'no cell has the source of an answer');
  const { retailer_w: cell, ...others } = BODY.cross_retailer;
  const answered = { ...others, retailer_w: { ...cell, _source: 'primary' } };
  assert.equal(isTiedByAnswer({ status: 200, body: { ...BODY, cross_retailer: answered } }), true);
  assert.equal(strangerAnchorOf(answer), null);
  const strange = { ...BODY, _meta: { ...BODY._meta, price_source: 'shop' } };
  assert.equal(strangerAnchorOf({ status: 200, body: strange }), 'shop');
  const fields = [...fieldsWhere(comparable(answer, new Map()), isOfAnchor).keys()];
  assert.deepEqual(fields, [
    'status',
    'title',
    'current_price',
    '_meta.price_source',
    'stats.windows.30d.low',
  ]);
});

test('a tiny run settles, and a difference planted in one of its orders is found', async () => {
  await using sandbox = await startSandbox({
    seed: 7,
    products: 20,
    now: () => MARKET_MS,
    retailers: publicOrigins(),
  });
  const market = sandbox.market();
  const set = lookupSetOf(market, 2, 7);
  const cases = lookupSetOf(market, 20, 7).lookups.flatMap(({ isCaseCode, barcode }) =>
    isCaseCode && barcode !== null ? [barcode] : [],
  );
  assert.ok(cases.length > 0 && cases.every(hasGs1CheckDigit));
  await using shops = await startStrangers(set.pages);
  const orders = [];
  for (const order of [0, 1]) {
    using folder = temporaryFolder();
    orders.push(
      await runOrder({
        order,
        lookups: set.lookups.filter(({ isCaseCode }) => !isCaseCode),
        config: configOf(folder.path, shops.origins, sandbox),
        startMs: MARKET_MS,
        history: [],
        random: randomFrom(order),
      }),
    );
  }
  const [one, two] = orders;
  assert.ok(one !== undefined && two !== undefined && one.rounds !== null);
  assert.ok([...one.settled.values()].some((fields) => fields.get('status') === '200'));
  const [[lookup, fields] = ['', new Map<string, string>()]] = two.settled;
  const planted = new Map(two.settled).set(lookup, new Map(fields).set('planted', '1'));
  const differences = differencesBetween([
    { order: 0, answers: one.settled },
    { order: 1, answers: planted },
  ]);
  const found = differences.find(({ field }) => ['planted', 'status'].includes(field));
  assert.equal(found?.example.lookup, lookup);
});

test('first answers and quiet records of two dozen barcodes do not depend on what was looked up before', async (t) => {
  const seed = seedOf(20_261_130);
  t.diagnostic(`seed ${seed}`);
  await using sandbox = await startSandbox({
    seed: 7,
    products: 60,
    now: () => MARKET_MS,
    retailers: publicOrigins(),
  });
  const set = lookupSetOf(sandbox.market(), 24, seed);
  await using shops = await startStrangers(set.pages);
  const orders = await Promise.all(
    [0, 1].map(async (order) => {
      using folder = temporaryFolder();
      return await runOrder({
        order,
        lookups: set.lookups.filter(({ isCaseCode }) => !isCaseCode),
        config: configOf(folder.path, shops.origins, sandbox),
        startMs: MARKET_MS,
        history: [],
        random: randomFrom(seed + order),
      });
    }),
  );
  const [one, two] = orders.map(({ first }) => first);
  const compared = [...(one?.keys() ?? [])].filter((name) => two?.has(name) === true);
  t.diagnostic(`${compared.length} first answers compared`);
  assert.ok(compared.length > 8);
  for (const pick of ['first', 'settled'] as const) {
    const answers = orders.map((each) => ({ order: each.order, answers: each[pick] }));
    assert.deepEqual(differencesBetween(answers), [], pick);
  }
});

test('a barcode is answered alike twice where there are no strangers, and a planted price is found', async () => {
  await using sandbox = await startSandbox({
    seed: 7,
    products: 20,
    now: () => MARKET_MS,
    retailers: publicOrigins(),
  });
  const products = soundProducts(sandbox.market(), 1);
  const pages = strangerPages(products, 3, randomFrom(7));
  assert.deepEqual(new Set(pages.map(({ phase }) => phase)).size, 3);
  await using shops = await startStrangers(pages);
  using folder = temporaryFolder();
  const config = configOf(folder.path, shops.origins, sandbox);
  const run = await barcodeRun(config, MARKET_MS, products, []);
  assert.deepEqual(influencesOn(run, run), []);
  const [first, ...rest] = run.answers;
  assert.ok(first?.record.status === 200);
  const record = { status: 200, body: { ...(first.record.body as Body), current_price: 1 } };
  const found = influencesOn({ ...run, answers: [{ ...first, record }, ...rest] }, run);
  assert.deepEqual(
    found.map(({ kind, field, value }) => [kind, field, value]),
    [['changes', 'current_price', '1']],
  );
});

function configOf(
  dataDir: string,
  origins: string,
  sandbox: Parameters<typeof withSandbox>[1],
): ReturnType<typeof withSandbox> {
  const env = {
    OPENSHELF_DATA: dataDir,
    OPENSHELF_ORIGINS: origins,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
  };
  return withSandbox(readConfig(env, { port: 0 }), sandbox);
}
