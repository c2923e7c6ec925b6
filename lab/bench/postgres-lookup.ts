// The cached lookup on PostgreSQL, which many processes may share: with 256 connections, because a commit takes longer there
// and more calls have to wait for it together.

import { startPostgres } from '../../tests/support/postgres-server.ts';
import { BARE } from './cached-lookup.ts';
import { startBareServer } from './children.ts';
import { openStage, type LookupEffort } from './lookup-stage.ts';
import { figureOf, type Figure } from './measurement.ts';
import { smallPage } from './page-generator.ts';
import { openShop } from './shop.ts';

const SEED = 66;
export const CONNECTIONS = 256;
/** The tests' servers disable what makes a commit durable. */
export const DURABLE = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'autovacuum=on',
];

/** Server, service and load share the processors, so the server's work counts against the service. */
export async function benchPostgresLookup(effort: LookupEffort): Promise<readonly Figure[]> {
  const page = smallPage(SEED);
  await using server = await startPostgres(DURABLE);
  await using shop = await openShop();
  shop.add(page);
  await using stage = await openStage({ effort, env: shop.env, databaseUrl: server.url });
  const path = `/v1/products/${encodeURIComponent(page.product.url)}`;
  const answer = await stage.kept(path);
  await using bare = await startBareServer(answer);
  const kept = stage.call(path);
  const pairs = await stage.measure(kept, { ...kept, server: bare }, CONNECTIONS);
  await stage.checkBilled();
  return [
    figureOf(
      {
        name: 'kept-lookup-postgres',
        measured: `a cached lookup on PostgreSQL (key, throttle, durable debit), ${CONNECTIONS} at once`,
        baseline: BARE,
        ratioOf: 'throughput',
        goal: { is: 'at least', value: 0.4, stretch: 0.5 },
      },
      pairs,
    ),
  ];
}
