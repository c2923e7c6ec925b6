// npm run lab -- market [--products N] [--seed N] [--retailer SLUG] [--json]: the simulated market through the whole
// service. Every listing by its URL, by its retailer's own identifier and by barcode; every fact that the page states,
// including sales ranks, and every offer is compared with the truth; every tied barcode is judged.

import { parseArgs } from 'node:util';

import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { measure, type Tally } from './market/measure.ts';

function report(slug: string, tally: Tally): void {
  const { ties } = tally;
  const recall = ties.confirmable === 0 ? null : 1 - ties.missed / ties.confirmable;
  console.error(
    `${slug}: ${tally.listings} listings, ${tally.offers} offers, ${tally.facts} facts, ${tally.differences.length} differences; ` +
      `confirmed ${ties.confirmed} (wrongly ${ties.wrongly}), mismatch ${ties.mismatch}, recall ` +
      `${recall === null ? 'none can be confirmed' : recall.toFixed(4)} of ${ties.confirmable}`,
  );
  for (const [kind, outcomes] of tally.trouble) {
    const counts = [...outcomes].map(([outcome, count]) => `${outcome} ${count}`);
    console.error(`  trouble ${kind}: ${counts.join(', ')}`);
  }
  for (const each of tally.differences.slice(0, 20)) console.error(`  ${JSON.stringify(each)}`);
  for (const each of tally.failures.slice(0, 20)) console.error(`  ${each}`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      products: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '7' },
      retailer: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const nowMs = Date.now();
  await using sandbox = await startSandbox({
    seed: Number(values.seed),
    products: Number(values.products),
    now: () => nowMs,
    retailers: publicOrigins(),
  });
  const summary: Record<string, unknown> = {};
  let bad = 0;
  for (const slug of KNOWN_SLUGS) {
    if (values.retailer !== undefined && values.retailer !== slug) continue;
    const tally = await measure(slug, sandbox, nowMs);
    report(slug, tally);
    bad += tally.differences.length + tally.failures.length + tally.ties.wrongly;
    summary[slug] = {
      listings: tally.listings,
      offers: tally.offers,
      facts: tally.facts,
      differences: tally.differences.length,
      failures: tally.failures.length,
      ties: tally.ties,
    };
  }
  if (values.json) console.log(JSON.stringify(summary));
  return bad === 0 ? 0 : 1;
}

process.exitCode = await main();
