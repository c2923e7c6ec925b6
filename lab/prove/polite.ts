// Promise 13: we are polite. Calls on a virtual clock are compared with the pace rules; a shop that answers a captcha with
// status 200 is asked by one process and by three that share a database; and clocks are set while the service runs.

import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { createHostLimiter } from '../../src/egress/pacing/host-limiter.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import {
  createSharedPacing,
  type SharedPacing,
} from '../../src/answer/collect/coordination/shared-pacing.ts';
import { reportFound } from '../../src/answer/collect/asking/failed-fetch.ts';
import type { Clock } from '../../src/base/clock.ts';
import { readAnswer } from '../../src/read/retailers/registry.ts';
import { createDatabaseClock } from '../../src/data/database-clock.ts';
import { openStore, type Store } from '../../src/data/store.ts';
import { at, contextOf } from '../../tests/support/contexts.ts';
import { newDatabase } from '../../tests/support/databases.ts';
import { openPublicWorld, type PublicWorld } from '../../tests/support/public-world.ts';
import { randomFrom } from '../../tests/support/random.ts';
import { createVirtualClock } from '../../tests/support/virtual-clock.ts';
import type { Proof, ProofResult } from './proof.ts';

const SEED = 7;
const MOST_REQUESTS = 5;
const CALLS = 40;
const INTERVAL_MS = 20;

const CAPTCHA =
  '<html><head><title>Robot or human?</title></head><body><div id="px-captcha"></div></body></html>';
const PAGE =
  '<script type="application/ld+json">{"@type":"Product","name":"Lamp","offers":{"price":"1.50","priceCurrency":"USD"}}</script>';

export const polite: Proof = {
  name: 'polite',
  promise: 13,
  says: 'Shops are contacted at a fixed pace and never again while they refuse, whatever clocks do.',
  run: async ({ isLong, say }) => {
    const results = [await provePace(isLong ? 100_000 : 10_000), ...(await proveBreakers(say))];
    return {
      holds: results.every(({ holds }) => holds),
      figures: results.flatMap(({ figures }) => figures),
    };
  },
};

/** Makes mixed calls to twelve hosts on a clock that the program controls. */
async function provePace(count: number): Promise<ProofResult> {
  const random = randomFrom(SEED);
  const clock = createVirtualClock();
  const limits = { intervalMs: 1_000, maxConcurrent: 8, maxOfOneOrganization: 8 };
  const limiter = createHostLimiter({ clock, ...limits, random: () => 0 });
  const seen = Array.from({ length: 12 }, () => ({ inFlight: 0, endedAt: -1e9, notBefore: 0 }));
  let [served, violations] = [0, 0];
  const call = async (): Promise<void> => {
    const number = Math.floor(random() * seen.length);
    const host = seen[number];
    const name = `h${number}.example`;
    const turn = await limiter.turn(at(name), contextOf());
    if (!turn.ok || host === undefined) return;
    served += 1;
    host.inFlight += 1;
    const now = clock.now();
    const isEarly = now - host.endedAt < limits.intervalMs || now < host.notBefore;
    if (host.inFlight > 1 || isEarly) violations += 1;
    await clock.sleep(Math.floor(random() * 800));
    host.inFlight -= 1;
    host.endedAt = clock.now();
    const seconds = random() < 0.02 ? 1 + Math.floor(random() * 20) : null;
    if (seconds === null) return turn.done({ result: 'answered' });
    host.notBefore = clock.now() + seconds * 1_000;
    return turn.done({ result: 'failed', asked: { name, seconds } });
  };
  const calls: Promise<void>[] = [];
  for (let made = 0; made < count; made += 1) {
    calls.push(call());
    if (made % 10 === 9) await clock.advance(Math.floor(random() * 1_500));
  }
  await clock.advance(120_000);
  await Promise.all(calls);
  const figure = `${count} calls to 12 hosts (seed ${SEED}), ${served} requests: ${violations} overlaps, short gaps or requests before Retry-After`;
  return { holds: violations === 0 && served > count / 100, figures: [figure] };
}

/** The process's own clock, which a case may set, and one that is never set. */
type Times = { readonly clock: Clock; readonly steady: Clock; readonly set: (ms: number) => void };

function times(): Times {
  let shift = 0;
  const origin = performance.timeOrigin;
  return {
    clock: { ...systemClock, now: () => systemClock.now() + shift },
    steady: { ...systemClock, now: () => Math.round(origin + performance.now()) },
    set: (ms) => {
      shift = ms;
    },
  };
}

/** Returns the fetching part of a process: it requests a page and reports the result. */
function fetching({ clock, steady }: Times, shared: SharedPacing | null) {
  const fetcher = createFetcher({
    clock,
    steady,
    version: '0',
    resolve: () => Promise.resolve(['8.8.8.8']),
    localAddresses: () => [],
    hostIntervalMs: INTERVAL_MS,
    ...shared,
  });
  return async (host: string): Promise<string> => {
    const deadlineMs = steady.now() + 15_000;
    const context = contextOf(AbortSignal.timeout(15_000), undefined, deadlineMs);
    const outcome = await fetcher({ url: `http://${host}/p`, accept: 'html' }, context);
    if (!outcome.ok) return `${outcome.failure.kind} ${outcome.failure.retryAfterSeconds ?? 0}`;
    const verdict = readAnswer(outcome.page, 'product');
    if (verdict !== null) await reportFound(outcome, verdict);
    return verdict?.kind ?? 'none';
  };
}

async function proveBreakers(say: (line: string) => void): Promise<readonly ProofResult[]> {
  const world = await openPublicWorld();
  world.answer = (request, response) => {
    const isRobots = request.url === '/robots.txt';
    response.writeHead(isRobots ? 404 : 200, { 'content-type': 'text/html' });
    response.end(request.headers.host?.startsWith('wall') === true ? CAPTCHA : PAGE);
  };
  try {
    return [await oneProcess(world), await clockIsSet(say), await threeProcesses(world)];
  } finally {
    await world.close();
  }
}

function requestsTo(world: PublicWorld, host: string): number {
  return world.requests.filter((each) => each.host === host && each.path === '/p').length;
}

async function oneProcess(world: PublicWorld): Promise<ProofResult> {
  const ask = fetching(times(), null);
  for (let call = 0; call < CALLS; call += 1) await ask('wall1.example.com');
  const asked = requestsTo(world, 'wall1.example.com');
  const silent = (await ask('wall1.example.com')).startsWith('busy');
  return {
    holds: asked <= MOST_REQUESTS && silent,
    figures: [
      `a captcha behind status 200, one process: ${asked} of ${CALLS} calls reached the shop`,
    ],
  };
}

/** An hour and forty days, back and forward. */
async function clockIsSet(say: (line: string) => void): Promise<ProofResult> {
  let locked = 0;
  const hour = 3_600_000;
  for (const [index, jump] of [-hour, hour, -960 * hour, 960 * hour].entries()) {
    const time = times();
    const ask = fetching(time, null);
    const host = `shop${index}.example.com`;
    const before = await ask(host);
    time.set(jump);
    const after = await ask(host);
    if (before === 'read' && after === 'read') continue;
    locked += 1;
    say(`the clock set by ${jump} ms: ${before}, then ${after}`);
  }
  return { holds: locked === 0, figures: [`the clock set 4 times: ${locked} shops locked`] };
}

/** Three parts that share nothing but the database, each with a clock of its own. */
async function threeProcesses(world: PublicWorld): Promise<ProofResult> {
  const database = await newDatabase('migrated');
  const stores: Store[] = [];
  try {
    const processes: ReturnType<typeof fetching>[] = [];
    for (const skewMs of [0, 3_600_000, -3_600_000]) {
      const store = await openStore({ kind: 'postgres', url: database.url });
      stores.push(store);
      const time = times();
      time.set(skewMs);
      processes.push(fetching(time, await sharedOver(store, time.steady)));
    }
    const call = async (index: number, host: string) => processes[index % 3]?.(host);
    const host = 'wall3.example.com';
    await Promise.all(processes.map((ask) => ask('shop3.example.com')));
    const answers: (string | undefined)[] = [];
    for (let made = 0; made < CALLS; made += 1) answers.push(await call(made, host));
    const asked = requestsTo(world, host);
    const isSilent = answers.slice(-3).every((each) => each?.startsWith('busy'));
    return {
      holds: asked <= MOST_REQUESTS && isSilent,
      figures: [
        `the same, three processes on PostgreSQL: ${asked} of ${CALLS} calls reached the shop`,
      ],
    };
  } finally {
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
    await database[Symbol.asyncDispose]();
  }
}

async function sharedOver(store: Store, steady: Clock): Promise<SharedPacing | null> {
  return createSharedPacing(store, await createDatabaseClock(store.sql, steady), steady);
}
