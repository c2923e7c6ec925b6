// What a walk knows: the stage, the model of the accounts, and what answers have acknowledged so far.

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
  /** Keys of today's Idempotency-Keys, with the calls that they were sent with. */
  readonly sent: { readonly once: string; readonly ask: Ask }[];
  readonly disturbed: Map<KnownSlug, Disturbance>;
  /** When a retailer failed last, or its data was deleted. */
  readonly troubledAtMs: Map<KnownSlug, number>;
  readonly takenDown: Map<KnownSlug, string>;
  readonly memory: Memory;
  readonly watches: Map<string, Watched>;
  readonly feed: Feed;
  /** Entries of the ledger about watches that the model knows. */
  watchEntries: number;
  /** Requests to shops so far, and whether something was watched, as of the last look at the ledger. */
  requests: number;
  mayWatch: boolean;
  /** Requests on connections that stay open, and those of them that were answered without node:http. */
  readonly onConnections: { sent: number; repeated: number };
  /** Names things that are made. */
  made: number;
};

export type Watched = { readonly spelling: Spelling; readonly body: Json };

export type Feed = {
  cursor: string | null;
  readonly seen: Set<string>;
  /** By page and kind, what the last change led to. */
  readonly chain: Map<string, unknown>;
  /** Numbers of the last changes before something was watched no more: what comes behind them begins anew. */
  readonly breaks: number[];
};

export type Memory = {
  /** By the address of a listing, the last time at which an answer said that it was read. */
  readonly refreshed: Map<string, number>;
  /** By barcode and retailer: rows of histories. */
  readonly rows: Map<string, Set<string>>;
};

export type Step = { readonly world: World; readonly random: () => number };

export const path = (text: string, rest = ''): string =>
  `/v1/products/${encodeURIComponent(text)}${rest}`;

/** A product that every retailer answers for as ever: nothing failed, was deleted or changed lately. */
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

/** Holds times against what was acknowledged before: none goes back, and none is later than now. */
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

/** Rows that a history has shown stay in it. */
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

/** What is due is done, and what watches cost by then is known to the model. */
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

/** What one answer leaves open is put on the queue once a minute. */
const SCHEDULED_MS = 60_000;
const PAUSES_MS = [SCHEDULED_MS, SCHEDULED_MS, 0];

/** Asks until nothing is left open behind the answer, nor turned stale since. */
export async function askUntilQuiet(world: World, ask: Ask): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    await world.caller.call(ask);
    await passTime(world, pauseMs);
  }
}

/** What is due by then is done, so that it falls into no call. */
export async function passTime(world: World, ms: number): Promise<void> {
  await world.stage.advance(ms);
  await settle(world);
}
