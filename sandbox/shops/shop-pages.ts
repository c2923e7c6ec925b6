// The pages of a shop that are not product pages: home, category, article, search, robots.txt. They contain prices and
// structured data like real ones, so that a guessing reader is caught.

import { escapeHtml, jsonLdBlock, metaElements, pageOf, productCards } from '../markup.ts';
import { ARTICLE, CATEGORIES } from '../vocabulary.ts';
import { addressOf } from '../world.ts';
import type { Shop, World } from '../world.ts';

export function homePage(world: World, shop: Shop): string {
  const head =
    metaElements([
      ['og:type', 'website'],
      ['og:title', shop.name],
      ['og:url', `${shop.origin}/`],
      ['og:image', `${shop.origin}/media/logo.png`],
    ]) +
    (shop.kind === 'json_ld'
      ? jsonLdBlock({
          '@context': 'https://schema.org',
          '@type': 'WebSite',
          name: shop.name,
          url: `${shop.origin}/`,
          potentialAction: {
            '@type': 'SearchAction',
            target: `${shop.origin}${shop.searchPath}?q={q}`,
          },
        })
      : '');
  const body = `<h1>Things that last</h1>${productCards(world, shop, null)}`;
  return pageOf(shop, 'Things that last', { head, body });
}

/** Returns null if the shop has no such category. */
export function categoryPage(world: World, shop: Shop, slug: string): string | null {
  const category = CATEGORIES.find((one) => one.slug === slug);
  if (category === undefined) return null;
  const address = shop.origin + shop.categoryPath + slug;
  const list = world.products.filter(
    (product) => product.shop.kind === shop.kind && product.category.slug === slug,
  );
  const head =
    metaElements([
      ['og:type', shop.kind === 'hosted' ? 'product.group' : 'website'],
      ['og:title', category.name],
      ['og:url', address],
    ]) +
    (shop.kind === 'json_ld'
      ? jsonLdBlock({
          '@context': 'https://schema.org',
          '@type': 'CollectionPage',
          name: category.name,
          mainEntity: {
            '@type': 'ItemList',
            itemListElement: list.map((product, at) => ({
              '@type': 'ListItem',
              position: at + 1,
              url: addressOf(product),
              name: product.title,
            })),
          },
        })
      : '');
  const body = `<h1>${escapeHtml(category.name)}</h1><p>${list.length} products</p>
${productCards(world, shop, slug)}`;
  return pageOf(shop, category.name, { head, body });
}

/** Returns null if the shop has no such article. */
export function articlePage(shop: Shop, slug: string): string | null {
  if (slug !== ARTICLE.slug) return null;
  const head =
    metaElements([
      ['og:type', 'article'],
      ['og:title', ARTICLE.title],
      ['og:url', shop.origin + shop.articlePath + slug],
      ['og:image', `${shop.origin}/media/article.jpg`],
    ]) +
    (shop.kind === 'json_ld'
      ? jsonLdBlock({
          '@context': 'https://schema.org',
          '@type': 'Article',
          headline: ARTICLE.title,
          author: { '@type': 'Person', name: 'The shop' },
        })
      : '');
  const text = ARTICLE.text.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return pageOf(shop, ARTICLE.title, {
    head,
    body: `<article><h1>${ARTICLE.title}</h1>${text}</article>`,
  });
}

export function searchPage(world: World, shop: Shop, query: string): string {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = world.products.filter(
    (product) =>
      product.shop.kind === shop.kind &&
      words.every((word) => product.title.toLowerCase().includes(word)),
  );
  const rows = found
    .slice(0, 20)
    .map((product) => `<li><a href="${addressOf(product)}">${escapeHtml(product.title)}</a></li>`);
  return pageOf(shop, `Search: ${query.slice(0, 80)}`, {
    head: '<meta name="robots" content="noindex">',
    body: `<h1>${found.length} results</h1><ol>${rows.join('')}</ol>`,
  });
}

export function notFoundPage(shop: Shop): string {
  return pageOf(shop, 'Page not found', {
    body: '<h1>404</h1><p>The page you asked for does not exist.</p>',
  });
}

/** Returns the usual rules, and one product address that robots may not fetch. */
export function robotsText(shop: Shop): string {
  return `User-agent: *
Disallow: /cart
Disallow: /checkout
Disallow: ${shop.productPath}trouble-disallowed
`;
}
