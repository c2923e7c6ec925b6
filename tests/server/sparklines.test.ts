// The sparklines of watches: drawn from observed prices, by a path signed for one watch and one day.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS, dayOf } from '../../src/base/clock.ts';
import { sparkline } from '../../src/server/console/sparkline.ts';
import { SparklineList } from '../../src/answer/wire/watches/sparkline.ts';
import { MINUTE_MS, systemOffset } from '../support/picture-shop.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
const clock = systemOffset();

before(async () => {
  service = await startService({ clock, withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

/** Creates a watch of the sandbox's product that has read its anchor. */
async function madeWatch(): Promise<string> {
  const answer = await fetch(`${service.url}/v1/watches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: service.sandbox.describe().upc, below: 1 }),
  });
  const { watch } = (await answer.json()) as { watch: { id: string } };
  await service.app.checkWatches();
  await service.untilQueueIdle();
  return watch.id;
}

async function pathOf(id: string, headers: Readonly<Record<string, string>> = {}) {
  const { status, body } = await service.get(`/v1/watches/sparklines?ids=${id}`, headers);
  assert.equal(status, 200, JSON.stringify(body));
  return SparklineList.parse(body).sparklines[0]?.sparkline ?? null;
}

const load = (path: string | null) => fetch(`${service.url}${path}`);

test('the path answers the chart without a key, kept by the browser for the day, under a policy that runs nothing', async () => {
  const path = await pathOf(await madeWatch());
  const answer = await load(path);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/);
  const [, seconds = ''] =
    /^private, max-age=(\d+), immutable$/.exec(answer.headers.get('cache-control') ?? '') ?? [];
  const left = (DAY_MS - (clock.now() % DAY_MS)) / 1_000;
  assert.ok(Number(seconds) >= left && Number(seconds) <= left + 60, seconds);
  const text = await answer.text();
  assert.match(text, /^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.match(text, /<title>Lowest \$\d+\.\d\d, highest \$\d+\.\d\d, last \$\d+\.\d\d<\/title>/);
});

test('the path is the same until the watch reads something new, and another day has another one', async () => {
  const id = await madeWatch();
  const first = await pathOf(id);
  assert.equal(await pathOf(id), first);
  clock.pass(MINUTE_MS);
  const forced = '?retailer=retailer_w&force_refresh=true';
  const item = service.sandbox.describe().item_id ?? '';
  assert.equal((await service.lookup(item, forced)).status, 200);
  await service.untilQueueIdle();
  const second = await pathOf(id);
  assert.notEqual(second, first, 'it has read something since');
  assert.equal((await load(first)).status, 200, 'what a page has shown already goes on');
  clock.pass(DAY_MS + 61 * MINUTE_MS);
  assert.equal((await load(second)).status, 404, 'it ended with its day');
  assert.notEqual(await pathOf(id), second);
});

test('a path that was changed, or whose key was revoked, is 404, and so is the path of a picture in its place', async () => {
  const id = await madeWatch();
  const key = await service.newKey({ organization: 'test', note: null });
  const path = (await pathOf(id, { authorization: `Bearer ${key}` })) ?? '';
  assert.equal((await load(path)).status, 200);
  const [payload = '', signature = ''] = path.slice('/console/sparklines/'.length).split('.');
  const other = Buffer.from(
    Buffer.from(payload, 'base64url').toString().replace(id, 'wat_another'),
  ).toString('base64url');
  for (const wrong of [
    `${other}.${signature}`,
    `${payload}.${signature.slice(2)}xx`,
    payload,
    'x.y.z',
    '%00',
  ]) {
    assert.equal((await load(`/console/sparklines/${wrong}`)).status, 404, wrong);
  }
  assert.equal((await load(`/console/pictures/${payload}.${signature}`)).status, 404);
  await service.app.store.accounts.revokeKey(key.slice(9, 17), clock.now());
  assert.equal((await load(path)).status, 404);
});

test('watches of others, and what is not one, have no path', async () => {
  const id = await madeWatch();
  const stranger = await service.newKey({ organization: 'stranger', note: null });
  assert.equal(await pathOf(id, { authorization: `Bearer ${stranger}` }), null);
  assert.equal(await pathOf('wat_none'), null);
  for (const ids of ['', 'x', 'wat_a,', 'wat_a%00', Array(101).fill('wat_a').join(',')]) {
    const { status, body } = await service.get(`/v1/watches/sparklines?ids=${ids}`);
    assert.deepEqual([status, body['code'], body['parameter']], [400, 'invalid_parameter', 'ids']);
  }
});

/** Days before 23 November 2026. */
const at = (daysAgo: number, cents: number) => ({
  day: dayOf(Date.UTC(2026, 10, 23) - daysAgo * DAY_MS),
  cents,
});
const drawn = (prices: ReturnType<typeof at>[], targetCents: number | null = null) =>
  sparkline({ prices, from: at(89, 0).day, to: at(0, 0).day, currency: 'USD', targetCents });
const lineOf = (svg: string) => /d="(M[^"]*)"\s+stroke="#4d/.exec(svg)?.[1];

test('a chart has a step for each day, ends a line at a silence of more than a week, and is flat without a change', () => {
  const svg = drawn([at(89, 1_000), at(82, 2_000), at(10, 2_000), at(0, 1_500)]);
  assert.equal(lineOf(svg), 'M4 44h0H22.2V4M209.9 4h0M236 24h0');
  assert.equal(lineOf(drawn([at(1, 500), at(0, 500)])), 'M233.4 24h0H236V24');
  assert.match(drawn([]), /<title>No price yet<\/title>[^]*>No price seen<\/text/);
});

test('the line that a watch waits for is drawn where it can be seen next to the prices', () => {
  const dashes = (svg: string) => /M4 ([\d.]+)H236/.exec(svg)?.[1];
  assert.equal(dashes(drawn([at(1, 2_000), at(0, 1_800)], 1_600)), '44');
  assert.equal(dashes(drawn([at(1, 2_000), at(0, 1_800)], 100)), undefined);
  assert.equal(dashes(drawn([at(1, 2_000)], null)), undefined);
});
