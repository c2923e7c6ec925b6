import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { measure } from '../../../lab/eval/market/measure.ts';
import { KNOWN_SLUGS, RETAILERS } from '../../../src/base/retailer.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { seedOf } from '../../support/random.ts';

const nowMs = Date.now();
const seed = seedOf(23);
let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({
    seed,
    products: 8,
    now: () => nowMs,
    retailers: publicOrigins(),
  });
});

after(() => sandbox.close());

for (const slug of KNOWN_SLUGS) {
  test(`${slug}: what its pages state comes back equal, by address, identifier and barcode`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    // The slow one only waits for a deadline; the fetcher's own tests prove it.
    const tally = await measure(slug, sandbox, nowMs, ['slow']);
    assert.deepEqual(tally.differences, []);
    assert.deepEqual(tally.failures, []);
    assert.ok(tally.facts > 300, `${tally.facts} facts were compared`);
    assert.equal(tally.ties.wrongly, 0);
    if (RETAILERS[slug].identityMethod === null) assert.equal(tally.ties.confirmed, 0);
    else assert.equal(tally.ties.missed, 0, 'what can be confirmed is confirmed');
  });
}
