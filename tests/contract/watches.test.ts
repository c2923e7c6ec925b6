// Watches against the simulated market (D70): what is created, read, paid for and notified.

import assert from 'node:assert/strict';

import { HOUR_MS } from '../../src/base/clock.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { pruneFeeds } from '../../src/data/watches/watch-writes.ts';
import { ChangeList } from '../../src/answer/wire/watches/changes.ts';
import { SparklineList } from '../../src/answer/wire/watches/sparkline.ts';
import {
  WatchAnswer,
  WatchList,
  WatchTest,
  WatchWithNotices,
} from '../../src/answer/wire/watches/watches.ts';
import { contractService, type Call } from './support/contract-service.ts';
import { addressOf } from './support/market.ts';
import { proves } from './support/proves.ts';

const contract = contractService();

const post = (body: unknown, call: Call = {}): Call => ({
  method: 'POST',
  body: JSON.stringify(body),
  ...call,
  headers: { 'content-type': 'application/json', ...call.headers },
});

const patch = (body: unknown): Call => ({ ...post(body), method: 'PATCH' });

async function make(body: unknown, call: Call = {}) {
  return WatchAnswer.parse(await contract.ok('/v1/watches', post(body, call))).watch;
}

async function shown(id: string, key?: string) {
  return WatchWithNotices.parse(
    await contract.ok(`/v1/watches/${id}`, key === undefined ? {} : { key }),
  );
}

/** Runs the checks that are due, until the jobs they queued are done. */
async function checked(id: string, key?: string) {
  await contract.app.checkWatches();
  await contract.untilQueueIdle();
  return (await shown(id, key)).watch;
}

/** Like `checked`, when the watch is next due. */
async function checkedNext(id: string) {
  const { next_check_at: at } = (await shown(id)).watch;
  contract.clock.advance(Math.max(0, Date.parse(at ?? '') - contract.clock.now()) + 1_000);
  return checked(id);
}

proves(
  'D80d',
  'a watch of any retailer asks for the barcode instead of following a page that merely prints it',
  async () => {
    const market = contract.sandbox.market();
    const printing = KNOWN_SLUGS.flatMap((slug) => market.listings(slug)).find(
      ({ slug, hasWrongBarcode, publishedGtin, product }) => {
        const printed = market.productOf(publishedGtin ?? '');
        const isAskedInVain = printed !== null && market.listingsOf(slug, printed).length === 0;
        return (
          hasWrongBarcode && isAskedInVain && product.trouble === null && printed.trouble === null
        );
      },
    );
    assert.ok(printing !== undefined);
    const gtin = printing.publishedGtin ?? '';
    await contract.record(gtin);
    await contract.record(addressOf(contract, printing));
    await contract.untilQueueIdle();
    const made = await make({ identifier: gtin, retailer: 'any', any_change: true });
    const { listings } = await checked(made.id);
    assert.ok(listings.length > 0);
    assert.ok(!listings.some(({ retailer }) => retailer === printing.slug), printing.slug);
    await contract.ok(`/v1/watches/${made.id}`, { method: 'DELETE' });
  },
);

proves(
  'D70a D70b',
  'a watch is checked at once and then once an interval, each read for one token; an observation in between is free',
  async () => {
    const { item_id: item } = contract.world;
    const before = await contract.left();
    const made = await make({ identifier: item, interval: '6h', any_change: true });
    assert.equal(made.state, 'active');
    const first = await checked(made.id);
    assert.equal(first.listings.length, 1);
    assert.equal(await contract.left(), before - 1);
    contract.clock.advance(2 * HOUR_MS);
    await contract.refresh(item, '?include_offers_reviews=false');
    const { watch } = await shown(made.id);
    assert.ok((watch.last_read_at ?? '') > (first.last_read_at ?? ''), 'others read for it too');
    assert.equal(await contract.left(), before - 1 - 4);
    await checkedNext(made.id);
    assert.equal(await contract.left(), before - 2 - 4);
    const rows = await contract.app.store.sql.all(
      "select count(*) as n from ledger where route = 'watch'",
    );
    assert.equal(rows[0]?.['n'], 2);
    await contract.ok(`/v1/watches/${made.id}`, { method: 'DELETE' });
  },
);

proves(
  'D70c',
  'two watches of one product share a check, which the earlier one pays for',
  async () => {
    const { retailers } = contract.world;
    const url = retailers.retailer_e.url;
    const other = await contract.newKey({ organization: 'other', note: null });
    const left = async (key: string) =>
      Number((await contract.ok('/v1/usage', { key }))['tokens_remaining']);
    const mine = await make({ identifier: url, interval: '12h' });
    await checked(mine.id);
    const theirs = await make({ identifier: url, interval: '12h' }, { key: other });
    const first = await checked(theirs.id, other);
    assert.ok(first.last_read_at !== null, 'what was just read is theirs too');
    const [myTokens, theirTokens] = [await contract.left(), await left(other)];
    await checkedNext(mine.id);
    assert.equal(await contract.left(), myTokens - 1);
    assert.equal(await left(other), theirTokens);
    const seen = WatchWithNotices.parse(
      await contract.ok(`/v1/watches/${theirs.id}`, { key: other }),
    );
    assert.ok(seen.watch.last_read_at !== null, 'both observed what was read');
    const hidden = await contract.call(`/v1/watches/${mine.id}`, { key: other });
    assert.equal(hidden.status, 404, 'a watch of another organization does not exist');
    const list = WatchList.parse(await contract.ok('/v1/watches', { key: other }));
    assert.deepEqual(
      list.watches.map(({ id }) => id),
      [theirs.id],
    );
  },
);

proves(
  'D70d D70e',
  'a crossing is notified once and stands in the feed, in order, with its prices',
  async () => {
    const { url } = contract.world.retailers.retailer_h;
    const start = ChangeList.parse(await contract.ok('/v1/changes')).next;
    const made = await make({
      identifier: url,
      interval: '24h',
      any_change: true,
      below: 1_000_000,
      step_percent: 99,
    });
    await checked(made.id);
    const [first] = (await shown(made.id)).notices;
    assert.equal(first?.kind, 'fired');
    assert.deepEqual(
      first.reasons.map(({ rule }) => rule),
      ['below'],
      'it is below the line from the start',
    );
    for (let day = 0; day < 12; day += 1) await checkedNext(made.id);
    const { notices } = await shown(made.id);
    const below = notices.filter(({ reasons }) => reasons.some(({ rule }) => rule === 'below'));
    assert.equal(below.length, 1, 'a line is notified once');
    const { changes: all } = ChangeList.parse(await contract.ok(`/v1/changes?cursor=${start}`));
    const changes = all.filter((each) => each.retailer === 'retailer_h');
    const prices = changes.filter(({ kind }) => kind === 'price');
    assert.ok(prices.length > 0, 'the simulated market moves its prices');
    for (const [at, change] of prices.entries()) {
      if (at > 0) assert.equal(change.before, prices[at - 1]?.after, 'no step is left out');
    }
    const answered = notices.filter(({ reasons }) =>
      reasons.some(({ rule }) => rule === 'any_change'),
    );
    assert.deepEqual(
      answered.flatMap(({ new_price: price }) => (price === null ? [] : [price])).toReversed(),
      prices.map(({ after }) => after),
    );
    const ids = all.map(({ id }) => Number(id));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    const second = ChangeList.parse(await contract.ok(`/v1/changes?cursor=${ids[0]}`));
    assert.deepEqual(second.changes, all.slice(1), 'a cursor goes on behind itself');
  },
);

/** A watch of a retailer that was down for a week and works again. */
async function failing() {
  const { url } = contract.world.retailers.retailer_l;
  contract.sandbox.disturb('retailer_l', 'broken');
  try {
    const made = await make({ identifier: url, interval: '24h', below: 0.01, failing_after: 3 });
    await checked(made.id);
    for (let day = 0; day < 6; day += 1) await checkedNext(made.id);
    return { made, kinds: async () => (await shown(made.id)).notices.map(({ kind }) => kind) };
  } finally {
    contract.sandbox.disturb('retailer_l', null);
  }
}

proves(
  'D70f',
  'a page that cannot be read is notified after three checks, with the reason',
  async () => {
    const { made, kinds } = await failing();
    assert.deepEqual(await kinds(), ['failing']);
    const { watch, notices } = await shown(made.id);
    assert.equal(watch.state, 'failing');
    assert.ok(watch.reason !== null);
    // As a sentence: the code before it is for programs.
    assert.ok(notices[0]?.text.includes(watch.reason.replace(/^[a-z_]+: /, '')));
    const listed = WatchList.parse(await contract.ok('/v1/watches')).watches;
    assert.equal(listed.find(({ id }) => id === made.id)?.reason, watch.reason);
    const changed = WatchAnswer.parse(
      await contract.ok(`/v1/watches/${made.id}`, patch({ below: 0.02 })),
    );
    assert.equal(changed.watch.reason, watch.reason, 'another line does not make it readable');
    const tried = WatchTest.parse(
      await contract.ok(`/v1/watches/${made.id}/test`, { method: 'POST' }),
    );
    assert.deepEqual([tried.notice.kind, tried.watch.reason], ['test', watch.reason]);
    await contract.ok(`/v1/watches/${made.id}`, { method: 'DELETE' });
  },
);

proves('D70f', 'a watch that can be read again says so', async () => {
  const { made, kinds } = await failing();
  for (let day = 0; day < 2; day += 1) await checkedNext(made.id);
  assert.deepEqual(await kinds(), ['works_again', 'failing'], 'each is notified once');
  assert.equal((await shown(made.id)).watch.state, 'active');
});

proves('D70g', 'what cannot be watched is refused with what can, and nothing is made', async () => {
  const before = WatchList.parse(await contract.ok('/v1/watches')).watches.length;
  const refused: readonly (readonly [unknown, string, string])[] = [
    [{}, 'invalid_parameter', 'identifier'],
    [
      { identifier: '614141000005', addresses: ['https://a.example/p'] },
      'invalid_parameter',
      'identifier',
    ],
    [{ identifier: 'lamp' }, 'invalid_identifier', ''],
    [{ identifier: 'http://127.0.0.1/p' }, 'url_not_allowed', 'id'],
    [{ identifier: '614141000005', interval: '10m' }, 'invalid_parameter', 'interval'],
    [{ identifier: '614141000005', below: -1 }, 'invalid_parameter', 'below'],
    [{ identifier: '614141000005', below: 1.234 }, 'invalid_parameter', 'below'],
    [{ identifier: '614141000005', new_low: 60 }, 'invalid_parameter', 'new_low'],
    [{ identifier: '614141000005', belwo: 1 }, 'invalid_parameter', 'belwo'],
    [{ identifier: '614141000005', retailer: 'X' }, 'invalid_parameter', 'retailer'],
    [{ identifier: '614141000005', retailer: 'wallmart' }, 'invalid_parameter', 'retailer'],
    [[], 'invalid_parameter', 'body'],
  ];
  for (const [body, code, parameter] of refused) {
    const answer = await contract.call('/v1/watches', post(body));
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.equal(answer.body['code'], code, JSON.stringify(answer.body));
    if (parameter !== '') assert.equal(answer.body['parameter'], parameter);
  }
  for (const [interval, hint] of [
    [3_600, /"1h"/],
    [5_400, /"90m"/],
    [86_400, /"1d"/],
    [60, /a number with m, h or d/],
    [true, /a number with m, h or d/],
  ] as const) {
    const answer = await contract.call('/v1/watches', post({ identifier: '1', interval }));
    assert.equal(answer.body['parameter'], 'interval');
    assert.match(String(answer.body['detail']), hint);
  }
  const broken = await contract.call('/v1/watches', { ...post({}), body: '{"identifier":' });
  assert.equal(broken.status, 400);
  const large = await contract.call('/v1/watches', post({ identifier: 'x'.repeat(70_000) }));
  assert.equal(large.status, 413);
  assert.equal(large.body['code'], 'body_too_large');
  const reader = await contract.newKey({
    organization: 'test',
    note: null,
    scopes: ['products:read'],
  });
  const scoped = await contract.call(
    '/v1/watches',
    post({ identifier: '614141000005' }, { key: reader }),
  );
  assert.equal(scoped.status, 403);
  const after = WatchList.parse(await contract.ok('/v1/watches')).watches.length;
  assert.equal(after, before);
});

proves(
  'D70h',
  'the same Idempotency-Key makes one watch; changed, paused and deleted it says so',
  async () => {
    const { gtin } = contract.world;
    const headers = { 'idempotency-key': 'watch-1' };
    const body = { identifier: gtin, retailer: 'best', below: 12.5 };
    const one = await make(body, { headers });
    const again = await make(body, { headers });
    assert.equal(one.id, again.id);
    const other = await contract.call('/v1/watches', post({ ...body, below: 13 }, { headers }));
    assert.equal(other.status, 409);
    const patch = async (change: unknown) =>
      WatchAnswer.parse(
        await contract.ok(`/v1/watches/${one.id}`, { ...post(change), method: 'PATCH' }),
      ).watch;
    const paused = await patch({ paused: true, below: null, down_percent: 10 });
    assert.deepEqual(
      [paused.state, paused.below, paused.down_percent, paused.next_check_at],
      ['paused', null, 10, null],
    );
    assert.equal((await patch({ paused: false })).state, 'active');
    const gone = await contract.ok(`/v1/watches/${one.id}`, { method: 'DELETE' });
    assert.equal(gone['deleted'], true);
    assert.equal((await contract.call(`/v1/watches/${one.id}`)).status, 404);
  },
);

proves('D70i', 'a stream of changes goes on after Last-Event-ID without a gap', async () => {
  const { service } = contract;
  const all = ChangeList.parse(await contract.ok('/v1/changes?cursor=0')).changes;
  assert.ok(all.length > 3);
  const middle = all[1]?.id ?? '';
  const response = await fetch(`${service.url}/v1/changes`, {
    headers: {
      authorization: `Bearer ${service.key}`,
      accept: 'text/event-stream',
      'last-event-id': middle,
    },
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  let text = '';
  const ids = () =>
    [...text.matchAll(/^event: change\n(?:data: .*\n)?id: (\d+)$/gm)].map(([, id]) => id);
  assert.ok(response.body);
  const decoder = new TextDecoder();
  for await (const piece of response.body) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (ids().length >= all.length - 2) break;
  }
  assert.deepEqual(
    ids(),
    all.slice(2).map(({ id }) => id),
  );
  // A client that loses the stream before its first change resumes from here too.
  assert.match(text, new RegExp(`^retry: \\d+\nid: ${middle}\n\n`));
  const never = await contract.call('/v1/changes?cursor=999999999999999');
  assert.equal(never.status, 400);
  const { sql, watches } = contract.app.store;
  const findChanges = watches.findChanges.bind(watches);
  // Changes deleted for their age just before they are read are reported, not silently skipped.
  Object.assign(watches, {
    findChanges: async (...asked: Parameters<typeof findChanges>) => {
      await sql.write(pruneFeeds(contract.clock.now() + 1));
      return await findChanges(...asked);
    },
  });
  const missed = await contract.call(`/v1/changes?cursor=${middle}`);
  Object.assign(watches, { findChanges });
  assert.equal(missed.status, 410);
  const expired = await contract.call(`/v1/changes?cursor=${middle}`);
  assert.equal(expired.status, 410);
  assert.equal(expired.body['code'], 'cursor_expired');
  assert.match(String(expired.body['detail']), /GET \/v1\/watches/);
  assert.deepEqual(ChangeList.parse(await contract.ok('/v1/changes')).changes, []);
});

proves(
  'D70h',
  'a watch shows what it waits for and what was seen, and a test notice is one',
  async () => {
    const { url } = contract.world.retailers.retailer_e;
    const wanted = { below: 1_000_000, down_percent: 5, up_percent: 5, new_low: 30 };
    const made = await make({ identifier: url, interval: '24h', ...wanted });
    await checked(made.id);
    const { watch } = WatchAnswer.parse(
      await contract.ok(`/v1/watches/${made.id}`, patch({ back_in_stock: true })),
    );
    assert.deepEqual({ ...watch, ...wanted, back_in_stock: true }, watch);
    const [listing] = watch.listings;
    assert.ok((listing?.price ?? 0) > 0 && listing?.retailer === 'retailer_e');
    await make({ identifier: contract.world.retailers.retailer_b.url });
    const first = WatchList.parse(await contract.ok('/v1/watches?limit=1'));
    const rest = WatchList.parse(await contract.ok(`/v1/watches?cursor=${first.next}`));
    const ids = [...first.watches, ...rest.watches].map(({ id }) => id);
    assert.ok(ids.includes(made.id) && new Set(ids).size === ids.length);
    const tested = WatchTest.parse(
      await contract.ok(`/v1/watches/${made.id}/test`, { method: 'POST' }),
    );
    assert.equal(tested.notice.kind, 'test');
    assert.equal((await shown(made.id)).notices[0]?.id, tested.notice.id);
  },
);

proves(
  'D70j',
  'a watch has a small chart once it has read something, for its own organization',
  async () => {
    const { url } = contract.world.retailers.retailer_l;
    const made = await make({ identifier: url });
    // A page that does not exist is never read; a check may start as soon as a watch is created.
    const unread = await make({ identifier: `${url}9` });
    const path = `/v1/watches/sparklines?ids=${unread.id},${made.id},wat_unknown`;
    const drawn = async (key?: string) =>
      SparklineList.parse(await contract.ok(path, key === undefined ? {} : { key })).sparklines;
    await checked(made.id);
    assert.equal((await checked(unread.id)).last_read_at, null);
    const [chart, ...others] = await drawn();
    assert.equal(chart?.watch_id, made.id);
    assert.deepEqual(others, [], 'the other has read nothing yet');
    assert.match(chart.sparkline, /^\/console\/sparklines\//);
    const other = await contract.newKey({ organization: 'stranger', note: null });
    assert.deepEqual(await drawn(other), []);
    for (const { id } of [made, unread]) {
      await contract.ok(`/v1/watches/${id}`, { method: 'DELETE' });
    }
  },
);

proves('D70k', 'a watch that asks for the same is the one there is, and has its tags', async () => {
  const body = { identifier: '614141000012', below: 3.33, tags: ['shelf', 'gifts'] };
  const first = WatchAnswer.parse(await contract.ok('/v1/watches', post(body)));
  const second = WatchAnswer.parse(await contract.ok('/v1/watches', post({ ...body, tags: [] })));
  assert.deepEqual([first.existing, second.existing], [undefined, true]);
  assert.equal(second.watch.id, first.watch.id);
  const listed = WatchList.parse(await contract.ok('/v1/watches?tag=gifts'));
  assert.deepEqual(
    listed.watches.map(({ id, tags }) => [id, tags]),
    [[first.watch.id, ['shelf', 'gifts']]],
  );
});

proves('D93w', 'a look reads now, costs a token, and has its turn after five minutes', async () => {
  const { id } = await make({ identifier: '614141000005', below: 2.22 });
  await checked(id);
  contract.clock.advance(HOUR_MS);
  const before = (await shown(id)).watch.last_read_at;
  const looked = WatchAnswer.parse(await contract.ok(`/v1/watches/${id}/look`, post({})));
  assert.equal(looked.tokens_consumed, 1);
  assert.ok((looked.watch.last_read_at ?? '') > (before ?? ''));
  contract.clock.advance(200_000);
  const early = await contract.call(`/v1/watches/${id}/look`, post({}));
  assert.deepEqual([early.status, early.headers.get('retry-after')], [429, '100']);
});
