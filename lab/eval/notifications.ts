// npm run lab -- notifications [--database sqlite|postgres] [--watches 1000] [--rounds 10] [--seed N]: is each crossing
// notified once, in order, whichever process dies? Watches of invented price histories, checked on a controlled clock;
// receivers that disappear, processes that are killed or suspended; the received notices are compared with what D70 and D68
// require (docs/use/watches.md).

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { HOUR_MS } from '../../src/base/clock.ts';
import { integerBelow, randomFrom } from '../../tests/support/random.ts';
import {
  madeProducts,
  mustChange,
  mustNotify,
  openShops,
  originsAt,
  type Product,
  type PriceStep,
} from './notifications/made.ts';
import { openReceiver, type NoticeToDeliver } from './notifications/receiver.ts';
import { startNotifyingService, type NotifyingService } from './notifications/service.ts';
import { followChanges, type Followed } from './notifications/stream.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    watches: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '20261123' },
  },
});
const kind = values.database === 'postgres' ? 'postgres' : 'sqlite';
const rounds = Number(values.rounds);
const random = randomFrom(Number(values.seed));
const products = madeProducts(random, Number(values.watches), rounds + 1);
const OWNERS = 2;
/**
 * Of one process: the jobs that it had when it was suspended were also done by another one, and only one of the two is
 * paid.
 */
const JOBS_AT_ONCE = 4;
/** A page that a busy machine did not read in time is soon requested again. */
const AGAIN_MS = 600_000;
const problems: string[] = [];

await using shops = await openShops(products);
const all = await openReceiver();
const half = await openReceiver();
await using service = await startNotifyingService(kind, {
  OPENSHELF_ORIGINS: originsAt(shops.place),
  OPENSHELF_NOTIFY_ALLOW: `${all.place},${half.place}`,
  OPENSHELF_SECRETS_KEY: randomBytes(32).toString('base64'),
});
console.log(`${kind}: ${products.length} watches, ${rounds} rounds, seed ${values.seed}`);

await makeWatches(service);
const streams = service.keys.map((key) => followChanges(service, key));
const began = performance.now();
const rare = (round: number, ...at: readonly number[]): boolean => at.includes(round);
for (let round = 0; round <= rounds; round += 1) {
  shops.setRound(round);
  if (round > 0) await service.advance(1.5 * HOUR_MS);
  const shaken: Promise<void>[] = [];
  const later = async (work: () => Promise<void>) => {
    await wait(200 + integerBelow(random, 1_500));
    await work();
  };
  if (rare(round, 2, 4, 5, 7, 9)) shaken.push(later(service.kill));
  if (rare(round, 1, 3, 6, 8, 10)) shaken.push(later(service.halt));
  if (round === 3) await half.down();
  if (round === 4) await half.up();
  if (rare(round, 5, 8)) {
    shaken.push(
      later(async () => {
        await all.down();
        await wait(1_000);
        await all.up();
      }),
    );
  }
  await Promise.all(shaken);
  await settle(service, CHECKED);
  // An hour away on the clock: notices wait until then.
  if (round !== 3) await settle(service, SENT);
}
await settle(service, SENT);
const followed = await Promise.all(streams.map((stream) => stream.end()));

for (const [name, receiver, share] of [
  ['all', all, () => true],
  ['half', half, isOfHalf],
] as const) {
  judge(
    name,
    receiver.received,
    products.filter((_, at) => share(at)),
  );
}
await judgeFeeds(service, followed);
await judgeTokens(service);
const seconds = ((performance.now() - began) / 1_000).toFixed(0);
console.log(`${service.kills()} kills, ${service.halts()} halts, ${seconds} s`);
if (problems.length > 0) {
  console.error(`${problems.length} problems\n${problems.slice(0, 20).join('\n')}`);
  process.exitCode = 1;
}
await Promise.all([all.down(), half.down()]);

function isOfHalf(at: number): boolean {
  return at % 4 < 2;
}

async function makeWatches({ keys, url }: NotifyingService): Promise<void> {
  const post = async (key: string, path: string, body: unknown): Promise<Record<string, never>> => {
    const response = await fetch(`${url()}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, never>;
    if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const channels: string[][] = [];
  for (const key of keys) {
    const ids: string[] = [];
    for (const { place } of [all, half]) {
      const made = await post(key, '/v1/channels', { kind: 'webhook', url: `http://${place}/` });
      ids.push((made['channel'] as unknown as { channel_id: string }).channel_id);
    }
    channels.push(ids);
  }
  const rest = [...products.entries()];
  const one = async (): Promise<void> => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      const [at, { url: identifier, belowCents }] = next;
      const owner = at % OWNERS;
      const [toAll = '', toHalf = ''] = channels[owner] ?? [];
      await post(keys[owner] ?? '', '/v1/watches', {
        identifier,
        interval: '1h',
        channels: isOfHalf(at) ? [toAll, toHalf] : [toAll],
        ...(belowCents === null ? { any_change: true } : { below: belowCents / 100 }),
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
}

function CHECKED(nowMs: number): string {
  return `select (select count(*) from watches where next_at_ms <= ${nowMs})
    + (select count(*) from jobs where run_at_ms <= ${nowMs + AGAIN_MS} and parked_at_ms is null) as n`;
}

function SENT(): string {
  return `select count(*) as n from deliveries where state = 'waiting'`;
}

/** Runs until nothing is left; if nothing moves, work waiting for a pause or a lease needs the clock to advance. */
async function settle(
  { query, nowMs, advance }: NotifyingService,
  left: (nowMs: number) => string,
): Promise<void> {
  let before = -1;
  let still = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const n = Number((await query(left(nowMs())))[0]?.['n']);
    if (n === 0) return;
    still = n === before ? still + 1 : 0;
    before = n;
    if (still >= 6) {
      await advance(31_000);
      still = 0;
    }
    await wait(300);
  }
  problems.push(`${before} never finished: ${left(0).slice(0, 60)}`);
}

/** Checks that each notice is sent exactly once by its id, in order for each product, with the right prices. */
function judge(name: string, received: readonly NoticeToDeliver[], own: readonly Product[]): void {
  const once = [...new Map(received.map((each) => [each.id, each])).values()];
  const fired = Map.groupBy(once, ({ url }) => url);
  let right = 0;
  let expected = 0;
  for (const product of own) {
    const must = mustNotify(product);
    const got = (fired.get(product.url) ?? []).map(
      ({ old_price: old, new_price: now }): PriceStep => [
        old === null ? null : Math.round(old * 100),
        Math.round((now ?? 0) * 100),
      ],
    );
    expected += must.length;
    if (JSON.stringify(got) === JSON.stringify(must)) right += must.length;
    else
      problems.push(
        `${name} ${product.url}: told ${JSON.stringify(got)}, must ${JSON.stringify(must)}`,
      );
  }
  const others = once.filter(({ kind: what }) => what !== 'fired').length;
  if (others > 0) problems.push(`${name}: ${others} notices of another kind`);
  if (once.length !== expected)
    problems.push(`${name}: ${once.length} notices, ${expected} must be`);
  console.log(
    `receiver ${name}: ${right} of ${expected} notices right and in order, ${received.length} requests, ` +
      `${received.length - once.length} of them repetitions`,
  );
}

/** Checks that the feed has each step of the believed prices once and in order, and that the stream has the feed. */
async function judgeFeeds(
  { query }: NotifyingService,
  followed: readonly Followed[],
): Promise<void> {
  const rows = await query(
    `select organizations.name as owner, seq, kind, body from changes
       join organizations on organizations.id = organization_id order by organization_id, seq`,
  );
  const steps = new Map<string, PriceStep[]>();
  for (const row of rows) {
    if (row['kind'] !== 'price') continue;
    const { url, before, after } = JSON.parse(String(row['body'])) as {
      url: string;
      before: number | null;
      after: number;
    };
    if (before !== null) steps.set(url, [...(steps.get(url) ?? []), [before, after]]);
  }
  let right = 0;
  for (const product of products) {
    const must = mustChange(product);
    const got = steps.get(product.url) ?? [];
    if (JSON.stringify(got) === JSON.stringify(must)) right += must.length;
    else problems.push(`feed ${product.url}: ${JSON.stringify(got)}, must ${JSON.stringify(must)}`);
  }
  console.log(`feed: ${right} price changes right and in order of ${rows.length} changes`);
  for (const [at, owner] of ['one', 'two'].entries()) {
    const own = rows.filter((row) => row['owner'] === owner).map((row) => Number(row['seq']));
    const { ids = [], connections = 0 } = followed[at] ?? {};
    const isSame = JSON.stringify(own) === JSON.stringify(ids);
    if (!isSame) problems.push(`stream of ${owner}: ${ids.length} events, ${own.length} changes`);
    console.log(`stream of ${owner}: ${ids.length} events over ${connections} connections`);
  }
}

/**
 * Checks the tokens: one for each read that a check caused and that was stored; the second look at a slip is free (D68).
 */
async function judgeTokens({ query }: NotifyingService): Promise<void> {
  const one = async (text: string) => Number((await query(text))[0]?.['n']);
  const charged = await one("select count(*) as n from ledger where route = 'watch'");
  const tokens = await one(
    "select coalesce(sum(tokens), 0) as n from ledger where route = 'watch'",
  );
  const used = await one('select coalesce(sum(used), 0) as n from balances');
  const stored = await one('select count(*) as n from observations');
  const slips = products.reduce((sum, each) => sum + each.slips.size, 0);
  const free = slips + service.halts() * JOBS_AT_ONCE;
  console.log(
    `${shops.pages()} pages sent, ${stored} reads stored, ${tokens} tokens charged, ${slips} slips checked again`,
  );
  if (tokens !== charged || used !== tokens)
    problems.push(`${used} tokens used, ${tokens} in the ledger`);
  if (stored < charged || stored - charged > free) {
    problems.push(`${stored} reads were stored and ${charged} charged`);
  }
}
