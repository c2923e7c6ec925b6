// SSRF and DNS cases through the real fetcher with every opened socket recorded: the project's own files
// always, and a folder of further cases when there is one (OPENSHELF_VECTORS, or next to the checkout).

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { openPublicWorld } from '../support/public-world.ts';
import type { PublicWorld } from '../support/public-world.ts';
import { readJsonLines, readUrlTable, runDnsCase, runUrlCase } from '../support/vector-cases.ts';
import type { DnsCase, UrlCase } from '../support/vector-cases.ts';

const root = join(import.meta.dirname, '..', '..');
const own = join(root, 'tests', 'vectors');
const further = process.env['OPENSHELF_VECTORS'] ?? join(root, '../shared/vectors');

let world: PublicWorld;
before(async () => {
  world = await openPublicWorld();
});
after(async () => {
  await world.close();
});

const urlFiles: readonly (readonly [string, () => readonly UrlCase[]])[] = [
  ['own', () => readUrlTable(join(own, 'ssrf.tsv'))],
  ['further', () => readJsonLines<UrlCase>(join(further, 'ssrf-cases.jsonl'))],
];
const dnsFiles: readonly (readonly [string, () => readonly DnsCase[]])[] = [
  ['own', () => readJsonLines<DnsCase>(join(own, 'dns.jsonl'))],
  ['further', () => readJsonLines<DnsCase>(join(further, 'dns-cases.jsonl'))],
];
const hasFurther = existsSync(join(further, 'ssrf-cases.jsonl'));

for (const allowIpLiterals of [false, true]) {
  for (const [source, read] of urlFiles) {
    const mode = allowIpLiterals ? 'literals classified' : 'literals refused';
    test(
      `a refused address opens no socket (${source} cases, ${mode})`,
      { timeout: 60_000 },
      async (t) => {
        if (source === 'further' && !hasFurther) {
          t.diagnostic('no folder of further cases: only the own cases ran');
          return;
        }
        const cases = read();
        const problems: string[] = [];
        for (const one of cases) {
          const problem = await runUrlCase(world, one, allowIpLiterals);
          if (problem !== null) problems.push(problem);
        }
        t.diagnostic(`${cases.length} cases, ${problems.length} wrong`);
        assert.deepEqual(problems, []);
      },
    );
  }
}

for (const [source, read] of dnsFiles) {
  test(
    `only checked addresses are connected, looked up once (${source} cases)`,
    { timeout: 60_000 },
    async (t) => {
      if (source === 'further' && !hasFurther) {
        t.diagnostic('no folder of further cases: only the own cases ran');
        return;
      }
      const cases = read();
      const problems: string[] = [];
      for (const one of cases) {
        const problem = await runDnsCase(world, one);
        if (problem !== null) problems.push(problem);
      }
      t.diagnostic(`${cases.length} cases, ${problems.length} wrong`);
      assert.deepEqual(problems, []);
    },
  );
}
