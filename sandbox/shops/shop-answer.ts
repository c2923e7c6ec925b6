// A simulated shop's answer to a path at an instant.

import { htmlAnswer, jsonAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { hostedJs, hostedJson, hostedPage } from './hosted-pages.ts';
import { jsonLdPage } from './json-ld-pages.ts';
import { openGraphPage } from './open-graph-pages.ts';
import { productViewAt } from './product-view.ts';
import type { ProductView } from './product-view.ts';
import { chosenVariant } from './quote.ts';
import {
  articlePage,
  categoryPage,
  homePage,
  notFoundPage,
  robotsText,
  searchPage,
} from './shop-pages.ts';
import { troubledAnswer, troubleOf } from '../trouble.ts';
import { truthOf } from './truth.ts';
import type { Product, Shop, World } from '../world.ts';

/** Returns a shop's answer to a GET of `path` (with query) at an instant. */
export function shopAnswer(world: World, shop: Shop, path: string, atMs: number): SimulatedAnswer {
  const url = URL.canParse(path, shop.origin) ? new URL(path, shop.origin) : null;
  if (url === null) return htmlAnswer(400, notFoundPage(shop));
  const at = Number(url.searchParams.get('at') ?? atMs);
  const truth = truthAnswer(world, url, Number.isSafeInteger(at) ? at : atMs);
  if (truth !== null) return truth;
  const { pathname } = url;
  if (pathname === '/') return htmlAnswer(200, homePage(world, shop));
  if (pathname === '/robots.txt') {
    return { kind: 'page', status: 200, type: 'text/plain; charset=utf-8', body: robotsText(shop) };
  }
  if (pathname === shop.searchPath) {
    return htmlAnswer(200, searchPage(world, shop, url.searchParams.get('q') ?? ''));
  }
  const page =
    productAnswer(world, shop, url, atMs) ??
    under(shop.categoryPath, pathname, (slug) => categoryPage(world, shop, slug)) ??
    under(shop.articlePath, pathname, (slug) => articlePage(shop, slug)) ??
    htmlAnswer(404, notFoundPage(shop));
  return page;
}

function under(
  prefix: string,
  pathname: string,
  page: (slug: string) => string | null,
): SimulatedAnswer | null {
  if (!pathname.startsWith(prefix)) return null;
  const body = page(pathname.slice(prefix.length));
  return body === null ? null : htmlAnswer(200, body);
}

/** Answers product pages: a hosted store also answers below a collection, and as `.json` and `.js`. */
function productAnswer(world: World, shop: Shop, url: URL, atMs: number): SimulatedAnswer | null {
  const [, handle, form] =
    (shop.kind === 'hosted'
      ? /^(?:\/collections\/[a-z]+)?\/products\/([a-z0-9_-]+)(\.json|\.js)?$/.exec(url.pathname)
      : null) ?? plainMatch(shop, url.pathname);
  if (handle === undefined) return null;
  const trouble = troubleOf(handle);
  const product =
    trouble === null
      ? world.find(shop, handle)
      : world.products.find((one) => one.shop.kind === shop.kind);
  if (product === null || product === undefined) return null;
  const view = askedView(world, product, url.searchParams.get('variant'), atMs);
  const render = rendererOf(shop, form);
  return trouble === null ? render(view) : troubledAnswer(trouble, view, render);
}

function plainMatch(shop: Shop, pathname: string): readonly (string | undefined)[] {
  const rest = pathname.startsWith(shop.productPath) ? pathname.slice(shop.productPath.length) : '';
  return /^[a-z0-9_-]+$/.test(rest) ? [pathname, rest] : [];
}

function askedView(
  world: World,
  product: Product,
  address: string | null,
  atMs: number,
): ProductView {
  return productViewAt(world, product, chosenVariant(world, product, address, atMs), atMs);
}

function rendererOf(shop: Shop, form: string | undefined): (view: ProductView) => SimulatedAnswer {
  switch (shop.kind) {
    case 'json_ld':
      return (view) => htmlAnswer(200, jsonLdPage(view));
    case 'open_graph':
      return (view) => htmlAnswer(200, openGraphPage(view));
    case 'hosted':
      if (form === '.json') return (view) => jsonAnswer(hostedJson(view));
      if (form === '.js') return (view) => jsonAnswer(hostedJs(view));
      return (view) => htmlAnswer(200, hostedPage(view));
  }
}

/**
 * Answers `/__truth/products` with the address of every product, and `/__truth/product?url=<address>` with the true facts
 * of one. `at=<milliseconds>` requests another instant. Each shop answers for all of them.
 */
function truthAnswer(world: World, url: URL, atMs: number): SimulatedAnswer | null {
  if (url.pathname === '/__truth/products') {
    return jsonAnswer(
      JSON.stringify(world.products.map((product) => truthOf(world, product, null, atMs))),
    );
  }
  if (url.pathname !== '/__truth/product') return null;
  const address = url.searchParams.get('url') ?? '';
  const target = URL.canParse(address) ? new URL(address) : null;
  const shop = world.shops.find((one) => one.origin === target?.origin);
  const product =
    shop === undefined || target === null
      ? null
      : world.find(shop, target.pathname.slice(shop.productPath.length));
  if (product === null) return { ...jsonAnswer('null'), status: 404 } as SimulatedAnswer;
  return jsonAnswer(
    JSON.stringify(truthOf(world, product, target?.searchParams.get('variant') ?? null, atMs)),
  );
}
