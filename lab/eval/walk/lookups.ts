// Steps that look up and refresh products, and the checks applied to every record.

import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { pick } from '../../../tests/support/random.ts';
import type { Key } from './accounts.ts';
import { listOf, textAt, timeAt, valueAt, type Json } from './bodies.ts';
import type { Ask, Said } from './calls.ts';
import { brokenCells, untrueCells } from './cell-laws.ts';
import type { Good, Spelling } from './goods.ts';
import { brokenLaws } from './record-laws.ts';
import { isCalm, path, remember, type Step, type World } from './world.ts';

export const READ = 'products:read';
/** A request head with an unlisted field is not recognized as a repeat: it goes through node:http. */
export const UNKNOWN_HEADER = { 'unknown-header': '1' } as const;
const REFRESH = 'products:refresh';
const ADD_ONS: readonly (readonly [name: string, tokens: number])[] = [
  ['include_cross_retailer', 2],
  ['include_offers', 5],
  ['include_offers_reviews', 5],
  ['include_offers_history', 5],
  ['include_price_series', 10],
  ['include_seller_context', 3],
  ['include_fee_breakdown', 0],
];

export type Drawn = { readonly good: Good; readonly spelling: Spelling };

export function drawSpelling({ world, random }: Step): Drawn {
  const good = pick(random, world.goods.all);
  return { good, spelling: pick(random, good.spellings) };
}

export function drawQuery({ random }: Step, { spelling }: Drawn, mayForce = true): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name] of ADD_ONS) if (random() < 0.22) query.set(name, 'true');
  if (random() < 0.6) query.set('identifier_match', 'any');
  if (random() < 0.1) query.set('include_history', 'false');
  if (random() < 0.1) query.set('include_stats', 'false');
  const isNamed = random() < 0.3;
  const isForced = mayForce && random() < 0.3;
  if (isNamed && mayBeNamed(spelling)) {
    query.set('retailer', pick(random, KNOWN_SLUGS));
    if (isForced) query.set('force_refresh', 'true');
  } else if (isForced && spelling.form !== 'product_id') {
    query.set('include_force_refresh', 'true');
  }
  return query;
}

/**
 * Returns whether a retailer may be named: an address belongs to its own retailer, and retailer_b's numbers are sent
 * without one (D13, D46).
 */
export function mayBeNamed({ form, text }: Spelling): boolean {
  return form === 'barcode' || (form !== 'product_id' && !text.startsWith('http'));
}

/** Returns the cost of a lookup; `bars`: whether its answer has bars. */
export function costOf(query: URLSearchParams, bars: boolean): number {
  const on = (name: string): boolean => ['true', '1'].includes(query.get(name) ?? '');
  const offers = on('include_offers') || on('include_offers_reviews');
  const series =
    on('include_price_series') && query.get('include_history')?.toLowerCase() !== 'false';
  return (
    1 +
    (on('include_cross_retailer') ? 2 : 0) +
    (offers ? 5 : 0) +
    (on('include_offers_history') ? 5 : 0) +
    (on('include_seller_context') ? 3 : 0) +
    (on('include_force_refresh') ? 3 : 0) +
    (series && bars ? 10 : 0)
  );
}

export function hasBars(body: Json): boolean {
  return listOf(valueAt(body, 'price_history', 'series')).length > 0;
}

export const isForcing = (query: URLSearchParams): boolean =>
  query.has('force_refresh') || query.has('include_force_refresh');

/** A lookup as a call. */
export function lookupOf(key: Key, text: string, query: URLSearchParams): Ask {
  const isForced = isForcing(query);
  return {
    key,
    method: 'GET',
    target: path(text, query.size === 0 ? '' : `?${query.toString()}`),
    route: 'GET /v1/products/{id}',
    scope: isForced && key.scopes.includes(READ) ? REFRESH : READ,
    isForced,
    least: costOf(query, false),
    most: costOf(query, true),
    costOf: (body) => costOf(query, hasBars(body)),
  };
}

export function drawKey({ world, random }: Step): Key {
  const drawn = random();
  if (drawn < 0.8) return world.keys[0]!;
  return drawn < 0.9 ? pick(random, world.keys) : world.keys.find(({ of }) => of === world.poor)!;
}

export async function lookUp(step: Step): Promise<void> {
  const drawn = drawSpelling(step);
  const query = drawQuery(step, drawn);
  const ask = lookupOf(drawKey(step), drawn.spelling.text, query);
  const said = await step.world.caller.call(ask);
  judgeRecord(step, { drawn, query, ask, said, isRefresh: false });
}

export type Judged = {
  readonly drawn: Drawn;
  readonly query: URLSearchParams;
  readonly ask: Ask;
  readonly said: Said;
  readonly isRefresh: boolean;
};

const NO_ANSWER = [
  'not_found',
  'identity_mismatch',
  'source_unusable',
  'offers_unavailable',
  'upstream_unavailable',
  'bare_identifier_required',
];
const LIMITS = [
  'quota_exceeded',
  'throttled',
  'force_refresh_limit',
  'insufficient_scope',
  'invalid_api_key',
];

/** Runs every check on the answer to a lookup or a refresh. */
export function judgeRecord(step: Step, judged: Judged): void {
  const { world } = step;
  const { drawn, query, ask, said, isRefresh } = judged;
  const { spelling, good } = drawn;
  const where = `${ask.method} ${ask.target} (${spelling.form})`;
  const differs = (what: string): void => world.differs(where, what);
  if (said.status !== 200) {
    const code = said.code ?? '';
    if (LIMITS.includes(code)) return;
    // A host that was taken down, and the page of a Digital Link whose barcode nobody has: no name server here knows it.
    const isLink = spelling.form === 'barcode' && spelling.text.startsWith('http');
    const mayBeRefused = code === 'url_not_allowed' && (isLink || world.takenDown.size > 0);
    if (!NO_ANSWER.includes(code) && !mayBeRefused) differs(`${said.status} ${code}`);
    else if (mustAnswer(world, drawn, query))
      differs(`${said.status} ${code}: ${textAt(said.body, 'detail')}`);
    return;
  }
  const nowMs = world.stage.now();
  const call = { query, isRefresh, form: spelling.form, nowMs };
  for (const law of brokenLaws(said.body, call)) differs(law);
  for (const law of brokenCells(said.body, call)) differs(law);
  for (const law of untrueCells(said.body, { ...world, sandbox: world.stage.sandbox }))
    differs(law);
  const id = spelling.text.startsWith('http') ? null : spelling.text.toUpperCase();
  if (spelling.form === 'asin' && id !== null && said.body['asin'] !== id)
    differs(`asin is ${String(said.body['asin'])}`);
  remember(step, where, said.body);
  const seenMs = timeAt(said.body, '_freshness', 'refreshed_at') ?? 0;
  if ((isRefresh || isForcing(query)) && seenMs !== nowMs)
    differs(
      `forced at ${new Date(nowMs).toISOString()}, refreshed at ${new Date(seenMs).toISOString()}`,
    );
  const gtin = textAt(said.body, 'gtin');
  if (
    spelling.form === 'barcode' &&
    gtin !== null &&
    gtin !== good.product.gtin14 &&
    !query.has('retailer')
  )
    differs(`the record of ${gtin} for ${good.product.gtin14}`);
}

/** Returns whether it is a product without trouble, of a retailer that has not failed recently. */
function mustAnswer(world: World, { good, spelling }: Drawn, query: URLSearchParams): boolean {
  if (query.has('retailer') || query.has('include_offers') || query.has('include_offers_reviews'))
    return false;
  if (!isCalm(world, good, spelling.slug)) return false;
  const market = world.stage.sandbox.market();
  const [own] = market.listingsOf(spelling.slug ?? 'retailer_w', good.product);
  if (spelling.form === 'barcode') return own?.publishedGtin === good.product.gtin14;
  return own !== undefined && spelling.form !== 'product_id';
}

export async function refresh(step: Step): Promise<void> {
  const { drawn, query, ask } = drawRefresh(step);
  const said = await step.world.caller.call(ask);
  judgeRecord(step, { drawn, query, ask, said, isRefresh: true });
}

export function drawRefresh(step: Step): Pick<Judged, 'drawn' | 'query' | 'ask'> {
  const { random } = step;
  const drawn = drawSpelling(step);
  const query = new URLSearchParams();
  const isSmall = random() < 0.4;
  if (isSmall) query.set('include_offers_reviews', 'false');
  if (random() < 0.3) query.set('include_price_series', 'true');
  if (random() < 0.3) query.set('include_cross_retailer', 'true');
  if (random() < 0.5) query.set('identifier_match', 'any');
  if (drawn.spelling.form === 'barcode' && random() < 0.2)
    query.set('retailer', pick(random, KNOWN_SLUGS));
  const series = query.has('include_price_series');
  const least = 4 + (isSmall ? 0 : 5) + (query.has('include_cross_retailer') ? 2 : 0);
  const ask: Ask = {
    key: drawKey(step),
    method: 'POST',
    target: path(drawn.spelling.text, `/refresh?${query.toString()}`),
    route: 'POST /v1/products/{id}/refresh',
    scope: REFRESH,
    isForced: true,
    least,
    most: least + (series ? 10 : 0),
    costOf: (body) => least + (series && isOfRetailerW(body) ? 10 : 0),
  };
  return { drawn, query, ask };
}

/** If retailer_w has no bars, a refresh shows those of the anchor's last 30 days, for free. */
function isOfRetailerW(body: Json): boolean {
  const isAnchor = textAt(body, '_meta', 'price_source') === 'retailer_w';
  const hasSome = listOf(body['price_history']).length > 0;
  return hasSome && (isAnchor || textAt(body, '_meta', 'series_source') === 'retailer_w');
}
