// The profile of this installation for the Universal Commerce Protocol. Shops that are asked for products fetch it from
// OPENSHELF_AGENT_PROFILE, and allow only the capabilities that it declares: reading their catalogue.

import {
  UCP_LOOKUP,
  UCP_SEARCH,
  UCP_SERVICE,
  UCP_VERSION as version,
} from '../../read/retailers/ucp/shop-profile.ts';

const SPEC = `https://ucp.dev/${version}`;

const service = (transport: string, schema: string) => ({
  version,
  spec: `${SPEC}/specification/overview`,
  transport,
  schema: `${SPEC}/services/shopping/${schema}`,
});

const capability = (name: 'search' | 'lookup') => ({
  version,
  spec: `${SPEC}/specification/catalog/${name}`,
  schema: `${SPEC}/schemas/shopping/catalog_${name}.json`,
});

const PROFILE = {
  ucp: {
    version,
    services: {
      [UCP_SERVICE]: [service('mcp', 'mcp.openrpc.json'), service('rest', 'rest.openapi.json')],
    },
    capabilities: {
      [UCP_SEARCH]: [capability('search')],
      [UCP_LOOKUP]: [capability('lookup')],
      // Declares the filter without which shops leave out goods that are sold out.
      'dev.shopify.catalog': [
        {
          version,
          spec: 'https://shopify.dev/docs/agents/catalog/storefront-catalog',
          schema: `https://shopify.dev/ucp/schemas/${version}/shopify_catalog.json`,
          extends: [UCP_SEARCH, UCP_LOOKUP],
        },
      ],
    },
    payment_handlers: {},
  },
};

/** The document as a file or an answer. */
export const AGENT_PROFILE = `${JSON.stringify(PROFILE, null, 2)}\n`;
