// The figure that everything else builds on: a cached lookup with its key checked, its throttle applied and its token
// debited durably before the answer, against node:http sending the same bytes.

import { join } from 'node:path';

import { startBareServer, startDurableServer } from './children.ts';
import { CONNECTIONS, openStage, type LookupEffort } from './lookup-stage.ts';
import { figureOf, type Figure } from './measurement.ts';
import { smallPage } from './page-generator.ts';
import { openShop } from './shop.ts';

const SEED = 64;

/** Forces the answer to be computed even if it is cached. */
const COMPUTED = 'Cache-Control: no-cache';
/** A request head with an unlisted field is not recognized as a repeat: it goes through node:http each time. */
const UNKNOWN_HEADER = 'Unknown-Header: 1';

/** The values that a traced client puts into each request: no two on one connection are the same. */
const NOTES = Array.from({ length: 64 }, (_, index) => [
  `X-Request-Id: bench-${index}`,
  `Traceparent: 00-0af7651916cd43dd8448eb211c80${String(index).padStart(4, '0')}-b7ad6b7169203331-01`,
]);

export const BARE = 'bare node:http sending the same bytes';
export const DURABLE =
  'the same with one durable row per call, written in batches before the answer';

/** Measures the throughput of 64 connections, one request at a time on each. */
export async function benchCachedLookup(effort: LookupEffort): Promise<readonly Figure[]> {
  const page = smallPage(SEED);
  await using shop = await openShop();
  shop.add(page);
  await using stage = await openStage({ effort, env: shop.env });
  const path = `/v1/products/${encodeURIComponent(page.product.url)}`;
  const answer = await stage.kept(path);
  await using bare = await startBareServer(answer);
  await using durable = await startDurableServer(answer, join(stage.dataDir, 'durable.db'));
  const kept = stage.call(path);
  const againstBare = await stage.measure(kept, { ...kept, server: bare });
  const againstDurable = await stage.measure(kept, { ...kept, server: durable });
  const requests = NOTES.flatMap((lines) => stage.call(path, ...lines).request);
  const noted = await stage.measure({ ...kept, request: requests }, { ...kept, server: bare });
  const computed = await stage.measure(stage.call(path, COMPUTED), { ...kept, server: bare });
  const unrepeated = stage.call(path, UNKNOWN_HEADER);
  const read = await stage.measure(unrepeated, { ...kept, server: bare });
  await stage.checkBilled();
  const size = (Buffer.byteLength(answer.body) / 1_000).toFixed(1);
  const what = `lookup of ${size} KB (key, throttle, durable debit), ${CONNECTIONS} at once`;
  const measured = `a cached ${what}`;
  const throughput = { ratioOf: 'throughput', baseline: BARE } as const;
  return [
    figureOf(
      {
        ...throughput,
        name: 'kept-lookup',
        measured,
        goal: { is: 'at least', value: 0.5, stretch: 0.62 },
      },
      againstBare,
    ),
    figureOf(
      {
        ...throughput,
        name: 'kept-lookup-durable',
        measured,
        baseline: DURABLE,
        goal: { is: 'at least', value: 0.8, stretch: 0.95 },
      },
      againstDurable,
    ),
    figureOf(
      {
        ...throughput,
        name: 'kept-lookup-noted',
        measured: `${measured}, each with its own id and trace`,
        goal: null,
      },
      noted,
    ),
    figureOf(
      { ...throughput, name: 'made-lookup', measured: `a computed ${what}`, goal: null },
      computed,
    ),
    figureOf(
      {
        ...throughput,
        name: 'kept-lookup-unrepeated',
        measured: `${measured}, with the head read each time`,
        goal: null,
      },
      read,
    ),
  ];
}
