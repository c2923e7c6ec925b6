// A shop that publishes its products as JSON-LD: one @graph with the company, the breadcrumbs and the product, and
// a visible page with the same facts.

import { amount, dollars, escapeHtml, jsonLdBlock, metaElements, pageOf } from '../markup.ts';
import type { ProductView } from './product-view.ts';
import { addressOf, GRAMS_PER_POUND } from '../world.ts';
import type { Shop } from '../world.ts';

/** The product page. */
export function jsonLdPage(view: ProductView): string {
  const { product } = view;
  const quote = view.quoteOf(view.variant);
  const head = [
    `<link rel="canonical" href="${addressOf(product)}">`,
    metaElements([
      ['og:title', product.title],
      ['og:url', addressOf(product)],
      ['og:image', product.imageUrls[0]],
    ]),
    jsonLdBlock({
      '@context': 'https://schema.org',
      '@graph': [organization(product.shop), breadcrumbs(view), productNode(view)],
    }),
  ].join('\n');
  const was = quote.listPriceCents === null ? '' : ` <s>${dollars(quote.listPriceCents)}</s>`;
  const measures =
    product.inches === null
      ? ''
      : `<tr><th>Size (H x W x L)</th><td>${product.inches.join(' x ')} in</td></tr>`;
  const state = view.isEnded
    ? 'This item has been discontinued.'
    : quote.inStock
      ? 'In stock'
      : 'Out of stock';
  const body = `<nav><a href="/">Home</a> / ${escapeHtml(product.category.name)}</nav>
<h1>${escapeHtml(product.title)}</h1>
<p class="price">${view.currency === 'USD' ? '' : 'EUR '}${dollars(quote.priceCents)}${was}</p>
<p>${state}</p>
<p>${escapeHtml(product.description)}</p>
<table><tr><th>Model</th><td>${product.mpn}</td></tr>${measures}</table>`;
  return pageOf(product.shop, product.title, { head, body });
}

function productNode(view: ProductView): object {
  const { product, variant } = view;
  const barcode = variant.gtin14.replace(/^0{1,2}/, '');
  return {
    '@type': 'Product',
    '@id': `${addressOf(product)}#product`,
    name: product.title,
    image: product.imageUrls,
    description: product.description,
    sku: variant.sku,
    mpn: product.mpn,
    [barcode.length === 12 ? 'gtin12' : 'gtin13']: barcode,
    brand: { '@type': 'Brand', name: product.brand },
    category: product.category.name,
    weight: {
      '@type': 'QuantitativeValue',
      value: Number((variant.grams / GRAMS_PER_POUND).toFixed(4)),
      unitCode: 'LBR',
    },
    ...measuresOf(product.inches),
    ...(product.rating === null
      ? {}
      : {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: product.rating,
            bestRating: 5,
            reviewCount: product.reviewCount,
          },
        }),
    offers: offerOf(view),
  };
}

function offerOf(view: ProductView): object {
  const { product, currency, isEnded } = view;
  const quote = view.quoteOf(view.variant);
  const stock = isEnded ? 'Discontinued' : quote.inStock ? 'InStock' : 'OutOfStock';
  const condition = product.condition === 'new' ? 'NewCondition' : 'RefurbishedCondition';
  return {
    '@type': 'Offer',
    url: addressOf(product),
    price: amount(quote.priceCents),
    priceCurrency: currency,
    availability: `https://schema.org/${stock}`,
    itemCondition: `https://schema.org/${condition}`,
    seller: { '@type': 'Organization', name: product.shop.name },
    ...(quote.listPriceCents === null
      ? {}
      : {
          priceSpecification: {
            '@type': 'UnitPriceSpecification',
            priceType: 'https://schema.org/StrikethroughPrice',
            price: amount(quote.listPriceCents),
            priceCurrency: currency,
          },
        }),
  };
}

function measuresOf(inches: readonly [number, number, number] | null): object {
  if (inches === null) return {};
  const inInches = (value: number): object => ({
    '@type': 'QuantitativeValue',
    value,
    unitCode: 'INH',
  });
  const [height, width, length] = inches;
  return { height: inInches(height), width: inInches(width), depth: inInches(length) };
}

function organization(shop: Shop): object {
  return { '@type': 'Organization', '@id': `${shop.origin}/#company`, name: shop.name };
}

function breadcrumbs({ product }: ProductView): object {
  const { shop, category } = product;
  const steps = [
    ['Home', `${shop.origin}/`],
    [category.name, shop.origin + shop.categoryPath + category.slug],
    [product.title, addressOf(product)],
  ];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(([name, item], at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item,
    })),
  };
}
