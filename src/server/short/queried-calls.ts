// The calls of plain targets that have parameters, or whose answers have schemas of their own. Parameters are read with
// the same schemas as in their routes. They stand apart from the plain lookup, because a start need not wait for
// schemas.

import { getQueryParams } from 'hono/utils/url';
import type { z } from 'zod';

import type { Caller } from '../../data/metering/metering.ts';
import { CompareQuery } from '../../answer/wire/compare.ts';
import { HistoryQuery } from '../../answer/wire/history/history.ts';
import { presentProduct as present } from '../../answer/wire/record/present.ts';
import { ProductByUrlQuery, ProductQuery } from '../../answer/wire/query.ts';
import type { BilledCall } from '../bill.ts';
import { compareCall, type CompareCallParts } from '../compare-call.ts';
import { historyCall, type HistoryCallParts } from '../history-call.ts';
import type { PlainTarget } from './plain-target.ts';
import { productCall, type ProductCallParts } from '../product-call.ts';

export type QueriedCallParts = ProductCallParts & HistoryCallParts & CompareCallParts;

/** Null when the query is not valid. FaultError or URIError of an invalid identifier. */
export function queriedCall(
  parts: QueriedCallParts,
  asked: PlainTarget,
  caller: Caller,
): BilledCall<object> | null {
  const { kind } = asked;
  if (kind === 'by_url') {
    const read = queryOf(ProductByUrlQuery, asked);
    if (read === null) return null;
    const { url: text, ...query } = read;
    return productCall(parts, { caller, text, query, present });
  }
  const text = decodeURIComponent(asked.id);
  if (kind === 'by_id') {
    const query = queryOf(ProductQuery, asked);
    return query && productCall(parts, { caller, text, query, present });
  }
  if (kind === 'history') {
    const query = queryOf(HistoryQuery, asked);
    return query && historyCall(parts, { caller, text, query });
  }
  const query = queryOf(CompareQuery, asked);
  return query && compareCall(parts, { caller, text, query });
}

/** Reads the query as the framework does: a name that was given twice has a list. */
function queryOf<Schema extends z.ZodType>(
  schema: Schema,
  { target }: PlainTarget,
): z.output<Schema> | null {
  // The text before the path is not looked at, except for its length.
  const given = target.includes('?') ? getQueryParams(`http://h${target}`) : {};
  const named = Object.entries(given as Record<string, readonly string[]>);
  const query = Object.fromEntries(
    named.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
  return schema.safeParse(query).data ?? null;
}
