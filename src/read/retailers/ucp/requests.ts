// The requests to the catalogue of a shop: MCP tools, called by JSON-RPC without a session, or the same operations as REST.

import type { PageRequest } from '../../../base/listing/page.ts';
import type { UcpCatalog } from './shop-profile.ts';

/** The operations, by their MCP name, and their paths below a REST endpoint. */
const PATHS = {
  get_product: '/catalog/product',
  lookup_catalog: '/catalog/lookup',
  search_catalog: '/catalog/search',
} as const;

/** Without this, shops leave out goods that are sold out, which then look as if they were gone. */
const ALSO_SOLD_OUT = { available: false };
/** Shops accept at least ten identifiers per call, and some accept no more. */
const MOST_IDS = 10;
/** Maximum number of search hits that are read. */
const MOST_HITS = 10;

type UcpRequests = {
  /** Requests one product by the identifier that the shop gave it or one of its variants. */
  product(id: string): PageRequest;
  /** Requests products by identifiers of any kind. Only the first ten are sent. */
  lookup(ids: readonly string[]): PageRequest;
  search(query: string): PageRequest;
};

/** `profile` is the address of this installation's own profile, which every request states. */
export function ucpRequests({ transport, endpoint }: UcpCatalog, profile: string): UcpRequests {
  const request = (tool: keyof typeof PATHS, asked: object): PageRequest => {
    const catalog = { ...asked, filters: ALSO_SOLD_OUT };
    const meta = { 'ucp-agent': { profile } };
    const params = { name: tool, arguments: { meta, catalog } };
    const isMcp = transport === 'mcp';
    const content = isMcp ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params } : catalog;
    return {
      url: isMcp ? endpoint : `${endpoint}${PATHS[tool]}`,
      accept: 'json',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(isMcp ? {} : { 'ucp-agent': `profile="${profile}"` }),
      },
      body: JSON.stringify(content),
    };
  };
  return {
    product: (id) => request('get_product', { id }),
    lookup: (ids) => request('lookup_catalog', { ids: ids.slice(0, MOST_IDS) }),
    search: (query) => request('search_catalog', { query, pagination: { limit: MOST_HITS } }),
  };
}

/** Returns the identifier that a store platform's catalogue gives a variant, by its number in the store's product JSON. */
export function ucpVariantId(number: string): string {
  return `gid://shopify/ProductVariant/${number}`;
}
