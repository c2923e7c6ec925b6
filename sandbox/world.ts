// The constant facts of the simulated shops: who sells what, its code and its weight. Everything follows from the seed.
// This folder shares no code with the readers: otherwise tests against it would prove nothing.

import { chance, chanceBetween, chanceOf } from './chance.ts';
import { checkDigit } from './market/codes.ts';
import { BRANDS, CATEGORIES, COLOURS, MATERIALS } from './vocabulary.ts';
import type { Category, Noun } from './vocabulary.ts';

export const GRAMS_PER_POUND = 453.59237;

/** How a shop publishes its products. */
export type ShopKind = 'hosted' | 'json_ld' | 'open_graph';

export type Shop = {
  readonly kind: ShopKind;
  readonly name: string;
  /** The public address. `.example` is reserved (RFC 2606), so it can never be a real shop's. */
  readonly origin: string;
  readonly productPath: string;
  readonly categoryPath: string;
  readonly articlePath: string;
  readonly searchPath: string;
};

export type Variant = {
  readonly id: number;
  /** Null: the product has only one form. */
  readonly colour: string | null;
  readonly sku: string;
  readonly gtin14: string;
  readonly regularCents: number;
  readonly grams: number;
};

export type Product = {
  readonly shop: Shop;
  readonly id: number;
  readonly handle: string;
  readonly title: string;
  readonly brand: string;
  readonly description: string;
  readonly category: Category;
  readonly imageUrls: readonly [string, ...string[]];
  readonly mpn: string;
  /** The number of pieces in the title; null: none. */
  readonly setOf: number | null;
  readonly condition: 'new' | 'refurbished';
  readonly rating: number | null;
  readonly reviewCount: number | null;
  /** Height, width and length in inches. */
  readonly inches: readonly [number, number, number] | null;
  readonly variants: readonly [Variant, ...Variant[]];
  /** `always` and `never` are for tests and the demo, which need a known state. */
  readonly stock: 'always' | 'never' | 'varies';
};

export type World = {
  readonly seed: number;
  readonly shops: readonly Shop[];
  readonly products: readonly Product[];
  readonly find: (shop: Shop, handle: string) => Product | null;
};

export const SHOPS = [
  {
    kind: 'hosted',
    name: 'Birch & Bolt',
    origin: 'https://www.birchandbolt.example',
    productPath: '/products/',
    categoryPath: '/collections/',
    articlePath: '/blogs/journal/',
    searchPath: '/search',
  },
  {
    kind: 'json_ld',
    name: 'Lanternworks',
    origin: 'https://www.lanternworks.example',
    productPath: '/p/',
    categoryPath: '/c/',
    articlePath: '/guides/',
    searchPath: '/search',
  },
  {
    kind: 'open_graph',
    name: 'Tidepool Goods',
    origin: 'https://www.tidepoolgoods.example',
    productPath: '/shop/',
    categoryPath: '/department/',
    articlePath: '/stories/',
    searchPath: '/find',
  },
] as const satisfies readonly [Shop, ...Shop[]];

/** Index of the product that is never in stock; the three before it always are. */
const NEVER_IN_STOCK = 3;

/** Maximum number of products of one shop: three shops share the five digits of a barcode's item number. */
const MOST_PRODUCTS = 15_000;

/** First item number of a shop's barcodes; a hosted store uses four for each product. */
const FIRST_ITEM = { hosted: 0, json_ld: 60_000, open_graph: 80_000 } as const;

/** Creates the world of a seed. */
export function createWorld(seed: number, productsPerShop = 60): World {
  const products = SHOPS.flatMap((shop) =>
    Array.from({ length: Math.min(productsPerShop, MOST_PRODUCTS) }, (_, index) =>
      inventProduct(seed, shop, index),
    ),
  );
  const byAddress = new Map(products.map((product) => [addressOf(product), product]));
  return {
    seed,
    shops: SHOPS,
    products,
    find: (shop, handle) => byAddress.get(shop.origin + shop.productPath + handle) ?? null,
  };
}

/** Alternates the shops' products: the first of each, the second of each, ... */
export function interleaved({ shops, products }: World): readonly Product[] {
  const lists = shops.map((shop) => products.filter((product) => product.shop.kind === shop.kind));
  const [first = []] = lists;
  return first.flatMap((_, at) => lists.flatMap((list) => list[at] ?? []));
}

/** Returns the public address of a product, or of one of its variants if given. */
export function addressOf(product: Product, variant?: Variant): string {
  const address = product.shop.origin + product.shop.productPath + product.handle;
  return variant === undefined ? address : `${address}?variant=${variant.id}`;
}

function inventProduct(seed: number, shop: Shop, index: number): Product {
  const key = [shop.kind, index];
  const item = FIRST_ITEM[shop.kind] + index * (shop.kind === 'hosted' ? 4 : 1);
  const category = chanceOf<Category>(seed, [...key, 'category'], CATEGORIES);
  const noun = chanceOf(seed, [...key, 'noun'], category.nouns);
  const material = chanceOf(seed, [...key, 'material'], MATERIALS);
  const brand = chanceOf(seed, [...key, 'brand'], BRANDS);
  const reviews = chance(seed, [...key, 'reviewed']) < 0.75;
  const mpn = `${brand.slice(0, 2).toUpperCase()}-${1000 + index}`;
  const handle = `${slugOf(`${material} ${noun.name}`)}-${1000 + index}`;
  return {
    shop,
    id: 7_310_000_000_000 + item * 37,
    handle,
    title: `${brand} ${material} ${noun.name}`,
    brand,
    description: `A ${material.toLowerCase()} ${noun.name.toLowerCase()} by ${brand}, made to be repaired.`,
    category,
    imageUrls: [`${shop.origin}/media/${handle}-1.jpg`, `${shop.origin}/media/${handle}-2.jpg`],
    mpn,
    setOf: noun.setOf ?? null,
    condition:
      shop.kind !== 'hosted' && chance(seed, [...key, 'condition']) < 0.1 ? 'refurbished' : 'new',
    rating: reviews ? chanceBetween(seed, [...key, 'rating'], 31, 50) / 10 : null,
    reviewCount: reviews ? chanceBetween(seed, [...key, 'reviews'], 1, 900) : null,
    inches: noun.inches,
    variants: inventVariants(seed, shop, { key, item, noun, mpn }),
    stock: index === NEVER_IN_STOCK ? 'never' : index < NEVER_IN_STOCK ? 'always' : 'varies',
  };
}

type VariantDraft = {
  readonly key: readonly (string | number)[];
  readonly item: number;
  readonly noun: Noun;
  readonly mpn: string;
};

/** Invents variants: hosted stores sell most products in several colours; the two other shops have one form of each. */
function inventVariants(
  seed: number,
  shop: Shop,
  { key, item, noun, mpn }: VariantDraft,
): Product['variants'] {
  const [first, ...rest] = [...COLOURS].sort(
    (a, b) => chance(seed, [...key, 'colour', a]) - chance(seed, [...key, 'colour', b]),
  );
  const count = shop.kind === 'hosted' ? chanceBetween(seed, [...key, 'variants'], 0, 3) : 0;
  const regularCents = chanceBetween(seed, [...key, 'cents'], ...noun.cents);
  const grams = chanceBetween(seed, [...key, 'grams'], ...noun.grams);
  const make = (colour: string | null, at: number): Variant => ({
    id: 41_200_000_000_000 + (item + at) * 131,
    colour,
    sku: colour === null ? mpn : `${mpn}-${colour.slice(0, 3).toUpperCase()}`,
    gtin14: inventGtin(seed, item + at),
    regularCents: regularCents + at * 150,
    grams: grams + at * 10,
  });
  if (count < 2) return [make(null, 0)];
  return [make(first ?? null, 0), ...rest.slice(0, count).map((name, at) => make(name, at + 1))];
}

/**
 * Returns a code with a valid check digit from the prefixes that GS1 uses in its own examples: 0614141 (twelve digits) and,
 * for every fifth product, 4012345 (thirteen digits). `item` is below 100,000.
 */
function inventGtin(seed: number, item: number): string {
  const long = chance(seed, ['gtin', item]) < 0.2;
  const body = (long ? '04012345' : '00614141') + String(item).padStart(5, '0');
  return body + checkDigit(body);
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
}
