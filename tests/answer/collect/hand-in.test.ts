// What becomes of a page that is handed in and cannot be read in time.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { createHandIn } from '../../../src/answer/collect/hand-in.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { createIsTrustedShop } from '../../../src/read/retailers/addresses/trusted-shops.ts';
import { createReaderPool } from '../../../src/read/threads/reader-pool.ts';
import { createMatching } from '../../../src/rules/matching/matcher.ts';
import { createMatchingLater } from '../../../src/rules/matching/matching-later.ts';
import { MODEL } from '../../rules/matching/shipped-model.ts';
import { contextOf } from '../../support/contexts.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { openTestStore } from '../../support/stores.ts';

const store = await openTestStore();
const pool = createReaderPool({
  entry: new URL('../../support/misbehaving-thread.ts', import.meta.url),
  deadlineMs: 100,
});
after(async () => {
  await pool.close();
  await store[Symbol.asyncDispose]();
});

const handIn = createHandIn({
  store,
  clock: stillClock(Date.UTC(2026, 10, 20, 12)),
  matching: createMatchingLater(() => Promise.resolve(createMatching(MODEL))),
  isTrustedShop: createIsTrustedShop([]),
  isAllowedUrl: () => true,
  readPage: pool.handedIn,
  rules: { ofHandedIn: (_, listing) => Promise.resolve(listing) },
  readCandidates: pool.candidates,
});

async function faultOf(path: string) {
  const page = {
    url: `https://www.lamps.example${path}`,
    html: new TextEncoder().encode('<h1>Lamp</h1>'),
    contentType: null,
    capturedAtMs: null,
    owner: { organizationId: 'o', isShared: false },
  };
  const error = await handIn(page, contextOf()).catch((failure: unknown) => failure);
  return error instanceof FaultError ? error.fault : error;
}

test('a page that takes a thread its whole time is refused, and the next one is read', async () => {
  const [lost, late] = await Promise.all([faultOf('/loop'), faultOf('/late')]);
  assert.deepEqual(lost, {
    code: 'page_not_accepted',
    detail: 'The page could not be read: reading took longer than 400 ms.',
  });
  assert.partialDeepStrictEqual(late, { code: 'overloaded', retryAfterSeconds: 1 });
  assert.deepEqual(await store.sql.all('select id from listings'), []);
});
