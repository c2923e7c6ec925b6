// Sellers of retailer_w: which public number belongs to which 32-character id, and the last profile read (D32).

import { DAY_MS, SET_BACK_MS } from '../../base/clock.ts';
import { EMPTY_SELLER, type SellerId, type SellerProfile } from '../../base/listing/seller.ts';
import type { Origin } from '../../base/listing/origin.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { isTermsSource } from '../../rules/terms/profiles.ts';
import { termLimitsOf } from '../../rules/terms/shown-layer.ts';
import { COMMON_VIEW, type View } from './layers.ts';
import { mayReplace, originIn, originValues } from '../statement-values.ts';

/** A seller as named by an offer or a product page. */
export type NamedSeller = {
  /** 32 characters, upper case. */
  readonly hexId: string | null;
  readonly catalogId: string | null;
  readonly type: '1p' | '3p' | null;
};

export type StoredSeller = NamedSeller & {
  /** The profile; null until the seller's page was read. */
  readonly stored: { readonly profile: SellerProfile; readonly fetchedAtMs: number } | null;
  /** When an offer of the seller was last read, if the terms of its source still allow it to count; null if none was. */
  readonly offeredAtMs: number | null;
};

export type Sellers = {
  /** Null if no offer and no product page has named the seller. */
  findSeller(id: SellerId): Promise<StoredSeller | null>;
};

export function createSellers(sql: Sql, { terms, now }: View = COMMON_VIEW): Sellers {
  /** An offer that showed one of the two ids is under that id alone. */
  const offeredAtMs = async ({ hexId, catalogId }: NamedSeller): Promise<number | null> => {
    const rows = await sql.all(
      `select offered_at_ms, offered_by from sellers
       where seller_key in ($1, $2) and offered_at_ms is not null`,
      [hexId, catalogId],
    );
    const counting = rows.flatMap(({ offered_at_ms: at, offered_by: by }) => {
      const origin = typeof by === 'string' ? { origin: { source: by } } : {};
      const read = { fetchedAtMs: Number(at), ...origin };
      const limits = termLimitsOf(read, { terms, nowMs: now() });
      return limits === null || limits.withheld === 'nothing' ? [Number(at)] : [];
    });
    return counting.length === 0 ? null : Math.max(...counting);
  };
  return {
    async findSeller({ kind, value }) {
      const column = kind === 'hex' ? 'seller_hex' : 'catalog_id';
      // A number that changed hands belongs to the seller last seen with it.
      const rows = await sql.all(
        `select * from sellers where ${column} = $1
         order by case when seller_hex is null then 1 else 0 end, met_at_ms desc, seller_key limit 1`,
        [value],
      );
      const [named] = rows.map(toSeller);
      if (named === undefined) return null;
      const seller = { ...named, offeredAtMs: await offeredAtMs(named) };
      const limits = termLimitsOf(
        { ...originIn(rows[0] ?? {}), fetchedAtMs: seller.stored?.fetchedAtMs ?? 0 },
        { terms, nowMs: now() },
      );
      return limits?.withheld === 'facts' ? { ...seller, stored: null } : seller;
    },
  };
}

function toSeller(row: Row): Omit<StoredSeller, 'offeredAtMs'> {
  const { seller_hex: hexId, catalog_id: catalogId, seller_type: type, profile } = row;
  return {
    hexId: typeof hexId === 'string' ? hexId : null,
    catalogId: typeof catalogId === 'string' ? catalogId : null,
    type: type === '1p' || type === '3p' ? type : null,
    stored:
      typeof profile !== 'string'
        ? null
        : {
            // SAFETY: only `upsertSellerProfile` writes it; a field that came later is null in older rows.
            profile: { ...EMPTY_SELLER, ...(JSON.parse(profile) as Partial<SellerProfile>) },
            fetchedAtMs: Number(row['fetched_at_ms']),
          },
  };
}

/**
 * Writes a seller's data; unknown values do not replace known ones. A seller without an id is not written. `offer`: the source of an
 * offer of the seller that was read then.
 */
export function upsertSeller(
  seller: NamedSeller,
  atMs: number,
  offer?: { readonly source: string | null },
): readonly Statement[] {
  const key = seller.hexId ?? seller.catalogId;
  if (key === null) return [];
  return [
    {
      text: `insert into sellers (seller_key, seller_hex, catalog_id, seller_type, met_at_ms)
        values ($1, $2, $3, $4, $5)
        on conflict (seller_key) do update set
          catalog_id = coalesce(excluded.catalog_id, sellers.catalog_id),
          seller_type = coalesce(excluded.seller_type, sellers.seller_type),
          met_at_ms = excluded.met_at_ms
        where ${mayReplace('sellers', 'met_at_ms')}`,
      params: [key, seller.hexId, seller.catalogId, seller.type, atMs],
    },
    ...(offer === undefined ? [] : [updateOffered(key, atMs, offer.source)]),
  ];
}

/** Writes when an offer was read. One whose source has terms, which may forbid it, does not displace another of the same UTC day. */
function updateOffered(key: string, atMs: number, source: string | null): Statement {
  const offeredBy = source !== null && isTermsSource(source) ? source : null;
  return {
    text: `update sellers set offered_at_ms = $2, offered_by = $3
      where seller_key = $1
        and (offered_at_ms is null or offered_at_ms <= $2 or offered_at_ms > $2 + ${SET_BACK_MS})
        and (offered_at_ms is null or offered_by is not null or cast($3 as text) is null
          or offered_at_ms / ${DAY_MS} < $4)`,
    params: [key, atMs, offeredBy, Math.floor(atMs / DAY_MS)],
  };
}

/** Writes a seller's profile. An earlier reading never replaces a later one. */
export function upsertSellerProfile(
  seller: NamedSeller,
  profile: SellerProfile,
  fetchedAtMs: number,
  origin?: Origin,
): readonly Statement[] {
  const key = seller.hexId ?? seller.catalogId;
  return [
    ...upsertSeller(seller, fetchedAtMs),
    {
      text: `update sellers set profile = $2, fetched_at_ms = $3, source = $4, door = $5
        where seller_key = $1
          and (fetched_at_ms is null or fetched_at_ms <= $3 or fetched_at_ms > $3 + ${SET_BACK_MS})`,
      params: [key, JSON.stringify(profile), fetchedAtMs, ...originValues(origin)],
    },
  ];
}

/** Deletes all sellers. They are only stored for retailer_w's marketplace (D32), and are deleted with it. */
export function deleteAllSellers(): Statement {
  return { text: 'delete from sellers' };
}
