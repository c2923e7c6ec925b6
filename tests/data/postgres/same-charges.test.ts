// Both databases book the same: PostgreSQL makes a batch of charges in one chained statement (one message to the server),
// SQLite in single ones. The same random calls at the same instants lead to the same answers, ledger, balances, sums and
// limits.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS, nextMonthStartMs } from '../../../src/base/clock.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { generateKey } from '../../../src/data/metering/api-key.ts';
import type { CallToCharge } from '../../../src/data/metering/meter.ts';
import type { Caller, Charged, Reservation } from '../../../src/data/metering/metering.ts';
import { grantTokens } from '../../../src/data/accounts/balances.ts';
import {
  findRevisions,
  reviseSubjects,
  type Revision,
} from '../../../src/data/answers/revisions.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openMeteredService, type MeteredService } from '../metering/metered-service.ts';
import { newDatabase } from '../../support/databases.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const ROUNDS = 40;
const STARTS_MS = Date.UTC(2026, 1, 26, 12);
const WIDE = { throttlePerMinute: 60_000_000, throttleBurst: 1_000_000 };
const ORGANIZATIONS = [
  { name: 'few tokens', monthlyQuota: 150, ...WIDE },
  { name: 'few calls', monthlyQuota: 1_000_000, throttlePerMinute: 120, throttleBurst: 30 },
  { name: 'no limit', monthlyQuota: 1_000_000_000, ...WIDE },
  { name: 'few of both', monthlyQuota: 400, throttlePerMinute: 600, throttleBurst: 60 },
];
const ROUTES = ['GET /v1/products/{id}', 'GET /v1/products/{id}/history'];
const SUBJECTS = ['barcode 1', 'barcode 2', 'never written'];

type Books = {
  readonly service: MeteredService;
  /** The keys of each organization. */
  readonly callers: readonly (readonly Caller[])[];
  readonly reserved: { readonly reservation: Reservation; readonly maxTokens: number }[];
};

type Act = (books: Books, revisions: readonly Revision[]) => Promise<unknown> | null;

async function openBooks(place: string): Promise<Books> {
  const service = await openMeteredService({}, place);
  service.clock.set(STARTS_MS);
  const callers: Caller[][] = [];
  for (const settings of ORGANIZATIONS) {
    const { caller } = await service.addCaller(settings);
    const { organizationId } = caller;
    const { id, secretSha256 } = generateKey();
    const second = { id, organizationId, secretSha256, scopes: [], note: null };
    await service.store.accounts.insertKey({ ...second, createdAtMs: 0, expiresAtMs: null });
    callers.push([caller, { ...caller, keyId: id }]);
  }
  return { service, callers, reserved: [] };
}

/** What may happen before or between calls. */
function drawChange(random: () => number, name: string): Act {
  const at = integerBelow(random, ORGANIZATIONS.length);
  const tokens = 1 + integerBelow(random, 100);
  const settings = { ...pick(random, ORGANIZATIONS), monthlyQuota: 50 + 5 * tokens };
  const ms = pick(random, [1, 1_000, 20_000, 61_000, HOUR_MS, -5_000]);
  const move = (to: (nowMs: number) => number): Act => {
    return ({ service: { clock } }) => (clock.set(to(clock.now())), null);
  };
  return pick(random, [
    move((nowMs) => nowMs + ms),
    move((nowMs) => nowMs - (nowMs % DAY_MS) + DAY_MS - 1),
    move((nowMs) => nextMonthStartMs(nowMs) - 1),
    ({ service }) => service.store.sql.write([reviseSubjects(['barcode 1'])]),
    ({ service: { store, clock }, callers }) => {
      const { organizationId = '' } = callers[at]?.[0] ?? {};
      return grantTokens(store.sql, {
        organizationId,
        tokens,
        requestId: name,
        nowMs: clock.now(),
      });
    },
    ({ service: { store, clock } }) =>
      store.accounts.upsertOrganization(settings, clock.now()).then(() => null),
  ] satisfies Act[]);
}

/** Calls of one round: mostly alike and of one key, like those that are combined into one statement. */
function drawCalls(random: () => number, round: number): readonly Act[] {
  const isAlike = random() < 0.4;
  const usual = integerBelow(random, ORGANIZATIONS.length);
  const length = pick(random, [1, 2, 8, 20, 50, 140]);
  return Array.from({ length }, (_, n): Act => {
    const name = `r${round}-${n}`;
    const isPlain = isAlike || random() < 0.7;
    if (!isPlain && random() < 0.1) return drawChange(random, name);
    const organization = isPlain ? usual : integerBelow(random, ORGANIZATIONS.length);
    const key = isPlain ? 0 : integerBelow(random, 2);
    const tokens = isPlain ? 2 : integerBelow(random, 6);
    const kind = isPlain ? 0 : integerBelow(random, 8);
    const isStale = random() < 0.005;
    const count = integerBelow(random, SUBJECTS.length + 1);
    const once = `once ${integerBelow(random, 12)}`;
    const call: CallToCharge = {
      requestId: name,
      route: isPlain ? ROUTES[0]! : pick(random, ROUTES),
    };
    return ({ service: { metering }, callers, reserved }, all) => {
      const caller = callers[organization]?.[key];
      assert.ok(caller);
      const made = all.slice(0, count);
      const stale = made.map((each) => ({ ...each, revision: each.revision + 9 }));
      const revisions = made.length === 0 ? {} : { revisions: isStale ? stale : made };
      const idempotency = { key: once, fingerprint: 'the same' };
      const answer = { status: 200, body: '{}' };
      if (kind < 4) return metering.charge(caller, { ...call, ...revisions, tokens });
      if (kind === 4) return metering.charge(caller, { ...call, tokens, idempotency, answer });
      if (kind === 5) return metering.charge(caller, { ...call, tokens, forced: true });
      if (kind === 6)
        return metering.reserve(caller, { ...call, maxTokens: tokens }).then((reservation) => {
          reserved.push({ reservation, maxTokens: tokens });
          return 'reserved';
        });
      const held = reserved[Math.floor(reserved.length / 2)];
      if (held === undefined) return null;
      return tokens < 2
        ? held.reservation.release().then(() => 'released')
        : held.reservation.settle(Math.min(tokens, held.maxTokens)).then(() => 'settled');
    };
  });
}

/** Returns the answer, or why there is none. For a free call the limits are read after it, perhaps after other calls. */
async function toldOf(answer: Promise<unknown> | null): Promise<string> {
  try {
    const response = (await answer) as Charged | null;
    return JSON.stringify(response?.consumed === 0 ? 'for nothing' : response);
  } catch (error) {
    assert.ok(error instanceof Error);
    return error instanceof FaultError ? JSON.stringify(error.fault) : error.message || error.name;
  }
}

const KEPT = [
  `select request_id, organization_id, key_id, month, kind, tokens, balance_after, route, at_ms from ledger`,
  'select organization_id, month, quota, granted, used, reserved, calls from balances',
  'select organization_id, month, day, route, key_id, tokens, calls from usage_days',
  'select organization_id, policy, tat_us from throttles',
  'select request_id, organization_id, month, tokens, lease_until_ms from reservations',
  'select organization_id, idempotency_key, request_id, tokens_remaining, expires_at_ms from idempotency_keys',
];

/** Returns everything that is booked, in a fixed order, with names in place of generated ids. */
async function booked({ service, callers }: Books): Promise<readonly (readonly string[])[]> {
  const { sql } = service.store;
  const names = new Map<unknown, string>();
  for (const [at, own] of callers.entries())
    for (const [key, { organizationId, keyId }] of own.entries())
      names.set(organizationId, `organization ${at}`).set(keyId, `key ${at} ${key}`);
  const rows = await Promise.all(KEPT.map((text) => sql.all(text)));
  return rows.map((all) =>
    all
      .map((row) => JSON.stringify(Object.values(row).map((value) => names.get(value) ?? value)))
      .toSorted(),
  );
}

test('the same calls at the same instants are answered and booked the same on both databases', async (t) => {
  const seed = seedOf(96);
  t.diagnostic(`seed ${seed}`);
  await using database = await newDatabase('migrated');
  const sqlite = await openBooks(':memory:');
  await using _one = sqlite.service;
  const postgres = await openBooks(database.url);
  await using _other = postgres.service;
  const done = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers: (readonly string[])[] = [];
    for (const books of [sqlite, postgres]) {
      const random = randomFrom(seed * 1_000 + round);
      if (random() < 0.6) await drawChange(random, `before ${round}`)(books, []);
      if (random() < 0.1) await books.service.metering.sweep();
      const revisions = await findRevisions(books.service.store.sql, SUBJECTS);
      const calls = drawCalls(random, round);
      answers.push(await Promise.all(calls.map((call) => toldOf(call(books, revisions)))));
    }
    assert.deepEqual(answers[1], answers[0], `answers of round ${round}`);
    for (const each of answers[0] ?? []) {
      const name = /"code":"(\w+)"/.exec(each)?.[1] ?? (each.startsWith('{"con') ? 'paid' : each);
      done.set(name, (done.get(name) ?? 0) + 1);
    }
    const [first, second] = await Promise.all([booked(sqlite), booked(postgres)]);
    assert.deepEqual(second, first, `books behind round ${round}`);
  }
  for (const { service } of [sqlite, postgres])
    assert.deepEqual(await checkStore(service.store.sql), []);
  for (const name of ['paid', 'quota_exceeded', 'throttled', '"reserved"'])
    assert.ok((done.get(name) ?? 0) > 5, `${name}: ${done.get(name)}`);
});
