// Shops that misbehave, through the fetcher and the reading threads: each ends in its named outcome within
// its time, whether /robots.txt misbehaves too or is plainly absent.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { createReaderPool } from '../../src/reading/reader-pool.ts';
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

const readers = createReaderPool();
after(() => readers.close());

for (const [source, file] of files) {
  test(`a hostile shop ends in its outcome (${source} cases)`, { timeout: 120_000 }, async (t) => {
    if (!existsSync(file)) {
      t.diagnostic('no further cases here: ran on the own cases only');
      return;
    }
    const cases = readJsonLines<HostileCase>(file);
    const runs = cases.flatMap((one) => MODES.map((robots) => ({ one, robots })));
    const wrong: string[] = [];
    // The slow ones spend their time waiting, so they wait together.
    const slow = runs.filter(({ one }) => one.class === 'slow').map(judge);
    for (const run of runs.filter(({ one }) => one.class !== 'slow')) await judge(run);
    await Promise.all(slow);
    t.diagnostic(`${runs.length} runs of ${cases.length} cases, ${wrong.length} wrong`);
    assert.deepEqual(wrong, []);

    async function judge({ one, robots }: (typeof runs)[number]): Promise<void> {
      const run = await runHostileCase(one, readers, robots);
      if (meets(one, run)) return;
      const got = `${run.outcome} (${run.ms} ms, ${run.why})`;
      wrong.push(`${one.id} ${one.why}: ${one.must}, not ${got}; robots.txt ${robots}`);
    }
  });
}
