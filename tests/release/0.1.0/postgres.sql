CREATE TABLE public.api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    secret_sha256 text NOT NULL COLLATE pg_catalog."C",
    scopes text NOT NULL COLLATE pg_catalog."C",
    note text COLLATE pg_catalog."C",
    created_at_ms bigint NOT NULL,
    expires_at_ms bigint,
    revoked_at_ms bigint,
    last_used_day text COLLATE pg_catalog."C"
);
CREATE TABLE public.archived_offers (
    listing_id text NOT NULL COLLATE pg_catalog."C",
    observed_at_ms bigint NOT NULL,
    place bigint NOT NULL,
    offer_id text COLLATE pg_catalog."C",
    seller_key text COLLATE pg_catalog."C",
    price_cents bigint,
    before_cents bigint,
    record text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT archived_offers_before_cents_check CHECK ((before_cents > 0)),
    CONSTRAINT archived_offers_place_check CHECK ((place >= 0)),
    CONSTRAINT archived_offers_price_cents_check CHECK ((price_cents > 0))
);
CREATE TABLE public.balances (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    month text NOT NULL COLLATE pg_catalog."C",
    quota bigint NOT NULL,
    granted bigint NOT NULL,
    used bigint NOT NULL,
    reserved bigint NOT NULL,
    calls bigint NOT NULL,
    CONSTRAINT balances_calls_check CHECK ((calls >= 0)),
    CONSTRAINT balances_check CHECK (((used + reserved) <= (quota + granted))),
    CONSTRAINT balances_granted_check CHECK ((granted >= 0)),
    CONSTRAINT balances_quota_check CHECK ((quota >= 0)),
    CONSTRAINT balances_reserved_check CHECK ((reserved >= 0)),
    CONSTRAINT balances_used_check CHECK ((used >= 0))
);
CREATE TABLE public.cells (
    gtin14 text NOT NULL COLLATE pg_catalog."C",
    retailer text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    listing_id text COLLATE pg_catalog."C",
    identity_state text NOT NULL COLLATE pg_catalog."C",
    identity_method text COLLATE pg_catalog."C",
    page_barcode text COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    found_via text COLLATE pg_catalog."C",
    checked_at_ms bigint NOT NULL,
    CONSTRAINT cells_check CHECK (((identity_method IS NULL) OR (identity_state <> 'unconfirmed'::text))),
    CONSTRAINT cells_identity_method_check CHECK ((identity_method = ANY (ARRAY['catalog_key'::text, 'page_barcode'::text]))),
    CONSTRAINT cells_identity_state_check CHECK ((identity_state = ANY (ARRAY['confirmed'::text, 'unconfirmed'::text, 'mismatch'::text]))),
    CONSTRAINT cells_source_check CHECK ((source = ANY (ARRAY['primary'::text, 'secondary'::text]))),
    CONSTRAINT cells_status_check CHECK ((status = ANY (ARRAY['ok'::text, 'not_found'::text, 'blocked'::text, 'error'::text])))
);
CREATE TABLE public.heartbeat (
    id integer NOT NULL,
    beats bigint NOT NULL
);
CREATE TABLE public.host_slots (
    host text NOT NULL COLLATE pg_catalog."C",
    next_at_ms bigint NOT NULL
);
CREATE TABLE public.idempotency_keys (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    request_id text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    expires_at_ms bigint NOT NULL,
    bytes bigint NOT NULL,
    status bigint,
    body text COLLATE pg_catalog."C",
    tokens_consumed bigint,
    tokens_remaining bigint,
    CONSTRAINT idempotency_keys_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT idempotency_keys_check CHECK (((status IS NULL) = (body IS NULL))),
    CONSTRAINT idempotency_keys_check1 CHECK (((body IS NULL) = (tokens_consumed IS NULL))),
    CONSTRAINT idempotency_keys_check2 CHECK (((body IS NULL) = (tokens_remaining IS NULL))),
    CONSTRAINT idempotency_keys_check3 CHECK (((body IS NOT NULL) OR (bytes = 0))),
    CONSTRAINT idempotency_keys_status_check CHECK (((status >= 200) AND (status <= 299))),
    CONSTRAINT idempotency_keys_tokens_consumed_check CHECK ((tokens_consumed >= 0)),
    CONSTRAINT idempotency_keys_tokens_remaining_check CHECK ((tokens_remaining >= 0))
);
CREATE TABLE public.idempotency_space (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    bytes bigint NOT NULL,
    CONSTRAINT idempotency_space_bytes_check CHECK ((bytes >= 0))
);
CREATE TABLE public.job_turns (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    turn bigint NOT NULL
);
CREATE TABLE public.jobs (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    retailer text NOT NULL COLLATE pg_catalog."C",
    gtin14 text COLLATE pg_catalog."C",
    listing_key text COLLATE pg_catalog."C",
    url text COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    priority bigint NOT NULL,
    demand bigint NOT NULL,
    run_at_ms bigint NOT NULL,
    attempts bigint NOT NULL,
    lease_until_ms bigint,
    claim_token text COLLATE pg_catalog."C",
    parked_at_ms bigint,
    reason text COLLATE pg_catalog."C",
    created_at_ms bigint NOT NULL,
    CONSTRAINT jobs_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT jobs_check CHECK (((kind = 'barcode'::text) = (gtin14 IS NOT NULL))),
    CONSTRAINT jobs_check1 CHECK (((kind = 'listing'::text) = ((listing_key IS NOT NULL) AND (url IS NOT NULL)))),
    CONSTRAINT jobs_check2 CHECK (((lease_until_ms IS NULL) = (claim_token IS NULL))),
    CONSTRAINT jobs_check3 CHECK (((parked_at_ms IS NULL) OR ((lease_until_ms IS NULL) AND (reason IS NOT NULL)))),
    CONSTRAINT jobs_demand_check CHECK ((demand > 0)),
    CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY['barcode'::text, 'listing'::text])))
);
CREATE TABLE public.leases (
    id text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    until_ms bigint NOT NULL
);
CREATE TABLE public.ledger (
    request_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    key_id text COLLATE pg_catalog."C",
    month text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    tokens bigint NOT NULL,
    balance_after bigint NOT NULL,
    route text NOT NULL COLLATE pg_catalog."C",
    at_ms bigint NOT NULL,
    CONSTRAINT ledger_balance_after_check CHECK ((balance_after >= 0)),
    CONSTRAINT ledger_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'grant'::text]))),
    CONSTRAINT ledger_tokens_check CHECK ((tokens > 0))
);
CREATE TABLE public.listings (
    id text NOT NULL COLLATE pg_catalog."C",
    retailer text NOT NULL COLLATE pg_catalog."C",
    listing_key text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    gtin14 text COLLATE pg_catalog."C",
    found_via text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    checked_at_ms bigint NOT NULL,
    fetched_at_ms bigint,
    record text COLLATE pg_catalog."C",
    price_cents bigint,
    currency text COLLATE pg_catalog."C",
    in_stock integer,
    CONSTRAINT listings_check CHECK (((record IS NULL) = (fetched_at_ms IS NULL)))
);
CREATE TABLE public.misses (
    id text NOT NULL COLLATE pg_catalog."C",
    detail text NOT NULL COLLATE pg_catalog."C",
    upstream text COLLATE pg_catalog."C",
    noted_at_ms bigint NOT NULL
);
CREATE TABLE public.observations (
    day bigint NOT NULL,
    listing_id text NOT NULL COLLATE pg_catalog."C",
    observed_at_ms bigint NOT NULL,
    price_cents bigint,
    native_cents bigint,
    native_currency text COLLATE pg_catalog."C",
    in_stock integer,
    CONSTRAINT observations_check1 CHECK ((day = (observed_at_ms / 86400000))),
    CONSTRAINT observations_check2 CHECK (((price_cents IS NULL) OR (native_cents IS NULL))),
    CONSTRAINT observations_in_stock_check1 CHECK ((in_stock = ANY (ARRAY[0, 1]))),
    CONSTRAINT observations_native_cents_check1 CHECK ((native_cents > 0)),
    CONSTRAINT observations_price_cents_check1 CHECK ((price_cents > 0))
)
PARTITION BY RANGE (observed_at_ms);
CREATE TABLE public.observations_rest (
    day bigint NOT NULL,
    listing_id text NOT NULL COLLATE pg_catalog."C",
    observed_at_ms bigint NOT NULL,
    price_cents bigint,
    native_cents bigint,
    native_currency text COLLATE pg_catalog."C",
    in_stock integer,
    CONSTRAINT observations_check1 CHECK ((day = (observed_at_ms / 86400000))),
    CONSTRAINT observations_check2 CHECK (((price_cents IS NULL) OR (native_cents IS NULL))),
    CONSTRAINT observations_in_stock_check1 CHECK ((in_stock = ANY (ARRAY[0, 1]))),
    CONSTRAINT observations_native_cents_check1 CHECK ((native_cents > 0)),
    CONSTRAINT observations_price_cents_check1 CHECK ((price_cents > 0))
);
CREATE TABLE public.offer_lists (
    listing_id text NOT NULL COLLATE pg_catalog."C",
    fetched_at_ms bigint NOT NULL,
    offers_count bigint NOT NULL,
    CONSTRAINT offer_lists_offers_count_check CHECK ((offers_count >= 0))
);
CREATE TABLE public.organizations (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    monthly_quota bigint NOT NULL,
    throttle_per_minute bigint NOT NULL,
    throttle_burst bigint NOT NULL,
    created_at_ms bigint NOT NULL,
    CONSTRAINT organizations_monthly_quota_check CHECK ((monthly_quota >= 0)),
    CONSTRAINT organizations_throttle_burst_check CHECK (((throttle_burst >= 1) AND (throttle_burst <= 60000000))),
    CONSTRAINT organizations_throttle_per_minute_check CHECK (((throttle_per_minute >= 1) AND (throttle_per_minute <= 60000000)))
);
CREATE TABLE public.packed_observations (
    listing_id text NOT NULL COLLATE pg_catalog."C",
    year bigint NOT NULL,
    observations bigint NOT NULL,
    priced_days bigint NOT NULL,
    first_ms bigint NOT NULL,
    last_ms bigint NOT NULL,
    packed text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT packed_observations_check CHECK ((first_ms <= last_ms)),
    CONSTRAINT packed_observations_observations_check CHECK ((observations > 0)),
    CONSTRAINT packed_observations_priced_days_check CHECK ((priced_days >= 0))
);
CREATE TABLE public.reading_counts (
    day text NOT NULL COLLATE pg_catalog."C",
    retailer text NOT NULL COLLATE pg_catalog."C",
    page_kind text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    fields text NOT NULL COLLATE pg_catalog."C",
    readings bigint NOT NULL,
    CONSTRAINT reading_counts_readings_check CHECK ((readings > 0))
);
CREATE TABLE public.reservations (
    request_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    month text NOT NULL COLLATE pg_catalog."C",
    tokens bigint NOT NULL,
    lease_until_ms bigint NOT NULL,
    CONSTRAINT reservations_tokens_check CHECK ((tokens > 0))
);
CREATE TABLE public.review_totals (
    item_id text NOT NULL COLLATE pg_catalog."C",
    average double precision,
    total bigint,
    distribution text COLLATE pg_catalog."C",
    fetched_at_ms bigint NOT NULL
);
CREATE TABLE public.reviews (
    item_id text NOT NULL COLLATE pg_catalog."C",
    review_id text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    stars integer NOT NULL,
    is_verified integer,
    title text COLLATE pg_catalog."C",
    body text COLLATE pg_catalog."C",
    seen_at_ms bigint NOT NULL,
    CONSTRAINT reviews_is_verified_check CHECK ((is_verified = ANY (ARRAY[0, 1]))),
    CONSTRAINT reviews_stars_check CHECK (((stars >= 1) AND (stars <= 5)))
);
CREATE TABLE public.schema_versions (
    version integer NOT NULL
);
CREATE TABLE public.sellers (
    seller_key text NOT NULL COLLATE pg_catalog."C",
    seller_hex text COLLATE pg_catalog."C",
    catalog_id text COLLATE pg_catalog."C",
    seller_type text COLLATE pg_catalog."C",
    met_at_ms bigint NOT NULL,
    profile text COLLATE pg_catalog."C",
    fetched_at_ms bigint,
    CONSTRAINT sellers_check CHECK (((seller_hex IS NOT NULL) OR (catalog_id IS NOT NULL))),
    CONSTRAINT sellers_check1 CHECK (((profile IS NULL) = (fetched_at_ms IS NULL))),
    CONSTRAINT sellers_seller_type_check CHECK ((seller_type = ANY (ARRAY['1p'::text, '3p'::text])))
);
CREATE TABLE public.shop_facts (
    host text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    currency text COLLATE pg_catalog."C",
    learned_at_ms bigint NOT NULL,
    CONSTRAINT shop_facts_platform_check CHECK ((platform = ANY (ARRAY['hosted'::text, 'other'::text])))
);
CREATE TABLE public.shops (
    slug text NOT NULL COLLATE pg_catalog."C",
    domain text NOT NULL COLLATE pg_catalog."C",
    claimed_at_ms bigint NOT NULL
);
CREATE TABLE public.throttles (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    policy text NOT NULL COLLATE pg_catalog."C",
    tat_us bigint NOT NULL
);
CREATE TABLE public.unknown_words (
    day text NOT NULL COLLATE pg_catalog."C",
    retailer text NOT NULL COLLATE pg_catalog."C",
    page_kind text NOT NULL COLLATE pg_catalog."C",
    vocabulary text NOT NULL COLLATE pg_catalog."C",
    word text NOT NULL COLLATE pg_catalog."C",
    readings bigint NOT NULL,
    CONSTRAINT unknown_words_readings_check CHECK ((readings > 0))
);
CREATE TABLE public.usage_days (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    month text NOT NULL COLLATE pg_catalog."C",
    day bigint NOT NULL,
    route text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    tokens bigint NOT NULL,
    calls bigint NOT NULL,
    CONSTRAINT usage_days_calls_check CHECK ((calls > 0)),
    CONSTRAINT usage_days_tokens_check CHECK ((tokens > 0))
);
ALTER TABLE ONLY public.observations ATTACH PARTITION public.observations_rest DEFAULT;
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.archived_offers
    ADD CONSTRAINT archived_offers_pkey PRIMARY KEY (listing_id, observed_at_ms, place);
ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_pkey PRIMARY KEY (organization_id, month);
ALTER TABLE ONLY public.cells
    ADD CONSTRAINT cells_pkey PRIMARY KEY (gtin14, retailer);
ALTER TABLE ONLY public.heartbeat
    ADD CONSTRAINT heartbeat_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.host_slots
    ADD CONSTRAINT host_slots_pkey PRIMARY KEY (host);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, idempotency_key);
ALTER TABLE ONLY public.idempotency_space
    ADD CONSTRAINT idempotency_space_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.job_turns
    ADD CONSTRAINT job_turns_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_claim_token_key UNIQUE (claim_token);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_token_key UNIQUE (token);
ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.listings
    ADD CONSTRAINT listings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.misses
    ADD CONSTRAINT misses_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.observations
    ADD CONSTRAINT observations_pkey1 PRIMARY KEY (day, listing_id, observed_at_ms);
ALTER TABLE ONLY public.observations_rest
    ADD CONSTRAINT observations_rest_pkey PRIMARY KEY (day, listing_id, observed_at_ms);
ALTER TABLE ONLY public.offer_lists
    ADD CONSTRAINT offer_lists_pkey PRIMARY KEY (listing_id);
ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_name_key UNIQUE (name);
ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.packed_observations
    ADD CONSTRAINT packed_observations_pkey PRIMARY KEY (listing_id, year);
ALTER TABLE ONLY public.reading_counts
    ADD CONSTRAINT reading_counts_pkey PRIMARY KEY (day, retailer, page_kind, outcome, fields);
ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.review_totals
    ADD CONSTRAINT review_totals_pkey PRIMARY KEY (item_id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (item_id, review_id);
ALTER TABLE ONLY public.schema_versions
    ADD CONSTRAINT schema_versions_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.sellers
    ADD CONSTRAINT sellers_pkey PRIMARY KEY (seller_key);
ALTER TABLE ONLY public.shop_facts
    ADD CONSTRAINT shop_facts_pkey PRIMARY KEY (host);
ALTER TABLE ONLY public.shops
    ADD CONSTRAINT shops_domain_key UNIQUE (domain);
ALTER TABLE ONLY public.shops
    ADD CONSTRAINT shops_pkey PRIMARY KEY (slug);
ALTER TABLE ONLY public.throttles
    ADD CONSTRAINT throttles_pkey PRIMARY KEY (organization_id, policy);
ALTER TABLE ONLY public.unknown_words
    ADD CONSTRAINT unknown_words_pkey PRIMARY KEY (day, retailer, page_kind, vocabulary);
ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (organization_id, month, day, route, key_id);
CREATE INDEX api_keys_by_organization ON public.api_keys USING btree (organization_id);
CREATE INDEX cells_by_listing ON public.cells USING btree (listing_id) WHERE (listing_id IS NOT NULL);
CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at_ms);
CREATE INDEX job_turns_by_turn ON public.job_turns USING btree (turn);
CREATE INDEX jobs_by_gtin ON public.jobs USING btree (gtin14) WHERE (gtin14 IS NOT NULL);
CREATE INDEX jobs_by_lease ON public.jobs USING btree (lease_until_ms) WHERE (lease_until_ms IS NOT NULL);
CREATE INDEX jobs_by_time ON public.jobs USING btree (run_at_ms) WHERE (parked_at_ms IS NULL);
CREATE INDEX jobs_by_turn ON public.jobs USING btree (organization_id, priority DESC, demand DESC, run_at_ms) WHERE (parked_at_ms IS NULL);
CREATE INDEX leases_by_holder ON public.leases USING btree (holder);
CREATE INDEX ledger_by_month ON public.ledger USING btree (organization_id, month);
CREATE INDEX listings_by_gtin14 ON public.listings USING btree (gtin14) WHERE (gtin14 IS NOT NULL);
CREATE INDEX listings_by_success ON public.listings USING btree (retailer, fetched_at_ms) WHERE (fetched_at_ms IS NOT NULL);
CREATE INDEX misses_by_time ON public.misses USING btree (noted_at_ms);
CREATE INDEX reservations_by_lease ON public.reservations USING btree (lease_until_ms);
CREATE INDEX reviews_by_day ON public.reviews USING btree (item_id, day);
CREATE INDEX sellers_by_catalog_id ON public.sellers USING btree (catalog_id) WHERE (catalog_id IS NOT NULL);
CREATE INDEX sellers_by_hex ON public.sellers USING btree (seller_hex) WHERE (seller_hex IS NOT NULL);
ALTER INDEX public.observations_pkey1 ATTACH PARTITION public.observations_rest_pkey;
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.archived_offers
    ADD CONSTRAINT archived_offers_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES public.listings(id);
ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.cells
    ADD CONSTRAINT cells_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES public.listings(id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.idempotency_space
    ADD CONSTRAINT idempotency_space_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);
ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE public.observations
    ADD CONSTRAINT observations_listing_id_fkey1 FOREIGN KEY (listing_id) REFERENCES public.listings(id);
ALTER TABLE ONLY public.offer_lists
    ADD CONSTRAINT offer_lists_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES public.listings(id);
ALTER TABLE ONLY public.packed_observations
    ADD CONSTRAINT packed_observations_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES public.listings(id);
ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.throttles
    ADD CONSTRAINT throttles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);
ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
