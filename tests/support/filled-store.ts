// A store with rows in every table that a move carries, among them texts whose order and length two databases could
// disagree about. What the rows mean does not matter here; that they keep every rule of the schema does.

import type { Sql, SqlValue } from '../../src/store/sql.ts';
import { insertRows } from '../../src/store/maintenance/table-rows.ts';
import { TABLES } from '../../src/store/maintenance/tables.ts';
import { pick } from './random.ts';

/** By bytes the last two stand in this order, by UTF-16 units in the other one. */
const WORDS = [
  '',
  'a',
  'B',
  'ä',
  'a b',
  '_',
  '%',
  "it's",
  '"quoted"',
  '1',
  '\n',
  'z'.repeat(700),
  '\u{ffee}',
  '\u{1f980}',
] as const;

type Values = Readonly<Record<string, SqlValue>>;

const FILLED: Readonly<Record<string, (i: number, text: string, random: () => number) => Values>> =
  {
    organizations: (i, text) => ({
      id: `o${i}`,
      name: `${text}-${i}`,
      monthly_quota: 9_007_199_254_740_991,
      throttle_per_minute: 60,
      throttle_burst: 1,
      created_at_ms: i,
    }),
    api_keys: (i, text) => ({
      id: `key${i}`,
      organization_id: 'o0',
      secret_sha256: text,
      scopes: '',
      note: i % 2 === 0 ? null : text,
      created_at_ms: 1,
      expires_at_ms: null,
      revoked_at_ms: i,
      last_used_day: null,
    }),
    balances: (i) => ({
      organization_id: 'o0',
      month: `m${i}`,
      quota: 10,
      granted: i,
      used: 5,
      reserved: 5,
      calls: 0,
    }),
    ledger: (i, text) => ({
      request_id: `${text}#${i}`,
      organization_id: 'o0',
      key_id: i % 2 === 0 ? null : 'key0',
      month: 'm',
      kind: 'charge',
      tokens: 1 + i,
      balance_after: 0,
      route: text,
      at_ms: 1_799_999_999_999,
    }),
    reservations: (i) => ({
      request_id: `r${i}`,
      organization_id: 'o0',
      month: 'm',
      tokens: 1,
      lease_until_ms: i,
    }),
    throttles: (i, text) => ({
      organization_id: 'o0',
      policy: `${text}#${i}`,
      tat_us: 1_799_999_999_999_999,
    }),
    forced_refreshes: (i) => ({
      organization_id: 'o0',
      slot: i,
      at_us: 1_799_999_999_999_999,
    }),
    usage_days: (i, text) => ({
      organization_id: 'o0',
      month: 'm',
      day: i,
      route: text,
      key_id: 'key0',
      tokens: 1,
      calls: 1,
    }),
    idempotency_keys: (i, text) => ({
      organization_id: 'o0',
      idempotency_key: `${text}#${i}`,
      request_id: '',
      fingerprint: text,
      expires_at_ms: 1,
      bytes: i % 2,
      status: i % 2 === 0 ? null : 200,
      body: i % 2 === 0 ? null : text,
      tokens_consumed: i % 2 === 0 ? null : 0,
      tokens_remaining: i % 2 === 0 ? null : i,
    }),
    idempotency_space: (i) => ({ organization_id: `o${i}`, bytes: i }),
    shops: (i, text) => ({ slug: `${text}#${i}`, domain: `d${i}`, claimed_at_ms: 0 }),
    shop_facts: (i, text) => ({
      host: `${text}#${i}`,
      platform: 'hosted',
      currency: null,
      learned_at_ms: 0,
    }),
    listings: (i, text) => ({
      id: `l${i}`,
      retailer: 'retailer_w',
      listing_key: `${text}#${i}`,
      url: text,
      gtin14: i % 3 === 0 ? null : text,
      found_via: 'submitted_url',
      outcome: 'ok',
      checked_at_ms: 1,
      fetched_at_ms: i % 2 === 0 ? null : 2,
      record: i % 2 === 0 ? null : `{"title":"${text}"}`,
      price_cents: -1,
      currency: null,
      in_stock: 0,
    }),
    observations: (i) => ({
      day: 0,
      listing_id: `l${i % 10}`,
      observed_at_ms: i,
      price_cents: i % 2 === 0 ? null : 100,
      native_cents: i % 2 === 0 ? 100 : null,
      native_currency: 'EUR',
      in_stock: i % 5 === 0 ? null : 1,
    }),
    packed_observations: (i, text) => ({
      listing_id: `l${i % 10}`,
      year: 1900 + i,
      observations: 1 + i,
      priced_days: i,
      first_ms: i,
      last_ms: i,
      packed: text,
    }),
    cells: (i, text) => ({
      gtin14: `${text}#${i}`,
      retailer: 'retailer_w',
      status: 'ok',
      listing_id: i % 2 === 0 ? null : 'l1',
      identity_state: 'confirmed',
      identity_method: 'page_barcode',
      page_barcode: text,
      source: 'primary',
      found_via: null,
      checked_at_ms: 1,
    }),
    offer_lists: (i) => ({ listing_id: `l${i}`, fetched_at_ms: 1, offers_count: i }),
    archived_offers: (i, text) => ({
      listing_id: 'l0',
      observed_at_ms: Math.floor(i / 3),
      place: i % 3,
      offer_id: text,
      seller_key: null,
      price_cents: 1,
      before_cents: null,
      is_partial: i % 2,
      record: text,
    }),
    sellers: (i, text) => ({
      seller_key: `${text}#${i}`,
      seller_hex: text,
      catalog_id: null,
      seller_type: '3p',
      met_at_ms: 1,
      profile: null,
      fetched_at_ms: null,
    }),
    reviews: (i, text) => ({
      item_id: text,
      review_id: `${i}`,
      day: '2026-02-28',
      stars: 1 + (i % 5),
      is_verified: null,
      title: null,
      body: text,
      seen_at_ms: 1,
    }),
    review_totals: (i, text, random) => ({
      item_id: `${text}#${i}`,
      average: pick(random, [random() * 5, 4, 0.1 + 0.2, 1e-7, 123_456_789.123_456_78, null]),
      total: null,
      distribution: text,
      fetched_at_ms: 1,
    }),
    jobs: (i, text) => ({
      id: `${text}#${i}`,
      kind: i % 2 === 0 ? 'barcode' : 'listing',
      retailer: 'retailer_w',
      gtin14: i % 2 === 0 ? text : null,
      listing_key: i % 2 === 0 ? null : text,
      url: i % 2 === 0 ? null : text,
      organization_id: '',
      priority: -1,
      demand: 1,
      run_at_ms: 0,
      attempts: 0,
      lease_until_ms: i % 4 === 0 ? 1 : null,
      claim_token: i % 4 === 0 ? `t${i}` : null,
      parked_at_ms: null,
      reason: null,
      created_at_ms: 0,
      since_ms: i % 2 === 0 ? null : i,
      is_charged: i % 2,
    }),
    watches: (i, text) => ({
      id: `w${i}`,
      organization_id: 'o0',
      key_id: 'key0',
      identifiers: text,
      gtin14: i % 2 === 0 ? text : null,
      retailer: text,
      interval_ms: 3_600_000 + i,
      rules: text,
      channels: text,
      failing_after: 3,
      state: text,
      version: i,
      seed: i,
      paused_at_ms: i % 2 === 0 ? null : i,
      next_at_ms: i,
      round_at_ms: i % 2 === 0 ? null : i,
      read_at_ms: i % 2 === 0 ? null : i,
      failed_rounds: i,
      trouble: i % 2 === 0 ? null : 'failing',
      reason: i % 2 === 0 ? null : text,
      created_at_ms: i,
    }),
    watch_listings: (i, text) => ({ listing_id: `${text}#${i}`, watch_id: 'w0' }),
    watched_listings: (i, text) => ({
      organization_id: 'o0',
      listing_id: `${text}#${i}`,
      known: text,
      version: i,
    }),
    feeds: (i) => ({ organization_id: `o${i}`, last_seq: i, pruned_seq: 0 }),
    changes: (i, text) => ({
      organization_id: 'o0',
      seq: i,
      listing_id: text,
      kind: text,
      body: text,
      written_at_ms: i,
    }),
    notices: (i, text) => ({
      id: `${text}#${i}`,
      organization_id: 'o0',
      watch_id: text,
      listing_id: i % 2 === 0 ? null : text,
      kind: text,
      body: text,
      at_ms: i,
    }),
    job_turns: (i, text) => ({ organization_id: `${text}#${i}`, turn: i }),
    misses: (i, text) => ({
      id: `${text}#${i}`,
      detail: text,
      upstream: i % 2 === 0 ? null : 'not_a_product',
      noted_at_ms: i,
    }),
    takedowns: (i, text) => ({
      host: `${text}#${i}`,
      taken_down_at_ms: i,
      undone_at_ms: i % 2 === 0 ? null : i + 1,
    }),
    unknown_words: (i, text) => ({
      day: '2026-01-01',
      retailer: text,
      page_kind: `${i}`,
      vocabulary: text,
      word: text,
      readings: 1,
    }),
    reading_counts: (i, text) => ({
      day: '2026-01-01',
      retailer: text,
      page_kind: text,
      outcome: `${i}`,
      fields: 'title -gtin',
      readings: 1 + i,
    }),
  };

/** Rows of each table; throws for a table that nothing is known of here. */
export async function fillStore(
  sql: Sql,
  random: () => number,
  rowsOf: (table: string) => number = () => 30,
): Promise<void> {
  for (const table of TABLES) {
    const make = FILLED[table.name];
    if (make === undefined) throw new Error(`no rows for ${table.name}: add some`);
    const rows: Values[] = [];
    for (let i = 0; i < rowsOf(table.name); i += 1) {
      const text = pick(random, WORDS) + (random() < 0.5 ? '' : pick(random, WORDS));
      rows.push(make(i, text, random));
    }
    await sql.write(insertRows(table, rows));
  }
}

/** Every row of every table that a move carries, as the database gives it. */
export async function contentOf(sql: Sql): Promise<Readonly<Record<string, readonly Values[]>>> {
  const tables = TABLES.map(async ({ name, key }) => {
    const rows = await sql.all(`select * from ${name} order by ${key.join(', ')}`);
    return [name, rows.map((row) => ({ ...row }))] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}
