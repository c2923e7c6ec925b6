// Rules of a stranger change no answer of another organization, with warm caches and after every page was read again; an
// organization's own rules change all of its own (D85). And: a rule goes with its organization and with its host.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { runCommand } from '../support/command.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';
import { openScriptedShop } from '../support/scripted-shop.ts';
import { startService, type Service } from '../support/service.ts';
import { stillClock } from '../support/shifted-clock.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const SHOPS = 10;
const PAGES = 500;
const AT_ONCE = 20;

const originOf = (shop: number): string => `https://www.shop-${shop}.example`;
const addressOf = (page: number): string => `${originOf(page % SHOPS)}/p/${page}`;

async function inTurns<T>(work: (page: number) => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let from = 0; from < PAGES; from += AT_ONCE) {
    all.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => work(from + at)))));
  }
  return all;
}

/** A page whose data state one price, and whose text another one too. */
function pageWriter(random: () => number) {
  const layouts = Array.from({ length: SHOPS }, () => {
    const tag = pick(random, ['span', 'b', 'p', 'td', 'div']);
    const label = pick(random, ['Without card', 'Regular customers', 'Delivered', 'Pay today']);
    return { tag, label, name: pick(random, ['amount', 'sum', 'now', 'guest']) };
  });
  return (page: number) => {
    const stated = `${10 + integerBelow(random, 40)}.50`;
    const other = `${60 + integerBelow(random, 30)}.25`;
    const { tag, label, name } = layouts[page % SHOPS] ?? assert.fail();
    const offers = { '@type': 'Offer', price: stated, priceCurrency: 'USD' };
    const data = { '@type': 'Product', name: `Lamp ${page}`, sku: `L-${page}`, offers };
    const html =
      `<title>Lamp</title><script type="application/ld+json">${JSON.stringify(data)}</script><h1>Lamp ${page}</h1>` +
      `<p>With card</p><i class="card">US$${stated}</i><p>${label}</p><${tag} class="${name}">US$${other}</${tag}><p>Ships today</p>`;
    return { html, stated: Number(stated), other: Number(other) };
  };
}

async function choose(service: Service, key: string, product: string, value: number) {
  const response = await fetch(`${service.url}/v1/rules`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ product, field: 'price', value }),
  });
  const body = (await response.json()) as { id: string };
  assert.equal(response.status, 200, JSON.stringify(body));
  return body.id;
}

test("a stranger's rules change none of 500 answers of another organization, and all of its own", async (context) => {
  const seed = seedOf(8_502);
  context.diagnostic(`OPENSHELF_TEST_SEED=${seed}`);
  const pageOf = pageWriter(randomFrom(seed));
  const origins = Array.from({ length: SHOPS }, (_, shop) => originOf(shop));
  const shop = await openScriptedShop(origins);
  const pages = Array.from({ length: PAGES }, (_, page) => {
    const written = pageOf(page);
    shop.answer(addressOf(page), written.html);
    return written;
  });
  try {
    const clock = stillClock(NOON);
    await using service = await startService({ clock, env: { OPENSHELF_ORIGINS: shop.origins } });
    const generous = { note: null, throttlePerMinute: 60_000 };
    const scopes = ['products:read', 'products:refresh', 'rules:write'] as const;
    const stranger = await service.newKey({ organization: 'stranger', scopes, ...generous });
    const reader = await service.newKey({ organization: 'reader', ...generous });
    const ask = async (page: number, key: string) => {
      const id = encodeURIComponent(addressOf(page));
      const { status, body } = await service.get(
        `/v1/products/${id}?include_history=false&include_stats=false`,
        { authorization: `Bearer ${key}` },
      );
      assert.equal(status, 200, JSON.stringify(body));
      // When it was read is no part of what it says.
      const { tokens_remaining: _, _freshness: __, ...answer } = body;
      return answer;
    };
    const askAll = (key: string) => inTurns((page) => ask(page, key));
    await askAll(reader);
    await service.untilQueueIdle();
    const before = await askAll(reader);
    assert.deepEqual(
      before.map((each) => each['current_price']),
      pages.map(({ stated }) => stated),
    );
    const assertSame = async (when: string) => {
      const after = await askAll(reader);
      const changed = after.filter(
        (answer, at) => JSON.stringify(answer) !== JSON.stringify(before[at]),
      );
      assert.equal(changed.length, 0, `${when}: ${JSON.stringify(changed[0])}`);
    };
    for (let page = 0; page < SHOPS; page += 1) {
      await choose(service, stranger, addressOf(page), pages[page]?.other ?? 0);
    }
    await assertSame('chosen, caches warm');
    clock.advance(20 * DAY_MS);
    const own = await askAll(stranger);
    assert.deepEqual(
      own.map((each) => each['current_price']),
      pages.map(({ other }) => other),
    );
    await service.untilQueueIdle();
    await assertSame('read again by the stranger');
    for (let page = 0; page < PAGES; page += 25) {
      clock.advance(MINUTE_MS);
      const id = encodeURIComponent(addressOf(page));
      const { status } = await fetch(`${service.url}/v1/products/${id}/refresh`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stranger}` },
      });
      assert.equal(status, 200);
    }
    await service.untilQueueIdle();
    await assertSame('some read again, caches warm');
    const mine = await askAll(stranger);
    assert.deepEqual(
      mine.map((each) => each['current_price']),
      pages.map(({ other }) => other),
    );
  } finally {
    await shop.close();
  }
});

test('a rule goes with its organization, and with a host that is taken down', async () => {
  const origin = originOf(0);
  const shop = await openScriptedShop([origin]);
  try {
    await using service = await startService({ env: { OPENSHELF_ORIGINS: shop.origins } });
    const { html, other } = pageWriter(randomFrom(1))(0);
    shop.answer(addressOf(0), html);
    const { sql } = service.app.store;
    const scopes = ['rules:write', 'products:read'] as const;
    const count = async () =>
      Number((await sql.all('select count(*) as n from page_rules'))[0]?.['n']);
    for (const organization of ['leaving', 'staying']) {
      const key = await service.newKey({ organization, note: null, scopes });
      await choose(service, key, addressOf(0), other);
    }
    assert.equal(await count(), 2);
    const left = `(select id from organizations where name = 'leaving')`;
    await sql.write([
      { text: `delete from api_keys where organization_id = ${left}` },
      ...['usage_days', 'throttles', 'balances', 'forced_refreshes', 'idempotency_space'].map(
        (table) => ({
          text: `delete from ${table} where organization_id = ${left}`,
        }),
      ),
      { text: `delete from organizations where name = 'leaving'` },
    ]);
    assert.equal(await count(), 1);
    const host = 'shop-0.example';
    const taken = await runCommand(['takedown', host, '--json'], { env: service.dataEnv });
    assert.equal(taken.code, 0, taken.err.join());
    const { removed } = JSON.parse(taken.out.join('')) as { removed: Record<string, number> };
    assert.deepEqual([removed['rules'], await count()], [1, 0]);
  } finally {
    await shop.close();
  }
});
