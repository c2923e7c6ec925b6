// The calls that need no framework: a product by path and by address, its price history and its comparison. Read with the same
// schemas as in the routes, and only where nothing is to be said about the request itself: every fault is the framework's to tell.

import { getQueryParams } from 'hono/utils/url';
import type { z } from '@hono/zod-openapi';

import type { Caller } from '../metering/metering.ts';
import { CompareQuery } from '../wire/compare.ts';
import { HistoryQuery } from '../wire/history.ts';
import { ProductByUrlQuery, ProductQuery } from '../wire/query.ts';
import type { BilledCall } from './bill.ts';
import { compareCall, type CompareCallParts } from './compare-call.ts';
import { historyCall, type HistoryCallParts } from './history-call.ts';
import { MAX_TARGET } from './middleware.ts';
import { productCall, type ProductCallParts } from './product-call.ts';

export type PlainCallParts = ProductCallParts & HistoryCallParts & CompareCallParts;

/** Path and query of such a call, as they were sent. */
export type PlainTarget = {
  readonly target: string;
  /** The path's pattern, as metrics and log name it. */
  readonly route: string;
  readonly kind: 'by_id' | 'by_url' | 'history' | 'compare';
  /** The identifier in the path, as it was sent; empty where it is in the query. */
  readonly id: string;
};

/**
 * Path and query in characters that stand for themselves in every address. An identifier has a digit or an escape: other names
 * may be those of routes.
 */
const TARGET =
  /^\/v1\/products(?:\/(?=[^/?]*[\d%])([\w.~%!$*,:@-]+)(\/history|\/compare)?)?(?:\?[\w.~%!$*,;:@/?=&+-]*)?$/;
/** Segments that an address leaves out, however they are written. */
const DOTS = /^(?:\.|%2e)+$/i;

const KINDS = { '/history': 'history', '/compare': 'compare' } as const;

/** Null: the framework answers it. */
export function plainTarget(target: string): PlainTarget | null {
  const match = target.length <= MAX_TARGET ? TARGET.exec(target) : null;
  if (match === null) return null;
  const [, id = '', suffix = ''] = match;
  if (id === '') return { target, route: '/v1/products', kind: 'by_url', id };
  if (DOTS.test(id)) return null;
  const kind = suffix === '' ? 'by_id' : KINDS[suffix as keyof typeof KINDS];
  return { target, route: `/v1/products/{id}${suffix}`, kind, id };
}

/** The call of this target. Null: its query is not right. FaultError or URIError of an identifier that is none. */
export function plainCall(
  parts: PlainCallParts,
  asked: PlainTarget,
  caller: Caller,
): BilledCall<object> | null {
  const { kind } = asked;
  if (kind === 'by_url') {
    const read = queryOf(ProductByUrlQuery, asked);
    if (read === null) return null;
    const { url: text, ...query } = read;
    return productCall(parts, { caller, text, query });
  }
  const text = decodeURIComponent(asked.id);
  if (kind === 'by_id') {
    const query = queryOf(ProductQuery, asked);
    return query && productCall(parts, { caller, text, query });
  }
  if (kind === 'history') {
    const query = queryOf(HistoryQuery, asked);
    return query && historyCall(parts, { caller, text, query });
  }
  const query = queryOf(CompareQuery, asked);
  return query && compareCall(parts, { caller, text, query });
}

/** As the framework reads a query: a name that was given twice has a list. */
function queryOf<Schema extends z.ZodType>(
  schema: Schema,
  { target }: PlainTarget,
): z.output<Schema> | null {
  // What stands before the path is not looked at, but for its length.
  const given = target.includes('?') ? getQueryParams(`http://h${target}`) : {};
  const named = Object.entries(given as Record<string, readonly string[]>);
  const query = Object.fromEntries(
    named.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
  return schema.safeParse(query).data ?? null;
}
