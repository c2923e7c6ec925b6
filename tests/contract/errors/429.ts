import assert from 'node:assert/strict';

import { contractService, productPath, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService({ isStill: true });

const AT_ONCE = 40;

proves(
  'EE-08 D17c D20d',
  'a call that the balance cannot cover is quota_exceeded and starts no fetch',
  async () => {
    const key = await contract.newKey({ organization: 'poor', note: null, monthlyQuota: 5 });
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    const answer = await contract.lookup(contract.world.item_id, '?include_offers=true', { key });
    const body = refused(answer, 429, 'quota_exceeded');
    assert.equal(body['tokens_remaining'], 5);
    assert.equal(
      body['title'],
      'Not enough tokens for this call',
      'also true of five that are left',
    );
    assert.equal(contract.sandbox.requestCount(), asked);
    const now = new Date(contract.clock.now());
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    const wait = Number(answer.headers.get('retry-after'));
    assert.ok(Math.abs(wait - (end - now.getTime()) / 1_000) < 5, 'until the month ends');
    await contract.record(contract.world.item_id, '', { key });
  },
);

proves(
  'EE-08 D20a D20d AU-02',
  'a caller faster than its throttle is throttled, with the time to wait',
  async () => {
    const limits = { throttlePerMinute: 1, throttleBurst: 2 };
    const request = { organization: 'hasty', note: null, ...limits };
    const [key, other] = [await contract.newKey(request), await contract.newKey(request)];
    await contract.ok('/v1/usage', { key });
    await contract.ok('/v1/usage', { key: other });
    const answer = await contract.call('/v1/usage', { key });
    refused(answer, 429, 'throttled');
    const wait = Number(answer.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= 60, `${wait} s`);
    contract.clock.advance(wait * 1_000);
    await contract.ok('/v1/usage', { key });
  },
);

proves(
  'D20a D20c',
  'the defaults are 600 a minute, twice that at once, and a million tokens',
  async () => {
    const key = await contract.newKey({ organization: 'ordinary', note: null });
    const { body } = await contract.call('/v1/usage', { key });
    const { headers } = await contract.lookup('hello!', '', { key });
    assert.match(headers.get('ratelimit-policy') ?? '', /"throttle";q=1200;w=120/);
    const page = contract.world.url.hosted;
    const slug = new URL(page).hostname.split('.').at(-2);
    const forced = await contract.lookup(page, `?retailer=${slug}&force_refresh=true`, { key });
    assert.match(forced.headers.get('ratelimit-policy') ?? '', /"force-refresh";q=100;w=60/);
    assert.equal(body['tokens_allowance'], 1_000_000);
  },
);

proves(
  'LI-01 LI-02 D20b D20d EE-08 D61a',
  'of 101 forced refreshes in a minute, of whatever form, exactly one is refused, and no burst follows',
  async () => {
    const request = { organization: 'forcing', note: null, throttlePerMinute: 60 };
    const key = await contract.newKey({ ...request, throttleBurst: 1_000 });
    const page = contract.world.url.hosted;
    const slug = new URL(page).hostname.split('.').at(-2);
    await contract.record(page, '', { key });
    const ways = [
      () => contract.lookup(page, `?retailer=${slug}&force_refresh=true`, { key }),
      () => contract.lookup(page, '?include_force_refresh=true', { key }),
      () => contract.refresh(page, '?include_offers_reviews=false', { key }),
    ];
    const before = remainingOf((await contract.call('/v1', { key })).headers, 'throttle');
    const answers = [];
    // Limited concurrency: more callers waiting for one shop than it can serve soon would be refused for that reason.
    for (let asked = 0; asked < 101; asked += AT_ONCE) {
      const count = Math.min(AT_ONCE, 101 - asked);
      const calls = Array.from(
        { length: count },
        async (_, number) => await ways[(asked + number) % 3]?.(),
      );
      answers.push(...(await Promise.all(calls)));
    }
    const refusedOnes = answers.filter((answer) => answer?.status !== 200);
    assert.equal(refusedOnes.length, 1);
    const [answer] = refusedOnes;
    assert.ok(answer !== undefined);
    refused(answer, 429, 'force_refresh_limit');
    assert.equal(answer.headers.get('retry-after'), '60');
    const after = remainingOf((await contract.call('/v1', { key })).headers, 'throttle');
    assert.ok(before - after >= 95, `${before - after} of the ordinary throttle`);
    await contract.ok(productPath(page), { key });
    contract.clock.advance(59_999);
    const early = await contract.refresh(page, '?include_offers_reviews=false', { key });
    refused(early, 429, 'force_refresh_limit');
    contract.clock.advance(1);
    const next = await contract.refresh(page, '?include_offers_reviews=false', { key });
    assert.equal(next.status, 200, 'after the time that was named');
  },
);

function remainingOf(headers: Headers, name: string): number {
  const found = new RegExp(`"${name}";r=(\\d+)`).exec(headers.get('ratelimit') ?? '');
  return Number(found?.[1]);
}
