// Sample identifiers and addresses of a world, for the demo and for tests.

import { troubleAddress, TROUBLES } from '../trouble.ts';
import type { TroubleKind } from '../trouble.ts';
import { ARTICLE, CATEGORIES } from '../vocabulary.ts';
import { addressOf } from '../world.ts';
import type { Product, Shop, ShopKind, World } from '../world.ts';
import { isoTimestamp } from '../../src/base/clock.ts';

export type WorldDescription = {
  readonly seed: number;
  readonly at: string;
  /** One product address per kind of shop; always in stock. */
  readonly url: Readonly<Record<ShopKind, string>>;
  /** A product of the hosted store in one of its colours. */
  readonly variant_url: string;
  readonly out_of_stock_url: string;
  readonly upc: string;
  readonly gtin: string;
  /** Addresses that are not product pages. */
  readonly other_pages: Readonly<Record<string, string>>;
  /** One address for each kind of trouble, at the shop that publishes JSON-LD. */
  readonly trouble: Readonly<Record<TroubleKind, string>>;
  /** Paths that answer with the facts behind the pages; append them to a loopback origin. */
  readonly truth: Readonly<Record<string, string>>;
};

export function describeWorld(world: World, atMs: number): WorldDescription {
  const first = (kind: ShopKind): Product =>
    pick(world, (product) => product.shop.kind === kind && product.stock === 'always');
  const shop = first('json_ld').shop;
  const coloured = pick(
    world,
    (product) => product.variants.length > 1 && product.shop.kind === 'hosted',
  );
  const upc = pick(world, (product) => product.variants[0].gtin14.startsWith('00')).variants[0];
  return {
    seed: world.seed,
    at: isoTimestamp(atMs),
    url: {
      hosted: addressOf(first('hosted')),
      json_ld: addressOf(first('json_ld')),
      open_graph: addressOf(first('open_graph')),
    },
    variant_url: addressOf(coloured, coloured.variants[1]),
    out_of_stock_url: addressOf(
      pick(world, (product) => product.shop === shop && product.stock === 'never'),
    ),
    upc: upc.gtin14.slice(2),
    gtin: upc.gtin14,
    other_pages: otherPages(shop),
    trouble: Object.fromEntries(
      Object.keys(TROUBLES).map((kind) => [kind, troubleAddress(shop, kind as TroubleKind)]),
    ) as Record<TroubleKind, string>,
    truth: {
      products: '/__truth/products',
      product: '/__truth/product?url=<encoded product address>&at=<milliseconds>',
    },
  };
}

function otherPages(shop: Shop): Record<string, string> {
  return {
    home: `${shop.origin}/`,
    category: `${shop.origin}${shop.categoryPath}${CATEGORIES[0].slug}`,
    article: `${shop.origin}${shop.articlePath}${ARTICLE.slug}`,
    search: `${shop.origin}${shop.searchPath}?q=lamp`,
  };
}

function pick(world: World, fits: (product: Product) => boolean): Product {
  const product = world.products.find(fits);
  if (product === undefined) throw new Error('this world has too few products to describe');
  return product;
}
