// A hosted store: the product page with the markers of the platform, and the two JSON documents that such stores
// publish for every product. `.json` states no stock; `.js` counts in cents and grams.

import {
  amount,
  dollars,
  escapeHtml,
  jsonLdBlock,
  metaElements,
  pageOf,
  scriptJson,
} from '../markup.ts';
import type { ProductView } from './product-view.ts';
import { addressOf, GRAMS_PER_POUND } from '../world.ts';
import type { Variant } from '../world.ts';

/** The product page. */
export function hostedPage(view: ProductView): string {
  const { product, variant, currency } = view;
  const quote = view.quoteOf(variant);
  const { shop } = product;
  const head = [
    `<link rel="canonical" href="${addressOf(product)}">`,
    metaElements([
      ['og:site_name', shop.name],
      ['og:type', 'product'],
      ['og:title', product.title],
      ['og:description', product.description],
      ['og:url', addressOf(product)],
      ['og:image', product.imageUrls[0]],
      ['og:price:amount', amount(quote.priceCents)],
      ['og:price:currency', currency],
    ]),
    `<script>var Shopify = Shopify || {}; Shopify.shop = "birch-bolt.myshopify.example";
Shopify.locale = "en"; Shopify.currency = ${scriptJson({ active: currency, rate: '1.0' })};
Shopify.country = "US";</script>`,
    `<script>window.ShopifyAnalytics = window.ShopifyAnalytics || {};
ShopifyAnalytics.meta = ${scriptJson(analyticsMeta(view))};</script>`,
    jsonLdBlock(structuredData(view)),
  ].join('\n');
  return pageOf(shop, product.title, { head, body: visibleBody(view) });
}

function visibleBody(view: ProductView): string {
  const { product, variant } = view;
  const quote = view.quoteOf(variant);
  const was =
    quote.listPriceCents === null ? '' : ` <s class="was">${dollars(quote.listPriceCents)}</s>`;
  const options = product.variants.map(
    (one) =>
      `<option value="${one.id}"${one.id === variant.id ? ' selected' : ''}>` +
      `${one.colour ?? 'Default Title'} - ${dollars(view.quoteOf(one).priceCents)}</option>`,
  );
  const state = view.isEnded
    ? '<p class="notice">This product is no longer available.</p>'
    : `<form action="/cart/add" method="post"><select name="id">${options.join('')}</select>
<button type="submit"${quote.inStock ? '' : ' disabled'}>${quote.inStock ? 'Add to cart' : 'Sold out'}</button></form>`;
  return `<h1>${escapeHtml(product.title)}</h1>
<p class="vendor">${escapeHtml(product.brand)}</p>
<p class="price">${dollars(quote.priceCents)}${was}</p>
${state}
<img src="${product.imageUrls[0]}" alt="${escapeHtml(product.title)}">
<div class="description"><p>${escapeHtml(product.description)}</p></div>`;
}

function analyticsMeta({ product, quoteOf }: ProductView): unknown {
  return {
    product: {
      id: product.id,
      vendor: product.brand,
      type: product.category.name,
      variants: product.variants.map((variant) => ({
        id: variant.id,
        price: quoteOf(variant).priceCents,
        name: nameOf(product.title, variant),
        sku: variant.sku,
      })),
    },
    page: { pageType: 'product', resourceType: 'product', resourceId: product.id },
  };
}

/** Returns structured data: newer themes publish one `Product`, or a `ProductGroup` if there are several colours. */
function structuredData(view: ProductView): unknown {
  const { product } = view;
  const shared = {
    '@context': 'http://schema.org/',
    name: product.title,
    description: product.description,
    brand: { '@type': 'Brand', name: product.brand },
    url: addressOf(product),
  };
  if (product.variants.length === 1) {
    return { ...shared, '@type': 'Product', ...variantData(view, product.variants[0]) };
  }
  return {
    ...shared,
    '@type': 'ProductGroup',
    productGroupID: String(product.id),
    variesBy: 'https://schema.org/color',
    hasVariant: product.variants.map((variant) => ({
      '@type': 'Product',
      '@id': `${addressOf(product, variant)}#variant`,
      name: nameOf(product.title, variant),
      ...variantData(view, variant),
    })),
  };
}

function variantData(view: ProductView, variant: Variant): object {
  const { product, currency, isEnded } = view;
  const quote = view.quoteOf(variant);
  const stock = isEnded ? 'Discontinued' : quote.inStock ? 'InStock' : 'OutOfStock';
  return {
    sku: variant.sku,
    gtin: barcodeOf(variant),
    image: product.imageUrls[0],
    offers: {
      '@type': 'Offer',
      '@id': `${addressOf(product, variant)}#offer`,
      availability: `http://schema.org/${stock}`,
      price: amount(quote.priceCents),
      priceCurrency: currency,
      url: addressOf(product, variant),
    },
  };
}

/** `/products/<handle>.json`. */
export function hostedJson(view: ProductView): string {
  const { product } = view;
  const variants = product.variants.map((variant, at) => {
    const quote = view.quoteOf(variant);
    return {
      id: variant.id,
      product_id: product.id,
      title: variant.colour ?? 'Default Title',
      price: amount(quote.priceCents),
      sku: variant.sku,
      position: at + 1,
      compare_at_price: quote.listPriceCents === null ? '' : amount(quote.listPriceCents),
      option1: variant.colour ?? 'Default Title',
      option2: null,
      option3: null,
      taxable: true,
      barcode: barcodeOf(variant),
      grams: variant.grams,
      weight: Number((variant.grams / GRAMS_PER_POUND).toFixed(4)),
      weight_unit: 'lb',
      requires_shipping: true,
    };
  });
  const images = product.imageUrls.map((src, at) => ({
    id: product.id + at + 1,
    product_id: product.id,
    position: at + 1,
    src,
    width: 1200,
    height: 1200,
    variant_ids: [],
  }));
  return JSON.stringify({
    product: {
      id: product.id,
      title: product.title,
      body_html: `<p>${escapeHtml(product.description)}</p>`,
      vendor: product.brand,
      product_type: product.category.name,
      handle: product.handle,
      published_scope: 'web',
      tags: product.category.slug,
      variants,
      options: optionsOf(view),
      images,
      image: images[0],
    },
  });
}

/** `/products/<handle>.js`. */
export function hostedJs(view: ProductView): string {
  const { product } = view;
  const quotes = product.variants.map((variant) => ({ variant, quote: view.quoteOf(variant) }));
  const prices = quotes.map(({ quote }) => quote.priceCents);
  const image = (url: string): string => url.replace('https:', '');
  return JSON.stringify({
    id: product.id,
    title: product.title,
    handle: product.handle,
    description: `<p>${escapeHtml(product.description)}</p>`,
    vendor: product.brand,
    type: product.category.name,
    tags: [product.category.slug],
    price: Math.min(...prices),
    price_min: Math.min(...prices),
    price_max: Math.max(...prices),
    available: quotes.some(({ quote }) => quote.inStock),
    compare_at_price: quotes[0]?.quote.listPriceCents ?? null,
    variants: quotes.map(({ variant, quote }) => ({
      id: variant.id,
      title: variant.colour ?? 'Default Title',
      option1: variant.colour ?? 'Default Title',
      option2: null,
      option3: null,
      sku: variant.sku,
      requires_shipping: true,
      taxable: true,
      featured_image: null,
      available: quote.inStock,
      name: nameOf(product.title, variant),
      options: [variant.colour ?? 'Default Title'],
      price: quote.priceCents,
      weight: variant.grams,
      compare_at_price: quote.listPriceCents,
      inventory_management: 'shopify',
      barcode: barcodeOf(variant),
    })),
    images: product.imageUrls.map(image),
    featured_image: image(product.imageUrls[0]),
    options: optionsOf(view),
    url: new URL(addressOf(product)).pathname,
  });
}

function optionsOf({ product }: ProductView): unknown {
  const [first] = product.variants;
  return first.colour === null
    ? [{ name: 'Title', position: 1, values: ['Default Title'] }]
    : [{ name: 'Color', position: 1, values: product.variants.map((variant) => variant.colour) }];
}

function nameOf(title: string, variant: Variant): string {
  return variant.colour === null ? title : `${title} - ${variant.colour}`;
}

/** Returns the barcode as printed on the box: twelve digits if they suffice. */
function barcodeOf(variant: Variant): string {
  return variant.gtin14.replace(/^0{1,2}/, '');
}
