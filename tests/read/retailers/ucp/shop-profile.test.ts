import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ucpRequests, ucpVariantId } from '../../../../src/read/retailers/ucp/requests.ts';
import { readShopProfile } from '../../../../src/read/retailers/ucp/shop-profile.ts';
import { pageOf, type PageOptions } from '../page-fixtures.ts';

const SHOP = new URL('https://www.shop.example/products/kettle');
const VERSION = '2026-04-08';
const ENDPOINT = 'https://shop.myshopify.com/api/ucp/mcp';

const service = (transport: string, endpoint: unknown, version = VERSION) => ({
  version,
  transport,
  endpoint,
});
const SCHEMA = `https://ucp.dev/${VERSION}/schemas/shopping/catalog_lookup.json`;
const CAPABILITIES = {
  'dev.ucp.shopping.catalog.search': [{ version: VERSION }],
  'dev.ucp.shopping.catalog.lookup': [{ version: VERSION, schema: SCHEMA }],
};
const profile = (services: readonly object[], more: object = {}) => ({
  ucp: {
    version: VERSION,
    services: { 'dev.ucp.shopping': services },
    capabilities: CAPABILITIES,
    ...more,
  },
});

function read(body: unknown, options: PageOptions & { readonly isFollowed?: boolean } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const url = 'https://shop.example/.well-known/ucp';
  const headers = { 'content-type': 'application/json' };
  return readShopProfile(pageOf(text, { url, headers, ...options }), SHOP, options.isFollowed);
}

describe('the profile of a shop', () => {
  test('names the catalogue, over MCP before REST', () => {
    const mcp = service('mcp', ENDPOINT);
    const rest = service('rest', 'https://api.shop.example/ucp/v1/');
    assert.deepEqual(read(profile([rest, mcp])), {
      kind: 'catalog',
      catalog: { transport: 'mcp', endpoint: ENDPOINT },
    });
    assert.deepEqual(read(profile([service('a2a', ENDPOINT), rest])), {
      kind: 'catalog',
      catalog: { transport: 'rest', endpoint: 'https://api.shop.example/ucp/v1' },
    });
  });

  test('leads once to the document for the version spoken here', () => {
    const other = (url: string) =>
      profile([service('mcp', ENDPOINT, '2026-08-25')], {
        version: '2026-08-25',
        supported_versions: { [VERSION]: url },
      });
    const url = 'https://shop.myshopify.com/.well-known/ucp/2026-04-08';
    assert.deepEqual(read(other(url)), { kind: 'follow', url });
    assert.equal(read(other(url), { isFollowed: true }).kind, 'none');
    assert.equal(read(other('https://other.example/ucp')).kind, 'none');
    assert.equal(read(other('http://shop.example/ucp')).kind, 'none');
  });

  const own = profile([service('mcp', ENDPOINT)]);
  const refused: readonly (readonly [what: string, body: unknown, options?: PageOptions])[] = [
    ['an endpoint at another host', profile([service('mcp', 'https://other.example/mcp')])],
    ['an endpoint over http', profile([service('mcp', 'http://shop.example/mcp')])],
    ['an endpoint at a private address', profile([service('mcp', 'https://10.0.0.1/mcp')])],
    ['an endpoint on this machine', profile([service('mcp', 'https://localhost/mcp')])],
    ['an endpoint that is no text', profile([service('mcp', { url: ENDPOINT })])],
    ['no endpoint', profile([service('mcp', undefined)])],
    ['no service', profile([])],
    ['a service of another version', profile([service('mcp', ENDPOINT, '2026-01-23')])],
    ['another version', profile([service('mcp', ENDPOINT)], { version: '2026-01-23' })],
    ['no version', profile([service('mcp', ENDPOINT)], { version: undefined })],
    ['no capabilities', profile([service('mcp', ENDPOINT)], { capabilities: {} })],
    [
      'the coarse capability',
      profile([service('mcp', ENDPOINT)], {
        capabilities: { 'dev.ucp.shopping.catalog': [{ version: VERSION }] },
      }),
    ],
    [
      'a capability described by someone else',
      profile([service('mcp', ENDPOINT)], {
        capabilities: {
          ...CAPABILITIES,
          'dev.ucp.shopping.catalog.search': [
            { version: VERSION, schema: 'https://ucp.dev.evil.example/x' },
          ],
        },
      }),
    ],
    ['status 404', own, { status: 404 }],
    ['a redirect to another host', own, { url: 'https://other.example/.well-known/ucp' }],
    ['a page instead of JSON', '<html></html>'],
    ['an empty answer', ''],
    ['a list', [own]],
    ['a huge answer', { ...own, filler: 'x'.repeat(300_000) }],
  ];
  for (const [what, body, options] of refused) {
    test(`is none with ${what}`, () => {
      assert.equal(read(body, options).kind, 'none');
    });
  }
});

test('a profile with any value in place of any other is read or refused', () => {
  const junk: readonly unknown[] = [null, 1, '', 'x'.repeat(9999), [], {}, [[]], true];
  const spoil = (value: unknown, into: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return [into];
    return [
      into,
      ...Object.entries(value).flatMap(([name, inner]) =>
        spoil(inner, into).map((changed) =>
          Array.isArray(value)
            ? value.map((each: unknown, at) => (String(at) === name ? changed : each))
            : { ...value, [name]: changed },
        ),
      ),
    ];
  };
  const versions = { supported_versions: { [VERSION]: 'https://shop.example/x' } };
  for (const version of [VERSION, '2026-08-25']) {
    const whole = profile([service('mcp', ENDPOINT)], { version, ...versions });
    for (const into of junk) {
      for (const body of spoil(whole, into)) {
        assert.ok(['catalog', 'follow', 'none'].includes(read(body).kind));
      }
    }
  }
});

describe('an address that may speak for a shop', () => {
  const rows: readonly (readonly [address: string, may: boolean])[] = [
    ['https://shop.example/mcp', true],
    ['https://api.eu.shop.example/mcp', true],
    ['https://SHOP.example/mcp', true],
    ['https://lamps.myshopify.com/api/ucp/mcp', true],
    ['https://myshopify.com/api/ucp/mcp', false],
    ['https://lamps.myshopify.com.other.example/mcp', false],
    ['https://notmyshopify.com/mcp', false],
    ['https://other.example/mcp', false],
    ['https://shop.example.other.example/mcp', false],
    ['https://myshop.example/mcp', false],
    ['http://shop.example/mcp', false],
    ['ftp://shop.example/mcp', false],
    ['https://shop.example:8443/mcp', false],
    ['https://user:pass@shop.example/mcp', false],
    ['https://shop.example@other.example/mcp', false],
    ['https://shop.example%2eother.example/mcp', false],
    ['https://[::1]/mcp', false],
    ['https://0x7f.1/mcp', false],
    ['https://192.168.0.9/mcp', false],
    ['https://169.254.169.254/latest', false],
    ['https://localhost/mcp', false],
    ['/api/ucp/mcp', false],
    ['', false],
  ];
  for (const [address, may] of rows) {
    test(`${address} ${may ? 'may' : 'may not'}`, () => {
      const { kind } = read(profile([service('mcp', address)]));
      assert.equal(kind, may ? 'catalog' : 'none');
    });
  }
});

describe('a request to a catalogue', () => {
  const agent = 'https://shelf.example/ucp.json';

  test('over MCP calls a tool, states the profile, and also asks for goods that are sold out', () => {
    const request = ucpRequests({ transport: 'mcp', endpoint: ENDPOINT }, agent).search('kettle');
    assert.deepEqual(
      { ...request, body: JSON.parse(request.body ?? '') as unknown },
      {
        url: ENDPOINT,
        accept: 'json',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'search_catalog',
            arguments: {
              meta: { 'ucp-agent': { profile: agent } },
              catalog: {
                query: 'kettle',
                pagination: { limit: 10 },
                filters: { available: false },
              },
            },
          },
        },
      },
    );
  });

  test('over REST states the profile in a header', () => {
    const rest = ucpRequests({ transport: 'rest', endpoint: 'https://shop.example/ucp' }, agent);
    const request = rest.product(ucpVariantId('2'));
    assert.equal(request.url, 'https://shop.example/ucp/catalog/product');
    assert.deepEqual(request.headers, {
      'content-type': 'application/json',
      'ucp-agent': `profile="${agent}"`,
    });
    assert.deepEqual(JSON.parse(request.body ?? ''), {
      id: 'gid://shopify/ProductVariant/2',
      filters: { available: false },
    });
    assert.equal(rest.lookup([]).url, 'https://shop.example/ucp/catalog/lookup');
  });

  test('looks up at most ten identifiers', () => {
    const ids = Array.from({ length: 11 }, (_, at) => `id-${at}`);
    const { body } = ucpRequests(
      { transport: 'rest', endpoint: 'https://shop.example' },
      agent,
    ).lookup(ids);
    assert.deepEqual((JSON.parse(body ?? '') as { ids: unknown }).ids, ids.slice(0, 10));
  });
});
