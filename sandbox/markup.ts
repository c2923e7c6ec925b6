// HTML of the simulated shops: escaping, the page frame, and the parts that every page has.

import type { Shop, World } from './world.ts';
import { addressOf } from './world.ts';
import { ARTICLE, CATEGORIES } from './vocabulary.ts';

type Meta = readonly (readonly [name: string, content: string])[];

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Returns JSON for a script element: without `<`, which could end the element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** A JSON-LD block. */
export function jsonLdBlock(value: unknown): string {
  return `<script type="application/ld+json">${scriptJson(value)}</script>`;
}

/** Returns `property` elements for OpenGraph names, in order. */
export function metaElements(meta: Meta): string {
  return meta
    .map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`)
    .join('\n');
}

/** Formats dollars as a shop prints them: `$1,234.50`. */
export function dollars(cents: number): string {
  const whole = String(Math.trunc(cents / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `$${whole}.${String(cents % 100).padStart(2, '0')}`;
}

/** Formats the same in the currency of a listing: `€1,234.50`. */
export function money({ currency }: { readonly currency: string }, cents: number): string {
  return currency === 'USD' ? dollars(cents) : `€${dollars(cents).slice(1)}`;
}

/** Formats `1234.50`, as feeds and meta tags write an amount. */
export function amount(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Returns a whole page: the frame, menu and footer around `head` and `body`. */
export function pageOf(shop: Shop, title: string, { head = '', body = '' }): string {
  const menu = CATEGORIES.map(
    (category) =>
      `<li><a href="${shop.categoryPath}${category.slug}">${escapeHtml(category.name)}</a></li>`,
  ).join('');
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} – ${escapeHtml(shop.name)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
</head>
<body>
<header><a href="/">${escapeHtml(shop.name)}</a><ul>${menu}</ul>
<p>Free shipping over $50.00</p></header>
<main>
${body}
</main>
<footer><a href="${shop.articlePath}${ARTICLE.slug}">${ARTICLE.title}</a> ·
© ${escapeHtml(shop.name)}. All prices in USD.</footer>
</body>
</html>
`;
}

/** Returns cards that link to products, as home, category and search pages show them. */
export function productCards(world: World, shop: Shop, categorySlug: string | null): string {
  const shown = world.products
    .filter((product) => product.shop.kind === shop.kind)
    .filter((product) => categorySlug === null || product.category.slug === categorySlug)
    .slice(0, 24);
  const cards = shown.map(
    (product) =>
      `<li><a href="${addressOf(product)}">${escapeHtml(product.title)}</a>` +
      ` <span class="price">from ${dollars(product.variants[0].regularCents)}</span></li>`,
  );
  return `<ul class="grid">${cards.join('\n')}</ul>`;
}
