// A page that takes all the time that a reading thread has is given up, and the pages behind it are read.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createReaderPool } from '../../../src/read/threads/reader-pool.ts';
import { contextOf } from '../../support/contexts.ts';

const URL = 'https://www.lamps.example/lamp';

function pageOf(html: string) {
  return {
    requestedUrl: URL,
    url: URL,
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: new TextEncoder().encode(html),
    fetchedAtMs: 0,
  };
}

test('a page that takes a thread its whole time is unreadable, and holds up none behind it', async () => {
  const pool = createReaderPool({ maxThreads: 1, deadlineMs: 20, startMs: 600_000 });
  const lamp = '<script type="application/ld+json">{"@type":"Product","name":"Lamp"}</script>';
  const many = '<meta property="og:title" content="Lamp"><p itemprop="offers" itemscope>'.repeat(
    60_000,
  );
  // In a new thread the readers run uncompiled.
  for (let count = 0; count < 20; count += 1) {
    await pool.handedIn(pageOf(lamp), undefined, contextOf());
  }
  const [slow, next] = await Promise.all([
    pool.handedIn(pageOf(lamp + many), undefined, contextOf()),
    pool.handedIn(pageOf(lamp), undefined, contextOf()),
  ]);
  await pool.close();
  assert.equal(slow.kind === 'page' ? slow.verdict.kind : null, 'unreadable');
  assert.match(JSON.stringify(slow), /took longer/);
  assert.equal(next.kind, 'page');
  assert.doesNotMatch(JSON.stringify(next), /took longer/);
});
