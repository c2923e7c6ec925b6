// The state of a walk: the stage, the model of the accounts, and what answers have acknowledged so far.

import type { KnownSlug } from '../../../src/base/retailer.ts';
import type { Disturbance } from '../../../sandbox/simulated-retailer.ts';
import { monthAt, type Key, type Organization } from './accounts.ts';
import { listOf, objectOf, textAt, timeAt, type Json } from './bodies.ts';
import type { Ask, Caller, Said } from './calls.ts';
import type { Good, Goods, Spelling } from './goods.ts';
import type { Stage } from './stage.ts';

export type World = {
  readonly stage: Stage;
  readonly goods: Goods;
  readonly caller: Caller;
  readonly differs: (where: string, what: string) => void;
  readonly rich: Organization;
  /** Few tokens a month. */
  readonly poor: Organization;
  /** Few requests a minute. */
  readonly slow: Organization;
  readonly keys: Key[];
  readonly admin: Key;
  /** Today's Idempotency-Keys, with the calls that they were sent with. */
  readonly sent: { readonly once: string; readonly ask: Ask }[];
  readonly disturbed: Map<KnownSlug, Disturbance>;
  /** When a retailer last failed, or its data was deleted. */
  readonly troubledAtMs: Map<KnownSlug, number>;
  readonly takenDown: Map<KnownSlug, string>;
  readonly memory: Memory;
  readonly watches: Map<string, Watched>;
  readonly feed: Feed;
  /** Number of ledger entries about watches that the model knows. */
  watchEntries: number;
  /** Requests to shops so far, and whether something was watched, when the ledger was last read. */
  requests: number;
  mayWatch: boolean;
  /** Requests on persistent connections, and those of them that were answered without node:http. */
  readonly onConnections: { sent: number; repeated: number };
  /** Counter for naming created objects. */
  made: number;
};

type Watched = { readonly spelling: Spelling; readonly body: Json };

type Feed = {
  cursor: string | null;
  readonly seen: Set<string>;
  /** By page and kind, the result of the last change. */
  readonly chain: Map<string, unknown>;
  /** Numbers of the last changes before something stopped being watched: later changes start a new chain. */
  readonly breaks: number[];
};

type Memory = {
  /** By listing address, the latest time at which an answer said it was read. */
  readonly refreshed: Map<string, number>;
  /** By barcode and retailer: rows of histories. */
  readonly rows: Map<string, Set<string>>;
};

export type Step = { readonly world: World; readonly random: () => number };

export const path = (text: string, rest = ''): string =>
  `/v1/products/${encodeURIComponent(text)}${rest}`;

/** Returns whether every retailer answers for a product as usual: nothing failed, was deleted or changed recently. */
export function isCalm(world: World, good: Good, slug: KnownSlug | null): boolean {
  const isQuiet = world.disturbed.size === 0 && world.takenDown.size === 0;
  if (good.product.trouble !== null || !isQuiet) return false;
  const untilMs = world.stage.now() - 2 * 86_400_000;
  const slugs = slug === null ? [...world.troubledAtMs.keys()] : [slug];
  if (slugs.some((each) => (world.troubledAtMs.get(each) ?? 0) > untilMs)) return false;
  const market = world.stage.sandbox.market();
  const of = (each: KnownSlug) => market.listingsOf(each, good.product);
  const asked = slug === null ? of('retailer_w') : of(slug);
  return asked.length > 0 && asked.every((one) => world.goods.changedAtMs(one) === null);
}

/** Compares times with those acknowledged before: none decreases, and none is later than now. */
export function remember({ world }: Step, where: string, record: Json): void {
  const { memory, differs, stage } = world;
  const note = (url: string | null, seenMs: number | null): void => {
    if (url === null || seenMs === null) return;
    if (seenMs > stage.now()) differs(where, `${url} was refreshed in the future`);
    const before = memory.refreshed.get(url) ?? 0;
    if (seenMs < before)
      differs(
        where,
        `${url} was refreshed ${(before - seenMs) / 1_000} s before what was said earlier`,
      );
    memory.refreshed.set(url, Math.max(before, seenMs));
  };
  for (const cell of Object.values(objectOf(record['cross_retailer'])))
    note(textAt(cell, 'url'), timeAt(cell, '_freshness', 'refreshed_at'));
}

/** Checks that rows that a history has shown remain in it. */
export function rememberRows({ world }: Step, where: string, name: string, said: Said): void {
  const { rows } = world.memory;
  const shown = listOf(said.body['observations']).map(rowText);
  const all = new Set(shown);
  for (const row of rows.get(name) ?? [])
    if (!all.has(row)) world.differs(where, `the row ${row} is lost`);
  rows.set(name, all);
}

export function rowText(row: Json): string {
  return [row['observed_at'], row['price'], row['in_stock']].map(String).join(' ');
}

/** Waits until everything due is done, and the model knows the cost of watches so far. */
export async function settle(world: World): Promise<void> {
  await world.stage.settle();
  const rows = await world.stage.store.sql.all(
    `select at_ms, key_id, tokens, organizations.name from ledger
      join organizations on organizations.id = organization_id where route = 'watch' order by at_ms`,
  );
  const { watchEntries, rich, differs } = world;
  const requests = world.stage.sandbox.requestCount();
  const news = rows.length - watchEntries;
  if (news > requests - world.requests)
    differs('ledger', `${news} reads paid with ${requests - world.requests} requests`);
  if (news > 0 && !world.mayWatch) differs('ledger', `${news} reads paid without a watch`);
  world.requests = requests;
  world.mayWatch = world.watches.size > 0;
  for (const row of rows.slice(watchEntries)) {
    const tokens = Number(row['tokens']);
    if (tokens !== 1 && tokens !== 6) differs('ledger', `a watch paid ${tokens} tokens`);
    if (row['name'] !== rich.name) differs('ledger', `${String(row['name'])} paid for a watch`);
    const month = monthAt(rich, Number(row['at_ms']));
    month.used += tokens;
    month.calls += 1;
    const add = (sums: Map<string, number>, name: string): void =>
      void sums.set(name, (sums.get(name) ?? 0) + tokens);
    add(month.ofKeys, String(row['key_id']));
    add(month.ofRoutes, 'watch');
  }
  if (rows.length < watchEntries) differs('ledger', 'entries of watches are lost');
  world.watchEntries = rows.length;
}

/** Unfinished work of one answer is queued once a minute. */
const SCHEDULED_MS = 60_000;
const PAUSES_MS = [SCHEDULED_MS, SCHEDULED_MS, 0];

/** Repeats a call until no work is left after the answer, and nothing has become stale since. */
export async function askUntilQuiet(world: World, ask: Ask): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    await world.caller.call(ask);
    await passTime(world, pauseMs);
  }
}

/** Lets time pass and does everything due by then, so that it does not happen during a call. */
export async function passTime(world: World, ms: number): Promise<void> {
  await world.stage.advance(ms);
  await settle(world);
}
