// The catalogue of a hosted store by the Universal Commerce Protocol: its profile, and the three tools over MCP. Goods that are sold
// out are left out unless asked for, and one call takes ten identifiers, as at real stores. Each trap is something else that
// real stores, or dishonest ones, do.

import { htmlAnswer, jsonAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { apiAnswer, jsonOf, textOf } from '../request.ts';
import type { ShopRequest } from '../request.ts';
import { addressOf } from '../world.ts';
import type { Product, Shop, Variant, World } from '../world.ts';
import { chosenVariant, quoteAt } from './quote.ts';

export const UCP_TRAPS = {
  profile_refused: 'answers 422, because it cannot read the profile of the caller',
  profile_unreachable:
    'answers with error -32001, because the profile of the caller does not answer',
  throttled: 'answers 429 with Retry-After: 7200',
  throttled_inside: 'answers 200 with error -32000 that asks for a pause',
  other_host: 'names an endpoint at another host',
  over_http: 'names an endpoint over http',
  private_address: 'names an endpoint at a private address',
  html: 'answers with a page instead of JSON',
  other_version: 'speaks only another version',
  old_profile: 'has its profile in this version at another address',
  huge: 'answers with 20 MB',
  not_found: 'finds no product',
  yen: 'states prices in JPY',
  dinars: 'states prices in KWD',
  absent: 'has no profile',
} as const;
export type UcpTrap = keyof typeof UCP_TRAPS;

const VERSION = '2026-04-08';
const OTHER_VERSION = '2026-01-23';
const MOST_IDS = 10;
const HUGE_BYTES = 20_000_000;
const ENDPOINT = '/api/ucp/mcp';

type Asked = {
  readonly world: World;
  readonly shop: Shop;
  readonly trap: UcpTrap | null;
  readonly atMs: number;
};

/**
 * Returns the answer of a store whose prices are in yen: its product JSON counts in hundredths there too, and no price has a part of
 * a yen.
 */
export function inYen(answer: SimulatedAnswer): SimulatedAnswer {
  if (answer.kind !== 'page' || !answer.type.startsWith('application/json')) return answer;
  const body = answer.body.replaceAll(
    /("(?:price|price_min|price_max|compare_at_price)":)(\d+)/g,
    (_, name: string, cents: string) => `${name}${Math.round(Number(cents) / 100) * 100}`,
  );
  return { ...answer, body };
}

/** Returns the answer to a request for the profile or to the catalogue; null for every other path. */
export function ucpAnswer(asked: Asked, request: ShopRequest): SimulatedAnswer | null {
  const { pathname } = request.url;
  const { shop, trap } = asked;
  if (trap === 'absent') return null;
  if (pathname === '/.well-known/ucp') {
    const isOther = trap === 'other_version' || trap === 'old_profile';
    return jsonAnswer(JSON.stringify(profileOf(shop, trap, isOther ? OTHER_VERSION : VERSION)));
  }
  if (pathname === `/.well-known/ucp/${VERSION}`) {
    return jsonAnswer(JSON.stringify(profileOf(shop, trap, VERSION)));
  }
  if (pathname !== ENDPOINT || request.method !== 'POST') return null;
  return trappedAnswer(trap) ?? toolAnswer(asked, request);
}

function profileOf({ origin }: Shop, trap: UcpTrap | null, version: string): unknown {
  const endpoints: Partial<Record<UcpTrap, string>> = {
    other_host: `https://catalogue.example${ENDPOINT}`,
    over_http: `${origin.replace('https:', 'http:')}${ENDPOINT}`,
    private_address: `https://10.0.0.7${ENDPOINT}`,
  };
  const endpoint = (trap === null ? undefined : endpoints[trap]) ?? `${origin}${ENDPOINT}`;
  const capability = [{ version }];
  return {
    ucp: {
      version,
      ...(trap === 'old_profile'
        ? { supported_versions: { [VERSION]: `${origin}/.well-known/ucp/${VERSION}` } }
        : {}),
      services: { 'dev.ucp.shopping': [{ version, transport: 'mcp', endpoint }] },
      capabilities: {
        'dev.ucp.shopping.checkout': capability,
        'dev.ucp.shopping.catalog.search': capability,
        'dev.ucp.shopping.catalog.lookup': capability,
      },
      payment_handlers: {},
    },
  };
}

const rpc = (rest: object) => ({ jsonrpc: '2.0', id: 1, ...rest });

function trappedAnswer(trap: UcpTrap | null): SimulatedAnswer | null {
  const discovery = (code: string) => ({
    code: -32_001,
    message: 'UCP discovery failed',
    data: { code, content: 'Unable to use the agent profile' },
  });
  switch (trap) {
    case 'profile_refused':
      return apiAnswer(422, rpc({ error: discovery('profile_malformed') }));
    case 'profile_unreachable':
      return apiAnswer(200, rpc({ error: discovery('profile_unreachable') }));
    case 'throttled':
      return apiAnswer(429, rpc({ error: { code: -32_000, message: 'Rate limit exceeded' } }), {
        'retry-after': '7200',
      });
    case 'throttled_inside':
      return apiAnswer(
        200,
        rpc({ error: { code: -32_000, message: 'Rate limit', data: { retry_after: 7200 } } }),
      );
    case 'html':
      return htmlAnswer(200, '<title>Birch &amp; Bolt</title><h1>Welcome</h1><a href="/">Home</a>');
    case 'huge':
      return { kind: 'padded', body: '{"jsonrpc":"2.0","id":1,"result":', bytes: HUGE_BYTES };
    default:
      return null;
  }
}

type Tool = {
  readonly name?: unknown;
  readonly arguments?: {
    readonly meta?: { readonly 'ucp-agent'?: { readonly profile?: unknown } };
    readonly catalog?: {
      readonly id?: unknown;
      readonly ids?: readonly unknown[];
      readonly query?: unknown;
      readonly filters?: { readonly available?: unknown };
    };
  };
};

function toolAnswer(asked: Asked, request: ShopRequest): SimulatedAnswer {
  const tool = (jsonOf(request)['params'] ?? {}) as Tool;
  const { meta, catalog = {} } = tool.arguments ?? {};
  const profile = textOf(meta?.['ucp-agent']?.profile);
  const fail = (code: number, message: string, data: object = {}) =>
    apiAnswer(code === -32_001 ? 400 : 200, rpc({ error: { code, message, data } }));
  if (!profile.startsWith('https://')) {
    return fail(-32_001, 'UCP discovery failed', { code: 'invalid_profile_url' });
  }
  const ids = (catalog.ids ?? []).map(textOf);
  if (ids.length > MOST_IDS) return fail(-32_602, `At most ${MOST_IDS} ids`);
  const sells = catalog.filters?.available === false ? () => true : isSold(asked);
  const answer = (content: object) => {
    const structuredContent = { ucp: { version: VERSION }, ...content };
    return apiAnswer(200, rpc({ result: { structuredContent } }));
  };
  switch (tool.name) {
    case 'get_product': {
      const found = foundBy(asked, textOf(catalog.id));
      const isFound = found !== null && sells(found.variant) && asked.trap !== 'not_found';
      return isFound
        ? answer({ product: productOf(asked, found.product, [found.variant]) })
        : answer({ ucp: { version: VERSION, status: 'error' }, messages: [notFound(catalog.id)] });
    }
    case 'lookup_catalog': {
      const found = ids
        .flatMap((id) => foundBy(asked, id) ?? [])
        .filter((each) => sells(each.variant));
      const messages = ids.filter((id) => foundBy(asked, id) === null).map(notFound);
      return answer({
        products: found.map((each) => productOf(asked, each.product, [each.variant])),
        messages,
      });
    }
    case 'search_catalog': {
      const hits = searched(asked, textOf(catalog.query)).filter((each) => sells(each.variant));
      return answer({
        products: hits.map((each) => productOf(asked, each.product, [each.variant])),
      });
    }
    default:
      return fail(-32_602, 'Tool not found');
  }
}

const notFound = (id: unknown) => ({ type: 'info', code: 'not_found', content: textOf(id) });

type Sold = { readonly product: Product; readonly variant: Variant };

const isSold =
  ({ world, atMs }: Asked) =>
  (variant: Variant): boolean =>
    world.products.some(
      (product) =>
        product.variants.includes(variant) && quoteAt(world, product, variant, atMs).inStock,
    );

const goodsOf = ({ world, shop }: Asked): readonly Product[] =>
  world.products.filter((product) => product.shop === shop);

/** Finds by the identifier of a product or a variant; this store knows no addresses. */
function foundBy(asked: Asked, id: string): Sold | null {
  const [, kind, number] = /^gid:\/\/shopify\/(Product|ProductVariant)\/(\d+)$/.exec(id) ?? [];
  for (const product of goodsOf(asked)) {
    const variant = product.variants.find(
      (each) => kind === 'ProductVariant' && String(each.id) === number,
    );
    if (variant !== undefined) return { product, variant };
    if (kind === 'Product' && String(product.id) === number) {
      return { product, variant: chosenVariant(asked.world, product, null, asked.atMs) };
    }
  }
  return null;
}

/** A search over texts finds a barcode like any other word: first where it stands, then also at goods that do not have it. */
function searched(asked: Asked, query: string): readonly Sold[] {
  const digits = query.replace(/^0+/, '');
  const goods = goodsOf(asked);
  const printing = goods.flatMap((product): readonly Sold[] => {
    const variant = product.variants.find(({ gtin14 }) => gtin14.endsWith(digits));
    return digits.length < 8 || variant === undefined ? [] : [{ product, variant }];
  });
  const others = goods
    .filter(({ title }, at) => at < 2 || title.toLowerCase().includes(query.toLowerCase()))
    .map((product): Sold => ({ product, variant: product.variants[0] }));
  return [...printing, ...others];
}

const money = ({ trap }: Asked, cents: number) => {
  if (trap === 'yen') return { amount: Math.round(cents / 100), currency: 'JPY' };
  if (trap === 'dinars') return { amount: cents * 10 + 5, currency: 'KWD' };
  return { amount: cents, currency: 'USD' };
};

function productOf(asked: Asked, product: Product, variants: readonly Variant[]): unknown {
  const { world, atMs } = asked;
  const prices = product.variants.map((each) => quoteAt(world, product, each, atMs).priceCents);
  return {
    id: `gid://shopify/Product/${product.id}`,
    handle: product.handle,
    title: product.title,
    description: { html: `<p>${product.description}</p>` },
    url: addressOf(product),
    price_range: { min: money(asked, Math.min(...prices)), max: money(asked, Math.max(...prices)) },
    list_price_range: { min: { amount: 0, currency: 'USD' }, max: { amount: 0, currency: 'USD' } },
    categories: [{ value: 'gid://shopify/TaxonomyCategory/hg-1', taxonomy: 'shopify' }],
    media: [{ type: 'image', url: product.imageUrls[0] }],
    options: [
      {
        name: 'Color',
        values: product.variants.map(({ colour }) => ({ label: colour ?? 'Default Title' })),
      },
    ],
    variants: variants.map((variant) => {
      const quote = quoteAt(world, product, variant, atMs);
      return {
        id: `gid://shopify/ProductVariant/${variant.id}`,
        sku: variant.sku,
        title: variant.colour ?? 'Default Title',
        price: money(asked, quote.priceCents),
        list_price:
          quote.listPriceCents === null
            ? { amount: 0, currency: 'USD' }
            : money(asked, quote.listPriceCents),
        availability: { available: quote.inStock },
        options: [{ name: 'Color', label: variant.colour ?? 'Default Title' }],
        requires: { shipping: true },
        checkout_url: `${product.shop.origin}/cart/${variant.id}:1`,
      };
    }),
  };
}
