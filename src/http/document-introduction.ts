// What the OpenAPI document says before its routes: the conventions that hold for all of them.

/** Paragraphs; `code` is the only markup. */
export const introduction = [
  'One normalized product record from a product-page address or an identifier, with price history, live offers, ' +
    'reviews and seller profiles.',
  'Key. Every route below `/v1` takes `Authorization: Bearer osk_live_...`. A missing, unknown, expired or revoked ' +
    'key is 401; a key without the scope that a call needs is 403.',
  'Tokens. Each call has a price in tokens, counted for an organization and a calendar month (UTC). Only 2xx answers ' +
    'are billed. Each of them says `tokens_consumed` and `tokens_remaining`; an error says `tokens_consumed: 0`.',
  'Unknown is null. A field that is not known is null, never left out and never guessed. A field that must be asked ' +
    'for is absent until it is. A list of nothing is `[]`.',
  'Units. Prices are US dollars with at most two decimals, null when the listing is out of stock or priced in ' +
    'another currency. Weights are pounds, lengths inches. Time stamps are ISO 8601 in UTC, days `YYYY-MM-DD` in UTC.',
  'Parameters. A boolean is `true`, `false` (any letter case), `1` or `0`. A name that the route does not know, a ' +
    'value that does not fit and a name given twice are 400. No route takes a body.',
  'Errors are `application/problem+json`. Branch on `code`, which is stable; `detail` says what to do next. Where ' +
    '`Retry-After` is sent, the same call may work after so many seconds.',
  'Retailers go by neutral names: `retailer_w`, `retailer_a`, `retailer_e`, `retailer_l`, `retailer_t`, ' +
    '`retailer_b`, `retailer_h`; any other shop by the first label of its domain. The examples were answered by ' +
    'this service on its simulated shops; hosts of retailers are written as `www.retailer-w.example` there.',
].join('\n\n');
