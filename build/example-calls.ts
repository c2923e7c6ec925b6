// The calls whose answers are the examples of the OpenAPI document, one per line. The calls that prepare one are above it.

import { KNOWN_SLUGS } from '../src/base/retailer.ts';
import type { Manner, Stage } from './produce-examples.ts';

/** Makes every call. A refusal does not need a line per route: one per code covers all routes. */
export async function exampleCalls(stage: Stage): Promise<void> {
  const key = await stage.keyOf('OPERATOR', { name: 'operator' }, ['admin']);
  await installation(stage, key);
  await history(stage);
  await products(stage);
  await batches(stage);
  await otherAnswers(stage);
  await handedIn(stage);
  await operator(stage, key);
  await refusals(stage);
  await failures(stage);
}

const at = (id: string | null, query = '') =>
  `/v1/products/${encodeURIComponent(id ?? '')}${query}`;
const FORCED_W = '?retailer=retailer_w&force_refresh=true';
const FORCED_A = '?retailer=retailer_a&force_refresh=true';

/** Several days on which prices were observed. */
async function history({ told, daysBefore, prepare, keep }: Stage): Promise<void> {
  for (const days of [75, 41, 26, 12, 5, 1]) {
    await daysBefore(days);
    await prepare(at(told.item_id, FORCED_W));
    await prepare(at(told.asin, FORCED_A));
  }
  // The day before: its archived prices are higher or lower than today's.
  await prepare(at(told.item_id, '?include_offers=true'));
  await daysBefore(0);
  // A page that is exactly one day old is read again by whichever job sees it first, so it is read again here.
  await prepare(at(told.asin, FORCED_A));
  await keep('getProduct 200 forced', 'One retailer, fetched now', at(told.item_id, FORCED_W));
  await keep('getPriceHistory 200 month', 'The prices of 30 days', `${at(told.item_id)}/history`);
}

async function products({ told, prepare, keep }: Stage): Promise<void> {
  const { item_id: item, gtin, asin, url } = told;
  // The pages of all seven retailers are about one product: their data goes into its record and its cells.
  for (const slug of KNOWN_SLUGS) await prepare(at(url[slug] ?? ''));
  await keep('getProduct 200 address', 'Any shop, by the address of a page', at(url.hosted));
  await keep('getProduct 200 asin', 'A lookup by ASIN', at(asin));
  await keep('getProduct 200 barcode', 'A lookup by barcode', at(gtin));
  await keep('getProduct 200 offers', 'With live offers', at(item, '?include_offers=true'));
  await keep(
    'getProduct 200 offers_reviews',
    'With live offers and reviews, without price history',
    at(item, '?include_offers_reviews=true&include_history=false&include_stats=false'),
  );
  await keep(
    'getProduct 200 cross_retailer',
    'The last known price of a barcode at each retailer, including guessed rows',
    at(gtin, '?include_cross_retailer=true&identifier_match=any'),
  );
  await keep(
    'getProduct 200 seller_context',
    'With the seller context, from a seller’s own account',
    at(asin, '?include_seller_context=true&include_history=false&include_stats=false'),
    { isSeller: true },
  );
  await keep(
    'getProduct 200 fees',
    'With the fee breakdown',
    at(item, '?include_fee_breakdown=true&include_history=false&include_stats=false'),
  );
  await keep(
    'getProduct 200 past',
    'With archived offers and daily prices',
    at(item, '?include_offers_history=true&include_price_series=true'),
  );
  await keep('refreshProduct 200 full', 'A full refresh', `${at(item)}/refresh`, {
    method: 'POST',
  });
  await keep(
    'refreshProduct 200 without_offers',
    'Without offers and reviews',
    `${at(asin)}/refresh?include_offers_reviews=false`,
    { method: 'POST' },
  );
  await keep(
    'compareProduct 200 profit',
    'The profit for a seller',
    at(gtin, '/compare?cost=12.50&shipping=1.20&roi=30'),
  );
  await keep(
    'getProductCandidates 200 page',
    'A product page of any shop',
    at(url.json_ld, '/candidates'),
  );
  await keep(
    'getProductByUrl 200 address',
    'The address as a parameter',
    `/v1/products?url=${encodeURIComponent(url.json_ld)}`,
  );
}

/** Before anything was read: the number of reads per page depends on which jobs were joined. */
async function installation({ keep }: Stage, key: string): Promise<void> {
  await keep(
    'getInstallation 200 lacks',
    'An installation with simulated shops',
    '/v1/admin/installation',
    { key },
  );
}

/** Operator calls, made with a key that has no other scope. */
async function operator({ told, keep }: Stage, key: string): Promise<void> {
  await keep('getProductPicture 200 path', 'The path of an image', `${at(told.item_id)}/picture`);
  const post = { method: 'POST', key };
  await keep('getOperatorUsage 200 month', 'The current month', '/v1/admin/usage', { key });
  await keep('getOperatorQueue 200 quiet', 'No jobs are waiting', '/v1/admin/queue', { key });
  await keep('getKeys 200 keys', 'Two keys', '/v1/admin/keys', { key });
  await keep(
    'createKey 200 made',
    'A key for a month',
    '/v1/admin/keys?organization=guest&expires_in_hours=720',
    post,
  );
  await keep('rotateKey 200 new', 'The new key', '/v1/admin/keys/{key}/rotate', post);
  await keep('revokeKey 200 ended', 'The revoked key', '/v1/admin/keys/{key}/revoke', post);
}

/** An example is one line; a batch has up to 10,000. */
async function batches({ told, keep }: Stage): Promise<void> {
  const send = (body: unknown) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: JSON.stringify(body),
  });
  const path = '/v1/products/batch';
  const line = { id: told.item_id, include_history: false, include_stats: false };
  await keep('lookUpBatch 200 product', 'A line with a record', path, send(line));
  await keep('lookUpBatch 200 problem', 'A line with a problem', path, send({ id: 'B0' }));
}

async function otherAnswers({ told, prepare, keep, signIn }: Stage): Promise<void> {
  await keep('getReviews 200 all', 'All reviews that are stored', `${at(told.item_id)}/reviews`);
  const seller = `/v1/sellers/${told.seller_id}`;
  const once = { headers: { 'idempotency-key': 'seller-4711' } };
  await keep('getSeller 200 seller', 'A seller by the 32-character ID', seller, once);
  await keep(
    'getSeller 200 again',
    'The same request again: the stored response, free of charge',
    seller,
    once,
  );
  const json = { 'content-type': 'application/json' };
  const watch = JSON.stringify({ identifier: told.gtin, retailer: 'best', below: 12.5 });
  const made = { method: 'POST', body: watch, headers: { ...json, 'idempotency-key': 'watch-1' } };
  await keep('createWatch 200 best', 'The lowest price of a barcode', '/v1/watches', made);
  await keep('listWatches 200 one', 'One watch', '/v1/watches');
  await keep('getWatch 200 one', 'A watch with its notifications', '/v1/watches/{watch}');
  const discord = { kind: 'discord', url: 'https://discord.com/api/webhooks/1234567890/token' };
  const channel = JSON.stringify({ ...discord, name: 'deals' });
  await keep('createChannel 200 discord', 'A channel for a Discord server', '/v1/channels', {
    method: 'POST',
    body: channel,
    headers: { ...json, 'idempotency-key': 'channel-1' },
  });
  await keep(
    'changeWatch 200 line',
    'Another threshold, notified through a channel',
    '/v1/watches/{watch}',
    {
      method: 'PATCH',
      headers: json,
      body: JSON.stringify({ below: 11, channels: ['{channel}'] }),
    },
  );
  await keep('lookNow 200 read', 'A watch that is checked at once', '/v1/watches/{watch}/look', {
    method: 'POST',
  });
  await keep('testWatch 200 notice', 'A test notification', '/v1/watches/{watch}/test', {
    method: 'POST',
  });
  await keep(
    'listDeliveries 200 one',
    'A notification that was delivered',
    '/v1/watches/{watch}/deliveries',
  );
  const again = '/v1/watches/{watch}/deliveries/{delivery}/replay';
  await keep('replayDelivery 200 again', 'A notification that is sent again', again, {
    method: 'POST',
  });
  await keep('listChannels 200 one', 'One channel', '/v1/channels');
  await keep('getChannel 200 one', 'The channel', '/v1/channels/{channel}');
  await keep(
    'testChannel 200 taken',
    'A test that the receiver accepted',
    '/v1/channels/{channel}/test',
    {
      method: 'POST',
    },
  );
  await keep('confirmChannel 200 confirmed', 'A channel', '/v1/channels/{channel}/confirm', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ code: '7QK2-M0XD' }),
  });
  await keep('changeChannel 200 paused', 'A paused channel', '/v1/channels/{channel}', {
    method: 'PATCH',
    headers: json,
    body: JSON.stringify({ paused: true }),
  });
  await keep('deleteChannel 200 gone', 'A deleted channel', '/v1/channels/{channel}', {
    method: 'DELETE',
  });
  // A lookup's reading of a watched listing also reaches its watches.
  await prepare(at(told.item_id, FORCED_W));
  const shown = '/v1/watches/sparklines?ids={watch}';
  await keep('getSparklines 200 one', 'The chart of one watch', shown);
  await keep('deleteWatch 200 gone', 'A deleted watch', '/v1/watches/{watch}', {
    method: 'DELETE',
  });
  await keep('listChanges 200 none', 'A feed without changes', '/v1/changes');
  await signIn('Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0');
  await keep('listSessions 200 one', 'One browser', '/v1/sessions');
  await keep('endSession 200 ended', 'A browser that is signed out', '/v1/sessions/{session}', {
    method: 'DELETE',
  });
  await keep('getUsage 200 month', 'The current month', '/v1/usage');
  await keep('getRateCards 200 cards', 'The cards of this version', '/v1/rate-cards');
  await keep('getRetailers 200 retailers', 'An installation with simulated shops', '/v1/retailers');
  await keep('getRoutes 200 routes', 'The routes', '/v1');
  await keep('getLiveness 200 ok', 'The process is alive', '/livez', { key: null });
  await keep('getReadiness 200 ok', 'The process can accept calls', '/readyz', { key: null });
  await keep(
    'getProduct 200 currency',
    'A page in euros, in its own currency',
    at(told.trouble.foreign_currency, '?currency=native'),
  );
}

/** A page that a person hands in. */
async function handedIn({ keep, keyOf }: Stage): Promise<void> {
  const key = await keyOf('HANDEDIN', { name: 'visitor' }, [
    'pages:submit',
    'rules:write',
    'products:read',
  ]);
  const html =
    '<h1>Desk lamp</h1><script type="application/ld+json">{"@type":"Product","name":"Desk lamp",' +
    '"offers":{"price":"24.00","priceCurrency":"USD"}}</script>';
  const sent = (url: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, html }),
    key,
  });
  const lamp = sent('https://shop.example.com/lamp');
  await keep('handInPage 200 lamp', 'A product page of any shop', '/v1/pages', lamp);
  const cart = sent('https://shop.example.com/cart');
  await keep('handInPage 422 page_not_accepted', 'A cart', '/v1/pages', cart);
  const gone = { method: 'DELETE', key };
  const lookAt = '<h1>Desk lamp</h1><p>Our price</p><p>€24.00</p>';
  const rule = { product: 'https://shop.example.com/lamp', field: 'price', value: 24 };
  const rules = '/v1/rules';
  const choice = { ...lamp, body: JSON.stringify({ ...rule, html: lookAt }) };
  await keep('createRule 200 price', 'The price of a page that the caller sees', rules, choice);
  await keep('listRules 200 all', 'The rules of an organization', rules, { key });
  await keep('deleteRule 200 gone', 'A rule that is deleted', `${rules}/{rule}`, gone);
  await keep('deletePage 200 gone', 'A page that is forgotten', '/v1/pages/{page}', gone);
  await keep('deletePages 200 all', 'All pages are forgotten', '/v1/pages', gone);
}

/** Errors the caller can fix. */
async function refusals({ told, keep, prepare, keyOf }: Stage): Promise<void> {
  const { item_id: item, retailers, retailer_b_product_id: productId } = told;
  const shop = 'https://shop.example.com/p/1';
  const product = (codes: `${number} ${string}`, summary: string, path: string, manner?: Manner) =>
    keep(`getProduct ${codes}`, summary, path, manner);
  await product('400 invalid_identifier', 'An identifier of no known form', at('lamp'));
  await product(
    '400 invalid_parameter',
    'A value that is not allowed',
    at(item, '?include_offers=maybe'),
  );
  await product(
    '400 unknown_parameter',
    'A parameter that does not exist',
    at(item, '?include_offer=true'),
  );
  await product(
    '400 force_refresh_requires_retailer',
    'A forced refresh without a retailer',
    at(item, '?force_refresh=true'),
  );
  await product(
    '400 bare_identifier_required',
    'An ID of retailer_b with a retailer',
    at(productId, '?retailer=retailer_b'),
  );
  await product(
    '400 retailer_mismatch',
    'The address of another shop',
    at(shop, '?retailer=retailer_t'),
  );
  await product('400 url_not_allowed', 'A private address', at('http://127.0.0.1/'));
  await product('401 missing_api_key', 'A request without a key', at(item), { key: null });
  await product('401 invalid_api_key', 'An unknown key', at(item), { key: 'osk_live_wrong' });
  const reader = await keyOf('READONLY', { name: 'reader' }, ['products:read']);
  await product(
    '403 insufficient_scope',
    'A key without the scope for refreshes',
    at(item, FORCED_W),
    {
      key: reader,
    },
  );
  await product('404 not_found', 'A product that no retailer has', at('99999999999'));
  const substituted = retailers.retailer_a.trouble['substituted']?.id ?? '';
  await product('404 identity_mismatch', 'The page shows another product', at(substituted));
  const sellers = (id: string) => `/v1/sellers/${id}`;
  await keep(
    'getSeller 404 not_found',
    'A seller that no offer has shown',
    sellers('Z'.repeat(32)),
  );
  await keep(
    'getSeller 404 first_party_seller',
    'The retailer itself',
    sellers(told.first_party_seller_id),
  );
  await keep('- 404 unknown_route', 'A route that does not exist', '/v1/product/1');
  await keep('- 405 method_not_allowed', 'A method that the route does not accept', at(item), {
    method: 'DELETE',
  });
  const headers = { 'idempotency-key': 'order-4711' };
  await prepare(at(item), headers);
  await product(
    '409 idempotency_conflict',
    'A key that was used for another request',
    at(item, '?include_stats=0'),
    {
      headers,
    },
  );
  await keep('- 413 body_not_accepted', 'A request with a body', at(item), {
    method: 'POST',
    body: '{"upc":"012345678905"}',
  });
  await keep('- 413 body_too_large', 'A body of more than 64 KB', '/v1/watches', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'x'.repeat(70_000) }),
  });
  await keep('- 414 uri_too_long', 'A path of more than 8,192 characters', at('9'.repeat(8_192)));
  await keep('- 415 encoding_not_accepted', 'A body in an unknown coding', '/v1/watches', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'compress' },
    body: JSON.stringify({ identifier: item }),
  });
}

/** Errors that the caller did not cause, or that require waiting. */
async function failures({ told, keep, prepare, keyOf }: Stage): Promise<void> {
  const { item_id: item, retailers, trouble } = told;
  await keep(
    'getProduct 422 source_unusable',
    'A page that robots.txt disallows',
    at(trouble.disallowed),
  );
  const slow = await keyOf('SLOWLANE', { name: 'slow', throttlePerMinute: 1, throttleBurst: 1 });
  await keep('getUsage 200 new', 'A month in which nothing was spent', '/v1/usage', { key: slow });
  await keep('getProduct 429 throttled', 'Too many requests', at(item), { key: slow });
  const eager = await keyOf('TOOEAGER', { name: 'eager' });
  const authorization = `Bearer ${eager}`;
  const hundred = Array.from({ length: 100 }, () => prepare(at(item, FORCED_W), { authorization }));
  await Promise.all(hundred);
  await keep(
    'getProduct 429 force_refresh_limit',
    'Too many forced refreshes',
    at(item, FORCED_W),
    {
      key: eager,
    },
  );
  const poor = await keyOf('NOTOKENS', { name: 'poor', monthlyQuota: 0 });
  await keep('getProduct 429 quota_exceeded', 'A month without tokens', at(item), { key: poor });
  const silent = retailers.retailer_w.trouble['offers_unavailable']?.id ?? '';
  await keep(
    'getProduct 503 offers_unavailable',
    'Offers cannot be fetched now',
    at(silent, '?include_offers=true'),
  );
  await keep(
    'getProduct 503 upstream_unavailable',
    'A shop that refuses the request',
    at(trouble.blocked),
  );
}
