// Identity without price (D86): what barcode databases state of products that no retailer has. The databases are fakes on
// loopback; no retailer can be reached, or none can be asked.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach } from 'node:test';

import { gs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';
import { DAY_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { openApp, type App } from '../../src/edge/app.ts';
import { readConfig } from '../../src/edge/config.ts';
import { FaultError } from '../../src/base/fault.ts';
import { agentOverHttp } from '../support/agent.ts';
import { isOnPostgres, newDatabase } from '../support/databases.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { found, startFakeDatabases, type FakeAnswer } from '../support/fake-databases.ts';
import { integerBelow, randomFrom, seedOf } from '../support/random.ts';
import { stillClock } from '../support/shifted-clock.ts';
import {
  at,
  contractService,
  productPath,
  refused,
  type Contract,
} from './support/contract-service.ts';
import { one } from './support/market.ts';
import { proves } from './support/proves.ts';

const fakes = await startFakeDatabases();
after(() => fakes.close());

const FOOD = 'world.openfoodfacts.org';
const BEAUTY = 'world.openbeautyfacts.org';
const BOOKS = 'openlibrary.org';
const PAGES_OFF = Object.fromEntries(
  ['W', 'A', 'E', 'B', 'H', 'L', 'T'].map((letter) => [
    `OPENSHELF_RETAILER_${letter}_PAGES`,
    'off',
  ]),
);
/** All that a newcomer sets. */
const NEWCOMER = { OPENSHELF_CONTACT: 'me@shelf.example', OPENSHELF_ORIGINS: fakes.origins };
const PLACE = { hasRetailers: false, isStill: true, isAlone: true } as const;

/** Retailers that cannot be reached. */
const blocked = contractService({ ...PLACE, env: NEWCOMER });
/** Retailers that are not asked at all, so that nothing else happens in a call. */
const bare = contractService({ ...PLACE, env: { ...NEWCOMER, ...PAGES_OFF } });
const without = contractService({
  ...PLACE,
  env: { ...PAGES_OFF, OPENSHELF_ORIGINS: fakes.origins },
});
const off = contractService({
  ...PLACE,
  env: { ...NEWCOMER, ...PAGES_OFF, OPENSHELF_BARCODE_DATABASES: 'off' },
});
/** The simulated market. */
const simulated = contractService({ env: NEWCOMER, isStill: true, isAlone: true });

let made = 0;
/** Returns a barcode that was not used before. */
function newCode(prefix = '761'): string {
  made += 1;
  const body = prefix + String(made * 7_919).padStart(12 - prefix.length, '0');
  return body + gs1CheckDigit(body);
}

const askedOf = (code: string) => fakes.asked.filter((each) => each.code === code);
/** Every minute has room again. */
const nextMinute = (contract: Contract) => contract.clock.advance(MINUTE_MS);

const OAT = {
  product_name: 'Oat drink',
  brands: 'Cobbleton',
  quantity: '6 x 1 l',
  categories_tags: ['en:plant-milks'],
  image_front_url: 'https://images.openfoodfacts.org/front.jpg',
  product_type: 'food',
};

beforeEach(() => {
  fakes.answer = (host, code) => (host === FOOD ? found(code, OAT) : null);
  for (const each of [blocked, bare, without, off]) nextMinute(each);
});

proves(
  'D86a D86h',
  'a code that no retailer has is named by a database: no price, stock, vote or score, for 1 token',
  async () => {
    const code = newCode();
    const record = await bare.record(code, '?include_cross_retailer=true&identifier_match=any');
    assert.deepEqual(
      [
        record['identity_only'],
        record['title'],
        record['brand'],
        record['pack_count'],
        record['ean'],
      ],
      [true, 'Oat drink', 'Cobbleton', 6, code],
    );
    assert.deepEqual(record['categories'], ['plant milks']);
    assert.deepEqual(record['specs'], [{ name: 'Quantity', value: '6 x 1 l' }]);
    assert.equal(record['image_url'], OAT.image_front_url);
    for (const field of [
      'current_price',
      'buybox_price',
      'best_price',
      'msrp',
      'in_stock',
      'average_rating',
      'unit_price',
    ]) {
      assert.equal(record[field], null, field);
    }
    const meta = record['_meta'] as Record<string, unknown>;
    assert.deepEqual(
      [
        meta['price_source'],
        meta['title_source'],
        meta['data_quality_score'],
        record['retailer_links'],
      ],
      [null, null, null, []],
    );
    assert.deepEqual(meta['identity_from'], {
      source: 'open_food_facts',
      licence:
        '© Open Food Facts contributors, Open Database License (ODbL) 1.0; pictures CC BY-SA 3.0',
      url: `https://${FOOD}/product/${code}`,
    });
    assert.equal(record['tokens_consumed'], 1);
    const live = await bare.record(
      code,
      '?include_offers_reviews=true&include_seller_context=true',
    );
    assert.deepEqual(
      [live['offers'], live['offers_retailer'], live['seller_context'], live['tokens_consumed']],
      [[], null, null, 1],
    );
    assert.match(
      askedOf(code)[0]?.agent ?? '',
      /^openshelf\/[\d.]+ \(\+mailto:me@shelf\.example\)$/,
    );
  },
);

proves(
  'D86a',
  'agents are given the database and its licence with the facts, and are charged 1 token',
  async () => {
    const headers = { authorization: `Bearer ${blocked.service.key}` };
    await using agent = await agentOverHttp(blocked.service.url, headers);
    const code = newCode();
    for (const tool of ['lookup', 'offers']) {
      const { body, text } = await agent.call(tool, { identifier: code });
      assert.match(text, /Oat drink/);
      assert.deepEqual(
        [body['identity_only'], at(body, 'identity_from.source'), at(body, 'tokens.spent')],
        [true, 'open_food_facts', 1],
      );
      assert.match(String(at(body, 'identity_from.licence')), /ODbL/);
      assert.ok((body['no_answer_from'] as readonly string[]).includes('retailer_w'));
    }
    assert.equal(askedOf(code).length, 1);
  },
);

proves(
  'D86b',
  'with blocked retailers the answer is 200 and names who did not answer; nothing is stored as found',
  async () => {
    const code = newCode();
    const record = await blocked.record(code);
    assert.equal(record['identity_only'], true);
    const silent = at(record, '_meta.upstream') as readonly string[];
    assert.ok(silent.includes('retailer_w'), silent.join());
    const { rows } = { rows: await blocked.app.store.sql.all('select * from listings') };
    assert.deepEqual(rows, []);
    const answers = await blocked.app.store.barcodeAnswers.findAnswers(
      code.padStart(14, '0') as never,
    );
    assert.deepEqual(
      answers.filter(({ listingId }) => listingId !== null),
      [],
    );
    refused(await blocked.lookup(code, '?retailer=retailer_w'), 503, 'upstream_unavailable');
  },
);

proves(
  'D86c',
  'a code is asked about once in 30 days, whatever was answered, and by however many callers',
  async () => {
    const [known, unknown, failing] = [newCode(), newCode(), newCode()];
    fakes.answer = (_host, code) => {
      if (code === known) return found(code, OAT);
      return code === failing ? { status: 503, type: 'text/html', body: '<h1>busy</h1>' } : null;
    };
    await Promise.all(Array.from({ length: 5 }, () => bare.lookup(known)));
    for (const code of [known, unknown, failing, known, unknown, failing]) await bare.lookup(code);
    for (const code of [known, unknown, failing]) assert.equal(askedOf(code).length, 1, code);
    assert.match(
      String((await bare.lookup(unknown)).body['detail']),
      /Open Food Facts does not have it/,
    );
    assert.match(String((await bare.lookup(failing)).body['detail']), /has given no usable answer/);
    bare.clock.advance(29 * DAY_MS);
    for (const code of [known, unknown, failing]) await bare.lookup(code);
    for (const code of [known, unknown, failing]) assert.equal(askedOf(code).length, 1, code);
    bare.clock.advance(DAY_MS);
    for (const code of [known, unknown]) await bare.lookup(code);
    for (const code of [known, unknown]) assert.equal(askedOf(code).length, 2, code);
    // A clock that was wrong for a while does not keep a code from being asked about.
    bare.clock.advance(-300 * DAY_MS);
    for (const code of [unknown, unknown]) await bare.lookup(code);
    assert.equal(askedOf(unknown).length, 3);
    bare.clock.advance(300 * DAY_MS);
  },
);

proves(
  'D86d',
  'no minute has more than 15 requests; beyond them a call says that it asked nobody, and may ask later',
  async () => {
    const codes = Array.from({ length: 50 }, () => newCode());
    const from = fakes.asked.length;
    const answers = await Promise.all(codes.map((code) => bare.lookup(code)));
    assert.equal(fakes.asked.length - from, 15);
    const skipped = answers.filter(({ status }) => status !== 200);
    assert.equal(skipped.length, 35);
    for (const { body } of skipped) assert.match(String(body['detail']), /15 requests a minute/);
    const left = codes.find((code) => askedOf(code).length === 0) ?? '';
    bare.clock.advance(MINUTE_MS - 1);
    assert.notEqual((await bare.lookup(left)).status, 200);
    bare.clock.advance(1);
    assert.equal((await bare.lookup(left)).status, 200);
    // A code that could not be asked about again keeps what was said of it, and when.
    const known = codes.find((code) => askedOf(code).length === 1) ?? '';
    const { _freshness: then } = await bare.record(known);
    bare.clock.advance(31 * DAY_MS);
    await Promise.all(Array.from({ length: 15 }, () => bare.lookup(newCode())));
    assert.deepEqual((await bare.record(known))['_freshness'], then);
    assert.equal(askedOf(known).length, 1);
  },
);

proves(
  'D86e',
  'batches, forced and single-retailer calls, and lookups that say so, ask nobody; batches use what is stored',
  async () => {
    const [code, known] = [newCode(), newCode()];
    await bare.record(known);
    const from = fakes.asked.length;
    const body = `${JSON.stringify({ id: code })}\n${JSON.stringify({ id: known })}\n`;
    const { lines } = await bare.ok('/v1/products/batch', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    });
    const products = (lines as readonly Record<string, unknown>[]).map((line) =>
      at(line, 'product.title'),
    );
    assert.deepEqual(products, [undefined, 'Oat drink']);
    await bare.lookup(code, '?barcode_databases=false');
    await bare.lookup(code, '?retailer=retailer_w');
    await bare.lookup(code, '?include_force_refresh=true');
    await bare.refresh(code, '?retailer=retailer_w');
    await bare.call(productPath(code, '/compare'));
    await bare.call(productPath(code, '/reviews'));
    await bare.call(productPath(code, '/history'));
    await bare.untilQueueIdle();
    assert.equal(fakes.asked.length, from);
  },
);

proves('D86e', 'sheets, here and at a service, watches and their jobs ask nobody', async () => {
  const from = fakes.asked.length;
  using folder = temporaryFolder();
  const sheet = join(folder.path, 'codes.csv');
  writeFileSync(sheet, `upc\n${newCode()}\n${newCode()}\n`);
  const here = { ...NEWCOMER, ...PAGES_OFF, OPENSHELF_DATA: join(folder.path, 'data') };
  const there = { OPENSHELF_API_KEY: bare.service.key };
  for (const [name, env, ...more] of [
    ['here.csv', here],
    ['there.csv', there, '--url', bare.service.url],
  ] as const) {
    const out = join(folder.path, name);
    await runCommand(['lookup', '--file', sheet, '--out', out, ...more], { env });
    assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, 3, name);
  }
  const watch = { identifier: newCode() };
  await blocked.ok('/v1/watches', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(watch),
  });
  blocked.clock.advance(DAY_MS);
  await blocked.untilQueueIdle();
  assert.equal(fakes.asked.length, from);
});

proves(
  'D86f',
  'nobody is asked without a contact, when switched off, in the simulated market, or for a code that a retailer has',
  async () => {
    const from = fakes.asked.length;
    for (const contract of [without, off, simulated]) {
      assert.notEqual((await contract.lookup(newCode())).status, 200);
    }
    const listing = one(simulated, 'retailer_w', ({ cents }) => cents !== null);
    assert.equal((await simulated.lookup(listing.product.gtin14)).status, 200);
    assert.equal(fakes.asked.length, from);
  },
);

proves(
  'D86g',
  'a product of a sister database costs a second request; every other answer leaves the fault as it was',
  async () => {
    const soap = newCode();
    const answers: Readonly<Record<string, FakeAnswer>> = {
      [`${FOOD} ${soap}`]: {
        status: 302,
        location: `https://${BEAUTY}/api/v2/product/${soap}.json`,
      },
      [`${BEAUTY} ${soap}`]: found(soap, { product_name: 'Soap', product_type: 'beauty' }),
    };
    fakes.answer = (host, code) => answers[`${host} ${code}`] ?? null;
    const record = await bare.record(soap);
    assert.deepEqual(
      [record['title'], at(record, '_meta.identity_from.source')],
      ['Soap', 'open_beauty_facts'],
    );
    assert.deepEqual(
      askedOf(soap).map(({ host }) => host),
      [FOOD, BEAUTY],
    );
    for (const answer of [
      { status: 429, body: '' },
      { status: 503, body: '' },
      { type: 'text/html', body: '<h1>One moment</h1>' },
      { status: 302, location: 'https://evil.example/' },
      { status: 404, type: 'text/html', body: 'none' },
      found('4006381333931', OAT),
    ]) {
      const code = newCode();
      fakes.answer = () => answer;
      nextMinute(bare);
      refused(await bare.lookup(code), 503, 'upstream_unavailable');
      assert.equal(askedOf(code).length, 1);
    }
    // Two databases that each send the caller to the other.
    const lost = newCode();
    fakes.answer = (host, code) => ({
      status: 302,
      location: `https://${host === FOOD ? BEAUTY : FOOD}/api/v2/product/${code}.json`,
    });
    await bare.lookup(lost);
    assert.equal(askedOf(lost).length, 2);
  },
);

/** What a seeded database states of a code, with gaps as theirs have. */
function stated(random: () => number, code: string) {
  const has = (percent: number) => integerBelow(random, 100) < percent;
  const name = `Thing ${code.slice(-5)}`;
  const language = ['', '_de', '_fr', '_en'][integerBelow(random, 4)] ?? '';
  return {
    name,
    brand: has(60) ? `Brand ${code.slice(-3)}` : null,
    image: has(70) ? `https://images.openfoodfacts.org/${code}.jpg` : null,
    language,
  };
}

proves(
  'D86a D86c D86d',
  'a newcomer’s first evening: a title for every hit, nothing for a gap, no code asked twice, 15 a minute',
  async (t) => {
    const seed = seedOf(86);
    t.diagnostic(`seed ${seed}`);
    const random = randomFrom(seed);
    const kinds = ['food', 'food', 'cosmetics', 'book'] as const;
    const evening = Array.from({ length: 60 }, (_, index) => {
      const kind = kinds[index % kinds.length] ?? 'food';
      const code = newCode(kind === 'book' ? '9781' : '761');
      return { kind, code, facts: stated(random, code), isKnown: integerBelow(random, 10) < 8 };
    });
    const byCode = new Map(evening.map((each) => [each.code, each]));
    fakes.now = () => blocked.clock.now();
    fakes.answer = (host, code) => {
      const each = byCode.get(code);
      if (each?.isKnown !== true) return null;
      const { name, brand, image, language } = each.facts;
      if (host === BOOKS) {
        const cover =
          image === null ? {} : { cover: { large: `https://covers.${BOOKS}/b/${code}.jpg` } };
        return { body: { [`ISBN:${code}`]: { title: name, ...cover } } };
      }
      if (each.kind === 'cosmetics' && host === FOOD) {
        return { status: 302, location: `https://${BEAUTY}/api/v2/product/${code}.json` };
      }
      const gaps = {
        ...(brand !== null && { brands: brand }),
        ...(image !== null && { image_front_url: image }),
      };
      return found(code, { product_name: '', [`product_name${language}`]: name, ...gaps });
    };
    const from = fakes.asked.length;
    const tally = new Map<string, number>();
    for (const { kind, code, facts, isKnown } of [...evening, ...evening]) {
      let answer = await blocked.lookup(code);
      while (/requests a minute/.test(String(answer.body['detail']))) {
        blocked.clock.advance(20_000);
        answer = await blocked.lookup(code);
      }
      tally.set(`${kind} ${answer.status}`, (tally.get(`${kind} ${answer.status}`) ?? 0) + 1);
      assert.equal(answer.status, isKnown ? 200 : 503, code);
      if (!isKnown) continue;
      const { body } = answer;
      assert.equal(body['title'], facts.name);
      assert.equal(body['brand'], kind === 'book' ? null : facts.brand);
      assert.equal(body['image_url'] === null, facts.image === null);
      assert.deepEqual(
        [body['current_price'], body['in_stock'], body['pack_count'], body['specs']],
        [null, null, null, []],
      );
    }
    t.diagnostic(JSON.stringify(Object.fromEntries(tally)));
    const asked = fakes.asked.slice(from);
    fakes.now = Date.now;
    assert.equal(new Set(asked.map(({ host, code }) => `${host} ${code}`)).size, asked.length);
    for (const { atMs } of asked) {
      const within = asked.filter((each) => each.atMs >= atMs && each.atMs < atMs + MINUTE_MS);
      assert.ok(within.length <= 15, `${within.length} in a minute`);
    }
  },
);

proves('D86c D86d', 'four processes over one database keep the limits together', async (t) => {
  if (!isOnPostgres()) return t.diagnostic('SQLite belongs to one process');
  await using database = await newDatabase('migrated');
  const env = {
    ...NEWCOMER,
    ...PAGES_OFF,
    DATABASE_URL: database.url,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
  };
  const config = readConfig(env, { port: 0 });
  const clock = stillClock(Date.UTC(2026, 10, 20));
  const apps: App[] = [];
  try {
    for (let process = 0; process < 4; process += 1) apps.push(await openApp(config, { clock }));
    const codes = Array.from({ length: 25 }, () => newCode());
    const from = fakes.asked.length;
    const round = async () => {
      const calls = codes.flatMap((code, index) =>
        [index % 4, (index + 1) % 4].map((at) => ({ code, app: apps[at] })),
      );
      await Promise.all(
        calls.map(({ code, app }) =>
          app === undefined ? Promise.resolve(null) : titleOf(app, code),
        ),
      );
    };
    await round();
    assert.equal(fakes.asked.length - from, 15);
    clock.advance(MINUTE_MS + 1_000);
    await round();
    clock.advance(MINUTE_MS + 1_000);
    await round();
    assert.equal(fakes.asked.length - from, 25);
    for (const code of codes) {
      assert.equal(askedOf(code).length, 1);
      for (const app of apps) assert.equal(await titleOf(app, code), 'Oat drink');
    }
  } finally {
    for (const app of apps) await app[Symbol.asyncDispose]();
  }
});

async function titleOf(app: App, text: string): Promise<string | null> {
  try {
    const lookup = app.lookupProduct.parse({ text, forceRefresh: false });
    return (await app.lookupProduct.fromShops(lookup, app.lookupContext())).title;
  } catch (error) {
    if (error instanceof FaultError) return null;
    throw error;
  }
}
