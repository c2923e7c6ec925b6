// The general part of the OpenAPI document: its introduction, and the sections of its routes.

/** The sections of the document, by path prefix. */
export const TAGS = [
  {
    name: 'Products',
    of: /^\/v1\/products/,
    description: 'Product records, fetched or stored, with their history and reviews.',
  },
  { name: 'Sellers', of: /^\/v1\/sellers/, description: 'Profiles of sellers seen in offers.' },
  {
    name: 'Installation',
    of: /^\/v1/,
    description: 'What this installation offers: routes, retailers, rate cards, tokens. Free.',
  },
  { name: 'Health', of: /^\//, description: 'Checks for load balancers. Free, without a key.' },
] as const;

/** Paragraphs of the introduction. Backticks, and asterisks around first words, are the only markup. */
export const INTRODUCTION = [
  'Send the address of a product page or an identifier (barcode, ISBN, ASIN, item ID) and get one ' +
    'normalized product record, with price history, live offers, reviews and seller profiles.',
  '**Keys.** Every route under `/v1` requires the header `Authorization: Bearer osk_live_...`. A ' +
    'missing, unknown, expired or revoked key returns 401; a key without the scope that the call ' +
    'needs returns 403.',
  '**Tokens.** Each call has a price in tokens. An organization has a token quota for each ' +
    'calendar month (UTC). Only 2xx responses are billed; each states `tokens_consumed` and ' +
    '`tokens_remaining`. Errors have `tokens_consumed: 0`.',
  '**Unknown is null.** A field whose value is unknown is `null`; it is never omitted and never ' +
    'guessed. A field that a parameter adds is omitted without that parameter. An empty list is `[]`.',
  '**Units.** Prices are in one currency: US dollars, unless `currency` in the response names ' +
    'another. They have at most two decimals and are `null` if the listing is out of stock or in ' +
    'another currency; nothing is converted. Weights are in pounds, lengths in inches. Time stamps ' +
    'are ISO 8601 and days `YYYY-MM-DD`, all in UTC.',
  '**Parameters.** A boolean is `true`, `false` (any letter case), `1` or `0`. An unknown name, an ' +
    'invalid value and a repeated name return 400. `HEAD` works wherever `GET` does, with the same ' +
    'headers and the same price.',
  '**Errors** are `application/problem+json`. Branch on `code`, which is stable; `detail` states ' +
    'what happened and what to do. With `Retry-After`, the same call may succeed after that many ' +
    'seconds.',
  '**Retailers** have neutral names: `retailer_w`, `retailer_a`, `retailer_e`, `retailer_l`, `retailer_t`, ' +
    '`retailer_b`, `retailer_h`. Any other shop is named by the first label of its domain. The examples were ' +
    'recorded from this service with its simulated retailers; retailer hosts are written as ' +
    '`www.retailer-w.example`.',
].join('\n\n');
