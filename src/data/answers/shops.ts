// Shops other than the known retailers: which slug belongs to which domain (D10), and facts about a host (D26).

import type { Row, Sql, Statement } from '../sql.ts';
import { mayReplace } from '../statement-values.ts';

export type Shop = { readonly slug: string; readonly domain: string };

/** Facts about a host: `hosted` answers /products/<handle>.json. */
export type ShopFacts = {
  readonly host: string;
  readonly platform: 'hosted' | 'other';
  /** ISO 4217; null if the shop does not say. */
  readonly currency: string | null;
  readonly learnedAtMs: number;
};

/** The stored facts about a protocol in which a host may answer programs (D82). */
export type ShopDoor = {
  readonly host: string;
  /** The name of the protocol, or of another endpoint. */
  readonly door: string;
  /** False if the host does not speak it, which is assumed for a day. */
  readonly isThere: boolean;
  /** The data needed to ask it, such as its address; null if none is needed. */
  readonly detail: string | null;
  readonly learnedAtMs: number;
  /** The time until which no other door of the shop is tried, because this one refused; null if it did not. */
  readonly refusedUntilMs: number | null;
};

export type Shops = {
  /** Returns the shop of a registrable domain in this store; null before its first listing. */
  findShopByDomain(domain: string): Promise<Shop | null>;
  findShopBySlug(slug: string): Promise<Shop | null>;
  findShopFacts(host: string): Promise<ShopFacts | null>;
  findShopDoors(host: string): Promise<readonly ShopDoor[]>;
};

export function createShops(sql: Sql): Shops {
  return {
    async findShopByDomain(domain) {
      const rows = await sql.all('select slug, domain from shops where domain = $1', [domain]);
      return rows.map(toShop)[0] ?? null;
    },
    async findShopBySlug(slug) {
      const rows = await sql.all('select slug, domain from shops where slug = $1', [slug]);
      return rows.map(toShop)[0] ?? null;
    },
    async findShopFacts(host) {
      const rows = await sql.all('select * from shop_facts where host = $1', [host]);
      return rows.map(toShopFacts)[0] ?? null;
    },
    async findShopDoors(host) {
      const rows = await sql.all('select * from shop_doors where host = $1', [host]);
      return rows.map((row) => ({
        host: String(row['host']),
        door: String(row['door']),
        isThere: Number(row['is_there']) === 1,
        detail: row['detail'] === null ? null : String(row['detail']),
        learnedAtMs: Number(row['learned_at_ms']),
        refusedUntilMs: row['refused_until_ms'] === null ? null : Number(row['refused_until_ms']),
      }));
    },
  };
}

function toShop(row: Row): Shop {
  return { slug: String(row['slug']), domain: String(row['domain']) };
}

function toShopFacts(row: Row): ShopFacts {
  return {
    host: String(row['host']),
    platform: row['platform'] === 'hosted' ? 'hosted' : 'other',
    currency: row['currency'] === null ? null : String(row['currency']),
    learnedAtMs: Number(row['learned_at_ms']),
  };
}

/**
 * Registers a slug for the first domain seen with it, in the transaction of the shop's first listing (D10). Rolls back if the
 * slug belongs to another domain, or the domain has another slug. The caller then looks the domain up again and takes the label
 * with its suffix. Registering twice is harmless.
 */
export function insertShop(shop: Shop, atMs: number): readonly Statement[] {
  return [
    {
      text: `insert into shops (slug, domain, claimed_at_ms) values ($1, $2, $3)
        on conflict do nothing`,
      params: [shop.slug, shop.domain, atMs],
    },
    {
      text: 'select slug from shops where slug = $1 and domain = $2',
      params: [shop.slug, shop.domain],
      mustReturn: true,
    },
  ];
}

/** Writes facts about a host; older facts never replace newer ones. */
export function upsertShopFacts(facts: ShopFacts): Statement {
  return {
    text: `insert into shop_facts (host, platform, currency, learned_at_ms)
      values ($1, $2, $3, $4)
      on conflict (host) do update set platform = excluded.platform,
        currency = excluded.currency, learned_at_ms = excluded.learned_at_ms
      where ${mayReplace('shop_facts', 'learned_at_ms')}`,
    params: [facts.host, facts.platform, facts.currency, facts.learnedAtMs],
  };
}

/** Writes the state of a door of a host. An older state never replaces a newer one. */
export function upsertShopDoor(door: ShopDoor): Statement {
  return {
    text: `insert into shop_doors (host, door, is_there, detail, learned_at_ms, refused_until_ms)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (host, door) do update set is_there = excluded.is_there, detail = excluded.detail,
        learned_at_ms = excluded.learned_at_ms, refused_until_ms = excluded.refused_until_ms
      where ${mayReplace('shop_doors', 'learned_at_ms')}`,
    params: [
      door.host,
      door.door,
      door.isThere ? 1 : 0,
      door.detail,
      door.learnedAtMs,
      door.refusedUntilMs,
    ],
  };
}

/** Deletes a shop. Its slug is then free, for the domain itself or for another one. */
export function deleteShop(slug: string): Statement {
  return { text: 'delete from shops where slug = $1', params: [slug] };
}

export function deleteShopFacts(host: string): readonly Statement[] {
  return [
    { text: 'delete from shop_facts where host = $1', params: [host] },
    { text: 'delete from shop_doors where host = $1', params: [host] },
  ];
}
