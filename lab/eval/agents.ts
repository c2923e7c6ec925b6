// How long the answers of the agents' tools are: over random products of the simulated market, in bytes of the whole result
// (text and structured content together). Run: npm run eval:agents [-- --products N] [--calls N]

import { parseArgs } from 'node:util';

import { resultBytes, DETAIL_BYTES, DIGEST_BYTES } from '../../src/answer/agents/answer.ts';
import { createBudget } from '../../src/answer/agents/budget.ts';
import { TOOLS } from '../../src/answer/agents/tools.ts';
import { openApp } from '../../src/edge/app.ts';
import {
  openSandbox,
  SANDBOX_SEED,
  withSandbox,
  withSandboxSearch,
} from '../../src/edge/cli/sandbox-config.ts';
import { shelfHere } from '../../src/edge/cli/products/shelf-here.ts';
import { readConfig } from '../../src/edge/config.ts';
import { randomFrom } from '../../tests/support/random.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '3000' },
    calls: { type: 'string', default: '500' },
  },
});
const calls = Number(values.calls);

using folder = temporaryFolder();
const dataDir = folder.path;
const sandbox = await openSandbox({ products: Number(values.products) });
const config = readConfig({ OPENSHELF_DATA: dataDir, OPENSHELF_HOST_INTERVAL_MS: '0' }, {});
const app = await openApp(withSandboxSearch(withSandbox(config, sandbox), sandbox));

type Sizes = { readonly bytes: number[]; errors: number };
const sizes = new Map<string, Sizes>();

function note(name: string, result: { readonly isError?: boolean | undefined }): void {
  const of = sizes.get(name) ?? { bytes: [], errors: 0 };
  sizes.set(name, of);
  of.bytes.push(resultBytes(result));
  if (result.isError === true) of.errors += 1;
}

try {
  const random = randomFrom(SANDBOX_SEED);
  const sound = sandbox.market().catalog.filter(({ trouble }) => trouble?.kind !== 'slow');
  const chosen = sound
    .map((product) => ({ product, at: random() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, calls);
  const stop = new AbortController().signal;
  const shelf = shelfHere({ app, stop, owner: null });
  const parts = { shelf, budget: createBudget(null) };
  for (const { product } of chosen) {
    const identifier = product.gtin14;
    note('lookup', await TOOLS.lookup.run(parts, { identifier }));
    note('lookup, detail', await TOOLS.lookup.run(parts, { identifier, detail: true }));
    note('compare', await TOOLS.compare.run(parts, { identifier, cost: 5, roi: 30 }));
    note('history', await TOOLS.history.run(parts, { identifier, retailer: 'all' }));
    note('offers', await TOOLS.offers.run(parts, { identifier }));
    note('find', await TOOLS.find.run(parts, { words: product.title }));
  }
} finally {
  await app[Symbol.asyncDispose]();
  await sandbox.close();
}

let isWithin = true;
console.log('tool             answers  errors  median   largest  limit');
for (const [name, { bytes, errors }] of sizes) {
  const sorted = bytes.toSorted((one, other) => one - other);
  const largest = sorted.at(-1) ?? 0;
  const limit = name.endsWith('detail') ? DETAIL_BYTES : DIGEST_BYTES;
  isWithin &&= largest <= limit;
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const cells = [sorted.length, errors, median, largest, limit];
  console.log(`${name.padEnd(16)}${cells.map((each) => String(each).padStart(8)).join('')}`);
}
console.log(isWithin ? 'Every answer is within its limit.' : 'SOME ANSWERS ARE TOO LONG.');
process.exitCode = isWithin ? 0 : 1;
