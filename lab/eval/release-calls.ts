// The calls by which this checkout is compared with a release: every route, every parameter, every kind of identifier
// and every kind of trouble of the simulated market, in one fixed order.

export type ReleaseCall = {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'HEAD' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** `reader` may not refresh, `none` sends no key, `wrong` one that does not exist. */
  readonly key?: 'full' | 'reader' | 'none' | 'wrong';
};

type Trouble = Readonly<Record<string, { url: string; id: string; gtin: string | null }>>;

/** What `openshelf sandbox --describe --json` prints, as far as the calls need it. */
export type Described = {
  readonly url: Readonly<Record<string, string>>;
  readonly variant_url: string;
  readonly out_of_stock_url: string;
  readonly other_pages: Readonly<Record<string, string>>;
  readonly trouble: Readonly<Record<string, string>>;
  readonly upc: string;
  readonly ean: string;
  readonly isbn: string | null;
  readonly gtin: string;
  readonly item_id: string;
  readonly asin: string;
  readonly retailer_b_sku: string;
  readonly retailer_b_product_id: string;
  readonly seller_id: string;
  readonly catalog_seller_id: string;
  readonly seller_item_id: string;
  readonly first_party_seller_id: string;
  readonly retailers: Readonly<
    Record<string, { url: string; id: string; variant_url: string; trouble: Trouble }>
  >;
};

const product = (id: string, query = ''): ReleaseCall => ({
  path: `/v1/products/${encodeURIComponent(id)}${query}`,
});

const ANY_CELLS = '?include_cross_retailer=true&identifier_match=any';

/** All calls, the ordinary ones first: what goes wrong afterwards cannot hide what went right. */
export function releaseCalls(world: Described): readonly ReleaseCall[] {
  return [
    ...service(),
    ...identifiers(world),
    ...addOns(world),
    ...otherRoutes(world),
    ...mistakes(world),
    ...trouble(world),
    ...identifiers(world),
    ...service(),
  ];
}

function service(): readonly ReleaseCall[] {
  return [
    '/livez',
    '/readyz',
    '/openapi.json',
    '/v1',
    '/v1/usage',
    '/v1/retailers',
    '/v1/rate-cards',
    '/docs',
    '/v1/nothing',
    '/V1/products/1',
    '/',
    '/v1/lookup/123',
  ].map((path) => ({ path }));
}

function identifiers(world: Described): readonly ReleaseCall[] {
  const { item_id: item, upc, ean, isbn, gtin, asin } = world;
  const texts = [upc, ean, isbn, gtin, item, asin, asin.toLowerCase(), world.retailer_b_sku];
  const formats = ['UPC', 'EAN', 'ISBN', 'GTIN', 'ASIN', 'item_id', 'sku'];
  return [
    ...[...texts, world.retailer_b_product_id, world.variant_url, world.out_of_stock_url]
      .filter((text) => text !== null)
      .map((text) => product(text)),
    ...Object.values(world.url).flatMap((url) => [
      product(url),
      { path: `/v1/products?url=${encodeURIComponent(`${url}?utm_source=x#part`)}` },
    ]),
    ...Object.values(world.retailers).flatMap(({ id, variant_url: variant }) => [
      product(id),
      product(variant),
    ]),
    ...formats.flatMap((format) => [upc, item, asin].map((id) => product(id, `?format=${format}`))),
  ];
}

function addOns(world: Described): readonly ReleaseCall[] {
  const { item_id: item, upc, asin, seller_item_id: sold, url } = world;
  const flags = [
    'include_cross_retailer=true',
    'include_seller_context=true',
    'include_offers=true',
    'include_offers_reviews=1',
    'include_offers_history=TRUE',
    'include_price_series=true',
    'include_fee_breakdown=true',
    'include_history=false',
    'include_stats=0',
    'include_cross_retailer=true&include_seller_context=true&include_offers_reviews=true',
    'include_force_refresh=true',
    'include_cross_retailer=true&identifier_match=any',
    'include_cross_retailer=true&identifier_match=confirmed',
  ];
  const ids = [item, upc, asin, sold, url['hosted'] ?? ''];
  const slugs = [...Object.keys(world.retailers), 'lanternworks', 'nowhere'];
  return [
    ...flags.flatMap((flag) => ids.map((id) => product(id, `?${flag}`))),
    ...slugs.flatMap((slug) => [
      product(upc, `?retailer=${slug}`),
      product(upc, `?retailer=${slug}&force_refresh=true`),
      product(upc, `?retailer=${slug}&include_cross_retailer=true&identifier_match=any`),
      product(item, `?retailer=${slug}`),
      product(world.retailers[slug]?.url ?? url['json_ld'] ?? '', `?retailer=${slug}`),
    ]),
  ];
}

function otherRoutes(world: Described): readonly ReleaseCall[] {
  const { item_id: item, upc, asin, url } = world;
  const slugs = [...Object.keys(world.retailers), 'all'];
  const frames = ['7d', '30d', '90d', '1y', 'all', '2d'];
  const seller = world.seller_id;
  const history = (id: string, query = '') => product(id, '').path + `/history${query}`;
  const reviews = (id: string, query = '') => product(id, '').path + `/reviews${query}`;
  const refresh = (id: string, query = ''): ReleaseCall => ({
    path: `${product(id).path}/refresh${query}`,
    method: 'POST',
  });
  return [
    ...slugs.map((slug) => ({ path: history(upc, `?retailer=${slug}`) })),
    ...frames.map((frame) => ({ path: history(item, `?timeframe=${frame}&retailer=all`) })),
    ...[asin, url['json_ld'] ?? '', '999999'].map((id) => ({ path: history(id) })),
    ...[upc, item, asin, url['retailer_w'] ?? '', '999999'].map((id) => ({ path: reviews(id) })),
    { path: reviews(item, '?start_date=2020-01-01') },
    { path: reviews(item, '?start_date=2026-02-01&end_date=2026-01-01') },
    ...[seller, seller.toLowerCase(), world.catalog_seller_id, world.first_party_seller_id].map(
      (id) => ({ path: `/v1/sellers/${id}` }),
    ),
    { path: '/v1/sellers/abc' },
    { path: `/v1/sellers/${'Z'.repeat(32)}` },
    ...[item, upc, asin, url['json_ld'] ?? '', world.retailer_b_sku].flatMap((id) => [
      refresh(id),
      refresh(id, '?include_offers_reviews=false'),
    ]),
    refresh(upc, '?retailer=retailer_b'),
    refresh(item, '?include_price_series=true&include_cross_retailer=true'),
    { ...product(item), headers: { 'idempotency-key': 'k-1' } },
    { ...product(item), headers: { 'idempotency-key': 'k-1' } },
    { ...product(asin), headers: { 'idempotency-key': 'k-1' } },
    { ...product(item), method: 'HEAD' },
    { ...product(item), headers: { 'x-request-id': 'my-own-id' } },
  ];
}

function mistakes({ item_id: item, upc, other_pages: pages }: Described): readonly ReleaseCall[] {
  const queries = [
    'include_offers=maybe',
    'include_offer=true',
    'force_refresh=true',
    'force_refresh=true&include_force_refresh=true&retailer=retailer_w',
    'identifier_match=some',
    'retailer=Retailer-W',
    'retailer=a',
    'format=XYZ',
    'include_offers=true&include_offers=false',
  ];
  const texts = [
    'lamp',
    ' ',
    '614141000006',
    '00614141000006',
    '2012345678900',
    '12345',
    'http://127.0.0.1/',
    'http://10.0.0.1/p/1',
    'https://nobody.invalid/p/1',
    'ftp://www.example.com/p/1',
    'https://user:pw@www.lanternworks.example/p/1',
    'x'.repeat(300),
  ];
  const keys = ['none', 'wrong', 'reader'] as const;
  return [
    ...queries.map((query) => product(item, `?${query}`)),
    ...texts.map((text) => product(text)),
    ...Object.values(pages).map((url) => product(url)),
    ...keys.map((key) => ({ ...product(upc, '?retailer=retailer_w&force_refresh=1'), key })),
    { path: '/v1/usage', key: 'none' },
    { path: `/v1/products/${item}`, method: 'DELETE' },
    { path: `/v1/products/${item}/refresh` },
    { path: `/v1/products/${'1'.repeat(8_300)}` },
  ];
}

function trouble(world: Described): readonly ReleaseCall[] {
  return [
    ...Object.values(world.trouble).map((url) => product(url)),
    ...Object.entries(world.retailers).flatMap(([slug, { trouble: pointers }]) =>
      Object.entries(pointers).flatMap(([kind, { url, gtin }]) => [
        product(url, ANY_CELLS),
        // A shop that does not answer costs a caller its whole deadline: once is enough.
        ...(gtin === null || kind === 'slow' || kind === 'down' ? [] : [product(gtin, ANY_CELLS)]),
        ...(gtin === null || !['wrong_barcode', 'no_barcode', 'gone'].includes(kind)
          ? []
          : [product(gtin, `?retailer=${slug}`)]),
      ]),
    ),
  ];
}
