// Simulated shops that answer programs, besides their pages, in a protocol of their own: the store API of WooCommerce, the product
// JSON of Shopify, that with a UCP catalogue, or none. Each may behave as badly as real ones do. Amounts are in the currency's minor unit by ISO 4217.

import { htmlAnswer, jsonAnswer, type SimulatedAnswer } from '../../sandbox/answer.ts';
import { escapeHtml, jsonLdBlock, scriptJson } from '../../sandbox/markup.ts';

/** How a protocol's endpoints misbehave; the pages of the shop do not. */
export type EndpointTrouble =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The shop's front page in place of JSON, with status 200. */
  | { readonly kind: 'html' }
  | { readonly kind: 'wall' }
  /** Everything leads to a form for a password. */
  | { readonly kind: 'password' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'empty' }
  /** Amounts without the unit in which they are counted. */
  | { readonly kind: 'no_unit' }
  /** Amounts without tax, which the shop's own text calls so. */
  | { readonly kind: 'tax_added' }
  /** The same without a word about it; the page shows the amount with tax. */
  | { readonly kind: 'other_tax' };

type ProtocolVariant = {
  readonly id: number;
  readonly label: string;
  /** In the minor unit of the shop's currency. */
  readonly price: number;
  readonly was?: number;
  readonly gtin: string | null;
  /** Null: in stock, without a number. 0: sold out. */
  readonly left: number | null;
};

export type ProtocolProduct = {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly variants: readonly [ProtocolVariant, ...ProtocolVariant[]];
};

export type ProtocolShop = {
  readonly origin: string;
  readonly speaks: 'store_api' | 'product_json' | 'ucp' | 'nothing';
  readonly currency: string;
  /** Decimals of the currency by ISO 4217. */
  readonly decimals: number;
  /** Decimals that the store API writes; the currency's own if absent. */
  readonly apiDecimals?: number;
  readonly robots?: string;
  readonly trouble?: EndpointTrouble | null;
  /** The beginning of the paths of the endpoints that misbehave; all of them if absent. */
  readonly troubledBelow?: string;
  /** Status of every page that is no endpoint; 200 if absent. */
  readonly pageStatus?: number;
  readonly products: readonly ProtocolProduct[];
};

const TAX = 1.25;

/** Returns a shop's answer to a GET of `path` with its query, or to a POST of `body`. */
export function protocolAnswer(shop: ProtocolShop, path: string, body = ''): SimulatedAnswer {
  const url = new URL(path, shop.origin);
  if (url.pathname === '/robots.txt') {
    const body = shop.robots ?? 'User-agent: *\nAllow: /\n';
    return { kind: 'page', status: 200, type: 'text/plain; charset=utf-8', body };
  }
  if (shop.trouble?.kind === 'password') {
    return url.pathname === '/password'
      ? htmlAnswer(200, '<title>Opening soon</title><form><input type="password"></form>')
      : { ...htmlAnswer(302, '', { location: '/password' }) };
  }
  const isEndpoint = isEndpointOf(shop, url);
  const isTroubled = isEndpoint && url.pathname.startsWith(shop.troubledBelow ?? '/');
  const troubled = isTroubled ? troubledBy(shop) : null;
  if (troubled !== null) return troubled;
  if (isEndpoint) {
    const value =
      shop.speaks === 'store_api'
        ? storeApi(shop, url)
        : (ucpCatalog(shop, url, body) ?? productJson(shop, url));
    if (value !== null) return jsonAnswer(JSON.stringify(value));
    const unknown = { code: 'woocommerce_rest_product_invalid_id', message: 'Invalid.' };
    return { ...jsonAnswer(JSON.stringify(unknown)), status: 404 } as SimulatedAnswer;
  }
  if (shop.pageStatus !== undefined) return htmlAnswer(shop.pageStatus, '<h1>Sorry</h1>');
  const slug = url.pathname.split('/').findLast((part) => part !== '');
  const product = shop.products.find((each) => each.slug === slug);
  return product === undefined
    ? htmlAnswer(404, '<h1>Nothing here</h1>')
    : htmlAnswer(200, pageOf(shop, product, url), headersOf(shop));
}

function isEndpointOf({ speaks }: ProtocolShop, { pathname }: URL): boolean {
  if (speaks === 'store_api') return pathname.startsWith('/wp-json/');
  if (speaks === 'nothing') return false;
  return /\.(?:js|json)$/.test(pathname) || (speaks === 'ucp' && UCP_PATHS.test(pathname));
}

const UCP_PATHS = /^\/(?:\.well-known\/ucp|api\/ucp\/mcp)$/;

function troubledBy({ trouble }: ProtocolShop): SimulatedAnswer | null {
  switch (trouble?.kind) {
    case 'status':
      return htmlAnswer(trouble.status, '<h1>No</h1>', trouble.headers);
    case 'html':
      return htmlAnswer(
        200,
        `<title>Our shop</title><h1>Our shop</h1>${'<p>Welcome.</p>'.repeat(80)}`,
      );
    case 'wall':
      return htmlAnswer(200, '<title>Robot or human?</title><p>Robot or human?</p>');
    case 'reset':
      return { kind: 'reset' };
    case 'empty':
      return jsonAnswer('');
    default:
      return null;
  }
}

function headersOf({ speaks, origin }: ProtocolShop): Readonly<Record<string, string>> {
  return speaks === 'store_api' ? { link: `<${origin}/wp-json/>; rel="https://api.w.org/"` } : {};
}

/** Writes an amount with a point and the decimals of the currency. */
function written({ decimals }: ProtocolShop, units: number): string {
  return (units / 10 ** decimals).toFixed(decimals);
}

function variantAt(shop: ProtocolShop, product: ProtocolProduct, url: URL): ProtocolVariant {
  const named =
    shop.speaks === 'store_api'
      ? product.variants.find(({ label }) => label === url.searchParams.get('attribute_size'))
      : product.variants.find(({ id }) => String(id) === url.searchParams.get('variant'));
  return named ?? product.variants[0];
}

/** Returns the product page, which states the price of the variant that its address names. */
function pageOf(shop: ProtocolShop, product: ProtocolProduct, url: URL): string {
  const { currency } = shop;
  const variant = variantAt(shop, product, url);
  const price = written(shop, variant.price);
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.title,
    sku: `SKU-${variant.id}`,
    ...(variant.gtin === null ? {} : { gtin: variant.gtin }),
    offers: {
      '@type': 'Offer',
      price,
      priceCurrency: currency,
      availability: `https://schema.org/${variant.left === 0 ? 'OutOfStock' : 'InStock'}`,
    },
  };
  const software =
    shop.speaks === 'store_api'
      ? '<script src="/wp-content/plugins/woocommerce/assets/js/frontend/cart.js"></script>'
      : shop.speaks !== 'nothing'
        ? `<script>var Shopify = {}; Shopify.shop = "x.myshopify.example"; Shopify.currency = ${scriptJson({ active: currency, rate: '1.0' })};</script>`
        : '';
  const body = shop.speaks === 'store_api' ? 'single-product woocommerce' : 'product';
  const form =
    shop.speaks === 'store_api' && product.variants.length > 1 ? variationForm(shop, product) : '';
  return `<!doctype html><html lang="en"><head><title>${escapeHtml(product.title)}</title>${software}${jsonLdBlock(data)}</head><body class="${body}"><h1>${escapeHtml(product.title)}</h1><p class="price">${price} ${currency}</p>${form}</body></html>`;
}

/** The form in which a page lets its visitor choose a variation. */
function variationForm(shop: ProtocolShop, product: ProtocolProduct): string {
  const variations = product.variants.map((variant) => ({
    variation_id: variant.id,
    attributes: { attribute_size: variant.label },
    display_price: Number(written(shop, variant.price)),
    display_regular_price: Number(written(shop, variant.was ?? variant.price)),
    is_in_stock: variant.left !== 0,
    sku: `SKU-${variant.id}`,
  }));
  const data = escapeHtml(JSON.stringify(variations));
  return `<form class="variations_form cart" data-product_id="${product.id}" data-product_variations="${data}"></form>`;
}

/** Answers at most ten products without `per_page`; a number names a product or a variation. */
function storeApi(shop: ProtocolShop, url: URL): unknown {
  const [, id] = /^\/wp-json\/wc\/store\/v1\/products(?:\/(\d+))?$/.exec(url.pathname) ?? [];
  if (id === undefined) {
    const slug = url.searchParams.get('slug');
    const found = shop.products.filter((each) => slug === null || each.slug === slug);
    return found.slice(0, 10).map((product) => storeApiProduct(shop, product, null));
  }
  for (const product of shop.products) {
    if (String(product.id) === id) return storeApiProduct(shop, product, null);
    const variant = product.variants.find((each) => String(each.id) === id);
    if (variant !== undefined) return storeApiProduct(shop, product, variant);
  }
  return null;
}

function storeApiProduct(
  shop: ProtocolShop,
  product: ProtocolProduct,
  variation: ProtocolVariant | null,
): object {
  const { currency, decimals, apiDecimals = decimals, trouble } = shop;
  const isVariable = product.variants.length > 1 && variation === null;
  const prices = product.variants.map(({ price }) => price);
  const shown =
    variation ??
    product.variants.find(({ price }) => price === Math.min(...prices)) ??
    product.variants[0];
  const factor = 10 ** (apiDecimals - decimals);
  const net = trouble?.kind === 'tax_added' || trouble?.kind === 'other_tax' ? TAX : 1;
  const units = (amount: number): string => String(Math.round((amount * factor) / net));
  const text = (Number(units(shown.price)) / 10 ** apiDecimals).toFixed(apiDecimals);
  const suffix = trouble?.kind === 'tax_added' ? ' <small>excl. VAT</small>' : '';
  const size = variation === null ? '' : `?attribute_size=${encodeURIComponent(variation.label)}`;
  const unit = trouble?.kind === 'no_unit' ? {} : { currency_minor_unit: apiDecimals };
  return {
    id: variation?.id ?? product.id,
    parent: variation === null ? 0 : product.id,
    type: variation === null ? (isVariable ? 'variable' : 'simple') : 'variation',
    name: escapeHtml(product.title),
    slug: product.slug,
    permalink: `${shop.origin}/product/${product.slug}/${size}`,
    sku: `SKU-${shown.id}`,
    description: `<p>${escapeHtml(product.title)} of good make.</p>`,
    prices: {
      currency_code: currency,
      ...unit,
      currency_decimal_separator: '.',
      currency_thousand_separator: ',',
      price: units(shown.price),
      regular_price: units(shown.was ?? shown.price),
      sale_price: units(shown.price),
      price_range:
        isVariable && new Set(prices).size > 1
          ? { min_amount: units(Math.min(...prices)), max_amount: units(Math.max(...prices)) }
          : null,
    },
    price_html: isVariable
      ? ''
      : `<span class="amount"><bdi>${text} ${currency}</bdi></span>${suffix}`,
    average_rating: '4.50',
    review_count: 8,
    images: [{ id: 1, src: `${shop.origin}/uploads/${product.slug}.jpg` }],
    categories: [{ id: 1, name: 'Kitchen &amp; Home' }],
    brands: [{ id: 1, name: 'Cobbleton' }],
    ...sizesOf(isVariable ? product.variants : []),
    has_options: isVariable,
    is_purchasable: true,
    is_in_stock: isVariable ? product.variants.some(({ left }) => left !== 0) : shown.left !== 0,
    is_on_backorder: false,
    low_stock_remaining: shown.left === 0 ? null : shown.left,
    stock_availability: {
      text: shown.left === null ? '' : `${shown.left} in stock`,
      class: 'in-stock',
    },
  };
}

function sizesOf(variants: readonly ProtocolVariant[]): object {
  const terms = variants.map(({ label }) => ({ id: 0, name: label, slug: label }));
  const size = { id: 0, name: 'Size', taxonomy: null, has_variations: true, terms };
  return {
    attributes: terms.length === 0 ? [] : [size],
    variations: variants.map(({ id, label }) => ({
      id,
      attributes: [{ name: 'Size', value: label }],
    })),
  };
}

/** The profile, and the product of one variant. */
function ucpCatalog(shop: ProtocolShop, url: URL, body: string): unknown {
  if (shop.speaks !== 'ucp' || !UCP_PATHS.test(url.pathname)) return null;
  const version = '2026-04-08';
  if (url.pathname === '/.well-known/ucp') {
    const endpoint = `${shop.origin}/api/ucp/mcp`;
    const capabilities = {
      'dev.ucp.shopping.catalog.search': [{ version }],
      'dev.ucp.shopping.catalog.lookup': [{ version }],
    };
    const services = { 'dev.ucp.shopping': [{ version, transport: 'mcp', endpoint }] };
    return { ucp: { version, services, capabilities, payment_handlers: {} } };
  }
  const product = shop.products.find(({ variants }) => body.includes(String(variants[0].id)));
  const result = (content: object) => ({
    jsonrpc: '2.0',
    id: 1,
    result: { structuredContent: { ucp: { version }, ...content } },
  });
  if (product === undefined) return result({ messages: [{ type: 'info', code: 'not_found' }] });
  const [variant] = product.variants;
  const price = { amount: variant.price, currency: shop.currency };
  return result({
    product: {
      id: `gid://shopify/Product/${product.id}`,
      title: product.title,
      url: `${shop.origin}/products/${product.slug}`,
      price_range: { min: price, max: price },
      variants: [
        {
          id: `gid://shopify/ProductVariant/${variant.id}`,
          sku: `SKU-${variant.id}`,
          title: variant.label,
          price,
          availability: { available: variant.left !== 0 },
          options: [{ name: 'Size', label: variant.label }],
        },
      ],
    },
  });
}

/** `.js` counts in hundredths in every currency, `.json` writes decimals, and neither states the currency. */
function productJson(shop: ProtocolShop, url: URL): unknown {
  if (url.pathname === '/meta.json') {
    return {
      id: 1,
      name: 'Shop',
      currency: shop.currency,
      published_products_count: shop.products.length,
    };
  }
  if (url.pathname === '/search/suggest.json') return suggestions(shop, url.searchParams);
  const [, slug, form] =
    /^(?:\/[a-z]{2}-[a-z]{2})?\/products\/([^/]+)\.(js|json)$/.exec(url.pathname) ?? [];
  const product = shop.products.find((each) => each.slug === slug);
  if (product === undefined) return null;
  const isJs = form === 'js';
  const hundredths = (units: number): number => Math.round((units / 10 ** shop.decimals) * 100);
  const variants = product.variants.map((variant) => ({
    id: variant.id,
    title: variant.label,
    option1: variant.label,
    sku: `SKU-${variant.id}`,
    barcode: variant.gtin,
    ...(isJs ? { available: variant.left !== 0 } : {}),
    price: isJs ? hundredths(variant.price) : written(shop, variant.price),
    compare_at_price:
      variant.was === undefined
        ? null
        : isJs
          ? hundredths(variant.was)
          : written(shop, variant.was),
  }));
  const shared = {
    id: product.id,
    title: product.title,
    handle: product.slug,
    vendor: 'Cobbleton',
    options: [{ name: 'Size' }],
    variants,
  };
  if (isJs)
    return {
      ...shared,
      price: variants[0]?.price,
      price_varies: variants.length > 1,
      description: '',
    };
  return { product: { ...shared, body_html: '' } };
}

/** The search leaves out sold-out products when told to hide them, and finds titles as well as the fields it is asked for. */
function suggestions(shop: ProtocolShop, query: URLSearchParams): unknown {
  const words = query.get('q') ?? '';
  const isHidden = query.get('resources[options][unavailable_products]') === 'hide';
  const byBarcode = query.get('resources[options][fields]')?.includes('variants.barcode') === true;
  const products = shop.products
    .filter(({ title, variants }) => {
      const isThere = variants.some(({ left }) => left !== 0);
      const isMatch =
        title.includes(words) || (byBarcode && variants.some(({ gtin }) => gtin === words));
      return isMatch && (isThere || !isHidden);
    })
    .map(({ slug, title }) => ({
      handle: slug,
      title,
      url: `/products/${slug}?_pos=1`,
      variants: [],
    }));
  return {
    resources: {
      results: { products: products.slice(0, Number(query.get('resources[limit]') ?? 10)) },
    },
  };
}
