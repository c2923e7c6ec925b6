// Measures answers that are larger than one record: the cells of seven retailers, 180 daily bars, a price history. Each is a
// cached answer, and is compared with node:http sending the same bytes.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DAY_MS } from '../../src/base/clock.ts';
import { openSandbox, sandboxEnv } from '../../src/edge/cli/sandbox-config.ts';
import type { BareAnswer } from './bare-server.ts';
import { BARE } from './cached-lookup.ts';
import { runCommand, startBareServer } from './children.ts';
import { CONNECTIONS, openStage, type LookupEffort } from './lookup-stage.ts';
import { figureOf, type Figure } from './measurement.ts';

const BARS = 180;
const PRODUCTS = 20;
/** How long cells whose retailers are still being asked are requested again. */
const CELLS_MS = 60_000;

/** Measures the throughput of 64 connections, one request at a time on each. */
export async function benchLargerAnswers(effort: LookupEffort): Promise<readonly Figure[]> {
  await using sandbox = await openSandbox({ products: PRODUCTS });
  const { upc, item_id: itemId } = sandbox.describe();
  await using stage = await openStage({
    effort,
    env: sandboxEnv(sandbox, {}) as Record<string, string>,
    prepare: (dataDir) => importBars(dataDir, itemId),
  });
  const product = `/v1/products/${upc}`;
  const answers = [
    {
      name: 'kept-cells',
      what: 'a lookup with the cells of all retailers',
      path: `${product}?include_cross_retailer=true`,
      isWhole: ({ body }: BareAnswer) => !body.includes('"indexing"'),
    },
    {
      name: 'kept-bars',
      what: `a lookup with ${BARS} daily bars`,
      path: `/v1/products/${itemId}?include_price_series=true`,
      isWhole: (answer: BareAnswer) => barsOf(answer) >= BARS,
    },
    {
      name: 'kept-history',
      what: `a price history of ${BARS} days`,
      path: `/v1/products/${itemId}/history?timeframe=all`,
      isWhole: ({ body }: BareAnswer) => body.includes('"price"'),
    },
  ];
  const figures: Figure[] = [];
  for (const { name, what, path, isWhole } of answers) {
    let answer = await stage.kept(path);
    const untilMs = performance.now() + CELLS_MS;
    while (!isWhole(answer) && performance.now() < untilMs) answer = await stage.kept(path);
    if (!isWhole(answer)) throw new Error(`${path} answers ${answer.body.slice(0, 2_000)}`);
    await using bare = await startBareServer(answer);
    const kept = stage.call(path);
    const pairs = await stage.measure(kept, { ...kept, server: bare });
    const size = (Buffer.byteLength(answer.body) / 1_000).toFixed(1);
    const measured = `${what}, ${size} KB, cached, ${CONNECTIONS} at once`;
    const goal = { is: 'at least', value: 0.45, stretch: 0.55 } as const;
    figures.push(figureOf({ name, measured, baseline: BARE, ratioOf: 'throughput', goal }, pairs));
  }
  await stage.checkBilled();
  return figures;
}

const barsOf = ({ body }: BareAnswer): number => body.split('"observations":').length - 1;

/** Imports one price per day for the days before today. */
async function importBars(dataDir: string, itemId: string): Promise<void> {
  const nowMs = Date.now();
  const rows = Array.from({ length: BARS + 1 }, (_, day) => {
    const date = new Date(nowMs - (day + 1) * DAY_MS).toISOString().slice(0, 10);
    return `retailer_w,${itemId},${date},${(40 + (day % 7)).toFixed(2)},USD,true`;
  });
  const path = join(dataDir, '..', 'bars.csv');
  writeFileSync(
    path,
    ['retailer,retailer_id,observed_at,price,currency,in_stock', ...rows, ''].join('\n'),
  );
  await runCommand(['import', path, '--data', dataDir, '--json']);
}
