// Complete answers of a service with their headers, for comparison; and lookups whose answers are cached.

import assert from 'node:assert/strict';
import { request as httpRequest, type Agent } from 'node:http';
import { gunzipSync, inflateSync } from 'node:zlib';

import type { Service } from './service.ts';

/** Requests a computed answer, even if one is cached. */
export const COMPUTED = { 'cache-control': 'no-cache' };
/** An unlisted header: the head may then not be repeated, so node:http reads it. */
export const READ_BY_NODE = { unusual: '1' };

export type WholeAnswer = {
  readonly status: number;
  /** Without those about time and connection. */
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
  const { promise, resolve, reject } = Promise.withResolvers<WholeAnswer>();
  const sent = { authorization: `Bearer ${service.key}`, ...headers };
  const asked = httpRequest(`${service.url}${path}`, { headers: sent, agent }, (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('error', reject);
    response.on('end', () => {
      const bytes = Buffer.concat(pieces);
      const coding = response.headers['content-encoding'];
      const decode = { gzip: gunzipSync, deflate: inflateSync }[coding ?? ''];
      const { date: _, ...rest } = response.headers;
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(rest).map(([name, value]) => [name, String(value)]),
        ),
        body: (decode?.(bytes) ?? bytes).toString(),
      });
    });
  });
  asked.once('error', reject).end();
  return promise;
}

/** Returns how many cached answers were served. */
export async function cachedCount({ url }: Service): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^openshelf_prepared_answers_total (\d+)/m.exec(text)?.[1] ?? 0);
}

/** Removes the remaining tokens and limits, which differ between two calls. */
export function withoutBalance({ status, headers, body }: WholeAnswer): WholeAnswer {
  const { ratelimit, 'x-request-id': id, 'content-length': length, ...same } = headers;
  assert.ok(ratelimit !== undefined && id !== undefined, 'limits and an id are stated');
  assert.ok(length !== undefined && same['transfer-encoding'] === undefined);
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
