// Whole answers of a service, with their headers, to be compared; and the lookups that are answered before the framework.

import assert from 'node:assert/strict';
import { request as httpRequest, type Agent } from 'node:http';
import { gunzipSync } from 'node:zlib';

import type { Service } from './service.ts';

/** A note that no list knows: the answer is made, though not by the framework. */
export const MADE = { 'cache-control': 'no-cache' };
/** A header that the short way does not know: the framework answers. */
export const BY_FRAMEWORK = { 'ordinary-way': '1' };

export type Told = {
  readonly status: number;
  /** Without those that tell of time and connection. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Headers = Readonly<Record<string, string>>;

export function ask(
  service: Service,
  path: string,
  headers: Headers = {},
  agent = false as Agent | false,
) {
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  const sent = { authorization: `Bearer ${service.key}`, ...headers };
  const asked = httpRequest(`${service.url}${path}`, { headers: sent, agent }, (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('error', reject);
    response.on('end', () => {
      const bytes = Buffer.concat(pieces);
      const isGzip = response.headers['content-encoding'] === 'gzip';
      const { date: _, ...told } = response.headers;
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(told).map(([name, value]) => [name, String(value)]),
        ),
        body: (isGzip ? gunzipSync(bytes) : bytes).toString(),
      });
    });
  });
  asked.once('error', reject).end();
  return promise;
}

/** How many answers were given from what is kept. */
export async function preparedCount({ url }: Service): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^openshelf_prepared_answers_total (\d+)/m.exec(text)?.[1] ?? 0);
}

/** A record of two calls differs in what is left of tokens and limits. */
export function withoutBalance({ status, headers, body }: Told): Told {
  const { ratelimit, 'x-request-id': id, 'content-length': length, ...rest } = headers;
  const { 'transfer-encoding': framing, ...same } = rest;
  assert.ok(ratelimit !== undefined && id !== undefined, 'limits and an id are told');
  assert.ok(length !== undefined || framing === 'chunked');
  return { status, headers: same, body: body.replace(/"tokens_remaining":\d+/, '') };
}

export function targetsOf({ sandbox }: Service): readonly string[] {
  const { upc, gtin, asin, item_id: item, url } = sandbox.describe();
  const of = (id: string, rest = '') => `/v1/products/${encodeURIComponent(id)}${rest}`;
  return [
    of(upc),
    of(gtin, '?include_cross_retailer=true'),
    of(gtin, '?include_cross_retailer=true&identifier_match=any&include_price_series=true'),
    of(upc, '?retailer=retailer_w&include_history=false'),
    of(asin),
    of(item),
    of(url.retailer_w ?? ''),
    of(url.json_ld),
    `/v1/products?url=${encodeURIComponent(url.json_ld)}`,
    of(upc, '/history'),
    of(upc, '/history?timeframe=all&retailer=all'),
    of(url.json_ld, '/history?timeframe=7d'),
    of(upc, '/compare'),
    of(gtin, '/compare?cost=5&shipping=1&roi=30'),
    of(url.json_ld, '/compare?cost=5'),
  ];
}
