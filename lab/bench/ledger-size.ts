// Measures what a charged call leaves in the store: the growth of an SQLite file by the requested number of charges,
// written by the program's own metering, with ids as it generates them.

import { statSync } from 'node:fs';
import { join } from 'node:path';

import { issueKey } from '../../src/data/metering/keys.ts';
import { newCallId } from '../../src/data/metering/meter.ts';
import { createMetering } from '../../src/data/metering/metering.ts';
import { openStore } from '../../src/data/store.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { figureOf, type Figure } from './measurement.ts';

/** With its indexes, before any optimization. */
const GOAL_BYTES = 166;
const STRETCH_BYTES = 75;
const AT_ONCE = 32;
const WIDE = { monthlyQuota: 1e12, throttlePerMinute: 60_000_000, throttleBurst: 60_000_000 };

export async function benchLedgerSize({
  calls,
}: {
  readonly calls: number;
}): Promise<readonly Figure[]> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  const before = await charge(path, AT_ONCE);
  const after = await charge(path, calls);
  const size = (after - before) / calls;
  return [
    figureOf(
      {
        name: 'ledger-size',
        measured: `a call of ${calls} in the ledger on SQLite, with indexes`,
        baseline: `${GOAL_BYTES} bytes`,
        ratioOf: 'bytes',
        goal: { is: 'at most', value: 1, stretch: STRETCH_BYTES / GOAL_BYTES },
      },
      [
        {
          measured: { usPerCall: size, cpuUsPerCall: null },
          baseline: { usPerCall: GOAL_BYTES, cpuUsPerCall: null },
        },
      ],
    ),
  ];
}

/** Charges that many more calls of one key; returns the size of the closed file in bytes. */
async function charge(path: string, calls: number): Promise<number> {
  {
    await using store = await openStore({ kind: 'sqlite', path });
    const { accounts, sql } = store;
    const clock = systemClock;
    const metering = createMetering({ accounts, sql, clock });
    const request = { organization: 'bench', note: null, ...WIDE };
    const { text } = await issueKey(accounts, request, clock.now());
    const caller = await metering.authenticate(`Bearer ${text}`);
    let begun = 0;
    const call = async () => {
      for (; begun < calls;) {
        begun += 1;
        const requestId = newCallId(clock.now());
        await metering.charge(caller, { requestId, route: 'GET /v1/products/{id}', tokens: 1 });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, call));
    const [row] = await sql.all('select calls from balances order by calls desc limit 1');
    if (Number(row?.['calls']) < calls) throw new Error('not every call was charged');
  }
  return statSync(path).size;
}
