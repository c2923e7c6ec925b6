// Measures the processor time of comparing and watching: a comparison of stored products against a lookup of them, alternating;
// and a service with many watches that are not due against the same service without them.

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { sandboxEnv, SANDBOX_SEED } from '../../src/edge/cli/sandbox-config.ts';
import { HOUR_MS } from '../../src/base/clock.ts';
import { wantedOf } from '../../src/answer/wire/watches/watches.ts';
import { openStore } from '../../src/data/store.ts';
import { addWatch } from '../../src/data/watches/watch-writes.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox } from '../../sandbox/server.ts';
import {
  openStage,
  ORGANIZATION,
  untilNothingWaits,
  type LookupEffort,
  type LookupStage,
} from './lookup-stage.ts';
import { figureOf, ofProcessor, type Figure, type Sample } from './measurement.ts';

const WATCHES = 10_000;

type WatchingEffort = LookupEffort & {
  /** How long the idle service is measured, with and without watches. */
  readonly idleSeconds: number;
};

export async function benchWatching(effort: WatchingEffort): Promise<readonly Figure[]> {
  const nowMs = Date.now();
  await using sandbox = await startSandbox({
    seed: SANDBOX_SEED,
    products: 40,
    now: () => nowMs,
    retailers: publicOrigins(),
  });
  const env = { ...sandboxEnv(sandbox, {}), OPENSHELF_REQUEST_LOG: 'false' };
  await using stage = await openStage({ effort, env });
  const product = `/v1/products/${sandbox.describe().upc}`;
  const lookup = `${product}?include_cross_retailer=true`;
  const compare = `${product}/compare?cost=5`;
  await stage.kept(lookup);
  await untilNothingWaits(stage.service);
  await stage.kept(lookup);
  await stage.kept(compare);
  const pairs = await stage.measure(stage.call(compare), stage.call(lookup), 1);
  await stage.checkBilled();

  const none = await idle(stage, effort.idleSeconds);
  await addWatches(stage, nowMs);
  const many = await idle(stage, effort.idleSeconds);
  return [
    figureOf(
      {
        name: 'comparison',
        measured: 'a stored comparison',
        baseline: 'a cached lookup with cells',
        ratioOf: 'processor time',
        goal: null,
      },
      pairs.map(({ measured, baseline }) => ({
        measured: ofProcessor(measured),
        baseline: ofProcessor(baseline),
      })),
    ),
    figureOf(
      {
        name: 'idle-watches',
        measured: `a second of an idle service with ${WATCHES} watches that are not due`,
        baseline: 'a second of it without',
        ratioOf: 'processor time',
        goal: null,
      },
      [{ measured: many, baseline: none }],
    ),
  ];
}

/** Returns the processor time per second without requests. */
async function idle({ service }: LookupStage, seconds: number): Promise<Sample> {
  const before = await service.cpuUs();
  await wait(seconds * 1_000);
  return { usPerCall: ((await service.cpuUs()) - before) / seconds, cpuUsPerCall: null };
}

const NO_LIMITS = { watches: 1e9, addresses: 1e9, ofProduct: 1e9 };

/** Adds watches, each of a page of its own, as if it had just been checked: they become due after an hour. */
async function addWatches({ dataDir }: LookupStage, nowMs: number): Promise<void> {
  const path = join(dataDir, 'data', 'openshelf.db');
  await using store = await openStore({ kind: 'sqlite', path });
  const organization = await store.accounts.findOrganization(ORGANIZATION);
  const [key] = await store.accounts.listKeys(organization?.id ?? '');
  const { rules, channels, failingAfter } = wantedOf(
    { identifier: 'https://shop.example/p' },
    'USD',
  );
  const watches = Array.from({ length: WATCHES }, (_, at) =>
    addWatch(
      {
        id: `wat_${at}`,
        organizationId: organization?.id ?? '',
        keyId: key?.id ?? '',
        identifiers: [`https://shop${at % 100}.example/p/${at}`],
        gtin: null,
        seed: at,
        retailer: 'any',
        intervalMs: 6 * HOUR_MS,
        rules,
        channels,
        failingAfter,
        pausedAtMs: null,
        tags: [],
        nextAtMs: nowMs + HOUR_MS,
        createdAtMs: nowMs,
      },
      NO_LIMITS,
      [],
    ),
  );
  for (let at = 0; at < WATCHES; at += 500)
    await store.sql.write(watches.slice(at, at + 500).flat());
  await wait(2_000);
}
