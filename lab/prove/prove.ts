// npm run prove [-- name ...] [--long] [--vectors DIR] [--json]: a program for each promise of docs/promises.md. Each
// prints what it counted; exit code 1 if a promise is broken. `--long`: with the published counts; without it a few seconds
// each, as in continuous integration. `--vectors`: a folder of additional cases of the same form.

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { backups } from './backups.ts';
import { crashes } from './crashes.ts';
import { deploys } from './deploys.ts';
import { hostileShops } from './hostile-shops.ts';
import { keptCrashes } from './kept-kills.ts';
import { malformed } from './malformed.ts';
import { metering } from './metering.ts';
import { noWayIn } from './no-way-in.ts';
import { oneFetch } from './one-fetch.ts';
import { overload } from './overload.ts';
import { polite } from './polite.ts';
import type { Proof } from './proof.ts';
import { secrets } from './secrets.ts';
import { supplyChain } from './supply-chain.ts';
import { throttle } from './throttle.ts';
import { workers } from './workers.ts';

const PROOFS: readonly Proof[] = [
  noWayIn,
  hostileShops,
  malformed,
  crashes,
  keptCrashes,
  metering,
  throttle,
  overload,
  deploys,
  oneFetch,
  workers,
  backups,
  secrets,
  polite,
  supplyChain,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    vectors: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const names = PROOFS.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no promise called ${unknown.join(' or ')}. Promises: ${names.join(', ')}.`,
  );
  process.exit(2);
}

const say = (line: string): void => console.error(`  ${line}`);
const broken: string[] = [];
for (const { name, promise, says, run } of PROOFS) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const from = performance.now();
  const { holds, figures } = await run({
    isLong: values.long,
    vectors: values.vectors ?? null,
    say,
  }).catch((error: unknown) => ({
    holds: false,
    figures: [`the program itself failed: ${error instanceof Error ? error.stack : String(error)}`],
  }));
  const seconds = Math.round((performance.now() - from) / 100) / 10;
  if (!holds) broken.push(name);
  if (values.json) console.log(JSON.stringify({ name, promise, holds, seconds, figures }));
  else {
    console.log(
      `${promise}. ${name}: ${says} ${holds ? 'It holds' : 'IT DOES NOT HOLD'} (${seconds} s).`,
    );
    for (const figure of figures) console.log(`   ${figure}`);
  }
}
if (!values.json) {
  const size = values.long ? 'long' : 'short';
  console.log(`\n${size} form, Node ${process.version}, ${availableParallelism()} processors`);
  if (broken.length > 0) console.log(`does not hold: ${broken.join(', ')}`);
}
process.exit(broken.length === 0 ? 0 : 1);
