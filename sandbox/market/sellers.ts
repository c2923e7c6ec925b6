// The third-party sellers of the three marketplaces, and the retailer as a seller.

import type { KnownSlug } from '../../src/base/retailer.ts';
import { chance, chanceBetween, chanceOf } from '../chance.ts';
import { hexId } from './codes.ts';

export type Seller = {
  readonly slug: KnownSlug;
  /** Null: the retailer itself. */
  readonly number: number | null;
  readonly name: string;
  /** retailer_w: 32 characters; retailer_a: 14; retailer_e: the user name. */
  readonly id: string;
  /** The number in retailer_w's addresses. */
  readonly catalogId: string;
  /** 0 to 5; null: too new to have one. */
  readonly rating: number | null;
  readonly ratingCount: number;
  readonly positivePercent: number;
  readonly isPro: boolean;
  readonly activeListings: number;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
};

/** retailer_w's own seller id; it is the same in all its offers. */
export const FIRST_PARTY_HEX = 'F55CDC31AB754BB68FE0B39041159D63';

const SELLERS = 60;
const FIRST = ['Alder', 'Bridge', 'Copper', 'Dune', 'Ember', 'Fjord', 'Grove', 'Harbor'] as const;
const SECOND = ['Trading', 'Goods', 'Outlet', 'Supply', 'Mart', 'Depotry'] as const;
type Town = readonly [city: string, state: string, postalCode: string];

const TOWNS: readonly [Town, ...Town[]] = [
  ['Dover', 'DE', '19901'],
  ['Salem', 'OR', '97301'],
  ['Helena', 'MT', '59601'],
  ['Concord', 'NH', '03301'],
];

export function sellersOf(seed: number, slug: KnownSlug): readonly Seller[] {
  return Array.from({ length: SELLERS }, (_, number) => inventSeller(seed, slug, number));
}

function inventSeller(seed: number, slug: KnownSlug, number: number): Seller {
  const key = ['seller', slug, number];
  const name = `${chanceOf(seed, [...key, 'a'], FIRST)} ${chanceOf(seed, [...key, 'b'], SECOND)} ${number}`;
  const [city, state, postalCode] = chanceOf(seed, [...key, 'place'], TOWNS);
  const ids: Partial<Record<KnownSlug, string>> = {
    retailer_w: hexId(seed, key, 32).toUpperCase(),
    retailer_a: `A${hexId(seed, key, 13).toUpperCase()}`,
  };
  const isNew = chance(seed, [...key, 'new']) < 0.1;
  return {
    slug,
    number,
    name,
    id: ids[slug] ?? name.toLowerCase().replaceAll(' ', '_'),
    catalogId: String(101_000_001 + number),
    rating: isNew ? null : chanceBetween(seed, [...key, 'rating'], 28, 50) / 10,
    ratingCount: isNew ? 0 : chanceBetween(seed, [...key, 'ratings'], 3, 9_000),
    positivePercent: chanceBetween(seed, [...key, 'positive'], 80, 100),
    isPro: chance(seed, [...key, 'pro']) < 0.3,
    activeListings: chanceBetween(seed, [...key, 'listings'], 1, 4_000),
    city,
    state,
    postalCode,
  };
}

/** Returns the retailer as a seller; its name is derived from its host name, as marketplaces print it. */
export function firstParty(slug: KnownSlug, origin: string): Seller {
  const host = new URL(origin).hostname.replace(/^www\./, '');
  return {
    slug,
    number: null,
    name: host.charAt(0).toUpperCase() + host.slice(1),
    id: slug === 'retailer_w' ? FIRST_PARTY_HEX : slug === 'retailer_a' ? 'ATVPDKIKX0DER' : '',
    catalogId: '0',
    rating: null,
    ratingCount: 0,
    positivePercent: 0,
    isPro: false,
    activeListings: 0,
    city: '',
    state: '',
    postalCode: '',
  };
}
