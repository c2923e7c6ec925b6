// Every table that a move copies from one database to another: its columns, the key that orders the reads, and which tables
// must come before it. A table added by a migration gets its line here (a test compares them).

export type TableDefinition = {
  readonly name: string;
  /** The primary key, no part of which is ever null. Both databases order texts by their bytes. */
  readonly key: readonly string[];
  /** All columns, the key's first. */
  readonly columns: readonly string[];
};

function table(name: string, key: string, others: string): TableDefinition {
  const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');
  return { name, key: words(key), columns: [...words(key), ...words(others)] };
}

/** A table comes after those that its rows reference. */
export const TABLES: readonly TableDefinition[] = [
  table(
    'organizations',
    'id',
    'name monthly_quota throttle_per_minute throttle_burst created_at_ms has_own_facts',
  ),
  table(
    'api_keys',
    'id',
    'organization_id secret_sha256 scopes note created_at_ms expires_at_ms revoked_at_ms last_used_day',
  ),
  table(
    'sessions',
    'id',
    'key_id secret_sha256 user_agent created_at_ms expires_at_ms last_used_day',
  ),
  table('sign_in_codes', 'code_sha256', 'key_id created_at_ms expires_at_ms'),
  table('balances', 'organization_id month', 'quota granted used reserved calls'),
  table(
    'ledger_entries',
    'request_id',
    'organization_id key_id month kind tokens balance_after route at_ms',
  ),
  table('charge_batches', 'id', 'organization_id key_id month balance_after route at_ms'),
  table('charges', 'request_id', 'batch_id tokens later'),
  table('reservations', 'request_id', 'organization_id month tokens lease_until_ms monthly_quota'),
  table('throttles', 'organization_id policy', 'tat_us'),
  table('forced_refreshes', 'organization_id slot', 'at_us'),
  table('usage_days', 'organization_id month day route key_id', 'tokens calls'),
  table(
    'idempotency_keys',
    'organization_id idempotency_key',
    'request_id fingerprint expires_at_ms bytes status body tokens_consumed tokens_remaining',
  ),
  table('idempotency_space', 'organization_id', 'bytes'),
  table('shops', 'slug', 'domain claimed_at_ms'),
  table('shop_facts', 'host', 'platform currency learned_at_ms'),
  table('shop_doors', 'host door', 'is_there detail learned_at_ms refused_until_ms'),
  table(
    'listings',
    'id',
    'retailer listing_key url gtin14 found_via outcome checked_at_ms fetched_at_ms record price_cents ' +
      'currency in_stock moved_to moved_since_ms shown_count layer_of is_layered organization_id is_shared source door',
  ),
  table(
    'observations',
    'day listing_id observed_at_ms',
    'price_cents native_cents native_currency in_stock',
  ),
  table(
    'packed_observations',
    'listing_id year',
    'observations priced_days first_ms last_ms packed',
  ),
  table(
    'cells',
    'gtin14 retailer',
    'status listing_id identity_state identity_method page_barcode source found_via checked_at_ms ' +
      'asked_at_ms judged_by answered_by door',
  ),
  table('offer_lists', 'listing_id', 'fetched_at_ms offers_count source door'),
  table(
    'archived_offers',
    'listing_id observed_at_ms place',
    'offer_id seller_key price_cents before_cents record is_partial source door',
  ),
  table(
    'sellers',
    'seller_key',
    'seller_hex catalog_id seller_type met_at_ms profile fetched_at_ms source door offered_at_ms offered_by',
  ),
  table('reviews', 'item_id review_id', 'day stars is_verified title body seen_at_ms source door'),
  table('review_totals', 'item_id', 'average total distribution fetched_at_ms source door'),
  table(
    'jobs',
    'id',
    'kind retailer gtin14 listing_key url organization_id priority demand run_at_ms attempts ' +
      'lease_until_ms claim_token parked_at_ms reason created_at_ms since_ms is_charged',
  ),
  table('job_turns', 'organization_id', 'turn'),
  table('reading_counts', 'day retailer page_kind outcome fields', 'readings'),
  table('unknown_words', 'day retailer page_kind vocabulary', 'word readings'),
  table('misses', 'id', 'detail upstream noted_at_ms'),
  table('source_states', 'source question', 'kind reason since_ms heard_at_ms rest_ms'),
  table('source_calls', 'source from_ms', 'calls'),
  table('barcode_facts', 'gtin14', 'source asked_at_ms outcome facts'),
  table(
    'watches',
    'id',
    'organization_id key_id identifiers gtin14 retailer interval_ms rules channels failing_after state version ' +
      'seed paused_at_ms next_at_ms round_at_ms read_at_ms failed_rounds trouble reason created_at_ms ' +
      'sources sourced_at_ms tags looked_at_ms',
  ),
  table('watch_listings', 'listing_id watch_id', ''),
  table('watched_listings', 'organization_id listing_id', 'known version source sourced_at_ms'),
  table('feeds', 'organization_id', 'last_seq pruned_seq'),
  table(
    'changes',
    'organization_id seq',
    'listing_id kind body written_at_ms source sourced_at_ms',
  ),
  table('notices', 'id', 'organization_id watch_id listing_id kind body at_ms source'),
  table(
    'channels',
    'id',
    'organization_id kind name hint target created_at_ms paused_at_ms failures rest_until_ms tried_at_ms ' +
      'delivered_at_ms status detail lease_until_ms claim_token is_unconfirmed schedule',
  ),
  table(
    'deliveries',
    'id',
    'organization_id channel_id watch_id notice_id subject seq state attempts since_ms next_at_ms created_at_ms ' +
      'tried_at_ms delivered_at_ms status detail excerpt',
  ),
  table(
    'page_rules',
    'id',
    'organization_id author host field choice snapshot created_at_ms used_at_ms doubtful_at_ms withdrawn_at_ms withdrawn_url',
  ),
  table('takedowns', 'host', 'taken_down_at_ms undone_at_ms is_cleared'),
];
