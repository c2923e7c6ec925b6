// Each operation of the service, and each of its errors, once through the client: tests/clients of the service runs them, and
// holds their names against the OpenAPI document.

import { createOpenshelf, type Openshelf, type ProblemCode } from '../src/index.ts';

export type Stage = {
  readonly baseUrl: string;
  readonly key: string;
  readonly adminKey: string;
  /** The ID of a session of the key. */
  readonly session: string;
  /** Of organizations without tokens, without a burst, without the scope to refresh, and with whatever is left. */
  readonly keys: Readonly<Record<'poor' | 'slow' | 'reader' | 'eager' | 'submitter', string>>;
  /** Identifiers in the simulated market. */
  readonly world: {
    readonly item: string;
    readonly gtin: string;
    readonly seller: string;
    readonly firstPartySeller: string;
    readonly url: string;
    readonly retailerBId: string;
    readonly substituted: string;
    readonly withoutOffers: string;
    readonly disallowed: string;
    readonly blocked: string;
  };
  /** Takes webhooks. */
  readonly receiver: string;
};

type Told = { readonly response: Response };

/** What operations leave to those after them. */
type Made = {
  watch: string;
  channel: string;
  delivery: string;
  operatorKey: string;
  page: string;
  rule: string;
};

const PAGE = {
  url: 'https://shop.example.com/lamp',
  html: '<script type="application/ld+json">{"@type":"Product","name":"Lamp","offers":{"price":"24","priceCurrency":"USD"}}</script><p>$24.00</p>',
};

const idOf = (value: unknown, pattern: RegExp): string =>
  pattern.exec(JSON.stringify(value))?.[0] ?? '';

export function createOperations(stage: Stage) {
  const { baseUrl, world } = stage;
  const client = createOpenshelf({ baseUrl, apiKey: stage.key });
  const admin = createOpenshelf({ baseUrl, apiKey: stage.adminKey });
  const submitter = createOpenshelf({ baseUrl, apiKey: stage.keys.submitter });
  const { GET, POST, PATCH, DELETE } = client.routes;
  const made: Made = { watch: '', channel: '', delivery: '', operatorKey: '', page: '', rule: '' };
  const product = { params: { path: { id: world.item } } };
  const watch = () => ({ params: { path: { id: made.watch } } });
  const channel = () => ({ params: { path: { id: made.channel } } });
  const reads: Record<string, () => Promise<Told>> = {
    getProduct: () => GET('/v1/products/{id}', product),
    getProductByUrl: () => GET('/v1/products', { params: { query: { url: world.url } } }),
    getReviews: () => GET('/v1/products/{id}/reviews', product),
    getProductPicture: () => GET('/v1/products/{id}/picture', product),
    getProductCandidates: () => GET('/v1/products/{id}/candidates', product),
    getPriceHistory: () => GET('/v1/products/{id}/history', product),
    compareProduct: () =>
      GET('/v1/products/{id}/compare', { params: { path: { id: world.gtin } } }),
    getSeller: () =>
      GET('/v1/sellers/{seller_id}', { params: { path: { seller_id: world.seller } } }),
    getRoutes: () => GET('/v1'),
    getUsage: () => GET('/v1/usage'),
    listSessions: () => GET('/v1/sessions'),
    getRetailers: () => GET('/v1/retailers'),
    getRateCards: () => GET('/v1/rate-cards'),
    getSparklines: () => GET('/v1/watches/sparklines', { params: { query: { ids: made.watch } } }),
    listWatches: () => GET('/v1/watches'),
    getWatch: () => GET('/v1/watches/{id}', watch()),
    listChanges: () => GET('/v1/changes'),
    listChannels: () => GET('/v1/channels'),
    getChannel: () => GET('/v1/channels/{id}', channel()),
    listDeliveries: async () => {
      const told = await GET('/v1/watches/{id}/deliveries', watch());
      made.delivery = idOf(told.data, /dlv_[\w-]{22}/);
      return told;
    },
    getOperatorUsage: () => admin.routes.GET('/v1/admin/usage'),
    getOperatorQueue: () => admin.routes.GET('/v1/admin/queue'),
    getInstallation: () => admin.routes.GET('/v1/admin/installation'),
    getKeys: () => admin.routes.GET('/v1/admin/keys'),
    listRules: () => GET('/v1/rules'),
    getLiveness: () => GET('/livez'),
    getReadiness: () => GET('/readyz'),
  };
  const making: Record<string, () => Promise<Told | void>> = {
    refreshProduct: () => POST('/v1/products/{id}/refresh', product),
    lookUpBatch: async () => {
      const lines = [{ id: world.item }, { id: 'lamp' }, { id: world.item }];
      const statuses: number[] = [];
      for await (const { status } of client.batch(lines)) statuses.push(status);
      if (statuses.join() !== '200,400,200') throw new Error(`a batch answered ${statuses.join()}`);
    },
    createChannel: async () => {
      const body = { kind: 'webhook', url: stage.receiver } as const;
      const told = await POST('/v1/channels', { body });
      made.channel = idOf(told.data, /chn_[\w-]{22}/);
      return told;
    },
    createWatch: async () => {
      const body = {
        identifier: world.gtin,
        retailer: 'best',
        below: 12.5,
        channels: [made.channel],
      };
      const told = await POST('/v1/watches', { body });
      made.watch = idOf(told.data, /wat_[\w-]{22}/);
      return told;
    },
    changeWatch: () => PATCH('/v1/watches/{id}', { ...watch(), body: { below: 11 } }),
    lookNow: () => POST('/v1/watches/{id}/look', watch()),
    testWatch: () => POST('/v1/watches/{id}/test', watch()),
    confirmChannel: () =>
      POST('/v1/channels/{id}/confirm', { ...channel(), body: { code: '7QK2-M0XD' } }),
    testChannel: () => POST('/v1/channels/{id}/test', channel()),
    handInPage: async () => {
      const told = await submitter.routes.POST('/v1/pages', { body: PAGE });
      made.page = idOf(told.data, /pag_[\w-]{22}/);
      return told;
    },
    createRule: async () => {
      const body = { product: PAGE.url, field: 'price', value: 24, html: PAGE.html } as const;
      const told = await submitter.routes.POST('/v1/rules', { body });
      made.rule = idOf(told.data, /rul_[\w-]{22}/);
      return told;
    },
    createKey: async () => {
      const params = { query: { organization: 'guest' } };
      const told = await admin.routes.POST('/v1/admin/keys', { params });
      made.operatorKey = /osk_live_([0-9A-Za-z]{8})_/.exec(JSON.stringify(told.data))?.[1] ?? '';
      return told;
    },
  };
  const ending: Record<string, () => Promise<Told>> = {
    replayDelivery: () =>
      POST('/v1/watches/{id}/deliveries/{delivery}/replay', {
        params: { path: { id: made.watch, delivery: made.delivery } },
      }),
    changeChannel: () => PATCH('/v1/channels/{id}', { ...channel(), body: { paused: true } }),
    deleteWatch: () => DELETE('/v1/watches/{id}', watch()),
    deleteChannel: () => DELETE('/v1/channels/{id}', channel()),
    deletePage: () =>
      submitter.routes.DELETE('/v1/pages/{id}', { params: { path: { id: made.page } } }),
    deleteRule: () =>
      submitter.routes.DELETE('/v1/rules/{id}', { params: { path: { id: made.rule } } }),
    endSession: () => DELETE('/v1/sessions/{id}', { params: { path: { id: stage.session } } }),
    deletePages: () => submitter.routes.DELETE('/v1/pages'),
    rotateKey: () =>
      admin.routes.POST('/v1/admin/keys/{id}/rotate', {
        params: { path: { id: made.operatorKey } },
      }),
    revokeKey: () =>
      admin.routes.POST('/v1/admin/keys/{id}/revoke', {
        params: { path: { id: made.operatorKey } },
      }),
  };
  return { making, reads, ending, client, admin };
}

const FORCED = { retailer: 'retailer_w', force_refresh: true } as const;

/** Codes that no call brings about on purpose: they are answered by something that stands in for the service. */
export const STAND_IN: readonly ProblemCode[] = [
  'internal',
  'overloaded',
  'cursor_expired',
  'secrets_key_missing',
];

/** Calls that must be refused with the code. */
export function createErrors(stage: Stage, standIn: (code: ProblemCode) => string) {
  const { baseUrl, world, keys } = stage;
  const as = (apiKey: string | null): Openshelf =>
    createOpenshelf({ baseUrl, apiKey, longestWaitSeconds: 0 });
  const client = as(stage.key);
  // A name that the types do not have: what somebody without them would send.
  const loose = (query: object) => query as never;
  const from = (code: ProblemCode) => () =>
    createOpenshelf({ baseUrl: standIn(code), apiKey: stage.key, attempts: 1 }).lookUp(
      'B000000000',
    );
  return {
    invalid_identifier: () => client.lookUp('lamp'),
    invalid_parameter: () => client.lookUp(world.item, loose({ include_offers: 'maybe' })),
    unknown_parameter: () => client.lookUp(world.item, loose({ include_offer: true })),
    force_refresh_requires_retailer: () => client.lookUp(world.item, { force_refresh: true }),
    bare_identifier_required: () => client.lookUp(world.retailerBId, { retailer: 'retailer_b' }),
    retailer_mismatch: () =>
      client.lookUp('https://shop.example.com/p/1', { retailer: 'retailer_t' }),
    url_not_allowed: () => client.lookUp('http://127.0.0.1/'),
    missing_api_key: () => as(null).lookUp(world.item),
    invalid_api_key: () => as('osk_live_wrong').lookUp(world.item),
    insufficient_scope: () => as(keys.reader).lookUp(world.item, FORCED),
    not_found: () => client.lookUp('99999999999'),
    identity_mismatch: () => client.lookUp(world.substituted),
    first_party_seller: () =>
      client.routes.GET('/v1/sellers/{seller_id}', {
        params: { path: { seller_id: world.firstPartySeller } },
      }),
    unknown_route: () => client.routes.GET('/v1/product/1' as never),
    method_not_allowed: () => client.routes.DELETE('/v1/usage' as never),
    idempotency_conflict: async () => {
      const headers = { 'Idempotency-Key': 'client-conflict' };
      const params = { path: { id: world.item } };
      await client.routes.GET('/v1/products/{id}', { params, headers });
      const query = { include_stats: false };
      await client.routes.GET('/v1/products/{id}', { params: { ...params, query }, headers });
    },
    cursor_expired: from('cursor_expired'),
    secrets_key_missing: from('secrets_key_missing'),
    body_not_accepted: () =>
      client.routes.POST('/v1/products/{id}/refresh', {
        params: { path: { id: world.item } },
        body: { upc: '012345678905' } as never,
      }),
    body_too_large: async () => {
      const line = { id: 'x'.repeat(70_000) };
      for await (const _ of client.batch([line]));
    },
    uri_too_long: () => client.lookUp('9'.repeat(8_200)),
    encoding_not_accepted: () =>
      client.routes.POST('/v1/watches', {
        body: { identifier: world.item },
        headers: { 'Content-Encoding': 'compress' },
      }),
    source_unusable: () => client.lookUp(world.disallowed),
    page_not_accepted: () => {
      const body = { ...PAGE, url: 'https://shop.example.com/cart' };
      return as(keys.submitter).routes.POST('/v1/pages', { body });
    },
    throttled: async () => {
      const slow = as(keys.slow);
      for (let call = 0; call < 3; call += 1) await slow.routes.GET('/v1/usage');
    },
    force_refresh_limit: async () => {
      const eager = as(keys.eager);
      for (let call = 0; call < 101; call += 1) await eager.lookUp(world.item, FORCED);
    },
    quota_exceeded: () => as(keys.poor).lookUp(world.item),
    internal: from('internal'),
    offers_unavailable: () => client.lookUp(world.withoutOffers, { include_offers: true }),
    upstream_unavailable: () => client.lookUp(world.blocked),
    overloaded: from('overloaded'),
  } satisfies Record<ProblemCode, () => Promise<unknown>>;
}
