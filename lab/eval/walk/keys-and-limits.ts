// Steps about keys, scopes, quotas, limits, usage and Idempotency-Keys.

import { setTimeout as wait } from 'node:timers/promises';

import { issueKey } from '../../../src/data/metering/keys.ts';
import { grantTokens } from '../../../src/data/accounts/balances.ts';
import { integerBelow, pick } from '../../../tests/support/random.ts';
import {
  grant,
  isValid,
  monthAt,
  pay,
  remaining,
  setQuota,
  type Key,
  type Organization,
} from './accounts.ts';
import { listOf, numberAt, textAt } from './bodies.ts';
import { meteredOf, send, type Ask } from './calls.ts';
import { drawQuery, drawRefresh, drawSpelling, lookupOf } from './lookups.ts';
import { passTime, path, type Step, type World } from './world.ts';

const HOUR_MS = 3_600_000;
/** Every process knows a changed key within a second. */
export const KNOWN_WITHIN_MS = 1_100;

export async function makeKey(
  world: World,
  of: Organization,
  more: {
    readonly scopes?: readonly ('products:read' | 'products:refresh' | 'admin')[];
    readonly hours?: number;
  },
): Promise<Key> {
  const nowMs = world.stage.now();
  const expiresAtMs = more.hours === undefined ? null : nowMs + more.hours * HOUR_MS;
  const scopes = more.scopes ?? ['products:read', 'products:refresh'];
  const made = await issueKey(
    world.stage.store.accounts,
    { organization: of.name, note: null, scopes, ...(expiresAtMs === null ? {} : { expiresAtMs }) },
    nowMs,
  );
  return { text: made.text, id: made.id, of, scopes, expiresAtMs, revokedAtMs: null };
}

export async function changeKeys(step: Step): Promise<void> {
  const { world, random } = step;
  const drawn = random();
  const now = world.stage.now();
  const [, ...others] = world.keys;
  const spare = others.filter((key) => isValid(key, now) && key.of === world.rich);
  if (drawn < 0.5 || spare.length === 0) {
    const scopes = pick(random, [
      ['products:read', 'products:refresh'] as const,
      ['products:read'] as const,
      ['products:refresh'] as const,
    ]);
    const hours = random() < 0.5 ? 1 + integerBelow(random, 48) : undefined;
    world.keys.push(
      await makeKey(world, world.rich, { scopes, ...(hours !== undefined && { hours }) }),
    );
  } else if (drawn < 0.75) {
    const key = pick(random, spare);
    await world.stage.store.accounts.revokeKey(key.id, now);
    key.revokedAtMs = now;
  } else {
    await rotate(step, pick(random, spare));
  }
  await wait(KNOWN_WITHIN_MS);
  await passTime(world, KNOWN_WITHIN_MS);
  for (const key of world.keys) await world.caller.call(usageOf(key));
}

/** Rotates a key: the old one remains valid for some hours, the new one expires when the old one would have. */
async function rotate({ world, random }: Step, old: Key): Promise<void> {
  const hours = integerBelow(random, 3);
  const said = await world.caller.call({
    key: world.admin,
    method: 'POST',
    target: `/v1/admin/keys/${old.id}/rotate?old_valid_hours=${hours}`,
    route: 'POST /v1/admin/keys/{id}/rotate',
    scope: 'admin',
  });
  const text = textAt(said.body, 'key');
  if (text === null) {
    world.differs('rotate', `${said.status} ${said.text.slice(0, 200)}`);
    return;
  }
  const now = world.stage.now();
  const until = now + hours * HOUR_MS;
  const ends = Math.min(until, old.expiresAtMs ?? Infinity);
  world.keys.splice(world.keys.indexOf(old), 1, { ...old, expiresAtMs: ends });
  const expiresMs = textAt(said.body, 'expires_at');
  const expiresAtMs = expiresMs === null ? null : Date.parse(expiresMs);
  world.keys.push({ ...old, text, id: text.split('_')[2] ?? '', expiresAtMs });
}

export function usageOf(key: Key): Ask {
  return { key, method: 'GET', target: '/v1/usage', route: 'GET /v1/usage' };
}

/** Checks that the month's sums by day, route and key equal those of the answers. */
export async function readUsage({ world, random }: Step): Promise<void> {
  const keys = world.keys.filter((key) => isValid(key, world.stage.now()));
  const key = pick(random, keys);
  const said = await world.caller.call(usageOf(key));
  if (said.status !== 200) return;
  const month = monthAt(key.of, world.stage.now());
  const where = `usage of ${key.of.name}`;
  const is = (name: string, expected: number): void => {
    const stated = numberAt(said.body, name);
    if (stated !== expected) world.differs(where, `${name} ${stated}, expected ${expected}`);
  };
  is('tokens_used', month.used);
  is('calls', month.calls);
  is('tokens_allowance', month.allowance);
  for (const list of ['days', 'endpoints', 'keys'])
    for (const [field, whole] of [
      ['tokens', month.used],
      ['calls', month.calls],
    ] as const) {
      const sum = listOf(said.body[list]).reduce(
        (all, row) => all + (numberAt(row, field) ?? 0),
        0,
      );
      if (sum !== whole) world.differs(where, `${field} of ${list} are ${sum} of ${whole}`);
    }
  for (const row of listOf(said.body['keys'])) {
    const expected = month.ofKeys.get(textAt(row, 'key_id') ?? '') ?? 0;
    if (numberAt(row, 'tokens') !== expected)
      world.differs(where, `a key has ${numberAt(row, 'tokens')} tokens, expected ${expected}`);
  }
  for (const row of listOf(said.body['endpoints'])) {
    const expected = month.ofRoutes.get(textAt(row, 'endpoint') ?? '') ?? 0;
    if (numberAt(row, 'tokens') !== expected)
      world.differs(
        where,
        `${textAt(row, 'endpoint')} has ${numberAt(row, 'tokens')} tokens, expected ${expected}`,
      );
  }
}

/** Exhausts a quota of a few tokens, and makes some more calls. */
export async function useUpQuota(step: Step): Promise<void> {
  const { world, random } = step;
  const { poor, stage } = world;
  const key = world.keys.find(({ of }) => of === poor)!;
  const quota =
    pick(random, [0, 3, 8, 20, 40]) + (random() < 0.5 ? monthAt(poor, stage.now()).used : 0);
  await stage.store.accounts.upsertOrganization(
    { name: poor.name, monthlyQuota: quota },
    stage.now(),
  );
  setQuota(poor, quota, stage.now());
  if (random() < 0.4) await grantSome(step);
  for (let count = 0; count < 6; count += 1) {
    const drawn = drawSpelling(step);
    await world.caller.call(lookupOf(key, drawn.spelling.text, drawQuery(step, drawn)));
  }
}

async function grantSome({ world, random }: Step): Promise<void> {
  const { poor, stage } = world;
  const organization = await stage.store.accounts.findOrganization(poor.name);
  if (organization === null) return;
  const nowMs = stage.now();
  const tokens = 1 + integerBelow(random, 20);
  const requestId = `grant-${(world.made += 1)}`;
  await grantTokens(stage.store.sql, { organizationId: organization.id, requestId, tokens, nowMs });
  grant(poor, tokens, nowMs);
}

/** Makes more concurrent calls than the tokens cover: what is answered is paid, and no more than available. */
export async function callAtOnce(step: Step): Promise<void> {
  const { world, random } = step;
  const { poor, stage } = world;
  const key = world.keys.find(({ of }) => of === poor)!;
  const asks = Array.from({ length: 6 }, () => {
    const drawn = drawSpelling(step);
    return lookupOf(key, drawn.spelling.text, drawQuery(step, drawn, false));
  });
  const urls = stage.urls();
  const quota = random() < 0.5 ? integerBelow(random, 60) : null;
  const [all] = await Promise.all([
    Promise.all(
      asks.map(async (ask, at) => ({ ask, said: await send(urls[at % urls.length] ?? '', ask) })),
    ),
    wait(random() * 20).then(async () => {
      if (quota === null) return;
      await stage.store.accounts.upsertOrganization(
        { name: poor.name, monthlyQuota: quota },
        stage.now(),
      );
    }),
  ]);
  for (const { ask, said } of all) {
    const cost = said.status < 300 ? (ask.costOf?.(said.body) ?? 0) : 0;
    if (numberAt(said.body, 'tokens_consumed') !== cost)
      world.differs(`at once ${ask.target}`, `costs ${said.text.slice(-200)}, expected ${cost}`);
    pay(meteredOf(ask), cost, stage.now());
  }
  // Regardless of what calls in progress had reserved when it was changed.
  if (quota !== null) setQuota(poor, quota, stage.now());
  poor.isCounted = false;
  await world.caller.call(usageOf(key));
  if (remaining(poor, stage.now()) < 0)
    world.differs('calls at once', 'more than the quota was used');
}

/** Makes more calls than the throttle admits, and one that waits as long as told. */
export async function useUpThrottle({ world, random }: Step): Promise<void> {
  const { slow, stage } = world;
  const key = world.keys.find(({ of }) => of === slow)!;
  if (random() < 0.5) {
    slow.perMinute = pick(random, [1, 6, 45]);
    slow.burst = pick(random, [1, 4, 9]);
    const limits = { throttlePerMinute: slow.perMinute, throttleBurst: slow.burst };
    await stage.store.accounts.upsertOrganization({ name: slow.name, ...limits }, stage.now());
    await wait(KNOWN_WITHIN_MS);
    await passTime(world, KNOWN_WITHIN_MS);
  }
  for (let count = 0; count < 7; count += 1) {
    const said = await world.caller.call(usageOf(key));
    if (said.status !== 429) continue;
    const seconds = random() < 0.5 ? 1 : Number(said.headers.get('retry-after'));
    await passTime(world, 1_000 * seconds);
  }
}

/** Makes a call with an Idempotency-Key, the same call again, and a different one with the same key. */
export async function repeat(step: Step): Promise<void> {
  const { world, random } = step;
  const { sent, caller } = world;
  const drawn = random();
  if (drawn < 0.4 || sent.length === 0) {
    const ask = { ...drawOnce(step), once: `once-${(world.made += 1)}` };
    sent.push({ once: ask.once, ask });
    await caller.call(ask);
    await caller.call(ask);
    return;
  }
  const { ask } = pick(random, sent);
  if (drawn < 0.7) {
    await caller.call(ask);
  } else if (drawn < 0.8) {
    // Parameters in another order are the same request.
    const [target = '', query = ''] = ask.target.split('?');
    const turned = query.split('&').toReversed().join('&');
    await caller.call({ ...ask, target: query === '' ? target : `${target}?${turned}` });
  } else if (drawn < 0.85 && ask.method === 'GET' && !ask.target.includes('include_price_series')) {
    // Without a body it is unknown whether there were bars to pay for.
    await caller.call({ ...ask, method: 'HEAD' });
  } else {
    const other = path(drawSpelling(step).spelling.text, '/history');
    const costs = { least: 2, most: 2, costOf: () => 2, isForced: false };
    const route = 'GET /v1/products/{id}/history';
    const as = { method: 'GET', target: other, route, scope: 'products:read' } as const;
    await caller.call({ ...ask, ...costs, ...as });
  }
}

/** Any billed call can have an Idempotency-Key. */
function drawOnce(step: Step): Ask {
  const { world, random } = step;
  const key = world.keys[0]!;
  const drawn = random();
  const spelling = drawSpelling(step);
  const { text } = spelling.spelling;
  if (drawn < 0.5) return lookupOf(key, text, drawQuery(step, spelling, random() < 0.3));
  if (drawn < 0.65) return { ...drawRefresh(step).ask, key };
  const [name, rest, least] = pick(random, [
    ['history', '?timeframe=all&retailer=all', 2],
    ['reviews', '', 3],
    ['compare', '?cost=5&roi=30', 3],
  ] as const);
  const route = `GET /v1/products/{id}/${name}`;
  const target = path(text, `/${name}${rest}`);
  return { key, method: 'GET', target, route, scope: 'products:read', least };
}

const WRONG: readonly (readonly [target: string, code: string])[] = [
  [path('hello!'), 'invalid_identifier'],
  [path('614141000006'), ''],
  [path('614141000005', '?force_refresh=true'), 'force_refresh_requires_retailer'],
  [path('614141000005', '?identifier_match=all'), 'invalid_parameter'],
  [path('614141000005', '?include_offers=perhaps'), 'invalid_parameter'],
  [path('614141000005', '?include_ofers=true'), 'unknown_parameter'],
  [path('614141000005', '?include_stats=1&include_stats=0'), 'invalid_parameter'],
  [path('614141000005', '?retailer=Retailer-W'), 'invalid_parameter'],
  [path('614141000005', '/history?timeframe=2d'), 'invalid_parameter'],
  [path('614141000005', '/history?cursor=x'), 'invalid_parameter'],
  [path('614141000005', '/reviews?start_date=2026-02-30'), 'invalid_parameter'],
  [path('614141000005', '/compare?cost=-1'), 'invalid_parameter'],
  [path('http://10.0.0.1/x'), 'url_not_allowed'],
  ['/v1/sellers/a-b', 'invalid_identifier'],
  ['/v1/productz', 'unknown_route'],
];

/** Makes invalid calls: refused with their own code, regardless of anything else. */
export async function callWrongly({ world, random }: Step): Promise<void> {
  const [target, code] = pick(random, WRONG);
  const key = pick(random, world.keys.slice(0, 1));
  const said = await world.caller.call({
    key,
    method: 'GET',
    target,
    route: '',
    scope: 'products:read',
  });
  if (code !== '' && said.code !== code)
    world.differs(target, `${said.status} ${said.code}, expected ${code}`);
}
