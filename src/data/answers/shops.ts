// Shops other than the known retailers: which slug belongs to which domain (D10), and facts learnt about a host (D26).

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

export type Shops = {
  /** Returns the shop of a registrable domain in this store; null before its first listing. */
  findShopByDomain(domain: string): Promise<Shop | null>;
  findShopBySlug(slug: string): Promise<Shop | null>;
  findShopFacts(host: string): Promise<ShopFacts | null>;
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

/** Deletes a shop. Its slug is then free, for the domain itself or for another one. */
export function deleteShop(slug: string): Statement {
  return { text: 'delete from shops where slug = $1', params: [slug] };
}

export function deleteShopFacts(host: string): Statement {
  return { text: 'delete from shop_facts where host = $1', params: [host] };
}
