// Steps of the environment of the service: time passes, retailers fail, lose products and change barcodes, shops are taken
// down, processes are killed.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

import { dayOf } from '../../../src/base/clock.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../../src/base/retailer.ts';
import { compact } from '../../../src/answer/indexer/compaction.ts';
import { integerBelow, pick } from '../../../tests/support/random.ts';
import { pay } from './accounts.ts';
import { listOf } from './bodies.ts';
import { meteredOf, send, sendOnce } from './calls.ts';
import { drawQuery, drawSpelling, lookupOf } from './lookups.ts';
import { drawBatch, payLine } from './once.ts';
import { usageOf } from './keys-and-limits.ts';
import { passTime, settle, type Step, type World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PROGRAM = join(import.meta.dirname, '../../../bin/openshelf.js');

/** After this many days something leaves a window, the daily data, or a timeframe. */
const WINDOW_DAYS = [7, 30, 60, 90, 180, 181, 182, 365, 366];

export async function letTimePass({ world, random }: Step): Promise<void> {
  const now = world.stage.now();
  const date = new Date(now);
  const monthEnds = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - now;
  const dayEnds = DAY_MS - (now % DAY_MS);
  const ms = pick(random, [
    1,
    999,
    MINUTE_MS - 1,
    MINUTE_MS,
    10 * MINUTE_MS,
    HOUR_MS,
    5 * HOUR_MS,
    dayEnds - 1,
    dayEnds,
    DAY_MS - 1,
    DAY_MS,
    DAY_MS + 1,
    3 * DAY_MS,
    40 * DAY_MS,
    15 * DAY_MS,
    Math.max(1, monthEnds - 1),
    monthEnds,
    pick(random, WINDOW_DAYS) * DAY_MS - (now % DAY_MS) - (random() < 0.5 ? 1 : 0),
  ]);
  await passTime(world, ms);
}

/** Packs past years, which no answer may reveal. */
export async function packHistory({ world }: Step): Promise<void> {
  const { damaged } = await compact({
    sql: world.stage.store.sql,
    retention: { observationDays: null, barYears: null },
    today: dayOf(world.stage.now()),
    signal: new AbortController().signal,
    pause: () => Promise.resolve(),
  });
  for (const problem of damaged) world.differs('compact', problem);
}

const FAILURES = ['blocked', 'broken', 'disallowed'] as const;

/** Makes a retailer fail entirely, or recover. */
export async function disturb({ world, random }: Step): Promise<void> {
  const { disturbed, stage, troubledAtMs } = world;
  const slug = pick(
    random,
    disturbed.size > 0 && random() < 0.7 ? [...disturbed.keys()] : KNOWN_SLUGS,
  );
  troubledAtMs.set(slug, stage.now());
  if (disturbed.delete(slug)) {
    stage.sandbox.disturb(slug, null);
    return;
  }
  const kind = pick(random, FAILURES);
  disturbed.set(slug, kind);
  stage.sandbox.disturb(slug, kind);
}

/** Makes a retailer lose or regain a product, or state another barcode for it. */
export async function changeListing({ world, random }: Step): Promise<void> {
  const { goods, stage } = world;
  const market = stage.sandbox.market();
  const { product } = pick(random, goods.all);
  const slug = pick(random, KNOWN_SLUGS);
  const [listing] = market.listingsOf(slug, product);
  if (listing === undefined) return;
  const drawn = random();
  const isGone = product.trouble?.kind === 'gone';
  if (drawn < 0.3) goods.setGone(listing, true);
  else if (drawn < 0.6 || isGone) goods.setGone(listing, false);
  else if (listing.publishedGtin === product.gtin14)
    goods.relabel(listing, pick(random, goods.all).product.gtin14);
  else if (listing.publishedGtin !== null) goods.relabel(listing, product.gtin14);
}

/** Takes a retailer's pages down as the operator does, or allows them again. */
export async function takeDown({ world, random }: Step): Promise<void> {
  const { stage, takenDown, troubledAtMs, memory } = world;
  const [known] = takenDown.keys();
  const slug =
    known ??
    pick(
      random,
      KNOWN_SLUGS.filter((each) => each !== 'retailer_w'),
    );
  const { hostname } = new URL(stage.sandbox.market().origins[slug].page);
  const host = hostname.replace(/^www\./, '');
  await settle(world);
  const run = promisify(execFile);
  const flags =
    known === undefined ? [host, '--retailer'] : ['--undo', takenDown.get(slug) ?? host];
  await run(process.execPath, [PROGRAM, 'takedown', ...flags], {
    env: { ...process.env, ...stage.dataEnv },
  });
  await wait(1_100);
  troubledAtMs.set(slug, stage.now());
  if (known === undefined) takenDown.set(slug, host);
  else takenDown.delete(slug);
  forget(memory, slug, host);
  // Stored answers that show the host are deleted with it, and a call with their key is a new one.
  for (const { of } of world.keys) of.kept.clear();
  world.sent.length = 0;
}

function forget(memory: World['memory'], slug: KnownSlug, host: string): void {
  for (const url of memory.refreshed.keys())
    if (new URL(url).hostname.endsWith(host)) memory.refreshed.delete(url);
  for (const name of memory.rows.keys())
    if (name.endsWith(` ${slug}`) || name.endsWith(' all')) memory.rows.delete(name);
}

/** Far longer than the lease of a reservation or an Idempotency-Key. */
const LEASES_END_MS = 10 * MINUTE_MS;

/**
 * Kills a process in the middle of a call, which is repeated with its Idempotency-Key until it is answered: it is paid once,
 * and nothing answered before is lost.
 */
export async function killAndRepeat(step: Step): Promise<void> {
  const { world, random } = step;
  const { stage } = world;
  const once = `killed-${(world.made += 1)}`;
  const drawn = drawSpelling(step);
  const plain = lookupOf(world.keys[0]!, drawn.spelling.text, drawQuery(step, drawn, false));
  const batch = random() < 0.5 ? drawBatch(step) : null;
  const ask = { ...(batch?.ask ?? plain), once };
  const at = integerBelow(random, stage.urls().length);
  const cut = sendOnce(stage.urls()[at] ?? '', ask).catch(() => null);
  await wait(random() * 60);
  await stage.kill(at);
  const first = await cut;
  await stage.advance(LEASES_END_MS);
  await stage.revive();
  await settle(world);
  const said = await send(stage.urls()[0] ?? '', ask);
  const isReplayed = said.headers.get('idempotency-replayed') === 'true';
  const where = `killed at ${ask.target}`;
  const wasGiven = first !== null && first.status < 300 && batch === null;
  if (wasGiven && (!isReplayed || said.text !== first.text))
    world.differs(where, `an answer that was given is ${said.status} when it is repeated`);
  if (said.status === 409) world.differs(where, 'the key of a call that was killed is still taken');
  if (batch !== null) {
    for (const answer of listOf(said.body['lines'])) payLine(world, ask, batch.lines, answer);
  } else if (said.status < 300) {
    const cost = ask.costOf?.(said.body) ?? 0;
    pay(meteredOf(ask), cost, stage.now());
    const kept = { request: meteredOf(ask).request, status: said.status, body: said.text };
    ask.key.of.kept.set(once, { ...kept, atMs: stage.now() });
  }
  ask.key.of.isCounted = false;
  await world.caller.call(usageOf(ask.key));
}
