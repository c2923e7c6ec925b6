import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { startService, type Service } from '../../support/service.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';

const clock = shiftedClock();
let service: Service;

before(async () => {
  service = await startService({ clock });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

const refreshedAt = (body: Record<string, unknown>): number =>
  Date.parse((body['_freshness'] as { refreshed_at: string }).refreshed_at);

/** Repeats a call until background work has changed its answer; gives up after a while. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 500; round += 1) if (await holds()) return;
  assert.fail(`never: ${what}`);
}

test('younger than a day is served as it is; older is served at once and refreshed in the background', async () => {
  const url = service.sandbox.describe().url.open_graph;
  const first = await service.lookup(url);
  clock.advance(23 * HOUR_MS);
  await service.untilQueueIdle();
  const asked = service.sandbox.requestCount();
  assert.equal(refreshedAt((await service.lookup(url)).body), refreshedAt(first.body));
  assert.equal(service.sandbox.requestCount(), asked);
  clock.advance(2 * HOUR_MS);
  const stale = await service.lookup(url);
  assert.equal(
    refreshedAt(stale.body),
    refreshedAt(first.body),
    'a stamp is renewed by a fetch only',
  );
  await until('the refresh behind the answer', async () => {
    return refreshedAt((await service.lookup(url)).body) > refreshedAt(first.body);
  });
});

test('each fetch keeps one observation, and the windows count days', async () => {
  const url = service.sandbox.describe().url.json_ld;
  const slugOf = (body: Record<string, unknown>) =>
    String((body['_meta'] as Record<string, unknown>)['price_source']);
  const slug = slugOf((await service.lookup(url)).body);
  for (let day = 0; day < 3; day += 1) {
    clock.advance(DAY_MS);
    await service.lookup(url, `?retailer=${slug}&force_refresh=1`);
  }
  const { body } = await service.lookup(url);
  const stats = body['stats'] as { windows: Record<string, { days_covered: number } | null> };
  assert.equal(stats.windows['30d']?.days_covered, 4);
  const history = body['price_history'] as { days_covered: number };
  assert.equal(history.days_covered, 4);
});

test('older than 14 days is fetched before the answer, and served stale when the fetch fails', async () => {
  const url = service.sandbox.describe().url.hosted;
  const first = await service.lookup(url);
  clock.advance(15 * DAY_MS);
  const second = await service.lookup(url);
  assert.ok(refreshedAt(second.body) > refreshedAt(first.body));
  clock.advance(15 * DAY_MS);
  await service.sandbox.close();
  const third = await service.lookup(url);
  assert.equal(third.status, 200, JSON.stringify(third.body));
  assert.equal(refreshedAt(third.body), refreshedAt(second.body));
  const slug = String((second.body['_meta'] as Record<string, unknown>)['price_source']);
  const forced = await service.lookup(url, `?retailer=${slug}&force_refresh=true`);
  assert.equal(forced.status, 503, 'a forced refresh never answers stale');
  assert.equal(forced.body['tokens_consumed'], 0);
});
