// Misbehaving shops, through the fetcher and the reading threads: each ends in its named outcome within its cost limit,
// whether /robots.txt misbehaves too or is absent. Costs are processor time and waits, not elapsed time, because a loaded
// machine does not change them.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { createReaderPool } from '../../src/read/threads/reader-pool.ts';
import { meets, runHostileCase } from '../support/hostile-shop.ts';
import type { HostileCase } from '../support/hostile-shop.ts';
import { readJsonLines } from '../support/vector-cases.ts';

const root = join(import.meta.dirname, '..', '..');
const further = process.env['OPENSHELF_VECTORS'] ?? join(root, '../shared/vectors');
const files = [
  ['own', join(root, 'tests', 'vectors', 'hostile.jsonl')],
  ['further', join(further, 'hostile-upstream.jsonl')],
] as const;

const MODES = ['absent', 'hostile'] as const;

// No wall-clock deadlines: the cost of reading a page is limited by its processor time.
const readers = createReaderPool({ startMs: 60_000, deadlineMs: 60_000 });
before(async () => {
  // The first page waits until the thread has loaded the readers, which is not part of a case's cost.
  const url = 'https://shop.example.com/';
  const page = { requestedUrl: url, url, status: 200, headers: {}, fetchedAtMs: 0 };
  await readers.shop({ ...page, body: new Uint8Array() });
});
after(() => readers.close());

for (const [source, file] of files) {
  test(`a hostile shop ends in its outcome (${source} cases)`, { timeout: 120_000 }, async (t) => {
    if (!existsSync(file)) {
      t.diagnostic('no folder of further cases: only the own cases ran');
      return;
    }
    const cases = readJsonLines<HostileCase>(file);
    const runs = cases.flatMap((one) => MODES.map((robots) => ({ one, robots })));
    const wrong: string[] = [];
    // Slow cases only wait, so all of them wait at the same time as the others run.
    const slow = runs.filter(({ one }) => one.class === 'slow').map(judge);
    for (const run of runs.filter(({ one }) => one.class !== 'slow')) await judge(run);
    await Promise.all(slow);
    t.diagnostic(`${runs.length} runs of ${cases.length} cases, ${wrong.length} wrong`);
    assert.deepEqual(wrong, []);

    async function judge({ one, robots }: (typeof runs)[number]): Promise<void> {
      const run = await runHostileCase(one, readers, robots);
      if (meets(one, run)) return;
      const cost = `${run.cpuMs} ms of processor time, ${run.readCpuMs} of it reading; waited ${run.waitedMs} ms`;
      const got = `${run.outcome} (${cost}; ${run.why})`;
      wrong.push(`${one.id} ${one.why}: ${one.must}, not ${got}; robots.txt ${robots}`);
    }
  });
}
