// What rules cost (D85): nothing where a host has none, and at most 50 organizations' listings for a page.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { createPageRules } from '../../../src/answer/collect/page-rules.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import { findRules, insertRule } from '../../../src/data/answers/page-rules.ts';
import { savedPage } from '../../../src/edge/cli/products/saved-page.ts';
import { readByRules, readCandidates } from '../../../src/read/candidates/candidates.ts';
import { chosenAmong } from '../../../src/read/candidates/page-rules.ts';
import { contextOf } from '../../support/contexts.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { openTestStore } from '../../support/stores.ts';

const store = await openTestStore();
after(() => store[Symbol.asyncDispose]());

const HTML =
  '<h1>Lamp</h1><p>Member</p><b>€4.00</b><p>Everybody</p><i class="price">€5.00</i><p>Buy</p>';
const pageAt = (host: string) => savedPage(Buffer.from(HTML), { url: `https://www.${host}/lamp` });

const verdict = {
  kind: 'read',
  value: { kind: 'product', listing: { ...EMPTY_LISTING, title: 'Lamp' } },
  notes: { missing: [], remarks: [] },
} as const;

test('pages of hosts without a rule cost one query in half a second, and no reading', async () => {
  const steady = stillClock(0);
  const counts = { queries: 0, readings: 0 };
  const all: typeof store.sql.all = (...query) => {
    counts.queries += 1;
    return store.sql.all(...query);
  };
  const rules = createPageRules({
    store: { sql: { ...store.sql, all } },
    steady,
    clock: stillClock(1_000),
    readByRules: () => {
      counts.readings += 1;
      return Promise.resolve([]);
    },
  });
  for (let round = 0; round < 3; round += 1) {
    for (let page = 0; page < 100; page += 1) {
      assert.equal(
        await rules.applied(pageAt(`shop-${page}.example`), verdict, contextOf()),
        verdict,
      );
    }
    steady.advance(500);
  }
  // The first time the rules are read as well.
  assert.deepEqual(counts, { queries: 4, readings: 0 });
});

test('one reading writes the listings of 50 organizations at most, those with the oldest rules', async () => {
  const read = readCandidates(pageAt('lamps.example'));
  const { candidates } = read.kind === 'read' ? read.value : assert.fail();
  const texts = candidates.flatMap(({ said, shown }) =>
    shown === null ? [] : [{ said, ...shown }],
  );
  const chosen = texts.find(({ said }) => said.field === 'price' && said.money.cents === 500);
  const { choice, snapshot } = chosenAmong(chosen ?? assert.fail(), texts);
  for (let at = 0; at < 60; at += 1) {
    const { id } = await store.accounts.upsertOrganization({ name: `org ${at}` }, 0);
    await insertRule(store.sql, {
      id: `rul_${at}`,
      organizationId: id,
      author: 'key',
      host: 'lamps.example',
      field: 'price',
      choice: JSON.stringify(choice),
      snapshot: JSON.stringify(snapshot),
      createdAtMs: at,
    });
  }
  const rules = createPageRules({
    store,
    steady: stillClock(0),
    clock: stillClock(1_000),
    readByRules: (page, some) => Promise.resolve(readByRules(page, some)),
  });
  const applied = await rules.applied(pageAt('lamps.example'), verdict, contextOf());
  const unread = createPageRules({
    store,
    steady: stillClock(0),
    clock: stillClock(1_000),
    readByRules: () => Promise.resolve(null),
  });
  const late = await unread.applied(pageAt('lamps.example'), verdict, contextOf());
  const withheld = late.kind === 'read' ? late.notes.withdrawnRules : undefined;
  assert.deepEqual(
    [withheld?.size, new Set(withheld?.values())],
    [50, new Set([null])],
    'their watches see no price of a page to which there was no time to apply them',
  );
  assert.ok(applied.kind === 'read' && applied.value.kind === 'product');
  assert.equal(applied.value.listing.price, null, 'nobody else sees it');
  const own = applied.notes.own ?? [];
  assert.deepEqual([own.length, own[0]?.listing.price?.cents], [50, 500]);
  const used = (await findRules(store.sql)).filter(({ usedAtMs }) => usedAtMs !== null);
  assert.ok(
    used.every((rule) => !('snapshot' in rule)),
    'a list is without the texts that are kept',
  );
  assert.deepEqual(
    used.map(({ createdAtMs }) => createdAtMs),
    Array.from({ length: 50 }, (_, at) => at),
  );
});
