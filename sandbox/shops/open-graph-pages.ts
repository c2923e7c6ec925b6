// A shop that publishes its products through OpenGraph and product meta tags only.

import { amount, dollars, escapeHtml, metaElements, pageOf } from '../markup.ts';
import type { ProductView } from './product-view.ts';
import { addressOf } from '../world.ts';

/** The product page. */
export function openGraphPage(view: ProductView): string {
  const { product, variant, currency, isEnded } = view;
  const quote = view.quoteOf(variant);
  const barcode = variant.gtin14.replace(/^0{1,2}/, '');
  const stock = isEnded ? 'discontinued' : quote.inStock ? 'in stock' : 'out of stock';
  const was = quote.listPriceCents;
  const head = metaElements([
    ['og:type', 'product'],
    ['og:site_name', product.shop.name],
    ['og:title', product.title],
    ['og:description', product.description],
    ['og:url', addressOf(product)],
    ['og:image', product.imageUrls[0]],
    ['product:brand', product.brand],
    ['product:price:amount', amount(quote.priceCents)],
    ['product:price:currency', currency],
    ...(was === null
      ? []
      : ([
          ['product:original_price:amount', amount(was)],
          ['product:original_price:currency', currency],
        ] as const)),
    ['product:availability', stock],
    ['product:condition', product.condition],
    ['product:retailer_item_id', variant.sku],
    [barcode.length === 12 ? 'product:upc' : 'product:ean', barcode],
  ]);
  const body = `<h1>${escapeHtml(product.title)}</h1>
<p>${escapeHtml(product.brand)}</p>
<p><span class="now">${currency === 'USD' ? '' : 'EUR '}${dollars(quote.priceCents)}</span>
${was === null ? '' : `<del>${dollars(was)}</del>`}</p>
<p>${isEnded ? 'No longer available' : quote.inStock ? 'Ready to ship' : 'Sold out'}</p>
<p>${escapeHtml(product.description)}</p>`;
  return pageOf(product.shop, product.title, { head, body });
}
