// Rows that lie over the common row of a listing: the facts of a source with terms of its own (D81), and those that an
// organization brought (D84). Each has a listing key and an id of its own, so that its observations, offers and moves are rows
// like all others; `layer_of` is the id of the common row, by which everybody else knows the listing.

import type { Origin } from '../../base/listing/origin.ts';
import { HOUR_MS } from '../../base/clock.ts';
import { saleHours } from '../../rules/terms/shown-layer.ts';
import {
  isTermsSource,
  NO_TERMS,
  TERMS_SOURCES,
  type TermsInForce,
} from '../../rules/terms/profiles.ts';

/** Whose reads these are, and under which terms. */
export type View = {
  /** The organization whose own facts lie over the common ones; null for none. */
  readonly organizationId: string | null;
  readonly terms: TermsInForce;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** Everything that is stored for everybody. */
export const COMMON_VIEW: View = { organizationId: null, terms: NO_TERMS, now: () => 0 };

/** The outcome of a common row that has no facts of its own. */
export const LAYERED = 'layered';

export type LayerOf = {
  readonly origin?: Origin | undefined;
  readonly organizationId?: string | undefined;
};

/** Separates a key from the name of its layer. No identifier of a retailer and no reduced address has it. */
const SEPARATOR = ' @';

/** The key of a row that lies over the common one; null for the common row itself. */
export function layerKey(key: string, { origin, organizationId }: LayerOf): string | null {
  if (organizationId !== undefined) {
    return `${key}${SEPARATOR}${organizationId} ${origin?.source ?? ''}`;
  }
  return origin !== undefined && isTermsSource(origin.source)
    ? `${key}${SEPARATOR}${origin.source}`
    : null;
}

/** The key of the listing that a row is of. */
export function withoutLayer(rowKey: string): string {
  const end = rowKey.indexOf(SEPARATOR);
  return end === -1 ? rowKey : rowKey.slice(0, end);
}

/** Which limit of a source's terms applies to a table. */
type Expiring = {
  /** The column with the time at which a row was read. */
  readonly at: string;
  readonly of: 'sale' | 'facts';
  /** The purpose for which the rows are read, which the terms may not allow. */
  readonly needs?: 'history' | 'alerts';
};

/** The condition on rows that no terms withhold, for tables with a source, and its parameters, the first of which is `$first`. */
export function notExpired(
  { terms, now }: View,
  { at, of, needs }: Expiring,
  first: number,
): Condition {
  const conditions: string[] = [];
  const params: (number | string)[] = [];
  const next = (value: number | string) => `$${first + params.push(value) - 1}`;
  for (const source of TERMS_SOURCES) {
    const inForce = terms(source);
    if (inForce === null) continue;
    const hours = of === 'sale' ? saleHours(inForce) : inForce.identityHours;
    if (needs !== undefined && !inForce[needs]) conditions.push(`source <> ${next(source)}`);
    else if (hours !== null) {
      conditions.push(`(source <> ${next(source)} or ${at} > ${next(now() - hours * HOUR_MS)})`);
    }
  }
  const text =
    conditions.length === 0 ? 'true' : `(source is null or (${conditions.join(' and ')}))`;
  return { text, params };
}

type Condition = { readonly text: string; readonly params: readonly (number | string)[] };

/**
 * The condition on rows of `table` that a view may read, and its parameters, the first of which is `$first`. A row of nobody is
 * everybody's; so is that of a key which the operator trusts.
 */
export function visibleTo(
  { organizationId }: Pick<View, 'organizationId'>,
  first: number,
  table = 'listings',
): { readonly text: string; readonly params: readonly string[] } {
  const common = `${table}.organization_id is null or ${table}.is_shared = 1`;
  return organizationId === null
    ? { text: `(${common})`, params: [] }
    : { text: `(${common} or ${table}.organization_id = $${first})`, params: [organizationId] };
}
