import assert from 'node:assert/strict';

import { measureMetering } from '../../data/metering/mixed-calls.ts';
import { seedOf } from '../../support/random.ts';
import { proves } from '../support/proves.ts';

proves(
  'OV-06 D16a D16c D17a D17b D21a',
  '2,000 mixed calls: what the answers say, the ledger and the balances are one number',
  async (t) => {
    const seed = seedOf(5);
    t.diagnostic(`seed ${seed}`);
    const { answered, ledger, dropped, problems, statuses } = await measureMetering({
      calls: 2_000,
      seed,
      workers: 8,
    });
    assert.deepEqual([ledger, dropped, problems], [answered, answered, []]);
    assert.ok(answered > 2_000, `${answered} tokens`);
    for (const status of ['200', '400', '404', '429'])
      assert.ok((statuses[status] ?? 0) > 10, status);
  },
);
