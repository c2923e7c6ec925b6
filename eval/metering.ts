// `npm run eval:metering -- --calls 100000`: mixed calls over real HTTP against the simulated market; the sum of what
// the answers say they cost, the ledger and the drop of the balances must be one number.

import { parseArgs } from 'node:util';

import { measureMetering } from './metering-measure.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '16' },
  },
});
const startedAt = performance.now();
const result = await measureMetering({
  calls: Number(values.calls),
  seed: Number(values.seed),
  workers: Number(values.workers),
});
const seconds = (performance.now() - startedAt) / 1_000;
const statuses = Object.entries(result.statuses).map(([status, count]) => `${status}: ${count}`);
console.log(
  `calls ${result.calls} in ${seconds.toFixed(1)} s (${statuses.join(', ')}), ${result.kept} answers kept ones`,
);
console.log(`tokens answered ${result.answered}, in the ledger ${result.ledger}`);
console.log(`balances fell by ${result.dropped}; problems of the store: ${result.problems.length}`);
for (const problem of result.problems) console.log(`  ${problem}`);
const isExact =
  result.answered === result.ledger &&
  result.ledger === result.dropped &&
  result.problems.length === 0;
console.log(isExact ? 'exact' : 'NOT EXACT');
process.exitCode = isExact ? 0 : 1;
